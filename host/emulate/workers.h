/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of emulate.c: the blocks of a launch on several OS threads.
 *
 * Blocks are dealt in ascending order. What one OS thread does, block after block, is the meaning:
 * a block that runs ahead of earlier ones may only do what no program without races can tell from
 * that, which is all but ordered operations. Before one of these, it waits until all earlier blocks
 * have ended. It is the head then, sees what one OS thread would see, and stays the head.
 *
 * When the head yields, because it waits for a later block, all other workers stop at their next
 * ordered operation, or at the end of their blocks. Then the head's worker runs blocks as one OS
 * thread does. It begins in ascending order those that have not ended, and passes the baton to the
 * worker of one that has begun.
 */
#ifndef PORTABLE_HOST_EMULATE_WORKERS_H
#define PORTABLE_HOST_EMULATE_WORKERS_H

#include "host/emulate/environment.h"
#include "host/emulate/launch.h"

#if PORTABLE_WORKERS_
#include <pthread.h>

PORTABLE_OF_WORKER_(int portable_emulate_unordered_);
PORTABLE_OF_WORKER_(const char *portable_emulate_own_);
PORTABLE_OF_WORKER_(size_t portable_emulate_own_bytes_);

static const unsigned long long none = ~0ULL; /* no block */

/* Parts of team.gate: how many workers have joined, and how many may have: 0 while it is closed. */
static const unsigned long long joined_mask = 0xffff, one_seat = 1 << 16, seats_mask = 0xffff0000,
                                one_round = 1ULL << 32;

static struct {
    struct worker *worker[MAX_THREADS]; /* the first is the launching thread */
    unsigned made;
    pthread_mutex_t lock;
    pthread_cond_t began, changed;

    unsigned awake;    /* workers that wait for a launch and do not sleep yet */
    unsigned sleepers; /* those that do, or are about to */
    unsigned awaiting; /* those that sleep until others have left */

    /* The launch. */
    const struct portable_launch_ *given;
    unsigned parked; /* workers that wait for the baton */
    /* How many workers run its blocks, how many may, and its number, of those that others may join:
     * in one word, so that nobody needs the lock for that. Not on a line with what else
     * changes often. */
    _Alignas(64) unsigned long long gate;
    _Alignas(64) unsigned long long next; /* block to be dealt */
    unsigned waiting;                     /* workers that wait to be the head */
    struct worker *drainer;               /* it runs all blocks that are left, or NULL */
    struct worker *baton;                 /* then: the one that runs */
    int is_over;                          /* then: it has run them */

    /* The first block that failed, and so ends the launch; the first that has noted a failure. */
    unsigned long long failed, noted;
    struct emulate_fault fault;
    portable_status status;
    char message[sizeof portable_failure_.message];
    struct portable_children_ children;
} team = {.worker = {&first_worker},
          .made = 1,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .began = PTHREAD_COND_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

static unsigned joined(void)
{
    return (unsigned)(__atomic_load_n(&team.gate, __ATOMIC_SEQ_CST) & joined_mask);
}

/* Joins a launch that others may join, if it is not of that round. Returns 0 if there is none. */
static int join_team(unsigned *round)
{
    unsigned long long gate = __atomic_load_n(&team.gate, __ATOMIC_SEQ_CST);
    while ((gate & joined_mask) < (gate & seats_mask) / one_seat &&
           (unsigned)(gate >> 32) != *round)
        if (__atomic_compare_exchange_n(&team.gate, &gate, gate + 1, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
            *round = (unsigned)(gate >> 32);
            return 1;
        }
    return 0;
}

static struct worker *drained_by(void)
{
    return __atomic_load_n(&team.drainer, __ATOMIC_ACQUIRE);
}

static void lock_team(void)
{
    pthread_mutex_lock(&team.lock);
}

static void unlock_team(void)
{
    pthread_mutex_unlock(&team.lock);
}

/* Whether an earlier block has ended the launch. */
static int is_abandoned(void)
{
    return launch.is_parallel && __atomic_load_n(&team.failed, __ATOMIC_ACQUIRE) < now->block_id;
}

/* Whether all earlier blocks have ended, or the baton is here. */
static int is_head(void)
{
    if (!launch.is_parallel)
        return 1;
    if (drained_by())
        return __atomic_load_n(&team.baton, __ATOMIC_ACQUIRE) == now;
    for (unsigned k = 0; k < team.made; k++)
        if (team.worker[k] != now &&
            __atomic_load_n(&team.worker[k]->at, __ATOMIC_SEQ_CST) < now->block_id)
            return 0;
    return 1;
}

/* The worker's blocks before this one have ended. */
static void move_to(unsigned long long block)
{
    __atomic_store_n(&now->at, block, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&team.waiting, __ATOMIC_SEQ_CST) > 0) {
        lock_team();
        pthread_cond_broadcast(&team.changed);
        unlock_team();
    }
}

/* Whether the worker is to run the block next. */
static int is_dealt(unsigned long long block)
{
    return block < now->end && !drained_by() &&
           block < __atomic_load_n(&team.failed, __ATOMIC_ACQUIRE);
}

/* Lets no more workers join, and waits until all have left; or if this one drains the launch, until
 * only those are left besides it that wait for the baton. Under the lock. */
static void close_team(int drains)
{
    __atomic_and_fetch(&team.gate, ~seats_mask, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&team.awaiting, 1, __ATOMIC_SEQ_CST);
    while (joined() > (drains ? team.parked + 1 : 0))
        pthread_cond_wait(&team.changed, &team.lock);
    __atomic_sub_fetch(&team.awaiting, 1, __ATOMIC_SEQ_CST);
}

static void pause_shortly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield");
#endif
}

