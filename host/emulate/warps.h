/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: operations of a warp. */
#ifndef PORTABLE_HOST_EMULATE_WARPS_H
#define PORTABLE_HOST_EMULATE_WARPS_H

#include "host/emulate/places.h"
#include "host/emulate/waits.h"

/* The lanes of a warp that exist and have not ended. */
static unsigned lanes_alive(unsigned warp)
{
    const unsigned beyond = emulate.threads - warp * WARP_SIZE;
    const unsigned exist = beyond < WARP_SIZE ? (1u << beyond) - 1 : ~0u;
    return exist & ~now->warp_ended[warp];
}

/* Those that thread t's warp operation waits for. */
static unsigned lanes_required(unsigned t)
{
    return now->block[t].mask & lanes_alive(t / WARP_SIZE);
}

/* The lane that a shuffle reads, or its own if the source is out of range. */
static unsigned lane_read(const struct thread *thread, unsigned lane)
{
    const unsigned width = thread->width, by = thread->operand % WARP_SIZE;
    const unsigned segment = width == WARP_SIZE ? 0 : lane / width * width; /* no division */
    const unsigned within = lane - segment;
    switch (thread->kind) {
    case PORTABLE_EXCHANGE_SHUFFLE_: return segment + thread->operand % width;
    case PORTABLE_EXCHANGE_UP_: return within >= by ? lane - by : lane;
    case PORTABLE_EXCHANGE_DOWN_: return within + by < width ? lane + by : lane;
    case PORTABLE_EXCHANGE_XOR_: return (lane ^ by) < segment + width ? lane ^ by : lane;
    default: return lane;
    }
}

/* A lane reads another one that does not take part. */
static void report_absent(unsigned first, unsigned lane, unsigned from)
{
    char sentence[200], where[128];
    emulate_where(where, sizeof where, now->block_id, first + lane);
    snprintf(sentence, sizeof sentence, "%s: %s reads lane %u, which does not take part", where,
             now->block[first + lane].name, from);
    report_threads(sentence, first + lane, first + lane + 1);
}

/* Gives the lanes that arrived their results, and resumes them. */
static void exchange(unsigned first, unsigned arrived)
{
    struct thread *const lanes = &now->block[first];
    unsigned votes = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (arrived >> lane & 1)
            votes |= (unsigned)(lanes[lane].value & 1) << lane;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (!(arrived >> lane & 1))
            continue;
        struct thread *const thread = &lanes[lane];
        const unsigned from = lane_read(thread, lane);
        switch (thread->kind) {
        case PORTABLE_EXCHANGE_SYNC_: break;
        case PORTABLE_EXCHANGE_BALLOT_:
            thread->result = (unsigned long long)arrived << 32 | votes;
            break;
        default:
            thread->result = arrived >> from & 1 ? lanes[from].value : ~0ULL;
            if (!(arrived >> from & 1) && first + from < emulate.threads)
                report_absent(first, lane, from);
        }
    }
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (arrived >> lane & 1)
            lanes[lane].state = READY;
    now->at_warp -= (unsigned)__builtin_popcount(arrived);
    let_run(first / WARP_SIZE, arrived);
    now->warp_waits[first / WARP_SIZE] &= ~arrived;
}

/* Lanes pass a sync of a mask. */
static void pass_sync(unsigned warp, unsigned arrived, unsigned mask)
{
    if (launch.is_checked)
        emulate_sync(warp, arrived, mask, arrived == lanes_alive(warp));
}

/* Completes the operation that thread t waits for, if all lanes have arrived. */
static void try_exchange(unsigned t)
{
    const unsigned first = t / WARP_SIZE * WARP_SIZE, required = lanes_required(t);
    const struct thread *const thread = &now->block[t];
    if ((required & ~now->warp_waits[first / WARP_SIZE]) ||
        !(required >> (t - first) & 1)) /* a lane outside its own mask waits forever */
        return;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        const struct thread *const other = &now->block[first + lane];
        if ((required >> lane & 1) && (other->kind != thread->kind || other->mask != thread->mask))
            return;
    }
    if (thread->kind == PORTABLE_EXCHANGE_SYNC_)
        pass_sync(first / WARP_SIZE, required, thread->mask);
    tick();
    exchange(first, required);
}

/* A lane has ended: completes the operations that waited only for it. */
static void complete_warp(unsigned warp)
{
    for (unsigned waits = now->warp_waits[warp]; waits; waits &= waits - 1)
        try_exchange(warp * WARP_SIZE + (unsigned)__builtin_ctz(waits));
}

unsigned long long portable_emulate_exchange_(enum portable_exchange_ kind, unsigned mask,
                                              unsigned width, unsigned long long value,
                                              unsigned operand, const char *name, const char *file,
                                              int line)
{
    require_kernel(name, file, line);
    struct thread *const thread = self();
    thread->kind = kind;
    thread->mask = mask;
    thread->width = width == 0 || width > WARP_SIZE ? WARP_SIZE : width;
    thread->value = value;
    thread->operand = operand;
    begin_wait(AT_WARP, name, file, line);
    now->at_warp++;
    now->warp_waits[now->thread / WARP_SIZE] |= 1u << now->thread % WARP_SIZE;
    try_exchange(now->thread);
    suspend();
    return thread->result;
}

void portable_emulate_sync_warp_(unsigned mask, const char *name, const char *file, int line)
{
    portable_emulate_exchange_(PORTABLE_EXCHANGE_SYNC_, mask, WARP_SIZE, 0, 0, name, file, line);
}

#endif
