/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: runs the threads of a block. */
#ifndef PORTABLE_HOST_EMULATE_THREADS_H
#define PORTABLE_HOST_EMULATE_THREADS_H

#include "host/emulate/deadlock.h"
#include "host/emulate/lockstep.h"

/* Ends the launch from within a thread: all others never resume. */
void portable_emulate_stop_(int status, const char *sentence)
{
    char where[128];
    if (!emulate_running) {
        fflush(stdout);
        fprintf(stderr, "%s, outside of a kernel\n", sentence);
        exit(EXIT_FAILURE);
    }
    self();
    order_thread();
    if (portable_launch_.status == PORTABLE_SUCCESS)
        portable_launch_.status = portable_fail_(
            (portable_status)status, "kernel %s: %s: %s", emulate.kernel,
            emulate_where(where, sizeof where, now->block_id, now->thread), sentence);
    now->failed = now->stopped = 1;
    for (;;)
        suspend();
}

/* A thread of a split kernel waits. */
static void place_thread(struct thread *thread, enum state state,
                         const struct portable_place_ *place)
{
    thread->state = state;
    thread->name = place->name;
    thread->file = place->file;
    thread->line = place->line;
}

void portable_emulate_split_diverged_(const unsigned char *waits,
                                      const struct portable_place_ *places)
{
    self();
    for (unsigned t = 0; t < emulate.threads; t++)
        if (waits[t])
            place_thread(&now->block[t], AT_BLOCK, &places[waits[t] - 1]);
        else
            now->block[t].state = ENDED;
    report_block(0, emulate.threads, "its threads wait at different barriers");
    now->failed = 1;
    for (;;)
        suspend();
}

void portable_emulate_split_absent_(const struct portable_place_ *place, unsigned first,
                                    unsigned lane, unsigned from)
{
    self();
    place_thread(&now->block[first + lane], AT_WARP, place);
    report_absent(first, lane, from);
    now->failed = 1;
    for (;;)
        suspend();
}

char *portable_emulate_arena_(size_t bytes)
{
    portable_aligned_free_(now->arena);
    now->arena = (char *)portable_aligned_(128, bytes);
    portable_thread_loop_.arena = now->arena;
    portable_thread_loop_.arena_bytes = now->arena ? bytes : 0;
    if (!now->arena)
        portable_emulate_stop_(PORTABLE_ERROR_OUT_OF_MEMORY,
                               "no memory for what the threads of a block keep");
    return now->arena;
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
    now->stall.iterations += (unsigned)thread->iterations;
    if (!thread->idle)
        forget_stall();
}

