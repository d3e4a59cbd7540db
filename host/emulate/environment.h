/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: the options in the environment. */
#ifndef PORTABLE_HOST_EMULATE_ENVIRONMENT_H
#define PORTABLE_HOST_EMULATE_ENVIRONMENT_H

#include "host/emulate/check.h"
#include "portable.h"

#include <sched.h>  /* sched_getaffinity */
#include <stdio.h>  /* fprintf */
#include <stdlib.h> /* getenv */
#include <string.h>

/* Linux limits the mappings of a process, and each of them may have stacks for a block. */
enum { MAX_THREADS = 28 };

static struct {
    int read;
    int stop; /* PORTABLE_BREAK is set */
    unsigned long long stop_block;
    unsigned stop_thread;
    size_t stack;     /* bytes of a thread's stack */
    unsigned threads; /* OS threads that run blocks */
    int split;        /* kernels that are split run as loops over threads */
    int spins;        /* of one that waits, before it sleeps */
    unsigned notice;  /* seconds until a launch is reported, */
    unsigned limit;   /* and until it ends the program; 0: never */
} options;

/* The OS threads that the process may have at a time. */
static unsigned processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static unsigned read_seconds(const char *name, unsigned otherwise)
{
    const char *const text = getenv(name), *at = text;
    unsigned long long number = 0;
    if (!text || !text[0])
        return otherwise;
    if (!portable_number_(&at, 1000000, &number) || *at)
        portable_bad_value_(name, text, "must be a number of seconds, 0 to 1000000");
    return (unsigned)number;
}

static void read_options(void)
{
    const char *const stop = getenv("PORTABLE_BREAK"), *const stack = getenv("PORTABLE_STACK");
    const char *const warps = getenv("PORTABLE_WARPS"), *const threads = getenv("PORTABLE_THREADS");
    const char *const split = getenv("PORTABLE_SPLIT");
    const char *at;
    unsigned long long number = 0;

    if (options.read)
        return;
    options.read = 1;
    portable_order_read_();
    if (stop && stop[0]) {
        at = stop;
        options.stop = portable_number_(&at, ~0ULL, &options.stop_block) && *at++ == ',' &&
                       portable_number_(&at, PORTABLE_BLOCK_LIMIT_ - 1, &number) && !*at;
        if (!options.stop)
            portable_bad_value_(
                "PORTABLE_BREAK", stop,
                "must be BLOCK,THREAD: the linear numbers of a block and of a thread in it");
        options.stop_thread = (unsigned)number;
    }
    if (warps && strcmp(warps, "independent") == 0)
        emulate_lockstep = 0;
    else if (warps && warps[0] && strcmp(warps, "lockstep") != 0)
        portable_bad_value_("PORTABLE_WARPS", warps, "must be lockstep or independent");
    else if (warps && warps[0] && !emulate_lockstep)
        portable_bad_value_("PORTABLE_WARPS", warps,
                            "must be independent in a program built without portable-nvcc "
                            "--warps=lockstep");
    options.split = !split || strcmp(split, "0") != 0;
    if (split && split[0] && strcmp(split, "0") != 0 && strcmp(split, "1") != 0)
        portable_bad_value_("PORTABLE_SPLIT", split,
                            "must be 1, or 0 for no loops over the threads of a block");
    options.threads = processors();
    if (threads && threads[0]) {
        at = threads;
        if (!portable_number_(&at, 1 << 16, &number) || *at || number < 1)
            portable_bad_value_("PORTABLE_THREADS", threads,
                                "must be the number of OS threads that run blocks, 1 to 65536");
        options.threads = (unsigned)number;
        if (PORTABLE_WORKERS_ && !emulate_check.name && options.threads > MAX_THREADS)
            fprintf(stderr, "PORTABLE_THREADS=%s: at most %d OS threads run blocks, so %d do\n",
                    threads, MAX_THREADS, MAX_THREADS);
    }
    options.spins = options.threads <= processors() ? 1 << 12 : 1 << 6;
    if (options.threads > MAX_THREADS)
        options.threads = MAX_THREADS;
    options.stack = 256 << 10;
    if (stack && stack[0]) {
        at = stack;
        if (!portable_number_(&at, 1 << 20, &number) || *at || number < 16)
            portable_bad_value_("PORTABLE_STACK", stack,
                                "must be the KiB of a thread's stack, 16 to 1048576");
        options.stack = (size_t)number << 10;
    }
    options.notice = read_seconds("PORTABLE_NOTICE", 10);
    options.limit = read_seconds("PORTABLE_LIMIT", 0);
}

#endif
