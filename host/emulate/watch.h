/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of emulate.c: reports where the threads of a launch are that does not end, and may end the
 * program.
 *
 * Each OS thread that runs blocks has a timer of its own processor time, so a launch costs nothing,
 * host code that sleeps is not woken, and time in a debugger does not count. The timer's signal is
 * SIGURG, for the reasons that Go's runtime has: it is ignored by default, debuggers pass it on
 * without a word, and hardly a program uses it. One that has a handler for it is not watched.
 *
 * The handler runs on the alternate stack, in the midst of a kernel, which may hold a lock of the C
 * library: it allocates nothing. It waits for a moment when a simulated thread runs, in which the
 * scheduler's records are whole.
 */
#ifndef PORTABLE_HOST_EMULATE_WATCH_H
#define PORTABLE_HOST_EMULATE_WATCH_H

#include "host/emulate/deadlock.h"
#include "host/emulate/faults.h"

#include <errno.h>       /* errno */
#include <fcntl.h>       /* O_CLOEXEC, open */
#include <limits.h>      /* PATH_MAX */
#include <sys/syscall.h> /* SYS_gettid, SYS_timer_create */
#include <sys/wait.h>    /* waitpid */
#include <time.h>        /* struct itimerspec */

#if !defined(sigev_notify_thread_id) /* glibc's name */
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Ticks of the timer in a delay; timers of a process; attempts to find the line that runs. */
enum { TICKS = 4, MAX_WATCHED = 64, ATTEMPTS = 32 };

static __thread struct {
    int timer, has_timer;
    int is_in_launch;
    unsigned launches; /* that this OS thread took part in */
    unsigned seen;     /* at the latest tick */
    unsigned ticks;    /* since the launch was first seen */
    int is_early;      /* the timer was set to an earlier time than the next tick */
    int attempts;
} watched;

/* Nanoseconds from tick to tick. */
static unsigned long long tick_length(void)
{
    const unsigned long long notice = options.notice, limit = options.limit;
    return (limit == 0 || (notice > 0 && notice < limit) ? notice : limit) * (1000000000 / TICKS);
}

static void set_timer(unsigned long long first)
{
    const unsigned long long length = tick_length();
    struct itimerspec times;
    memset(&times, 0, sizeof times);
    times.it_value.tv_sec = (time_t)(first / 1000000000);
    times.it_value.tv_nsec = (long)(first % 1000000000);
    times.it_interval.tv_sec = (time_t)(length / 1000000000);
    times.it_interval.tv_nsec = (long)(length % 1000000000);
    syscall(SYS_timer_settime, watched.timer, 0, &times, NULL);
}

/* ---- the line that runs ---- */

/* The program or one of its libraries, whose code contains the address. */
struct module {
    const char *address, *begin, *end;
    char path[PATH_MAX];
    uintptr_t base;
};

/* For dl_iterate_phdr, which a handler may call, unlike is_code with its lock. */
static int find_module(struct dl_phdr_info *info, size_t size, void *found)
{
    struct module *const module = (struct module *)found;
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const char *const begin = (const char *)(info->dlpi_addr + info->dlpi_phdr[k].p_vaddr);
        if (info->dlpi_phdr[k].p_type != PT_LOAD || !(info->dlpi_phdr[k].p_flags & PF_X) ||
            module->address < begin || module->address >= begin + info->dlpi_phdr[k].p_memsz)
            continue;
        module->begin = begin;
        module->end = begin + info->dlpi_phdr[k].p_memsz;
        module->base = info->dlpi_addr;
        if (info->dlpi_name[0]) {
            snprintf(module->path, sizeof module->path, "%s", info->dlpi_name);
            return 1;
        }
        const ssize_t length = readlink("/proc/self/exe", module->path, sizeof module->path - 1);
        module->path[length > 0 ? length : 0] = '\0';
        return length > 0;
    }
    return 0;
}

/* Has addr2line write the lines of the code addresses. Returns what it wrote. */
static const char *ask_addr2line(const struct module *module, const void *const *code, int count)
{
    enum { MOST = 16 };
    static char answer[8192], addresses[MOST][24];
    char *arguments[MOST + 5] = {(char *)"addr2line", (char *)"-i", (char *)"-e",
                                 (char *)module->path};
    char *nothing[] = {NULL}; /* LD_PRELOAD may name a check */
    size_t length;
    int ends[2];
    for (int k = 0; k < count && k < MOST; k++) {
        snprintf(addresses[k], sizeof addresses[k], "%#zx",
                 (size_t)((uintptr_t)code[k] - 1 - module->base));
        arguments[4 + k] = addresses[k];
    }
    answer[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return answer;
    const pid_t child = vfork(); /* fork would wait for locks */
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        execvpe(arguments[0], arguments, nothing);
        syscall(SYS_exit, 127);
    }
    close(ends[1]);
    length = 0;
    for (ssize_t more = 1; child > 0 && more > 0; length += more > 0 ? (size_t)more : 0)
        more = read(ends[0], answer + length, sizeof answer - 1 - length);
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    answer[length] = '\0';
    return answer;
}

