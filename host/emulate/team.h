/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of emulate.c: deals the blocks of a launch to OS threads.
 *
 * A worker takes blocks, in ascending order, and runs each (run_dealt) until the block
 *
 *     has ended     the worker goes on with the next one;
 *     has failed    the worker stops. Another may run an earlier block, whose failure comes first;
 *     yields        it is the head, so the worker becomes the drainer and runs what is left, as one
 *                   OS thread does. Then all stop.
 *
 * Once there is a drainer, the others take no more blocks. One whose block has had no ordered
 * operation runs it to its end. One that waits to be the head is parked until the drainer passes
 * the baton to it, which it passes back when its block
 *
 *     has ended     the worker stops;
 *     has failed    likewise;
 *     yields        it waits for the baton again, or for the end of the launch.
 */
#ifndef PORTABLE_HOST_EMULATE_TEAM_H
#define PORTABLE_HOST_EMULATE_TEAM_H

#include "host/emulate/blocks.h"
#include "host/emulate/faults.h"
#include "host/emulate/watch.h"

#if PORTABLE_WORKERS_
#include <link.h> /* dl_iterate_phdr */
#include <time.h> /* clock_gettime */

void portable_emulate_order_(const void *address)
{
    if (!emulate_running)
        return;
    now->running->communicates = 1;
    if (launch.is_parallel && address) {
        const struct emulate_range own = shared_object(address);
        if (own.begin) {
            portable_emulate_own_ = own.begin;
            portable_emulate_own_bytes_ = (size_t)(own.end - own.begin);
            return;
        }
    }
    now->is_ordered = 1;
    order_thread();
    portable_emulate_unordered_ = 0;
}

void portable_emulate_order_volatile_(void)
{
    if (emulate_running)
        __atomic_store_n(&launch.is_serial, 1, __ATOMIC_RELAXED);
    portable_emulate_order_(NULL);
}

/* The running block has noted a failure, or ended the launch by it. */
static void note_failure(void)
{
    lock_team();
    if (portable_launch_.status != PORTABLE_SUCCESS && now->block_id < team.noted) {
        team.noted = now->block_id;
        team.status = portable_launch_.status;
        memcpy(team.message, portable_failure_.message, sizeof team.message);
    }
    if (now->failed && now->block_id < team.failed) {
        team.fault = now->fault;
        __atomic_store_n(&team.failed, now->block_id, __ATOMIC_RELEASE);
    }
    pthread_cond_broadcast(&team.changed);
    unlock_team();
    portable_launch_.status = PORTABLE_SUCCESS;
}

/* Moves them all to the end. */
static void append_children(struct portable_children_ *to, struct portable_children_ *more)
{
    if (!more->first)
        return;
    if (to->first)
        to->last->next = more->first;
    else
        to->first = more->first;
    to->last = more->last;
    more->first = more->last = NULL;
}

void emulate_collect_children(void)
{
    if (launch.is_parallel)
        append_children(&team.children, &portable_children_);
}

