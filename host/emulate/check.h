/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the emulate target's scheduler (emulate.c) and the checks. Internal:
 * kernels and host code see portable.h alone.
 *
 * One of the checks, such as racecheck.c, is linked into each checked program and defines
 * emulate_check; a plain emulate program has the empty one of emulate.c. All these files are
 * compiled without instrumentation.
 *
 * Time is counted in intervals: a number that grows by one when a block starts, when its threads
 * have passed a barrier of the block, and when the grid has passed a barrier of the grid. When a
 * block starts, the count may restart at 1; whatever a check recorded for earlier intervals is then
 * over. Blocks run one after another, unless one yields to others while it waits for them: when
 * it resumes, its interval is again what it was. The intervals of a block are a range that no
 * other's are in. So an access in interval i, compared with the present access of the running
 * block, was made
 *
 *     i == interval                      by this block, with no barrier in between
 *     block_start <= i < interval        by this block, before a barrier
 *     launch_start <= i, and else        by another block, with nothing in between
 *     i < launch_start                   before this launch, or before a barrier of the grid
 */
#ifndef PORTABLE_HOST_EMULATE_CHECK_H
#define PORTABLE_HOST_EMULATE_CHECK_H

#include "host/emulate/objects.h"  /* struct emulate_range */
#include "host/emulate/order.h"    /* struct emulate_order */
#include "host/emulate/protocol.h" /* enum portable_memory_event_ */

#include <stddef.h> /* size_t */
#include <stdint.h> /* uint32_t */

/* The runtime's own, if it is a library. */
#pragma GCC visibility push(hidden)

/* The kind of the running thread's accesses at present. */
enum emulate_access { EMULATE_PLAIN, EMULATE_ATOMIC, EMULATE_ATOMIC_BLOCK };

/* A fault of a simulated thread. It ends the launch, as on a GPU. */
struct emulate_fault {
    int number;   /* the signal; 0: there was none in the latest launch */
    int overflow; /* of the thread's stack */
    int writes;   /* of an access: 1, or 0, or -1 if that is unknown */
    int known;    /* the address of an access; if not, it is one that no memory has */
    char *address;
    unsigned thread;       /* emulate.thread */
    int of_block;          /* which thread it was is not known */
    const void *frames[8]; /* return addresses, the first behind the instruction itself, */
    int frame_count;       /* in the kernel's module */
};

struct emulate_state {
    const char *kernel;  /* NULL outside a launch */
    const void *code;    /* of its module */
    const void *caller;  /* the return address of the launch, for a check's findings; or NULL */
    int through_library; /* whether Thrust or CUB made the latest call that is a check's event */
    unsigned grid[3], block[3];
    unsigned thread, threads;    /* its linear index, x fastest, and the number in the block */
    unsigned long long block_id; /* the running block's linear index, x fastest */
    uint32_t interval, block_start, launch_start;
    int interleaved;            /* 1 once a block of this launch has yielded to another */
    uint32_t warp_syncs[32];    /* for each warp: SYNC_WARPs passed in this block */
    uint32_t ragged;            /* the warps with lanes that have not passed the latest ones */
    int partial;                /* 1 once any sync of a part of a warp has been passed */
    enum emulate_access access; /* the kind of the running thread's accesses */
    int declares;               /* see portable_emulate_atomic_ */
    /* A thread has read a clock, asked for the active lanes; reset by the check that looks. */
    int reads_clock, reads_active;
    uint64_t moment; /* their time and thread: emulate_tick */
    char *shared;    /* dynamic shared memory of the running block, or NULL */
    size_t shared_bytes;
    char array[64]; /* the name of new device memory, or "" */
    char *stacks;   /* of the simulated threads, with guard pages */
    size_t stacks_bytes;
    /* Of a ragged warp: the number of each thread's latest sync, and for each thread and lane the
     * latest sync before which that lane's accesses come before this thread's present ones. */
    uint32_t lane_syncs[1024], lane_knows[1024][32];
};
extern struct emulate_state emulate;
/* Of this OS thread's latest launch: others may launch before it looks. */
extern __thread struct emulate_fault emulate_fault;
/* Whether the interval, one of this launch, is another block's; whether it is an earlier one of the
 * running block. */
static inline int emulate_of_another(uint32_t interval)
{
    return interval - emulate.block_start > emulate.interval - emulate.block_start;
}
static inline int emulate_of_past(uint32_t interval)
{
    return interval - emulate.block_start < emulate.interval - emulate.block_start;
}

/* Packs the interval, the warp's sync count and the thread into emulate.moment, which racecheck
 * records for an access. Called whenever one of them has changed, before the thread resumes. */
enum { EMULATE_THREAD_BITS = 10, EMULATE_SYNC_BITS = 22 };
static inline void emulate_tick(void)
{
    const unsigned warp = emulate.thread / 32;
    const uint32_t count = __builtin_expect(emulate.ragged != 0, 0) && (emulate.ragged >> warp & 1)
                               ? emulate.lane_syncs[emulate.thread]
                               : emulate.warp_syncs[warp];
    const uint32_t syncs = count & ((1u << EMULATE_SYNC_BITS) - 1);
    emulate.moment =
        (uint64_t)emulate.interval << 32 | syncs << EMULATE_THREAD_BITS | emulate.thread;
}

/* The lanes `came` of a warp pass a sync of the lanes `mask`, those that have ended included. all:
 * no other lane of the warp is left. */
