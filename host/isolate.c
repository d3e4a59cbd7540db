/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "host/isolate.h"

#include "host/output.h"
#include "host/outputs.h"

#include <errno.h>    /* errno, EINTR */
#include <signal.h>   /* raise */
#include <stdio.h>    /* fflush, snprintf */
#include <stdlib.h>   /* exit, getenv */
#include <string.h>   /* strerror, strsignal */
#include <sys/mman.h> /* mmap */
#include <sys/wait.h> /* waitpid */
#include <unistd.h>   /* fork */
#if defined(__linux__)
#include <sys/prctl.h> /* prctl */
#endif

/* 0 where a crash has a report of its own: host/make/checks.mk sets it for the checks. */
#ifndef PORTABLE_ISOLATE
#define PORTABLE_ISOLATE 1
#endif

/* The state that a child shares. */
static struct telling {
    int next;     /* the step in progress, or the first that it left out */
    int worst;    /* of the steps that ended */
    int left;     /* it ended normally */
    int launched; /* a kernel has run */
    int mute;     /* some output could not be written */
    char what[512], command[512];
} * telling;

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

    if (!telling)
        return;
    telling->what[0] = '\0';
    if (!run)
        return;
    block_text(run->block, block, sizeof block);
    if (!run->input)
        snprintf(size, sizeof size, "%d", run->n);
    if (run->seed != 1)
        snprintf(seed, sizeof seed, " --seed %llu", run->seed);
    snprintf(telling->what, sizeof telling->what, "%s, %s%.300s, block %s, %s", run->which->name,
             run->input ? "" : "n = ", run->input ? io_base_name(run->input) : size, block,
             PORTABLE_TARGET_NAME);
    snprintf(telling->command, sizeof telling->command,
             "%s%.40s%smake memcheck CASES=%s ARGS=\"%s %.300s --block %s%s\"%s%s",
             order && order[0] ? "ORDER=" : "", order ? order : "", order && order[0] ? " " : "",
             run->which->name, run->input ? "--input" : "--n", run->input ? run->input : size,
             block, seed, sizeof(REAL) == sizeof(double) ? " PRECISION=double" : "",
             PORTABLE_ATOMICS_CAS ? " ATOMICS=cas" : "");
}

void isolate_note_launch(void)
{
    if (telling)
        telling->launched = 1;
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

static void work(int count, int (*step)(int k, void *context), void *context)
{
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    do {
        const int status = step(telling->next, context);

        if (status > telling->worst)
            telling->worst = status;
        telling->mute |= fflush(NULL) != 0 || output_failed();
        telling->next++;
    } while (PORTABLE_TARGET_CUDA && telling->next < count &&
             portable_synchronize() == PORTABLE_SUCCESS);
    telling->left = 1;
}

/* A signal from the user is meant for the program too. */
static int is_from_user(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT ||
           signal == SIGPIPE;
}

int isolate(int count, int (*step)(int k, void *context),
            void (*crashed)(int k, const char *sentence, void *context), void *context)
{
    const int isolated = PORTABLE_ISOLATE && !in_debugger();
    int worst = 0;

    if (!isolated)
        for (int k = 0; k < count; k++) {
            const int status = step(k, context);

            worst = status > worst ? status : worst;
        }
    if (isolated && !telling)
        telling = (struct telling *)isolate_shared(sizeof *telling);
    if (isolated)
        telling->next = telling->worst = 0;
    while (isolated && telling->next < count) {
        char sentence[sizeof telling->what + sizeof telling->command + 128], how[64];
        int status;

        telling->left = 0;
        telling->what[0] = '\0';
        fflush(NULL);
        const pid_t child = fork();

        if (child < 0) {
            fprintf(stderr, "gallery: no further process: %s\n", strerror(errno));
            return IO_BAD;
        }
        if (child == 0) {
            work(count, step, context);
            exit(0);
        }
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && telling->left)
            continue;
        if (WIFSIGNALED(status) && is_from_user(WTERMSIG(status)))
            raise(WTERMSIG(status));
        if (WIFEXITED(status) && WEXITSTATUS(status) == IO_BAD && !telling->launched)
            exit(IO_BAD);
        if (WIFSIGNALED(status))
            snprintf(how, sizeof how, "%s", strsignal(WTERMSIG(status)));
        else
            snprintf(how, sizeof how, "exited with status %d", WEXITSTATUS(status));
        if (telling->what[0])
            snprintf(sentence, sizeof sentence, "%s: %s; to see where: %s", telling->what, how,
                     telling->command);
        else
            snprintf(sentence, sizeof sentence, "the %s gallery, outside of a run: %s",
                     PORTABLE_TARGET_NAME, how);
        progress("%s", "");
        progress_end();
        worst = worst < ISOLATE_CRASHED ? ISOLATE_CRASHED : worst;
        /* After its last step a child may still crash, because a step damaged memory. */
        if (telling->left)
            telling->next--;
        crashed(telling->next++, sentence, context);
    }
    if (isolated && telling->mute)
        output_note_failed();
    return isolated && telling->worst > worst ? telling->worst : worst;
}
