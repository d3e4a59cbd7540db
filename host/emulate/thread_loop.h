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
 */
#ifndef PORTABLE_HOST_EMULATE_THREAD_LOOP_H
#define PORTABLE_HOST_EMULATE_THREAD_LOOP_H

#include "protocol.h" /* PORTABLE_OF_WORKER_ */

struct portable_thread_loop_ {
    const void *stack; /* identifies the loop's stack; a pointer, as a kernel's data seldom are */
    unsigned end[3];   /* behind the last thread's index: the block's extents, or one thread's */
};
extern PORTABLE_OF_WORKER_(struct portable_thread_loop_ portable_thread_loop_);

/* Iterations of loops that may wait for others before a thread first yields. A kernel that does not
 * wait mostly ends before. */
#define PORTABLE_FIRST_PATIENCE_ (1 << 14)

#endif
