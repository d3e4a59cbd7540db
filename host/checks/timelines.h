/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of streamcheck.c: the order of work, by vector clocks.
 *
 * Each timeline counts its pieces of work. A clock has a count for each timeline: all work up to
 * it, and all that came before that, is known to be done. A timeline knows what its next work comes
 * after, the host what it has waited for, and an event what its timeline knew when it was recorded.
 * One piece of work comes before another if the other's clock has its count:
 *
 *                  timeline 1            timeline 2              the host
 *     stream 1     work 1: {1, 0}
 *     an event is recorded: {1, 0}
 *     stream 2                           waits, work 1: {1, 1}
 *     the host waits for stream 1                                {1, 0}: not for stream 2
 *
 * Host code enqueues work after all that it has waited for, and its own accesses come before all
 * work that is enqueued later. So they need no counts.
 */
#ifndef PORTABLE_HOST_CHECKS_TIMELINES_H
#define PORTABLE_HOST_CHECKS_TIMELINES_H

#include "host/emulate/order.h"

#include <pthread.h> /* pthread_mutex_t */
#include <stdint.h>  /* uint32_t */
#include <stdio.h>   /* fprintf */
#include <stdlib.h>  /* abort, calloc, free, realloc */
#include <string.h>  /* memcpy */

struct emulate_clock {
    uint32_t size;
    uint32_t *counts; /* of timelines from `size` on: 0 */
};

/* A stream, for reports. Those that are gone stay. */
struct stream {
    enum emulate_stream kind;
    unsigned number;    /* among the program's own, from 1 */
    const void *caller; /* that made it */
};

struct timeline {
    struct emulate_clock knows;
    uint32_t count;  /* of its work so far */
    uint32_t *works; /* their numbers, by counts from 1 on */
    uint32_t room;
    uint32_t stream;
    enum emulate_stream kind;
    int is_open;
};

/* A piece of work, by its number from 1 on. */
struct work {
    uint32_t timeline, count, stream;
    enum emulate_work kind;
    const char *call;   /* the kernel, or the function that enqueued it */
    const void *caller; /* of that */
    unsigned block[3];  /* a kernel's extents */
    unsigned grid[3];
};

/* Work and streams never move, because kernels look them up while host threads add more. */
enum { CHUNK = 1 << 12, CHUNKS = 1 << 16, MOST_TIMELINES = 1 << 12 };
enum { WORK_BITS = 28 }; /* of CHUNK * CHUNKS pieces */
static struct work *work_chunks[CHUNKS];
static uint32_t work_count = 1;
static struct timeline *timelines[MOST_TIMELINES];
static uint32_t timeline_count;
static struct stream *streams;
static uint32_t stream_count;
static uint32_t host_counts[MOST_TIMELINES];
static struct emulate_clock host_clock = {MOST_TIMELINES, host_counts};
static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;

static void *require_memory(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "streamcheck: out of memory\n");
        abort();
    }
    return memory;
}

static struct work *work_at(uint32_t number)
{
    return &work_chunks[number / CHUNK][number % CHUNK];
}

static uint32_t count_in(const struct emulate_clock *clock, uint32_t timeline)
{
    return timeline < clock->size ? clock->counts[timeline] : 0;
}

/* Whether the work, or none, comes before whatever has the clock. */
static int comes_before(uint32_t number, const struct emulate_clock *clock)
{
    const struct work *const work = work_at(number);
    return number == 0 || work->count <= count_in(clock, work->timeline);
}

static void set_count(struct emulate_clock *clock, uint32_t timeline, uint32_t count)
{
    if (timeline >= clock->size) {
        const uint32_t size = (timeline + 8) / 8 * 8;
        clock->counts = (uint32_t *)require_memory(realloc(clock->counts, size * sizeof(uint32_t)));
        memset(clock->counts + clock->size, 0, (size - clock->size) * sizeof(uint32_t));
        clock->size = size;
    }
    clock->counts[timeline] = count;
}

static void join(struct emulate_clock *clock, const struct emulate_clock *other)
{
    for (uint32_t timeline = 0; timeline < timeline_count && timeline < other->size; timeline++)
        if (other->counts[timeline] > count_in(clock, timeline))
            set_count(clock, timeline, other->counts[timeline]);
}

