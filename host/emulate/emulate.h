/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the scheduler of the emulate target (emulate.c) tells the checks. Internal: kernels and host
 * code see portable.h alone.
 *
 * One of racecheck.c, initcheck.c, memcheck.c and synccheck.c is linked into each checked program
 * and defines emulate_check; a plain emulate program has the empty one of emulate.c. All these
 * files are compiled without any instrumentation.
 *
 * Blocks run one after another. Time is counted in intervals: a number that grows by one when a
 * block starts, when its threads have passed a barrier of the block, and when the grid has passed a
 * barrier of the grid. When a block starts, the count may begin again, at 1: what a check kept by
 * earlier intervals is then over. So for an access of the running block, an earlier one in interval
 * i was made
 *
 *     i == interval                      by this block, with no barrier in between
 *     block_start <= i < interval        by this block, before a barrier
 *     launch_start <= i < block_start    by another block, with nothing in between
 *     i < launch_start                   before this launch, or before a barrier of the grid
 */
#ifndef PORTABLE_HOST_EMULATE_H
#define PORTABLE_HOST_EMULATE_H

#include "host/emulate/protocol.h" /* enum portable_memory_event_ */

#include <stddef.h> /* size_t */
#include <stdint.h> /* uint32_t */

/* Of what kind the accesses of the running thread are, just now. */
enum emulate_access { EMULATE_PLAIN, EMULATE_ATOMIC, EMULATE_ATOMIC_BLOCK };

struct emulate_state {
    const char *kernel; /* NULL outside a launch */
    unsigned grid[3], block[3];
    unsigned thread, threads;    /* its linear number, x fastest, and how many the block has */
    unsigned long long block_id; /* the running block's linear number, x fastest */
    uint32_t interval, block_start, launch_start;
    uint32_t warp_syncs[32];    /* of each warp: how many SYNC_WARPs it has passed in this block */
    enum emulate_access access; /* what the running thread's accesses are */
    uint64_t moment;            /* when and by whom they are made: emulate_tick */
    char *shared;               /* dynamic shared memory of the running block, or NULL */
    size_t shared_bytes;
    char array[64]; /* the name of what device memory is new for, or "" */
    char *stacks;   /* those of the simulated threads, guard pages included */
    size_t stacks_bytes;
};
extern struct emulate_state emulate;
/* Puts the interval, the syncs of the running thread's warp and the thread into one number, which
 * racecheck keeps of an access: once any of them has changed, and before the thread goes on. */
enum { EMULATE_THREAD_BITS = 10, EMULATE_SYNC_BITS = 22 };
static inline void emulate_tick(void)
{
    const uint32_t syncs =
        emulate.warp_syncs[emulate.thread / 32] & ((1u << EMULATE_SYNC_BITS) - 1);
    emulate.moment =
        (uint64_t)emulate.interval << 32 | syncs << EMULATE_THREAD_BITS | emulate.thread;
}

/* 1 while this OS thread runs a simulated thread; 0 in host code, of other OS threads too. */
extern __thread int emulate_running;

/* The linear number of the block that was running in an interval of this launch. */
unsigned long long emulate_block_of(uint32_t interval);

/* "block (1, 0, 0), thread (5, 0, 0)" by linear numbers, into text; returns text. */
char *emulate_where(char *text, size_t size, unsigned long long block_id, unsigned thread);

/* Every SHARED and CONSTANT object of the program lies in the section of that kind, and nothing
 * else does. The bounds of the section; both NULL where the program has none. */
enum emulate_section { EMULATE_SHARED, EMULATE_CONSTANT };
void emulate_section(enum emulate_section which, char **begin, char **end);

/* An object of one of these sections, by an address in it. Returns 0 when no object has it. */
struct emulate_object {
    char name[64];
    char *address;
    size_t bytes;
};
int emulate_object_at(enum emulate_section which, const void *address,
                      struct emulate_object *object);
/* The index-th of them, by address; 0 beyond the last. */
int emulate_object(enum emulate_section which, size_t index, struct emulate_object *object);
/* A static variable of the program in no such section, by an address in it; else 0. */
int emulate_variable_at(const void *address, struct emulate_object *object);

/* The address in the user's code that the portable_* function now running was called from. */
const void *emulate_caller(void);

/* A check. Any function may be NULL. */
struct emulate_check {
    const char *name;           /* "racecheck"; NULL: no check */
    int goes_on;                /* after a divergence the launch goes on as a GPU would */
    void (*launch_begin)(void); /* before the first thread runs; emulate.kernel is set */
    void (*launch_end)(void);   /* after the last; emulate.kernel still is */
    void (*block_begin)(void);  /* a block starts, or goes on after a barrier of the grid */
    /* Around each change of stacks: `to` is the stack's lowest byte, or NULL for the host's. */
    void (*switch_begin)(void **fake_stack, const void *to, size_t bytes);
    void (*switch_end)(void *fake_stack, const void **from, size_t *bytes);
    /* A failed launch leaves this stack as it is; it will be used again. */
    void (*abandoned)(const void *stack, size_t bytes);
    void (*memory)(enum portable_memory_event_ event, const void *memory, size_t bytes, const void *caller);
    void (*failed)(int status, const char *message, const void *caller); /* a call failed */
    /* A sentence, then one indented line for each place where threads are. */
    void (*diverged)(const char *message);
};
extern struct emulate_check emulate_check;

#endif
