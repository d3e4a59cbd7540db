/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of emulate.c: whose turn it is, and switches from thread to thread.
 *
 * A pass over the block goes from warp to warp: the first lane of a warp that can run is the next
 * one, until none of them can. So between two operations of a warp its lanes run in ascending
 * order, and between two barriers its warps. With ORDER a pass gives each thread that can run one
 * turn.
 *
 * The thread that waits or ends finds the next one itself and switches to its stack. It switches to
 * the host's stack when no thread can run and that is not just a barrier that all have reached, or
 * when the launch has failed.
 */
#ifndef PORTABLE_HOST_EMULATE_TURNS_H
#define PORTABLE_HOST_EMULATE_TURNS_H

#include "host/emulate/intervals.h"
#include "host/emulate/stacks.h"
#include "host/emulate/switch.h"
#include "host/emulate/workers.h"

/* The lanes of the warp can run. */
static void let_run(unsigned warp, unsigned lanes)
{
    now->warp_runs[warp] |= lanes;
    now->warps_run |= 1u << warp;
}

/* The lanes no longer can: they wait, or have ended. */
static void let_wait(unsigned warp, unsigned lanes)
{
    now->warp_runs[warp] &= ~lanes;
    if (!now->warp_runs[warp])
        now->warps_run &= ~(1u << warp);
}

static int can_run(unsigned t)
{
    return now->warp_runs[t / WARP_SIZE] >> t % WARP_SIZE & 1;
}

static int is_fresh(unsigned t)
{
    return launch.loops ? t >= now->begun : now->block[t].state == FRESH;
}

/* A thread made progress. */
static void forget_stall(void)
{
    if (now->stall.iterations | now->stall.rounds)
        memset(&now->stall, 0, sizeof now->stall);
}

/* ---- order ---- */

/* The thread at a place of the pass. */
static unsigned thread_at(unsigned place)
{
    return (unsigned)portable_in_order_(place, emulate.threads,
                                        now->block_id << 20 ^ now->running->passes << 4 ^ 2);
}

/* The thread whose turn it is in this pass, or -1: the pass is over. */
static inline int take_place(void)
{
    if (__builtin_expect(launch.is_permuted, 0)) {
        while (now->turn < emulate.threads) {
            const unsigned t = thread_at(now->turn++);
            if (can_run(t))
                return (int)t;
        }
        return -1;
    }
    const uint32_t warps = now->warps_run & ~0u << now->turn / WARP_SIZE;
    if (!warps)
        return -1;
    const unsigned warp = (unsigned)__builtin_ctz(warps);
    now->turn = warp * WARP_SIZE + (unsigned)__builtin_ctz(now->warp_runs[warp]);
    return (int)now->turn;
}

static void begin_pass(void)
{
    now->running->passes++;
    now->turn = 0;
}

/* All threads that have not ended wait at the block's barrier: opens it. */
static void open_block(void)
{
    for (unsigned first = 0; first < emulate.threads; first += WARP_SIZE) {
        struct thread *const lane = &now->block[first];
        const unsigned rest = emulate.threads - first;
        unsigned lanes = 0;
        for (unsigned k = 0; k < (rest < WARP_SIZE ? rest : WARP_SIZE); k++)
            if (lane[k].state == AT_BLOCK) {
                lane[k].state = READY;
                lanes |= 1u << k;
            }
        if (lanes)
            let_run(first / WARP_SIZE, lanes);
    }
    now->count = now->counting;
    now->at_block = 0;
    now->counting = now->differ = 0;
    portable_emulate_phase_();
}

/* Whether all threads of the block wait at one barrier, or have ended where that is no error. */
static int all_at_barrier(void)
{
    return now->at_block > 0 && now->at_block + now->ended == emulate.threads && !now->differ &&
           (now->ended == 0 || !emulate_check.goes_on);
}

/* At the end of a pass, or after a failure: the first thread of the next one, or -1. */
__attribute__((noinline)) static int next_pass(void)
{
    if (now->failed || now->fault.number)
        return -1;
    if (!now->warps_run) {
        if (!all_at_barrier())
            return -1;
        open_block();
    }
    begin_pass();
    return take_place();
}

