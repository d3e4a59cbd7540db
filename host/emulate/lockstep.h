/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: lanes of a warp that are active together. */
#ifndef PORTABLE_HOST_EMULATE_LOCKSTEP_H
#define PORTABLE_HOST_EMULATE_LOCKSTEP_H

#include "host/emulate/stacks.h"
#include "host/emulate/warps.h"

/* A hash of the chain of calls from a frame outwards, to the last linked frame. */
static unsigned long long hash_calls(const void *frame, const char *end)
{
    const uintptr_t *at = (const uintptr_t *)frame;
    const struct emulate_range *code;
    const size_t count = emulate_ranges(EMULATE_CODE, &code);
    unsigned long long chain = 0;
    for (;;) {
        chain = (chain ^ at[1]) * 0x9e3779b97f4a7c15ULL;
        chain ^= chain >> 32;
        const char *const next = (const char *)at[0];
        if (next <= (const char *)at || next + 2 * sizeof *at > end ||
            (uintptr_t)next % sizeof *at != 0)
            return chain;
        at = (const uintptr_t *)(const void *)next;
        if (!emulate_in_ranges(code, count, (const void *)at[1]))
            return chain; /* not a frame: this code keeps no frame pointers */
    }
}

/* The lanes of a warp that wait where thread t does. */
static unsigned lanes_together_with(unsigned t)
{
    const unsigned first = t / WARP_SIZE * WARP_SIZE;
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < WARP_SIZE && first + lane < emulate.threads; lane++)
        if (now->block[first + lane].state == AT_ACTIVE &&
            now->block[first + lane].value == now->block[t].value)
            lanes |= 1u << lane;
    return lanes;
}

static void release_lanes(unsigned first, unsigned lanes)
{
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (lanes >> lane & 1) {
            now->block[first + lane].result = lanes;
            now->block[first + lane].state = READY;
        }
    now->elsewhere -= (unsigned)__builtin_popcount(lanes);
    let_run(first / WARP_SIZE, lanes);
}

/* Waits for the other lanes at the place: the code's address, or the line, in the chain of calls
 * that leads to the frame. Returns those that resume together. */
static unsigned converge(const char *frame, const void *code, const char *name, const char *file,
                         int line)
{
    struct thread *const thread = self();
    const char *const end = stack_top(thread->slot);
    const unsigned first = now->thread / WARP_SIZE * WARP_SIZE;
    thread->result = (uintptr_t)code;
    thread->value = hash_calls(frame, end) ^ (line > 0 ? (uintptr_t)line : (uintptr_t)code);
    for (unsigned k = 0; thread->loops && k < MAX_LOOPS && k < thread->loops->count; k++)
        thread->value = (thread->value ^ thread->loops->of[k].iterations) * 0x9e3779b97f4a7c15ULL;
    thread->operand = (unsigned)(end - frame);
    thread->mask = ~0u;
    begin_wait(AT_ACTIVE, name, file, line);
    now->elsewhere++;
    const unsigned lanes = lanes_together_with(now->thread);
    if (lanes == lanes_required(now->thread))
        release_lanes(first, lanes);
    suspend();
    return (unsigned)thread->result;
}

unsigned portable_emulate_active_(const char *name, const char *file, int line)
{
    require_kernel(name, file, line);
    emulate.reads_active = 1;
    return converge((const char *)__builtin_frame_address(0), __builtin_return_address(0), name,
                    file, line);
}

void portable_emulate_loop_(enum portable_loop_ event, int line)
{
    if (!emulate_running || !emulate_lockstep)
        return;
    struct thread *const thread = self();
    if (!thread->loops && !(thread->loops = (struct loops *)calloc(1, sizeof *thread->loops)))
        portable_emulate_stop_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for its loops");
    struct loops *const loops = thread->loops;
    const unsigned last = event == PORTABLE_LOOP_ENTER_ ? loops->count++ : loops->count - 1;
    if (event == PORTABLE_LOOP_LEAVE_)
        loops->count = last;
    if (last >= MAX_LOOPS)
        return;
    loops->of[last].iterations += event == PORTABLE_LOOP_NEXT_;
    if (event == PORTABLE_LOOP_ENTER_) {
        loops->of[last].line = line;
        loops->of[last].iterations = 0;
    }
}

void portable_emulate_lockstep_(void)
{
    emulate_lockstep = 1;
}

void portable_emulate_step_(const void *address, const void *code)
{
    emulate_in_step((const char *)address, code);
}

void emulate_step(const void *caller)
{
    converge((const char *)__builtin_frame_address(0), caller, "an access", "", 0);
}

/* Compares two places where lanes of a warp wait. The one to run first is in the earlier iteration
 * of a common loop; else deeper in calls; else earlier in the code, because the other lanes may
 * have left a branch or a loop that these are still in. */
static int comes_first(const struct thread *a, const struct thread *b)
{
    for (unsigned k = 0; a->loops && b->loops && k < MAX_LOOPS && k < a->loops->count &&
                         k < b->loops->count && a->loops->of[k].line == b->loops->of[k].line;
         k++)
        if (a->loops->of[k].iterations != b->loops->of[k].iterations)
            return a->loops->of[k].iterations < b->loops->of[k].iterations;
    return a->operand > b->operand || (a->operand == b->operand && a->result < b->result);
}

/* Resumes the lanes at one place of each warp. Every so often it resumes those at all places, in
 * case one waits for the other; not in lockstep, where they might never meet again. Returns 0 if
 * there are none. */
static int release_active(void)
{
    enum { OFTEN = 1024 };
    int released = 0;
    for (unsigned first = 0; first < emulate.threads; first += WARP_SIZE) {
        const unsigned end = first + WARP_SIZE;
        const struct thread *best = NULL;
        for (unsigned t = first; t < end && t < emulate.threads; t++) {
            const struct thread *const thread = &now->block[t];
            if (thread->state == AT_ACTIVE && (!best || comes_first(thread, best)))
                best = thread;
        }
        if (!best)
            continue;
        released = 1;
        release_lanes(first, lanes_together_with((unsigned)(best - now->block)));
        if (++now->releases % OFTEN == 0 && !emulate_lockstep)
            for (unsigned t = first; t < end && t < emulate.threads; t++)
                if (now->block[t].state == AT_ACTIVE)
                    release_lanes(first, lanes_together_with(t));
    }
    return released;
}

#endif
