/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the runtime API of CUDA C++ tells a check about the order of work.
 *
 * Here each piece of work is done when the call that enqueues it returns. On a GPU it is done at
 * some time between that call and the first wait for it. A timeline is a sequence of work that is
 * done in its order: a stream's. Between those of different timelines there is no order but what
 * these calls tell. Host code is one timeline, whatever thread runs it, and needs no number.
 */
#ifndef PORTABLE_HOST_EMULATE_ORDER_H
#define PORTABLE_HOST_EMULATE_ORDER_H

#include <stddef.h> /* size_t */

enum emulate_stream {
    EMULATE_LEGACY_STREAM, /* the default stream: its work comes after that of all blocking streams
                            * so far, and before all later work of theirs */
    EMULATE_THREAD_STREAM, /* a thread's default stream, a blocking one */
    EMULATE_GRAPH_BRANCH,  /* nodes of a graph that is launched, one after another */
    EMULATE_BLOCKING_STREAM,
    EMULATE_NON_BLOCKING_STREAM
};
enum { EMULATE_LEGACY_TIMELINE = 0 };

/* A kind of work. */
enum emulate_work {
    EMULATE_CALL,       /* a copy or the like, whose accesses the call tells */
    EMULATE_ALLOCATION, /* of memory, or its end, in the order of a stream: a write of all of it */
    EMULATE_FREE,
    EMULATE_KERNEL,  /* a launch */
    EMULATE_FUNCTION /* host code in a stream */
};

/* Memory that both sides may use, or none. */
enum emulate_memory { EMULATE_PINNED, EMULATE_MANAGED, EMULATE_REGISTERED };

/* The work of a timeline up to some moment, with all that comes before it: an event's. */
struct emulate_clock;

struct emulate_order {
    unsigned (*open)(enum emulate_stream kind);
    void (*close)(unsigned timeline); /* its work goes on */
    /* The calling thread does the next work of the timeline, until its end. call: the function that
     * enqueues it, or the kernel; caller: the address of that in the program's code, or NULL, which
     * is that of the running call. */
    void (*begin)(unsigned timeline, enum emulate_work kind, const char *call, const void *caller);
    void (*end)(void);
    /* The address in the program's code that made what the thread begins from here on: a node of a
     * graph. NULL: it is the program's call. */
    void (*made_by)(const void *caller);
    /* The work that has begun accesses memory; the host does, in the call. */
    void (*access)(const void *memory, size_t bytes, int writes);
    void (*host_access)(const char *call, const void *memory, size_t bytes, int writes);
    /* The host waits for a timeline, or for all of them. */
    void (*host_waits)(unsigned timeline);
    void (*host_waits_for_all)(void);
    /* Events: the clock of a timeline now, in place of an earlier one or NULL. The timeline, or the
     * host, waits for it. */
    struct emulate_clock *(*record)(struct emulate_clock *before, unsigned timeline);
    void (*wait)(unsigned timeline, const struct emulate_clock *clock);
    void (*host_waits_for)(const struct emulate_clock *clock);
    void (*forget)(struct emulate_clock *clock);
    /* Device memory is told by portable_emulate_memory_. call: the host frees the memory by it, and
     * does not wait for work that uses it; or NULL. */
    void (*allocated)(enum emulate_memory kind, const void *memory, size_t bytes);
    void (*freed)(const char *call, const void *memory, size_t bytes);
};

#endif
