/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: the running launch, its blocks, and their threads. */
#ifndef PORTABLE_HOST_EMULATE_LAUNCH_H
#define PORTABLE_HOST_EMULATE_LAUNCH_H

#include "host/emulate/check.h"
#include "portable.h"

/* host/project/gdb/portable.py has these names, in this order. */
enum state {
    FRESH,
    READY,
    AT_BLOCK,
    AT_WARP,
    AT_GRID,
    ENDED,
    AT_ACTIVE, /* for the other lanes that are active, or in lockstep */
    AT_PART,   /* for a part of the block */
    AT_WORD,   /* for a word to change */
    AT_POLL    /* it yielded */
};

/* The loops that a thread is in, from the outermost, for lockstep. Those beyond the limit are not
 * told apart. */
enum { MAX_LOOPS = 32 };
struct loops {
    unsigned count;
    struct {
        int line;
        unsigned iterations;
    } of[MAX_LOOPS];
};

struct thread {
    void *stopped; /* while suspended: the lowest used byte of its stack */
    unsigned slot; /* of its stack */
    enum state state;
    /* Where it waits. */
    const char *name, *file;
    int line;
    const char *call; /* in a report: emulate_check.call's line, or NULL */
    /* Its operand of a warp operation, and the result. AT_ACTIVE: value identifies the place,
     * operand is its depth in the stack, result its address. AT_PART: mask threads from operand;
     * result: the address that this one passes. AT_WORD: result: the word's address, and the
     * value. */
    enum portable_exchange_ kind;
    unsigned mask, width, operand;
    unsigned long long value, result;
    /* Polling. */
    int patience;        /* while suspended: portable_emulate_patience_ */
    int iterations;      /* of the loop before it yielded */
    int reads_clock;     /* it has read a clock since it last yielded */
    int idle;            /* its state when it yielded was one of `states` */
    uint64_t states[4];  /* hashes of its private state when it yielded before, the latest first */
    struct loops *loops; /* owned, or NULL */
    void *fake_stack;    /* the address sanitizer's */
    /* Of the block's barrier with this thread's number: how often it was passed, and how many
     * threads have arrived since. */
    unsigned long long passed;
    unsigned came;
    /* Asynchronous copies that have not arrived, in the order of their starts, from `arrived` on;
     * `groups` have been committed. */
    struct portable_copy_ *copies;
    size_t copy_count, copy_capacity, arrived;
    unsigned groups;
};

/* A block that has started and not ended: a cooperative launch has one for each block, others for
 * the running block and those that yielded. */
enum block_state { UNUSED, RUNS, YIELDED, AT_GRID_BARRIER, AFTER_GRID_BARRIER };
struct block {
    unsigned long long id;
    struct thread *threads; /* owned, except in a cooperative launch and the first */
    enum block_state state;
    unsigned long long passes; /* over it, since it started or passed a barrier of the grid */
    uint32_t restarts;         /* of the count of intervals, before it last got new ones */
    char *saved_shared;        /* its shared memory, while others run; owned */
    char *saved_lanes;         /* of its ragged warps: emulate.lane_syncs, lane_knows; owned */
    void *of_check; /* the check's own: emulate_check.block_leave; allocated by the check */
    uint32_t start, interval, last; /* the first interval, the present one, the last reserved */
    uint32_t ragged, warp_syncs[32];
    int communicates;      /* it may: it has done what other blocks can see */
    struct worker *remote; /* the one that runs it, if not that of the list */
};

/* The running launch: one at a time, whichever host thread launches it. */
static struct {
    portable_function_ kernel;
    size_t stack_bytes; /* of the arguments */
    int is_loop;        /* the kernel runs the threads of a block: thread_loop.h */
    int is_checked;     /* by a check */
    int is_permuted;    /* ORDER is not ascending */
    int loops;          /* 1 if threads begin in a loop in this launch */
    int is_parallel;    /* several workers may run its blocks */
    int is_serial;      /* its blocks begin with an ordered operation */
    int is_cooperative; /* all blocks are resident */
    const struct arguments *arguments;
    unsigned long long launches;
    unsigned long long blocks, max_resident;
    uint32_t restarts;       /* of the count of intervals */
    uint32_t reserved_until; /* the last interval that any block has, or has reserved */
} launch;