/* Whether it is a line of the user's, rather than the runtime's or "a.c:?". */
static int is_of_user(const char *line, size_t length)
{
    static const char *const parts[] = {"portable.h:", "host/emulate/", "host/checks/", "/cudart/",
                                        "portable_cuda/"};
    const char *const colon = (const char *)memrchr(line, ':', length);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (memmem(line, length, parts[k], strlen(parts[k])))
            return 0;
    return colon && colon[1] >= '1' && colon[1] <= '9';
}

/* The return addresses in the module from the frame pointer on: stack_unwind without is_code. */
static int unwind_in(const struct module *module, const char *frame, const void **code,
                     int capacity)
{
    const unsigned slot = now->in_loop ? now->loop_slot : now->block[now->thread].slot;
    int count = 0;
    while (count < capacity && (uintptr_t)frame % sizeof frame == 0 &&
           stack_has(slot, frame, 2 * sizeof frame)) {
        const char *const *const words = (const char *const *)(const void *)frame;
        if (words[1] < module->begin || words[1] >= module->end)
            break;
        code[count++] = words[1];
        if (words[0] <= frame)
            break;
        frame = words[0];
    }
    return count;
}

/* The user's line at the interrupted place, "kernels/a.c:5", or "". */
static void find_line(const ucontext_t *context, char *text, size_t size)
{
    static const char discriminator[] = " (discriminator ";
    static struct module module;
    static char directory[PATH_MAX];
    const void *code[12] = {(const char *)REGISTERS_PC(context) + 1};
    int count = 1;
    text[0] = '\0';
    module.address = (const char *)REGISTERS_PC(context);
    if (!dl_iterate_phdr(find_module, &module))
        return;
    /* The runtime has frame pointers: this finds the line that called it even if the program has
     * none. */
    count += unwind_in(&module, (const char *)REGISTERS_FP(context), &code[1],
                       (int)(sizeof code / sizeof code[0]) - 1);
    if (!getcwd(directory, sizeof directory))
        directory[0] = '\0';
    const size_t below = strlen(directory);
    for (const char *line = ask_addr2line(&module, code, count); *line; line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        if (is_of_user(line, length)) {
            const char *const end =
                (const char *)memmem(line, length, discriminator, strlen(discriminator));
            const size_t all = end ? (size_t)(end - line) : length;
            const size_t start =
                below > 1 && strncmp(line, directory, below) == 0 && line[below] == '/' ? below + 1
                                                                                        : 0;
            snprintf(text, size, "%.*s", (int)(all - start), line + start);
            memmove(text, shown(text), strlen(shown(text)) + 1);
            return;
        }
        line += length;
    }
}

/* ---- the report ---- */

/* What a thread of a block does: the running one is READY, as are those that may go on. */
static enum state state_of(const struct block *block, unsigned t)
{
    const unsigned index = emulate_thread_index();
    if (block != now->running || !launch.loops)
        return threads_of(block)[t].state;
    if (now->in_loop && t >= now->loop_known && t <= index)
        return t < index ? ENDED : READY;
    if (t >= (now->in_loop ? index : now->begun))
        return FRESH;
    return threads_of(block)[t].state;
}

static int runs(const struct block *block, unsigned t)
{
    return block == now->running && t == (now->in_loop ? emulate_thread_index() : now->thread);
}

/* Whether one line of the report is for both. */
static int is_same(const struct block *a, unsigned t, const struct block *b, unsigned u)
{
    const enum state state = state_of(a, t);
    const struct thread *const first = &threads_of(a)[t], *const second = &threads_of(b)[u];
    if (state != state_of(b, u) || runs(a, t) || runs(b, u))
        return a == b && t == u;
    return state == FRESH || state == ENDED ||
           (first->name && second->name && same_place(first, second));
}

/* Appends what thread t does, and that many others with it. line: that the running one is at, or
 * "". */
static void append_state(char *text, size_t size, const struct block *block, unsigned t,
                         unsigned others, const char *line)
{
    struct thread thread = threads_of(block)[t];
    thread.state = state_of(block, t);
    thread.call = NULL;
    if (thread.state == READY && !line[0] && thread.name && strcmp(thread.name, "a loop") == 0)
        thread.state = AT_POLL; /* it did until now */
    if (thread.state == FRESH)
        append(text, size, others > 0 ? " have not started" : " has not started");
    else if (thread.state != READY)
        append_place(text, size, &thread, others);
    else if (!runs(block, t))
        append(text, size, " %s passed %s, %s:%d", others > 0 ? "have" : "has", thread.name,
               shown(thread.file), thread.line);
    else if (line[0])
        append(text, size, " runs at %s", line);
    else if (!now->in_loop && thread.name && thread.line > 0)
        append(text, size, " runs, and last passed %s, %s:%d", thread.name, shown(thread.file),
               thread.line);
    else
        append(text, size, " runs");
}

/* Appends a line for each group of threads, the running one first, and the number of blocks that
 * are to come. */