/* Whether all threads that wait at a barrier of the block wait at the same one. */
static int at_one_barrier(void)
{
    const struct thread *first = NULL;
    for (unsigned t = 0; t < emulate.threads; t++) {
        const struct thread *const thread = &now->block[t];
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
    while (now->block[t].state != AT_WARP)
        t++;
    const unsigned first = t / WARP_SIZE * WARP_SIZE;
    const unsigned end = first + WARP_SIZE < emulate.threads ? first + WARP_SIZE : emulate.threads;
    report_block(first, end, "not all lanes named by %s reach it with the same mask",
                 now->block[t].name);
    if (now->failed)
        return 0;
    for (unsigned other = first; other < end; other++)
        if (now->block[other].state == AT_WARP && now->block[other].kind == now->block[t].kind)
            arrived |= 1u << (other - first);
    exchange(first, arrived);
    return !now->failed;
}

/* No thread of the block can run. Resumes those whose barrier is complete, or that poll; returns 0
 * if the block has ended, yields or waits at a barrier of the grid, or if the launch has failed. */
static int unblock(void)
{
    /* Before a divergence is reported: the lanes or the barrier may wait for these. */
    if (now->elsewhere > 0 && (release_complete() || release_active() || poll_again()))
        return !now->yields;
    if (now->at_warp > 0)
        return break_exchange();
    if (now->elsewhere > 0) {
        report_block(0, emulate.threads, "some threads wait for others that never come");
        for (unsigned t = 0; t < emulate.threads && !now->failed; t++)
            if (now->block[t].state == AT_PART || now->block[t].state == AT_WORD)
                make_ready(&now->block[t]);
        return !now->failed;
    }
    if (now->at_block > 0) {
        if (now->at_grid > 0)
            report_block(0, emulate.threads, "some threads wait for the block, some for the grid");
        else if (!at_one_barrier())
            report_block(0, emulate.threads, "its threads wait at different barriers");
        else if (now->ended > 0 && emulate_check.goes_on)
            report_block(0, emulate.threads, "some threads never reach a barrier");
        if (now->failed)
            return 0;
        open_block();
        return 1;
    }
    if (now->at_grid > 0 && now->ended > 0 && emulate_check.goes_on)
        report_block(0, emulate.threads, "some threads never reach a barrier of the grid");
    return 0;
}

/* Counts the threads of the running block by their state, when it starts or resumes. */
static void count_threads(void)
{
    const unsigned warps = (emulate.threads + WARP_SIZE - 1) / WARP_SIZE;
    now->ended = now->at_block = now->at_warp = now->at_grid = now->elsewhere = 0;
    now->counting = now->differ = 0;
    now->warps_run = 0;
    now->begun = emulate.threads;
    memset(now->warp_runs, 0, sizeof now->warp_runs);
    memset(now->warp_waits, 0, sizeof now->warp_waits);
    memset(now->warp_ended, 0, sizeof now->warp_ended);
    if (now->running->state == UNUSED) { /* all are to begin */
        now->begun = 0;
        now->prepared = !launch.loops;
        if (now->prepared)
            make_fresh(now->block);
        for (unsigned warp = 0; warp < warps; warp++)
            let_run(warp, ~0u);
        if (emulate.threads % WARP_SIZE)
            now->warp_runs[warps - 1] = (1u << emulate.threads % WARP_SIZE) - 1;
        return;
    }
    for (unsigned t = 0; t < emulate.threads; t++) {
        struct thread *const thread = &now->block[t];
        const unsigned warp = t / WARP_SIZE, lane = 1u << t % WARP_SIZE;
        switch (thread->state) {
        case AT_GRID:
            if (now->running->state == AFTER_GRID_BARRIER) {
                thread->state = READY;
                let_run(warp, lane);
            } else {
                now->at_grid++;
            }
            break;
        case AT_POLL:
            thread->state = READY;
            let_run(warp, lane);
            break;
        case FRESH:
        case READY: let_run(warp, lane); break;
        case ENDED:
            now->ended++;
            now->warp_ended[warp] |= lane;
            break;
        case AT_BLOCK:
            now->at_block++;
            now->counting += (int)thread->value;
            now->differ = 1; /* they may */
            break;
        case AT_WARP:
            now->at_warp++;
            now->warp_waits[warp] |= lane;
            break;
        case AT_ACTIVE:
        case AT_PART:
        case AT_WORD: now->elsewhere++; break;
        }
    }
}

/* Thread t has stopped the launch, by an assertion for example: so may the others of its warp,
 * which on a GPU are at the same place. They run until they wait. */
static void finish_warp(unsigned t)
{
    const unsigned first = t / WARP_SIZE * WARP_SIZE;
    for (unsigned other = first; other < first + WARP_SIZE && other < emulate.threads; other++)
        if (other != t && can_run(other))
            run_turn((int)other);
}

/* Runs the block until all its threads have ended or wait at a barrier of the grid, or until it
 * yields. */
static void run_block(void)
{
    struct block *const block = now->running;
    now->yields = 0;
    now->stalled_passes = 0;
    if (block->state != YIELDED)
        block->passes = 0;
    count_threads();
    block->state = RUNS;
    begin_pass();
    while (!now->failed) {
        const int next = next_turn();
        if (next >= 0) {
            now->yielded = NULL;
            run_turn(next);
            if (now->yielded)
                judge_progress(now->yielded);
        } else if (now->fault.number) {
            now->failed = 1;
        } else if (unblock()) {
            begin_pass();
        } else {
            return;
        }
    }
    if (now->stopped)
        finish_warp(now->thread);
}

#endif