/* The thread that runs next, or -1: the host's stack is to decide. */
static inline int next_turn(void)
{
    const int t = now->failed ? -1 : take_place();
    return t >= 0 ? t : next_pass();
}

/* ---- beginnings and ends ---- */

static void make_fresh(struct thread *threads)
{
    for (unsigned t = 0; t < emulate.threads; t++) {
        threads[t].state = FRESH;
        threads[t].came = 0;
        threads[t].copy_count = threads[t].arrived = threads[t].groups = 0;
    }
}

/* Thread t has begun, on that stack. */
static void begin_thread(unsigned t, unsigned slot)
{
    struct thread *const thread = &now->block[t];
    thread->slot = slot;
    thread->state = READY;
    thread->name = NULL;
    thread->fake_stack = NULL;
    thread->idle = thread->reads_clock = 0;
    if (thread->loops)
        thread->loops->count = 0;
    memset(thread->states, 0, sizeof thread->states);
}

/* Threads [first, end) have ended. */
static void end_threads(unsigned first, unsigned end)
{
    now->ended += end - first;
    for (unsigned t = first; t < end; t++) {
        now->block[t].state = ENDED;
        now->warp_ended[t / WARP_SIZE] |= 1u << t % WARP_SIZE;
        let_wait(t / WARP_SIZE, 1u << t % WARP_SIZE);
    }
    forget_stall();
}

/* A thread of the loop calls the runtime: finds out which, and what became of those before it. */
__attribute__((noinline)) static void catch_up(void)
{
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (t < now->begun)
        return;
    if (!now->prepared)
        make_fresh(now->block);
    now->prepared = 1;
    end_threads(now->loop_known, t);
    begin_thread(t, now->loop_slot);
    now->loop_known = now->turn = t;
    now->begun = t + 1;
    now->thread = t;
}

/* Has thread t run next. Returns 1 to stop a debugger before. */
static int begin_turn(unsigned t, unsigned slot)
{
    now->thread = t;
    if (t < blockDim.x)
        threadIdx = make_uint3(t, 0, 0); /* no division for one-dimensional blocks */
    else
        threadIdx =
            make_uint3(t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y);
    portable_emulate_patience_ = PORTABLE_FIRST_PATIENCE_;
    portable_thread_loop_.stack = stack_top(slot);
    portable_thread_loop_.may_split = portable_thread_loop_.is_split = 0;
    /* While lanes wait for this one, its end is to be known at once. */
    now->in_loop = launch.loops && !now->failed && !now->warp_waits[t / WARP_SIZE];
    now->loop_slot = slot;
    now->loop_known = now->begun = t;
    if (now->in_loop) {
        memcpy(portable_thread_loop_.end, emulate.block, sizeof portable_thread_loop_.end);
        portable_thread_loop_.may_split = t == 0 && options.split;
        return 0;
    }
    begin_thread(t, slot);
    tick();
    now->begun = t + 1;
    portable_thread_loop_.end[0] = threadIdx.x + 1;
    portable_thread_loop_.end[1] = threadIdx.y + 1;
    portable_thread_loop_.end[2] = threadIdx.z + 1;
    return options.stop && options.stop_block == now->block_id && options.stop_thread == t;
}

/* Gives thread t a stack on which it begins the kernel. Returns 0 if there is none. */
static int give_stack(unsigned t)
{
    const size_t slot = stack_allocate();
    if (slot == now->stacks.slots) {
        now->failed = 1;
        portable_launch_.status = portable_fail_(
            PORTABLE_ERROR_OUT_OF_MEMORY,
            "kernel %s: the system gives no guard page for the stack of thread %u: too many "
            "mappings (vm.max_map_count)",
            emulate.kernel, t);
        return 0;
    }
    const int stop = begin_turn(t, (unsigned)slot);
    now->block[t].stopped = switch_prepare(stack_top((unsigned)slot), launch.kernel,
                                           launch.arguments, launch.stack_bytes, stop);
    return 1;
}

/* ---- switches ---- */

/* Tells a check that the running thread leaves the stack for that of the next one, or for the
 * host's for -1. The address sanitizer keeps the thread's state in *fake_stack. */
__attribute__((noinline)) static void announce_switch(int next, void **fake_stack)
{
    const char *const bottom = next >= 0 ? stack_bottom(now->block[next].slot) : NULL;
    if (next >= 0)
        tick();
    if (emulate_check.switch_begin)
        emulate_check.switch_begin(fake_stack, bottom, bottom ? options.stack : 0);
}