static void append_states(char *text, size_t size, const char *line)
{
    enum { MOST = 8 };
    const struct worker *const of = lead();
    struct {
        const struct block *block;
        unsigned thread;
    } listed[MOST];
    unsigned count = 0;
    char where[128];
    if (portable_thread_loop_.is_split) {
        append(text, size,
               "\n    %s runs%s%s (PORTABLE_SPLIT=0 in the environment has the thread named)",
               where_block(where, sizeof where), line[0] ? " at " : "", line);
        return;
    }
    for (int running = 1; running >= 0; running--)
        for (size_t b = 0; b < of->block_count && count < MOST; b++) {
            const struct block *const block = &of->blocks[b];
            for (unsigned t = 0; block->state != UNUSED && t < emulate.threads; t++) {
                unsigned known = 0, others = 0;
                if (runs(block, t) != running)
                    continue;
                while (known < count &&
                       !is_same(listed[known].block, listed[known].thread, block, t))
                    known++;
                if (known < count || count == MOST)
                    continue;
                listed[count].block = block;
                listed[count++].thread = t;
                for (size_t c = b; c < of->block_count && !running; c++)
                    for (unsigned u = c == b ? t + 1 : 0; u < emulate.threads; u++)
                        others +=
                            of->blocks[c].state != UNUSED && is_same(block, t, &of->blocks[c], u);
                append(text, size, "\n    %s", emulate_where(where, sizeof where, block->id, t));
                if (others > 0)
                    append(text, size, " and %u more", others);
                append_state(text, size, block, t, others, running ? line : "");
            }
        }
    if (!launch.is_parallel && of->started < launch.blocks)
        append(text, size, "\n    %llu of %llu blocks have not started",
               launch.blocks - of->started, launch.blocks);
}

/* Writes the report to stderr, at once. */
static void report_launch(const char *format, unsigned long long seconds, const char *line)
{
    static char text[4096];
    text[0] = '\0';
    append(text, sizeof text - 1, format, emulate.kernel, seconds);
    append_states(text, sizeof text - 1, line);
    append(text, sizeof text, "\n");
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* ---- the timer ---- */

static void tick_of_watch(const ucontext_t *context)
{
    enum { SOON = 1000000 };               /* nanoseconds */
    static unsigned long long next_notice; /* seconds; doubles, so that many long launches are told
                                              of a few times */
    static int is_busy;
    char line[500];
    if (!watched.is_in_launch || watched.seen != watched.launches) {
        watched.seen = watched.launches;
        watched.ticks = 0;
        watched.is_early = watched.attempts = 0;
        return;
    }
    watched.ticks += !watched.is_early;
    watched.is_early = 0;
    const unsigned long long seconds = watched.ticks * tick_length() / 1000000000;
    const int is_over = options.limit > 0 && seconds >= options.limit;
    if (!is_over && (options.notice == 0 || seconds < options.notice || seconds < next_notice))
        return;
    if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE)) /* another OS thread reports */
        return;
    const int is_whole = emulate_is_on_stack((const char *)REGISTERS_SP(context));
    if (is_whole)
        find_line(context, line, sizeof line);
    watched.is_early = !is_whole || (!line[0] && watched.attempts++ < ATTEMPTS);
    if (watched.is_early) {
        set_timer(SOON);
    } else if (is_over) {
        report_launch("kernel %s did not end within %llu s of processor time:", options.limit,
                      line);
        abort();
    } else {
        report_launch("still running kernel %s, after %llu s of processor time:", seconds, line);
        next_notice = 2 * seconds;
        watched.attempts = 0;
    }
    __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}

static void on_tick(int number, siginfo_t *info, void *context)
{
    const int error = errno, running = emulate_running;
    (void)number;
    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &options)
        return;
    emulate_running = 0; /* what follows is no kernel's */
    tick_of_watch((const ucontext_t *)context);
    emulate_running = running;
    errno = error;
}

/* Whether ticks can be received. */
static int takes_ticks(void)
{
    struct sigaction action;
    if (sigaction(SIGURG, NULL, &action) != 0 ||
        (!(action.sa_flags & SA_SIGINFO) && action.sa_handler != SIG_DFL) ||
        ((action.sa_flags & SA_SIGINFO) && action.sa_sigaction != on_tick))
        return 0;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGURG, &action, NULL) == 0;
}

static void make_timer(void)
{
    static unsigned timers;
    struct sigevent event;
    watched.has_timer = 1; /* even if there is none */
    if ((options.notice == 0 && options.limit == 0) ||
        __atomic_fetch_add(&timers, 1, __ATOMIC_RELAXED) >= MAX_WATCHED || !takes_ticks())
        return;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    event.sigev_signo = SIGURG;
    event.sigev_value.sival_ptr = &options;
    if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &watched.timer) == 0)
        set_timer(tick_length());
}

/* Around what this OS thread does for a launch. */
static void begin_watch(void)
{
    if (!watched.has_timer)
        make_timer();
    watched.launches++;
    watched.is_in_launch = 1;
}
static void end_watch(void)
{
    watched.is_in_launch = 0;
}

#endif