/* Deals blocks to the worker: [at, end). Returns 0 if none is left. */
static int take_blocks(void)
{
    /* Before it takes them, in case another looks for the head: not more than it will get. */
    __atomic_store_n(&now->at, __atomic_load_n(&team.next, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
    const unsigned long long first = __atomic_fetch_add(&team.next, now->share, __ATOMIC_SEQ_CST);
    const unsigned long long left = first < launch.blocks ? launch.blocks - first : 0;
    now->end = first + (left < now->share ? left : now->share);
    move_to(left > 0 ? first : none);
    return left > 0;
}

static long long nanoseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Waits for the baton. Returns 0 if the launch is over. */
static int wait_for_baton(void)
{
    lock_team();
    while (team.baton != now && !team.is_over)
        pthread_cond_wait(&team.changed, &team.lock);
    unlock_team();
    return !team.is_over;
}

/* The head has yielded: runs all blocks that have not ended, as one OS thread does. */
static void drain(void)
{
    suspend_block();
    lock_team();
    team.baton = now;
    __atomic_store_n(&team.drainer, now, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&team.changed);
    close_team(1);
    unlock_team();
    now->at++;
    run_remaining(0);
    if (now->failed)
        note_failure();
    lock_team();
    team.is_over = 1;
    pthread_cond_broadcast(&team.changed);
    unlock_team();
}

/* Runs one block. Returns 0 if the worker is to run no more. */
static int run_dealt(unsigned long long id)
{
    now->started = id + 1;
    now->stacks.free_count = now->stacks.used = 0;
    now->resident = 1;
    struct block *const block = new_block(id, 0);
    if (!block) {
        now->failed = 1;
        out_of_memory("the threads of a block");
    } else {
        block->remote = NULL;
        start_block(block);
        run_block();
    }
    while (drained_by()) { /* a part of the block ran by the baton */
        const int goes_on = !now->failed && now->yields;
        if (goes_on)
            now->running->state = YIELDED;
        if (now->failed || portable_launch_.status != PORTABLE_SUCCESS)
            note_failure();
        if (team.baton != now) /* none: it ended without an ordered operation */
            return !now->failed;
        pass_baton(team.drainer);
        if (!goes_on || !wait_for_baton())
            return 0;
        run_block();
    }
    if (now->failed || portable_launch_.status != PORTABLE_SUCCESS)
        note_failure();
    if (now->failed)
        return 0;
    if (now->yields) {
        drain();
        return 0;
    }
    block->state = UNUSED;
    return 1;
}

static void open_team(unsigned long long left);

/* Runs blocks as long as there are. The first worker calls others after some time, unless some are
 * awake: in many launches they would come too late. */
static void run_dealt_blocks(void)
{
    enum { SHORT = 10000, SOON = 20000, MAX_SHARE = 64 }; /* nanoseconds; blocks */
    const long long start = nanoseconds();
    long long before = start;
    int goes_on = 1, has_opened = 0;
    now->share = 1;
    now->is_ordered = 0;
    now->block_count = 0;
    while (goes_on && !drained_by() && take_blocks()) {
        while (goes_on && is_dealt(now->at)) {
            goes_on = run_dealt(now->at);
            if (goes_on)
                move_to(now->at + 1);
        }
        const long long after = nanoseconds();
        const unsigned long long left = launch.blocks - now->end;
        if (now->is_ordered)
            now->share = 1;
        else if (after - before < SHORT && now->share < MAX_SHARE &&
                 now->share < left / (2 * options.threads))
            now->share *= 2;
        before = after;
        if (now == &first_worker && !has_opened &&
            !__atomic_load_n(&launch.is_serial, __ATOMIC_RELAXED) && goes_on && left > 0 &&
            (after - start > SOON || __atomic_load_n(&team.awake, __ATOMIC_RELAXED) > 0)) {
            open_team(left);
            has_opened = 1;
        }
    }
}

/* ---- the workers ---- */

#if defined(__GLIBC__)
static int add_thread_local(struct dl_phdr_info *info, size_t size, void *bytes)
{
    (void)size;
    for (unsigned k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_TLS)
            *(size_t *)bytes += info->dlpi_phdr[k].p_memsz;
    return 0;
}

/* A thread's SHARED objects are on its stack, below what it is given: the stacks of the program's
 * threads become larger by so much. Those to which it gives a size stay as they are. */
__attribute__((constructor)) static void make_room_for_shared(void)
{
    size_t bytes = 0, stack;
    pthread_attr_t attributes;
    dl_iterate_phdr(add_thread_local, &bytes);
    if (bytes < 64 << 10 || pthread_getattr_default_np(&attributes) != 0)
        return;
    if (pthread_attr_getstacksize(&attributes, &stack) == 0 &&
        pthread_attr_setstacksize(&attributes, stack + (bytes + 65535) / 65536 * 65536) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}
#endif

static void run_as_helper(void)
{
    portable_launch_ = *team.given;
    portable_launch_.status = PORTABLE_SUCCESS;
    now->failed = now->stopped = now->in_loop = 0;
    memset(&now->fault, 0, sizeof now->fault);
    memset(&now->stall, 0, sizeof now->stall);
    if (portable_launch_shared_()) {
        now->shared = (char *)portable_launch_.shared;
        if (reserve_threads(emulate.threads))
            run_dealt_blocks();
        portable_launch_.status = PORTABLE_SUCCESS;
        portable_launch_unshare_();
        if (portable_launch_.status != PORTABLE_SUCCESS)
            note_failure();
    }
    portable_launch_.kernel = NULL;
    now->shared = NULL;
}

static void leave_team(void)
{
    __atomic_sub_fetch(&team.gate, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&team.awaiting, __ATOMIC_SEQ_CST) == 0)
        return;
    lock_team();
    pthread_cond_broadcast(&team.changed);
    unlock_team();
}

/* Waits for a launch of another round, and joins it. It often follows soon, and sleep takes longer
 * than many kernels. */
static void wait_for_launch(unsigned *round)
{
    int has_joined = 0;
    __atomic_add_fetch(&team.awake, 1, __ATOMIC_RELAXED);
    for (int k = 0; k < options.spins && !(has_joined = join_team(round)); k++)
        pause_shortly();
    __atomic_sub_fetch(&team.awake, 1, __ATOMIC_RELAXED);
    if (has_joined)
        return;
    lock_team();
    __atomic_add_fetch(&team.sleepers, 1, __ATOMIC_SEQ_CST);
    while (!join_team(round))
        pthread_cond_wait(&team.began, &team.lock);
    __atomic_sub_fetch(&team.sleepers, 1, __ATOMIC_SEQ_CST);
    unlock_team();
}

static void *work(void *worker)
{
    unsigned round = 0;
    now = (struct worker *)worker;
    take_alternate_stack(now->alternate_stack);
    for (;;) {
        wait_for_launch(&round);
        begin_watch();
        run_as_helper();
        end_watch();
        if (!drained_by())
            move_to(none);
        leave_team();
    }
    return NULL;
}

/* In a child process: only the thread that forked is left. */
static void forget_workers(void)
{
    const pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    team.lock = lock;
    team.began = team.changed = condition;
    team.made = 1;
    team.awake = team.sleepers = team.awaiting = 0;
    team.gate = 0;
}

/* Makes other workers, which stay, until there are so many. They get no signals but their own
 * faults and ticks. */
static void make_workers(unsigned count)
{
    static int forks;
    sigset_t all, before;
    if (!forks)
        forks = pthread_atfork(NULL, NULL, forget_workers) == 0;
    sigfillset(&all);
    for (int k = 0; k < FAULTS; k++)
        sigdelset(&all, faults[k]);
    sigdelset(&all, SIGURG);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team.made < count) {
        pthread_t thread;
        struct worker *const worker = (struct worker *)calloc(1, sizeof *worker);
        if (worker)
            worker->alternate_stack = (char *)malloc(ALTERNATE_STACK);
        if (!worker || !worker->alternate_stack)
            break;
        worker->at = none;
        if (pthread_create(&thread, NULL, work, worker) != 0) {
            free(worker->alternate_stack);
            free(worker);
            break;
        }
        pthread_setname_np(thread, "portable worker");
        pthread_detach(thread);
        team.worker[team.made++] = worker;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Lets others run blocks of the launch, of which so many are left: not more workers than that. */
static void open_team(unsigned long long left)
{
    const unsigned most = left < options.threads ? (unsigned)left + 1 : options.threads;
    if (team.made < most)
        make_workers(most);
    __atomic_add_fetch(&team.gate, one_round + most * one_seat, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&team.sleepers, __ATOMIC_SEQ_CST) == 0)
        return;
    lock_team();
    for (unsigned k = 1; k < most; k++)
        pthread_cond_signal(&team.began);
    unlock_team();
}

/* Runs the blocks of the launch. */
static void run_team(void)
{
    const struct portable_launch_ given = portable_launch_; /* a launch from a kernel changes it */
    /* Of a parent that has ended: they run before the children of this launch. */
    struct portable_children_ earlier = portable_children_;
    portable_children_.first = portable_children_.last = NULL;
    launch.is_serial = 0;
    team.given = &given;
    team.next = 0;
    team.baton = NULL;
    team.is_over = 0;
    team.failed = team.noted = none;
    for (unsigned k = 0; k < team.made; k++) {
        team.worker[k]->at = none;
        team.worker[k]->end = 0;
    }
    __atomic_add_fetch(&team.gate, 1, __ATOMIC_SEQ_CST);
    run_dealt_blocks();
    if (!drained_by())
        move_to(none);
    __atomic_and_fetch(&team.gate, ~seats_mask, __ATOMIC_SEQ_CST);
    leave_team();
    for (int k = 0; k < options.spins && joined() > 0; k++)
        pause_shortly();
    if (joined() > 0) {
        lock_team();
        close_team(0);
        unlock_team();
    }
    __atomic_store_n(&team.drainer, NULL, __ATOMIC_RELEASE);
    launch.is_parallel = 0;
    now->in_loop = 0;
    append_children(&earlier, &team.children);
    portable_children_ = earlier;
    if (team.noted != none) {
        portable_launch_.status = team.status;
        portable_failure_.status = team.status;
        memcpy(portable_failure_.message, team.message, sizeof team.message);
    }
    now->failed = team.failed != none;
    if (now->failed) {
        now->fault = team.fault;
        now->block_id = team.failed;
    }
}
#endif

#endif