/* The stacks of the threads. */
struct stacks {
    char *base;
    size_t limit;   /* as many as there is address space for */
    size_t slots;   /* that may be used */
    size_t guarded; /* the first of them, with a guard page */
    size_t stride;
    size_t guard;   /* bytes of its guard page */
    unsigned *free; /* unused slots, the latest freed at the end */
    size_t free_count, used;
};

/* Counts since a thread last made progress: did anything but wait, or yield in a state that is not
 * new. */
struct stall {
    unsigned long long iterations; /* of their loops */
    unsigned long long rounds;     /* over all blocks that can run */
    unsigned long long next_check, step;
    uint64_t memory; /* its hash at the last check */
    int same_checks; /* in a row with that hash */
};

/* The latest atomics that changed nothing: of one thread, at one address, in a row. */
struct spins {
    const void *address;
    unsigned thread, times;
};

/* An OS thread that runs blocks. */
struct worker {
    unsigned long long block_id; /* of the running block, and of the running thread in it */
    unsigned thread;
    int failed;
    int stopped;                /* by portable_emulate_stop_ */
    struct emulate_fault fault; /* of the latest launch */

    void *scheduler; /* the host's stack, while a thread runs */
    void *scheduler_fake_stack;

    struct thread *threads; /* of the first block; of all blocks of a cooperative launch */
    size_t capacity;
    struct block *blocks;
    size_t block_count, block_capacity;   /* used so far in this launch */
    unsigned long long resident, started; /* blocks */

    /* The running block. */
    struct block *running;
    struct thread *block; /* its threads; so many are: */
    unsigned ended, at_block, at_warp, at_grid;
    unsigned elsewhere;       /* AT_ACTIVE, AT_PART, AT_WORD or AT_POLL */
    unsigned turn;            /* how far the pass over the block has come */
    struct thread *yielded;   /* the thread that has just done so, or NULL */
    int yields;               /* to other blocks */
    unsigned stalled_passes;  /* over it, since it last resumed */
    int count;                /* of nonzero predicates, at its last barrier */
    int counting;             /* those of the threads that wait there */
    int differ;               /* they may wait at different barriers */
    const char *barrier_file; /* where the first of them waits */
    int barrier_line;
    /* For each warp, a bit for each lane that can run, waits at a warp operation, or has ended; and
     * a bit for each warp that has lanes that can run. */
    unsigned warp_runs[PORTABLE_BLOCK_LIMIT_ / WARP_SIZE];
    uint32_t warps_run;
    unsigned warp_waits[PORTABLE_BLOCK_LIMIT_ / WARP_SIZE];
    unsigned warp_ended[PORTABLE_BLOCK_LIMIT_ / WARP_SIZE];
    unsigned long long releases; /* of lanes AT_ACTIVE */

    /* Threads in a loop, on one stack. Only threadIdx says which of them runs; the rest becomes
     * known when one calls the runtime. */
    int in_loop;         /* 1 if the running thread is in the loop */
    int prepared;        /* the block's `threads` are: one of its threads has called the runtime */
    unsigned loop_slot;  /* of the loop's stack */
    unsigned loop_known; /* the first thread of the loop that is not known to have ended */
    unsigned begun;      /* so many threads of the block are known to have begun */

    char *arena;                         /* thread_loop.h; owned */
    char *shared;                        /* dynamic shared memory of its blocks, or NULL */
    struct emulate_range *shared_ranges; /* its SHARED objects; owned */
    size_t shared_count;
    unsigned long long shared_launch; /* in which they were found */

    struct stacks stacks;
    struct stall stall;
    struct spins spins;

    /* With others: workers.h. */
    unsigned long long at, end; /* the blocks dealt to it that have not ended */
    unsigned long long share;   /* so many are dealt to it at a time */
    int is_ordered;             /* its blocks have ordered operations */
    int is_parked;              /* it waits for the baton */
    char *alternate_stack;
};
static struct worker first_worker;
/* The one that is this OS thread. Only one launches at a time: it is the first. */
#if PORTABLE_WORKERS_
static __thread struct worker *now = &first_worker;
#else
static struct worker *const now = &first_worker;
#endif

__attribute__((noinline)) static void catch_up(void);
static void complete_warp(unsigned warp);

/* The running thread. */
static inline struct thread *self(void)
{
    if (__builtin_expect(now->in_loop, 0))
        catch_up();
    return &now->block[now->thread];
}

/* Tells a check which thread runs, and its time. */
static inline void tick(void)
{
    if (__builtin_expect(launch.is_checked, 0)) {
        emulate.thread = now->thread;
        emulate_tick();
    }
}

#endif
