/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a loop over the threads of a block shares with the emulate target's runtime.
 *
 * The runtime calls such a kernel once for many threads: from threadIdx up to `end`, x fastest. The
 * loop sets threadIdx and the patience of each thread, and runs it. A thread that waits for others
 * keeps the stack: the runtime calls the loop for the next thread on another one, and `stack` is
 * that. When the thread goes on and ends, its loop sees that `stack` is another, and returns.
 *
 * Until it waits or calls the runtime, nothing but threadIdx says which thread runs; the report of
 * a fault depends on it.
 *
 * A split kernel is one that host/nvcc/split has made loops over threads of, from each wait to
 * the next. It runs whole blocks on one stack, and none of its threads ever waits. Which of them
 * runs is not known, except before its first wait, and then only to a call that stores threadIdx
 * before.
 */
#ifndef PORTABLE_HOST_EMULATE_THREAD_LOOP_H
#define PORTABLE_HOST_EMULATE_THREAD_LOOP_H

#include "protocol.h" /* PORTABLE_OF_WORKER_ */

struct portable_thread_loop_ {
    const void *stack; /* identifies the loop's stack; a pointer, as a kernel's data seldom are */
    unsigned end[3];   /* behind the last thread's index: the block's extents, or one thread's */
    int may_split;     /* the runtime calls it for a whole block, which a split kernel may run */
    int is_split;      /* a split kernel runs */
    char *arena;       /* for what its threads keep from one wait to the next, aligned to 64 */
    size_t arena_bytes;
};
extern PORTABLE_OF_WORKER_(struct portable_thread_loop_ portable_thread_loop_);

/* The loop has run all threads of a block. If another block is to run on this stack, makes it the
 * running one, at its first thread, and returns 1. */
int portable_emulate_next_block_(void);

/* Makes the arena that large, and returns it. */
__attribute__((cold)) char *portable_emulate_arena_(size_t bytes);
/* The threads of a split kernel wait in different places: of each, the number of the place, from 1
 * on, or 0 if it has ended. */
struct portable_place_ {
    const char *name, *file;
    int line;
};
__attribute__((noreturn, cold)) void
portable_emulate_split_diverged_(const unsigned char *waits, const struct portable_place_ *places);
/* A lane of the warp that begins with thread `first` reads a lane that has ended, by the operation
 * at the place. */
__attribute__((noreturn, cold)) void
portable_emulate_split_absent_(const struct portable_place_ *place, unsigned first, unsigned lane,
                               unsigned from);

/* Iterations of loops that may wait for others before a thread first yields. A kernel that does not
 * wait mostly ends before. */
#define PORTABLE_FIRST_PATIENCE_ (1 << 14)
/* Atomics in a row, at one address, that change nothing, before a thread yields. */
#define PORTABLE_SPINS_ 64

#endif