/* Has thread `next` run next, or the host's stack go on for -1. Returns the stack pointer. */
static inline void *take_turn(int next, void **fake_stack)
{
    if (next >= 0 && is_fresh((unsigned)next)) {
        if (!give_stack((unsigned)next))
            next = -1;
    } else if (next >= 0) {
        now->thread = (unsigned)next;
        now->in_loop = 0;
    }
    if (__builtin_expect(launch.is_checked, 0))
        announce_switch(next, fake_stack);
    return next >= 0 ? now->block[next].stopped : now->scheduler;
}

/* Suspends the running thread, which has recorded what it waits for, until its next turn. */
static void suspend(void)
{
    struct thread *const thread = self();
    const uint3 index = threadIdx;
    int next = -1;
    thread->patience = portable_emulate_patience_;
    if (thread->state == AT_POLL) {
        now->yielded = thread;
    } else {
        if (!thread->idle)
            forget_stall();
        next = next_turn();
    }
    if (next >= 0 && &now->block[next] == thread) {
        tick();
        return;
    }
    if (now->in_loop) { /* it may go on before another thread begins */
        now->in_loop = 0;
        portable_thread_loop_.stack = NULL;
    }
    void *const to = take_turn(next, &thread->fake_stack);
    portable_emulate_switch_(&thread->stopped, to);
    portable_emulate_patience_ = thread->patience;
    threadIdx = index;
    if (emulate_check.switch_end)
        emulate_check.switch_end(thread->fake_stack, NULL, NULL);
}

/* The running thread is about to do what later blocks, or the host, can see. Never returns if an
 * earlier block has ended the launch. */
__attribute__((noinline, cold)) static void order_thread(void)
{
    if (wait_for_head())
        return;
    self();
    now->failed = 1;
    for (;;)
        suspend();
}

/* Called on a new stack, before the kernel. */
void portable_emulate_begun_(void)
{
    if (emulate_check.switch_end)
        emulate_check.switch_end(NULL, NULL, NULL);
}

/* The running thread has ended, or all of its loop. Returns the slot of its stack. */
static unsigned end_turn(void)
{
    const unsigned warp = now->thread / WARP_SIZE;
    if (!now->in_loop) {
        end_threads(now->thread, now->thread + 1);
        if (now->warp_waits[warp])
            complete_warp(warp);
        return now->block[now->thread].slot;
    }
    now->in_loop = 0;
    now->turn = emulate.threads - 1;
    if (now->prepared) {
        end_threads(now->loop_known, emulate.threads);
    } else { /* nothing else looks at its threads */
        now->ended = emulate.threads;
        now->warps_run = 0;
        memset(now->warp_runs, 0, sizeof now->warp_runs);
        forget_stall();
    }
    now->begun = emulate.threads;
    return now->loop_slot;
}

/* Called on the thread's stack when its kernel has returned. Returns if the next thread begins on
 * this stack: 1 to stop a debugger before. */
int portable_emulate_ended_(void)
{
    const unsigned slot = end_turn();
    const int next = next_turn();
    void *unused;
    if (next >= 0 && is_fresh((unsigned)next))
        return begin_turn((unsigned)next, slot);
    stack_free(slot);
    portable_emulate_switch_(&unused, take_turn(next, NULL));
    return 0;
}

/* The running thread ends in the midst of the kernel. */
static void end_here(void)
{
    void *unused;
    self();
    now->in_loop = 0;
    stack_free(end_turn());
    portable_emulate_switch_(&unused, take_turn(-1, NULL));
}

void portable_emulate_exit_(void)
{
    if (emulate_running)
        end_here();
}

/* On the host's stack: has thread t run, and all that follow without it. */
static void run_turn(int t)
{
    void *const to = take_turn(t, &now->scheduler_fake_stack);
    if (to != now->scheduler) {
        emulate_running = 1;
        portable_emulate_switch_(&now->scheduler, to);
    }
    if (emulate_check.switch_end)
        emulate_check.switch_end(now->scheduler_fake_stack, NULL, NULL);
    emulate_running = 0;
}

#endif
