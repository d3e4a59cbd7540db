/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: runs the threads of a block. */
#ifndef PORTABLE_HOST_EMULATE_THREADS_H
#define PORTABLE_HOST_EMULATE_THREADS_H

#include "host/emulate/deadlock.h"
#include "host/emulate/lockstep.h"

/* Called on the thread's stack when its kernel has returned. */
void portable_emulate_ended_(void)
{
    struct thread *const thread = self();
    thread->state = ENDED;
    now.ended++;
    now.warp_ended[emulate.thread / WARP_SIZE] |= 1u << emulate.thread % WARP_SIZE;
    now.ready--;
    stack_free(thread->slot);
    if (emulate_check.switch_begin)
        emulate_check.switch_begin(NULL, NULL, 0);
    portable_emulate_switch_(&thread->stopped, now.scheduler);
}

void portable_emulate_exit_(void)
{
    if (emulate_running)
        portable_emulate_ended_();
}

/* Ends the launch from within a thread: all others never resume. */
void portable_emulate_stop_(int status, const char *sentence)
{
    char where[128];
    if (!emulate_running) {
        fflush(stdout);
        fprintf(stderr, "%s, outside of a kernel\n", sentence);
        exit(EXIT_FAILURE);
    }
    if (portable_launch_.status == PORTABLE_SUCCESS)
        portable_launch_.status = portable_fail_(
            (portable_status)status, "kernel %s: %s: %s", emulate.kernel,
            emulate_where(where, sizeof where, emulate.block_id, emulate.thread), sentence);
    now.failed = now.stopped = 1;
    for (;;)
        suspend();
}

/* A hash of a suspended thread's private state: its stack, with its registers. */
static uint64_t private_hash(const struct thread *thread)
{
    const uint64_t *const end = (const uint64_t *)(const void *)stack_top(thread->slot);
    uint64_t state = 1;
    for (const uint64_t *at = (const uint64_t *)thread->stopped; at < end; at++)
        state = (state ^ *at) * 0x9e3779b97f4a7c15ULL + (state >> 29);
    return state;
}

/* Gives thread t a stack on which it begins the kernel. Returns 0 if there is none. */
static int begin_thread(unsigned t)
{
    struct thread *const thread = &now.block[t];
    const size_t slot = stack_allocate();
    if (slot == stacks.slots) {
        now.failed = 1;
        portable_launch_.status = portable_fail_(
            PORTABLE_ERROR_OUT_OF_MEMORY,
            "kernel %s: the system gives no guard page for the stack of thread %u: too many "
            "mappings (vm.max_map_count)",
            emulate.kernel, t);
        return 0;
    }
    thread->slot = (unsigned)slot;
    const int stop =
        options.stop && options.stop_block == emulate.block_id && options.stop_thread == t;
    thread->stopped =
        switch_prepare(stack_top(thread->slot), now.kernel, now.arguments, now.stack_bytes, stop);
    thread->fake_stack = NULL;
    thread->idle = thread->reads_clock = 0;
    if (thread->loops)
        thread->loops->count = 0;
    memset(thread->states, 0, sizeof thread->states);
    portable_emulate_patience_ = FIRST_PATIENCE;
    return 1;
}

/* The thread yielded: it is idle if its state is one of the latest, as a loop may yield in several
 * places. */
static void judge_progress(struct thread *thread)
{
    enum { STATES = sizeof thread->states / sizeof thread->states[0] };
    const uint64_t state = private_hash(thread);
    int k = 0;
    while (k < STATES && thread->states[k] != state)
        k++;
    thread->idle = k < STATES && !thread->reads_clock;
    if (k == STATES) {
        memmove(thread->states + 1, thread->states, (STATES - 1) * sizeof thread->states[0]);
        thread->states[0] = state;
    }
    thread->reads_clock = 0;
    stall.iterations += (unsigned)thread->iterations;
}

/* Runs thread t until it waits or ends. */
static void resume(unsigned t)
{
    struct thread *const thread = &now.block[t];
    emulate.thread = t;
    emulate_tick();
    if (t < blockDim.x)
        threadIdx = make_uint3(t, 0, 0); /* no division for one-dimensional blocks */
    else
        threadIdx =
            make_uint3(t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y);
    if (thread->state == FRESH && !begin_thread(t))
        return;
    thread->state = READY;
    emulate_running = 1;
    if (emulate_check.switch_begin)
        emulate_check.switch_begin(&now.scheduler_fake_stack, stack_bottom(thread->slot),
                                   options.stack);
    portable_emulate_switch_(&now.scheduler, thread->stopped);
    if (emulate_check.switch_end)
        emulate_check.switch_end(now.scheduler_fake_stack, NULL, NULL);
    emulate_running = 0;
    if (thread->state == AT_POLL)
        judge_progress(thread);
    if (!thread->idle || thread->state == ENDED)
        memset(&stall, 0, sizeof stall);
}

/* All threads that have not ended wait at the block's barrier: opens it. */
static void open_block(void)
{
    unsigned count = 0;
    for (unsigned t = 0; t < emulate.threads; t++)
        if (now.block[t].state == AT_BLOCK) {
            count += (unsigned)now.block[t].value;
            now.block[t].state = READY;
        }
    now.count = (int)count;
    now.ready += now.at_block;
    now.at_block = 0;
    portable_emulate_phase_();
}