static inline void emulate_sync(unsigned warp, uint32_t came, uint32_t mask, int all)
{
    uint32_t *const syncs = &emulate.lane_syncs[32 * warp], merged[32] = {0};
    uint32_t(*const knows)[32] = &emulate.lane_knows[32 * warp];
    const uint32_t before = emulate.warp_syncs[warp]++;
    if (all) {
        emulate.ragged &= ~(1u << warp);
        return;
    }
    emulate.partial = 1;
    for (unsigned lane = 0; lane < 32 && !(emulate.ragged >> warp & 1); lane++) {
        syncs[lane] = before;
        for (unsigned other = 0; other < 32; other++)
            knows[lane][other] = before;
    }
    emulate.ragged |= 1u << warp;
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned other = 0; other < 32 && (came >> lane & 1); other++)
            if (merged[other] < knows[lane][other])
                merged[other] = knows[lane][other];
    for (unsigned lane = 0; lane < 32; lane++) {
        if (mask >> lane & 1)
            merged[lane] = before + 1;
        if (came >> lane & 1)
            syncs[lane] = before + 1;
    }
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned other = 0; other < 32 && (came >> lane & 1); other++)
            knows[lane][other] = merged[other];
}

/* Where the running block's SHARED objects are, and whether the address is in one of them or in its
 * dynamic shared memory. */
size_t emulate_shared_ranges(const struct emulate_range **ranges);
int emulate_is_shared(const void *address);
/* Whether it is on the stack of a simulated thread that this OS thread runs. */
int emulate_is_on_stack(const void *address);

/* A kernel has launched children, after portable_emulate_order_. */
void emulate_collect_children(void);

/* 1 while this OS thread runs a simulated thread; 0 in host code, including other OS threads. */
extern __thread int emulate_running __attribute__((visibility("default"))); /* for device.h */

/* 1 while this OS thread allocates what host code and kernels may both use: memcheck closes other
 * memory of the heap to kernels. */
extern __thread int emulate_opens;

/* What the program has said that the next allocation is for: "&array", or NULL. */
extern __thread const char *emulate_allocated_for;

/* Whether the lanes of a warp run together from one access of memory to the next. */
extern int emulate_lockstep;
void emulate_step(const void *caller);
/* Before each access that is not atomic, in a program built for lockstep. A thread's own stack is
 * left out. */
static inline __attribute__((always_inline)) void emulate_in_step(const char *address,
                                                                  const void *caller)
{
    if (__builtin_expect(emulate_lockstep, 0) && emulate_running &&
        emulate.access == EMULATE_PLAIN &&
        (uintptr_t)address - (uintptr_t)emulate.stacks >= emulate.stacks_bytes)
        emulate_step(caller);
}

/* The linear index of the block that ran in an interval of this launch. */
unsigned long long emulate_block_of(uint32_t interval);

/* The linear index of the running thread, by threadIdx. */
unsigned emulate_thread_index(void);

/* Writes "block (1, 0, 0), thread (5, 0, 0)" for the linear indices; returns text. */
char *emulate_where(char *text, size_t size, unsigned long long block_id, unsigned thread);

/* An atomic that tells what it does: portable_emulate_operation_. */
struct emulate_operation {
    int does;
    const char *address;
    unsigned bytes;
    unsigned long long integer;
    double real, old_real;
};

/* A check. Any function may be NULL. */
struct emulate_check {
    const char *name;           /* "racecheck"; NULL: no check */
    int goes_on;                /* a launch continues after a divergence, as on a GPU */
    int pads;                   /* the program's objects are larger than in the source */
    int outlives;               /* after a fault the block's other threads run until they wait */
    int allows_loops;           /* threads may begin in a loop: emulate_thread_index, not .thread */
    void (*launch_begin)(void); /* before the first thread runs; emulate.kernel is set */
    void (*launch_end)(void);   /* after the last; emulate.kernel is still set */
    void (*block_begin)(void);  /* a block starts, or resumes after a barrier of the grid */
    /* The running block waits for the grid, or yields, and others will use its shared memory; then
     * it resumes. The check keeps its state meanwhile in memory from malloc, which the
     * scheduler frees at the end of the launch. */
    void (*block_leave)(void **kept, int yields);
    void (*block_resume)(void **kept);
    /* An atomic of the running thread; and then, that its result, by its number, is used. */
    unsigned (*operation)(const struct emulate_operation *operation, const void *caller);
    void (*result_used)(unsigned number);
    void (*fence)(int of_block); /* the running thread passes a fence of its block, or the device */
    /* Around each switch of stacks: `to` is the new stack's lowest byte, or NULL for the host's. */
    void (*switch_begin)(void **fake_stack, const void *to, size_t bytes);
    void (*switch_end)(void *fake_stack, const void **from, size_t *bytes);
    /* The launch ends because of emulate_fault; a sentence that names the thread. */
    void (*faulted)(const char *message);
    /* A failed launch abandons this stack as it is; it will be used again. */
    void (*abandoned)(const void *stack, size_t bytes);
    void (*pending)(const void *memory, size_t bytes); /* a copy is to arrive here later */
    void (*memory)(enum portable_memory_event_ event, const void *memory, size_t bytes,
                   const void *caller);
    void (*failed)(int status, const char *message, const void *caller); /* a call failed */
    /* Its static variables that change even while threads only poll. */
    struct emulate_range varies[2];
    /* A sentence, then one indented line for each place with waiting threads. */
    void (*diverged)(const char *message);
    /* For a thread that waits in the file, with these return addresses: the line that called the
     * library that the file is of; or NULL. */
    const char *(*call)(const char *file, const void *const *return_addresses, int count);
    const struct emulate_order *order; /* or NULL */
};
extern struct emulate_check emulate_check;

#pragma GCC visibility pop

#endif
