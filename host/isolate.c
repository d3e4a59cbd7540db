/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, pipe2 */
#include "host/isolate.h"

#include "host/output.h"
#include "host/outputs.h"

#include <errno.h>    /* errno, EINTR */
#include <fcntl.h>    /* O_CLOEXEC */
#include <poll.h>     /* poll */
#include <signal.h>   /* kill, raise */
#include <stdio.h>    /* dprintf, fflush, snprintf */
#include <stdlib.h>   /* exit, getenv, setenv, unsetenv */
#include <string.h>   /* strerror, strsignal */
#include <sys/mman.h> /* mmap */
#include <sys/wait.h> /* waitpid */
#include <unistd.h>   /* close, fork, pipe2, _exit */
#if defined(__linux__)
#include <sys/prctl.h> /* prctl */
#endif

/* 0 under the checks, which report crashes themselves: host/make/checks.mk sets it. */
#ifndef PORTABLE_ISOLATE
#define PORTABLE_ISOLATE 1
#endif

/* The state that a child shares; without children, that of the program. */
static struct shared {
    int next;         /* the step in progress, or the first that no child has begun */
    int has_ended;    /* the child, normally */
    int has_launched; /* a kernel */
    int lost_output;  /* some could not be written */
    unsigned beats;   /* signs of life: runs that began or ended, launches */
    char run[512], command[512], cause[512];
    char failure[512]; /* of the run in progress, or "" */
} * shared;
static int is_child;

/* Seconds of a run, between two signs of life, after which it is named, and ended; 0: never. */
static int notice, limit;
/* Where make prints, within its steps, or -1. */
static int make_output;

void *isolate_shared(size_t size)
{
    void *const memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        fprintf(stderr, "gallery: no %zu bytes of memory to share with a process: %s\n", size,
                strerror(errno));
        exit(IO_BAD);
    }
    return memory;
}

void isolate_note(const struct run *run)
{
    const char *const order = getenv("ORDER");
    char block[48], size[32] = "", seed[48] = "";

    if (!shared)
        return;
    shared->run[0] = shared->failure[0] = '\0';
    shared->beats++;
    if (!run)
        return;
    block_text(run->block, block, sizeof block);
    if (!run->input)
        snprintf(size, sizeof size, "%d", run->n);
    if (run->seed != 1)
        snprintf(seed, sizeof seed, " --seed %llu", run->seed);
    snprintf(shared->run, sizeof shared->run, "%s, %s%.300s, block %s, %s", run->test_case->name,
             run->input ? "" : "n = ", run->input ? io_base_name(run->input) : size, block,
             PORTABLE_TARGET_NAME);
    snprintf(shared->command, sizeof shared->command,
             "%s%.40s%smake memcheck CASES=%s ARGS=\"%s %.300s --block %s%s\"%s%s",
             order && order[0] ? "ORDER=" : "", order ? order : "", order && order[0] ? " " : "",
             run->test_case->name, run->input ? "--input" : "--n", run->input ? run->input : size,
             block, seed, sizeof(REAL) == sizeof(double) ? " PRECISION=double" : "",
             PORTABLE_ATOMICS_CAS ? " ATOMICS=cas" : "");
}

void isolate_note_launch(void)
{
    if (!shared)
        return;
    shared->has_launched = 1;
    shared->beats++;
}

const char *isolate_command(void)
{
    return shared && shared->run[0] ? shared->command : NULL;
}

/* Of a variable in the environment. */
static int seconds_of(const char *name, int otherwise)
{
    const char *const text = getenv(name);
    const char *at = text;
    size_t seconds;

    if (!text || !text[0])
        return otherwise;
    if (io_parse_size(&at, text + strlen(text), &seconds) == 0 && !*at &&
        seconds <= ISOLATE_MOST_SECONDS)
        return (int)seconds;
    fprintf(stderr, "%s=%s: must be a number of seconds, 0 to %d\n", name, text,
            ISOLATE_MOST_SECONDS);
    exit(IO_BAD);
}

void isolate_limit(int seconds)
{
    char text[16];

    limit = seconds_of("PORTABLE_LIMIT", 600);
    notice = seconds_of("PORTABLE_NOTICE", 10);
    make_output = seconds_of("PORTABLE_NOTICE_FD", -1); /* a small number, too */
    if (seconds >= 0)
        limit = seconds;
    snprintf(text, sizeof text, "%d", limit);
    if (!PORTABLE_ISOLATE) /* the emulate target's runtime watches each launch */
        setenv("PORTABLE_LIMIT", text, 1);
}

/* What the run has died of, and what to do. */
struct sentence {
    char text[sizeof shared->run + sizeof shared->command + sizeof shared->cause + 128];
};
static const char *write_sentence(struct sentence *sentence, const char *cause)
{
    if (shared->run[0])
        snprintf(sentence->text, sizeof sentence->text, "%s: %s; to see where: %s", shared->run,
                 cause, shared->command);
    else
        snprintf(sentence->text, sizeof sentence->text, "the %s gallery, outside of a run: %s",
                 PORTABLE_TARGET_NAME, cause);
    return sentence->text;
}

void isolate_crash(const char *cause, struct io_error *error)
{
    struct sentence sentence;

    if (is_child) {
        snprintf(shared->cause, sizeof shared->cause, "%s", cause);
        fflush(NULL);
        _exit(EXIT_FAILURE);
    }
    if (shared)
        io_fail(error, "%s", write_sentence(&sentence, cause));
}