/* Whether all threads that wait at a barrier of the block wait at the same one. */
static int at_one_barrier(void)
{
    const struct thread *first = NULL;
    for (unsigned t = 0; t < emulate.threads; t++) {
        const struct thread *const thread = &now.block[t];
        if (thread->state != AT_BLOCK)
            continue;
        if (!first)
            first = thread;
        else if (thread->line != first->line ||
                 (thread->file != first->file && strcmp(thread->file, first->file) != 0))
            return 0;
    }
    return 1;
}

/* Some lanes wait for others that never arrive, or not with the same mask: reports the first, and
 * completes its operation with the lanes that arrived. Returns 0 if the launch has failed. */
static int break_exchange(void)
{
    unsigned t = 0, arrived = 0;
    while (now.block[t].state != AT_WARP)
        t++;
    const unsigned first = t / WARP_SIZE * WARP_SIZE;
    const unsigned end = first + WARP_SIZE < emulate.threads ? first + WARP_SIZE : emulate.threads;
    report_block(first, end, "not all lanes named by %s reach it with the same mask",
                 now.block[t].name);
    if (now.failed)
        return 0;
    for (unsigned other = first; other < end; other++)
        if (now.block[other].state == AT_WARP && now.block[other].kind == now.block[t].kind)
            arrived |= 1u << (other - first);
    exchange(first, arrived);
    return !now.failed;
}

/* No thread of the block can run. Resumes the threads whose barrier or warp operation is complete;
 * returns 0 if the block has ended, yields or waits at a barrier of the grid, or if the launch has
 * failed. */
static int unblock(void)
{
    if (now.at_warp > 0) {
        /* The others may have waited only for a thread that has ended since. */
        for (unsigned t = 0; t < emulate.threads; t++)
            if (now.block[t].state == AT_WARP && try_exchange(t))
                return !now.failed;
    }
    /* Before a divergence is reported: the lanes or the barrier may wait for these. */
    if (now.elsewhere > 0 && (release_complete() || release_active() || poll_again()))
        return !now.yields;
    if (now.at_warp > 0)
        return break_exchange();
    if (now.elsewhere > 0) {
        report_block(0, emulate.threads, "some threads wait for others that never come");
        for (unsigned t = 0; t < emulate.threads && !now.failed; t++)
            if (now.block[t].state == AT_PART || now.block[t].state == AT_WORD)
                make_ready(&now.block[t]);
        return !now.failed;
    }
    if (now.at_block > 0) {
        if (now.at_grid > 0)
            report_block(0, emulate.threads, "some threads wait for the block, some for the grid");
        else if (!at_one_barrier())
            report_block(0, emulate.threads, "its threads wait at different barriers");
        else if (now.ended > 0 && emulate_check.goes_on)
            report_block(0, emulate.threads, "some threads never reach a barrier");
        if (now.failed)
            return 0;
        open_block();
        return 1;
    }
    if (now.at_grid > 0 && now.ended > 0 && emulate_check.goes_on)
        report_block(0, emulate.threads, "some threads never reach a barrier of the grid");
    return 0;
}

/* Counts the threads of the running block by their state, when it starts or resumes. */
static void count_threads(void)
{
    now.ready = now.ended = now.at_block = now.at_warp = now.at_grid = now.elsewhere = 0;
    memset(now.warp_waits, 0, sizeof now.warp_waits);
    memset(now.warp_ended, 0, sizeof now.warp_ended);
    for (unsigned t = 0; t < emulate.threads; t++) {
        struct thread *const thread = &now.block[t];
        const unsigned lane = 1u << t % WARP_SIZE;
        switch (thread->state) {
        case AT_GRID:
            if (now.running->state == AFTER_GRID_BARRIER) {
                thread->state = READY;
                now.ready++;
            } else {
                now.at_grid++;
            }
            break;
        case AT_POLL:
            thread->state = READY;
            now.ready++;
            break;
        case FRESH:
        case READY: now.ready++; break;
        case ENDED:
            now.ended++;
            now.warp_ended[t / WARP_SIZE] |= lane;
            break;
        case AT_BLOCK: now.at_block++; break;
        case AT_WARP:
            now.at_warp++;
            now.warp_waits[t / WARP_SIZE] |= lane;
            break;
        case AT_ACTIVE:
        case AT_PART:
        case AT_WORD: now.elsewhere++; break;
        }
    }
}

/* Thread t has stopped the launch, by an assertion for example: so may the others of its warp,
 * which on a GPU are at the same place. They run until they wait. */
static void finish_warp(unsigned t)
{
    const unsigned first = t / WARP_SIZE * WARP_SIZE;
    for (unsigned other = first; other < first + WARP_SIZE && other < emulate.threads; other++)
        if (other != t && now.block[other].state <= READY)
            resume(other);
}

/* Runs the block until all its threads have ended or wait at a barrier of the grid, or until it
 * yields. */
static void run_block(void)
{
    struct block *const block = now.running;
    now.yields = 0;
    now.stalled_passes = 0;
    if (block->state != YIELDED)
        block->passes = 0;
    count_threads();
    block->state = RUNS;
    do {
        block->passes++;
        for (unsigned k = 0; k < emulate.threads; k++) {
            const unsigned t = (unsigned)portable_in_order_(
                k, emulate.threads, emulate.block_id << 20 ^ block->passes << 4 ^ 2);
            if (now.block[t].state <= READY)
                resume(t);
            if (now.failed) {
                if (now.stopped)
                    finish_warp(t);
                return;
            }
        }
        if (emulate.fault.number) {
            now.failed = 1;
            return;
        }
    } while (now.ready > 0 || unblock());
}

#endif
