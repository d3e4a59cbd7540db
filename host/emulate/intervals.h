/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: the time of the checks, which check.h describes. */
#ifndef PORTABLE_HOST_EMULATE_INTERVALS_H
#define PORTABLE_HOST_EMULATE_INTERVALS_H

#include "host/emulate/launch.h"

/* The first interval of each block of this launch, in ascending order. */
struct began {
    uint32_t interval;
    unsigned long long block_id;
};
static struct {
    struct began *list;
    size_t count, capacity;
} began;

static void record_block(void)
{
    if (began.count == began.capacity) {
        const size_t capacity = began.capacity ? 2 * began.capacity : 1024;
        void *const grown = realloc(began.list, capacity * sizeof *began.list);
        if (!grown)
            return; /* reports may then name an earlier block */
        began.list = (struct began *)grown;
        began.capacity = capacity;
    }
    began.list[began.count].interval = emulate.interval;
    began.list[began.count++].block_id = emulate.block_id;
}

unsigned long long emulate_block_of(uint32_t interval)
{
    size_t low = 0, high = began.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (began.list[middle].interval <= interval)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? began.list[low - 1].block_id : 0;
}

/* Between blocks the count restarts when less than this is left. While blocks yield to each
 * other, each reserves as many intervals as it may need, so that the intervals of each are a range.
 * When the count restarts, or a range is used up, all earlier accesses are ordered, as after a
 * barrier of the grid: every block that is resident then gets a new range. */
enum { BLOCK_INTERVALS = 1 << 28, RESERVED = 1 << 16 };

static void restart_intervals(void)
{
    if (launch.reserved_until > UINT32_MAX - BLOCK_INTERVALS) {
        launch.reserved_until = 0;
        began.count = 0;
    }
    launch.restarts++;
    emulate.launch_start = launch.reserved_until + 1;
}

/* Gives the running block new intervals. */
static void take_intervals(void)
{
    if (!launch.is_checked)
        return;
    const unsigned long long blocks = launch.blocks + 1, left = UINT32_MAX - BLOCK_INTERVALS;
    const unsigned reserve = left / blocks < RESERVED ? (unsigned)(left / blocks) : RESERVED;
    if (launch.reserved_until > UINT32_MAX - BLOCK_INTERVALS)
        restart_intervals();
    emulate.block_start = emulate.interval = ++launch.reserved_until;
    if (emulate.interleaved)
        launch.reserved_until += reserve;
    now->running->start = emulate.block_start;
    now->running->last = launch.reserved_until;
    now->running->restarts = launch.restarts;
    record_block();
}

/* The running block passes a barrier. */
static void next_interval(void)
{
    if (!emulate.interleaved) {
        launch.reserved_until = ++emulate.interval;
    } else if (++emulate.interval > now->running->last) {
        restart_intervals();
        take_intervals();
    }
}

void portable_emulate_phase_(void)
{
    if (!launch.is_checked)
        return;
    next_interval();
    emulate.ragged = 0;
    tick();
}

#endif