static int in_debugger(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    int tracer = 0;

    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "TracerPid: %d", &tracer) == 1)
            break;
    if (status)
        fclose(status);
    return tracer != 0;
}

/* For case_on_failure, in the child: it may end, or crash, before the run can tell. A thread of
 * OpenMP may call this, in the midst of a launch. */
static void note_failure(const char *sentence, int ends)
{
    snprintf(shared->failure, sizeof shared->failure, "%s", sentence);
    if (!ends)
        return;
    fflush(NULL);
    _exit(IO_BAD);
}

/* A child's steps. */
static void work(int count, void (*step)(int k, void *context), void *context)
{
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    unsetenv("PORTABLE_LIMIT"); /* the program has it */
    case_on_failure(note_failure);
    do {
        step(shared->next, context);
        shared->lost_output |= fflush(NULL) != 0 || output_failed();
        shared->next++;
    } while (PORTABLE_TARGET_CUDA && shared->next < count &&
             portable_synchronize() == PORTABLE_SUCCESS);
    shared->has_ended = 1;
}

/* On stderr or, within make check, whose steps have that in a file, also where make prints. */
static void tell(int seconds)
{
    char line[sizeof shared->run + 100], end[32] = "it has no limit";

    if (limit > 0)
        snprintf(end, sizeof end, "its limit is %d s", limit);
    snprintf(line, sizeof line, "still running %s, after %d s; %s", shared->run, seconds, end);
    progress("%s", "");
    progress_end();
    fprintf(stderr, "%s\n", line);
    if (make_output >= 0)
        dprintf(make_output, "%s  %s\n", isatty(make_output) ? "\r\033[K" : "", line);
}

/* Waits until the child ends, and the pipe with it. Returns 1 if it was killed, as a run did not
 * end. Counts seconds in which nothing came, so that time in which this program was stopped does
 * not count. */
static int watch(pid_t child, int pipe_end)
{
    struct pollfd end = {.fd = pipe_end, .events = POLLIN};
    unsigned beats = shared->beats;
    int seconds = 0, events;

    while ((events = poll(&end, 1, 1000)) == 0 || (events < 0 && errno == EINTR)) {
        siginfo_t ended = {0};

        if (events < 0)
            continue;
        /* A process that the child has started may still have the pipe. */
        if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid)
            return 0;
        seconds = beats == shared->beats && shared->run[0] ? seconds + 1 : 0;
        beats = shared->beats;
        if (seconds > 0 && seconds == notice)
            tell(seconds);
        if (limit > 0 && seconds >= limit) {
            kill(child, SIGKILL);
            return 1;
        }
    }
    return 0;
}

/* A signal from the user is meant for the program too. */
static int is_from_user(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT ||
           signal == SIGPIPE;
}

/* Why the child crashed, for a person; NULL when it did not. Ends the program if the child found
 * bad input, or a signal from the user ended it. */
static const char *cause_of_crash(int status, int is_late, char *text, size_t size)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && shared->has_ended)
        return NULL;
    if (WIFSIGNALED(status) && is_from_user(WTERMSIG(status)))
        raise(WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == IO_BAD && !shared->has_launched &&
        !shared->failure[0])
        exit(IO_BAD);
    if (is_late)
        snprintf(text, size, "did not end within %d s", limit);
    else if (shared->cause[0])
        snprintf(text, size, "%s", shared->cause);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "%s", strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "exited with status %d", WEXITSTATUS(status));
    return text;
}

/* Forks the child for the steps from shared->next on. Returns its process, or -1, and the end of a
 * pipe that is open as long as it lives. */
static pid_t begin_child(int count, void (*step)(int k, void *context), void *context, int *end)
{
    int ends[2];

    shared->has_ended = 0;
    shared->run[0] = shared->cause[0] = shared->failure[0] = '\0';
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    const pid_t child = fork();

    if (child == 0) {
        close(ends[0]);
        is_child = 1;
        work(count, step, context);
        exit(0);
    }
    close(ends[1]);
    *end = ends[0];
    if (child < 0)
        close(ends[0]);
    return child;
}

int isolate(int count, void (*step)(int k, void *context),
            void (*crashed)(int k, enum verdict verdict, const char *sentence, void *context),
            void *context)
{
    if (!shared)
        shared = (struct shared *)isolate_shared(sizeof *shared);
    if (!PORTABLE_ISOLATE || in_debugger()) {
        for (int k = 0; k < count; k++)
            step(k, context);
        return 0;
    }
    shared->next = 0;
    while (shared->next < count) {
        struct sentence sentence;
        char cause[sizeof shared->cause];
        int status, end;
        const pid_t child = begin_child(count, step, context, &end);

        if (child < 0) {
            fprintf(stderr, "gallery: no further process: %s\n", strerror(errno));
            return IO_BAD;
        }
        const int is_late = watch(child, end);

        close(end);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        if (!cause_of_crash(status, is_late, cause, sizeof cause))
            continue;
        progress("%s", "");
        progress_end();
        /* After its last step a child may still crash, because a step damaged memory. */
        if (shared->has_ended)
            shared->next--;
        crashed(shared->next++, shared->failure[0] ? VERDICT_ERROR : VERDICT_CRASHED,
                shared->failure[0] ? shared->failure : write_sentence(&sentence, cause), context);
    }
    if (shared->lost_output)
        output_note_failed();
    return 0;
}