static void copy_clock(struct emulate_clock *to, const struct emulate_clock *from)
{
    if (to->size > 0)
        memset(to->counts, 0, to->size * sizeof(uint32_t));
    join(to, from);
}

/* A timeline that is closed, and of whose work the host knows, gets a new stream. */
static uint32_t open_timeline(enum emulate_stream kind, const void *caller)
{
    static unsigned numbers;
    uint32_t at = 0;

    while (at < timeline_count &&
           (timelines[at]->is_open || host_counts[at] < timelines[at]->count))
        at++;
    if (at ==
        MOST_TIMELINES) /* then streams share one, and work of one seems to wait for another's */
        at = MOST_TIMELINES - 1;
    if (at == timeline_count) {
        timelines[at] = (struct timeline *)require_memory(calloc(1, sizeof **timelines));
        timeline_count++;
    }
    struct timeline *const timeline = timelines[at];
    if (timeline->knows.size > 0)
        memset(timeline->knows.counts, 0, timeline->knows.size * sizeof(uint32_t));
    set_count(&timeline->knows, at, timeline->count);
    timeline->kind = kind;
    timeline->is_open = 1;
    timeline->stream = stream_count++;
    streams = (struct stream *)require_memory(realloc(streams, stream_count * sizeof *streams));
    struct stream *const stream = &streams[timeline->stream];
    stream->kind = kind;
    stream->number = kind >= EMULATE_BLOCKING_STREAM ? ++numbers : 0;
    stream->caller = caller;
    return at;
}

static int is_blocking(enum emulate_stream kind)
{
    return kind == EMULATE_THREAD_STREAM || kind == EMULATE_BLOCKING_STREAM;
}

/* The timeline is about to do or to wait for something, which the host asks for. */
static struct timeline *advance(uint32_t number)
{
    struct timeline *const timeline = timelines[number];

    if (timeline->kind == EMULATE_LEGACY_STREAM) {
        for (uint32_t at = 0; at < timeline_count; at++)
            if (is_blocking(timelines[at]->kind) && timelines[at] != timeline)
                join(&timeline->knows, &timelines[at]->knows);
    } else if (is_blocking(timeline->kind)) {
        join(&timeline->knows, &timelines[EMULATE_LEGACY_TIMELINE]->knows);
    }
    join(&timeline->knows, &host_clock);
    return timeline;
}

/* All work up to this number comes before whatever has the clock. */
static uint32_t floor_of(const struct emulate_clock *clock)
{
    uint32_t floor = work_count - 1;

    for (uint32_t at = 0; at < timeline_count; at++) {
        const uint32_t known = count_in(clock, at);
        if (known < timelines[at]->count && timelines[at]->works[known] - 1 < floor)
            floor = timelines[at]->works[known] - 1;
    }
    return floor;
}

static uint32_t new_work(struct work work)
{
    if (work_count >> WORK_BITS != 0) {
        fprintf(stderr, "streamcheck: more work than it can count\n");
        abort();
    }
    if (work_chunks[work_count / CHUNK] == NULL)
        work_chunks[work_count / CHUNK] =
            (struct work *)require_memory(calloc(CHUNK, sizeof(struct work)));
    *work_at(work_count) = work;
    return work_count++;
}

/* The number of new work of the timeline, after what it knows. */
static uint32_t add_work(uint32_t number, enum emulate_work kind, const char *call,
                         const void *caller)
{
    struct timeline *const timeline = advance(number);
    const struct work work = {number, ++timeline->count, timeline->stream, kind, call,
                              caller, {0, 0, 0},         {0, 0, 0}};
    set_count(&timeline->knows, number, timeline->count);
    if (timeline->count > timeline->room) {
        timeline->room = timeline->room != 0 ? 2 * timeline->room : 64;
        timeline->works = (uint32_t *)require_memory(
            realloc(timeline->works, timeline->room * sizeof *timeline->works));
    }
    timeline->works[timeline->count - 1] = work_count;
    return new_work(work);
}

#endif