/* Waits until the running block is the head. Returns 0 if the launch has ended before it. */
__attribute__((noinline, cold)) static int wait_for_head(void)
{
    if (!launch.is_parallel)
        return 1;
    for (int k = 0; k < options.spins; k++) {
        if (is_abandoned())
            return 0;
        if (is_head())
            return 1;
        pause_shortly();
    }
    const struct emulate_range *ranges; /* which the worker that runs the rest may look at */
    emulate_shared_ranges(&ranges);
    lock_team();
    __atomic_add_fetch(&team.waiting, 1, __ATOMIC_SEQ_CST);
    int is_parked = 0;
    while (!is_abandoned() && !is_head()) {
        if (drained_by() && !is_parked) {
            is_parked = now->is_parked = 1;
            team.parked++;
            pthread_cond_broadcast(&team.changed);
        }
        pthread_cond_wait(&team.changed, &team.lock);
    }
    team.parked -= (unsigned)is_parked;
    now->is_parked = 0;
    __atomic_sub_fetch(&team.waiting, 1, __ATOMIC_SEQ_CST);
    unlock_team();
    return !is_abandoned();
}

static void pass_baton(struct worker *to)
{
    lock_team();
    __atomic_store_n(&team.baton, to, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&team.changed);
    unlock_team();
}

/* While the head's worker runs the rest: the worker of the block of that number, which has begun
 * and waits for the baton; or NULL. *has_ended: the block has run to its end. */
static struct worker *worker_of(unsigned long long id, int *has_ended)
{
    *has_ended = 0;
    if (!drained_by())
        return NULL;
    *has_ended = id < team.next;
    for (unsigned k = 0; k < team.made; k++) {
        struct worker *const worker = team.worker[k];
        if (id < worker->at || id >= worker->end)
            continue;
        *has_ended = 0;
        if (worker->is_parked && id == worker->at)
            return worker;
    }
    return NULL;
}

/* Has the worker of the block go on with it. */
static void run_remote(struct block *block)
{
    struct worker *const worker = block->remote;
    block->state = RUNS;
    worker->stall = now->stall;
    pass_baton(worker);
    lock_team();
    while (team.baton != now)
        pthread_cond_wait(&team.changed, &team.lock);
    unlock_team();
    now->stall = worker->stall;
    now->failed |= worker->failed;
    block->state = worker->yields && !worker->failed ? YIELDED : UNUSED;
    now->resident -= block->state == UNUSED;
}

/* Where the list of blocks is: the worker's that runs all that are left, or this one's. */
static struct worker *lead(void)
{
    struct worker *const drainer = drained_by();
    return drainer ? drainer : now;
}

static unsigned other_workers(void)
{
    return team.made - 1;
}

#else
static int is_abandoned(void)
{
    return 0;
}

static int is_head(void)
{
    return 1;
}

static int wait_for_head(void)
{
    return 1;
}

static struct worker *worker_of(unsigned long long id, int *has_ended)
{
    (void)id;
    *has_ended = 0;
    return NULL;
}

static void run_remote(struct block *block)
{
    (void)block;
}

static struct worker *lead(void)
{
    return now;
}

static unsigned other_workers(void)
{
    return 0;
}
#endif

#endif
