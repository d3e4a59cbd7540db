/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams, events, and captures of streams into graphs.
 *
 * Everything is done when the call returns, and a stream is only a handle, unless work is late
 * (late.h).
 */
#define _GNU_SOURCE /* clock_gettime */
#include "host/cudart/streams.h"
#include "host/cudart/runtime.h"
#include "host/cudart/allocations.h"
#include "host/cudart/late.h"
#include "host/cudart/nodes.h"
#include "host/emulate/check.h"

#include <stdint.h> /* uintptr_t */
#include <stdlib.h> /* calloc, free */
#include <string.h> /* memset */
#include <time.h>   /* clock_gettime */

/* This host thread's captures in progress. */
static __thread struct CUgraph_st *captures;
static __thread enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

cudaError_t portable_cuda_check_no_capture_(void)
{
    cudaError_t error = cudaSuccess;

    if (thread_mode == cudaStreamCaptureModeRelaxed)
        return cudaSuccess;
    for (struct CUgraph_st *graph = captures; graph; graph = graph->next)
        if (graph->mode != cudaStreamCaptureModeRelaxed)
            error = portable_cuda_invalidate_(graph);
    return error;
}

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    unsigned long long id;
    struct CUgraph_st *graph; /* that it is captured into, or NULL */
    int is_origin;            /* the capture began with it */
    struct portable_cuda_tail_ tail;
    unsigned timeline;
};
struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    unsigned long long recorded; /* the number of the latest cudaEventRecord, or 0 */
    long long nanoseconds;
    struct CUgraph_st *graph; /* the capture that it was recorded in, or NULL */
    struct portable_cuda_tail_ tail;
    struct emulate_clock *clock; /* owned; NULL before it is recorded */
};
static cudaStream_t streams;
static cudaEvent_t events;

/* Sets the graph of a stream or an event. Another host thread that ends a capture looks at all. */
static void set_graph(struct CUgraph_st **of, struct CUgraph_st *graph)
{
    portable_cuda_lock_();
    *of = graph;
    portable_cuda_unlock_();
}

static int is_default(cudaStream_t stream)
{
    return (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread;
}

int portable_cuda_is_stream_(cudaStream_t stream)
{
    if (is_default(stream) || emulate_running)
        return 1;
    portable_cuda_lock_();
    cudaStream_t found = streams;
    while (found && found != stream)
        found = found->next;
    portable_cuda_unlock_();
    return found != NULL;
}

/* ---- the order of work ---- */

static unsigned timeline_of(cudaStream_t stream)
{
    static __thread int has_own;
    static __thread unsigned own;

    if (stream != cudaStreamPerThread)
        return is_default(stream) ? EMULATE_LEGACY_TIMELINE : stream->timeline;
    if (!has_own)
        own = ORDER->open(EMULATE_THREAD_STREAM);
    has_own = 1;
    return own;
}

void portable_cuda_begin_work_(cudaStream_t stream, enum emulate_work kind, const char *call)
{
    if (ORDER)
        ORDER->begin(timeline_of(stream), kind, call, NULL);
}

void portable_cuda_begin_kernel_(cudaStream_t stream, const char *kernel, const void *caller)
{
    if (ORDER)
        ORDER->begin(timeline_of(stream), EMULATE_KERNEL, kernel, caller);
}

void portable_cuda_end_work_(void)
{
    if (ORDER)
        ORDER->end();
}

void portable_cuda_touch_(const char *call, const void *memory, size_t pitch, size_t slice,
                          size_t width, size_t height, size_t depth, int writes)
{
    if (!ORDER)
        return;
    if (pitch == width || height == 1) {
        width *= height;
        height = 1;
    }
    for (size_t z = 0; z < depth; z++)
        for (size_t y = 0; y < height; y++) {
            const char *const row = (const char *)memory + z * slice + y * pitch;
            if (call)
                ORDER->host_access(call, row, width, writes);
            else
                ORDER->access(row, width, writes);
        }
}

void portable_cuda_host_waits_(cudaStream_t stream)
{
    if (ORDER)
        ORDER->host_waits(timeline_of(stream));
}

int portable_cuda_defer_(cudaStream_t stream, enum emulate_work kind, const char *call,
                         void (*run)(void *data), const void *data, size_t bytes)
{
    if (portable_cuda_is_late_())
        portable_cuda_enqueue_(timeline_of(stream), kind, call, run, data, bytes);
    return portable_cuda_is_late_();
}

void portable_cuda_catch_up_(cudaStream_t stream)
{
    if (portable_cuda_is_late_())
        ORDER->host_waits(timeline_of(stream));
}

void portable_cuda_catch_up_all_(void)
{
    if (portable_cuda_is_late_())
        ORDER->host_waits_for_all();
}

cudaStream_t *portable_cuda_library_stream_(void)
{
    static __thread cudaStream_t stream;
    return &stream;
}

struct CUgraph_st *portable_cuda_capture_of_(cudaStream_t stream)
{
    if (!stream || is_default(stream) || !portable_cuda_is_stream_(stream) || emulate_running)
        return NULL;
    if (stream->graph)
        stream->graph->tail = &stream->tail;
    return stream->graph;
}

static int is_event(cudaEvent_t event)
{
    portable_cuda_lock_();
    cudaEvent_t found = events;
    while (found && found != event)
        found = found->next;
    portable_cuda_unlock_();
    return found != NULL;
}

#define REQUIRE_EVENT(event) REQUIRE(is_event(event), cudaErrorInvalidResourceHandle)

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

static void link_stream(cudaStream_t made)
{
    static unsigned long long ids = 16;

    portable_cuda_lock_();
    made->id = ++ids;
    made->next = streams;
    streams = made;
    portable_cuda_unlock_();
}

cudaStream_t portable_cuda_open_branch_(void)
{
    cudaStream_t const made = (cudaStream_t)calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->flags = cudaStreamNonBlocking;
    made->timeline = ORDER->open(EMULATE_GRAPH_BRANCH);
    link_stream(made);
    return made;
}

struct emulate_clock *portable_cuda_clock_of_(cudaStream_t stream)
{
    return ORDER->record(NULL, timeline_of(stream));
}

void portable_cuda_wait_for_clock_(cudaStream_t stream, const struct emulate_clock *clock)
{
    ORDER->wait(timeline_of(stream), clock);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    ENTER(0);
    REQUIRE(stream && flags <= cudaStreamNonBlocking, cudaErrorInvalidValue);
    cudaStream_t const made = (cudaStream_t)calloc(1, sizeof *made);
    REQUIRE(made, cudaErrorMemoryAllocation);
    made->flags = flags;
    made->priority = priority < 0 ? priority : 0;
    if (made->priority < -5)
        made->priority = -5;
    if (ORDER)
        made->timeline = ORDER->open(flags & cudaStreamNonBlocking ? EMULATE_NON_BLOCKING_STREAM
                                                                   : EMULATE_BLOCKING_STREAM);
    link_stream(made);
    *stream = made;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE(!is_default(stream), cudaErrorInvalidResourceHandle);
    if (ORDER)
        ORDER->close(stream->timeline);
    portable_cuda_lock_();
    for (cudaStream_t *link = &streams; *link; link = &(*link)->next)
        if (*link == stream) {
            *link = stream->next;
            break;
        }
    portable_cuda_unlock_();
    portable_cuda_empty_tail_(&stream->tail);
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    REQUIRE_STREAM(stream);
    REQUIRE(priority, cudaErrorInvalidValue);
    *priority = is_default(stream) ? 0 : stream->priority;
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    REQUIRE_STREAM(stream);
    REQUIRE(flags, cudaErrorInvalidValue);
    *flags = is_default(stream) ? 0 : stream->flags;
    return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    REQUIRE_STREAM(stream);
    REQUIRE(id, cudaErrorInvalidValue);
    *id = is_default(stream) ? 1 + (uintptr_t)stream : stream->id;
    return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    REQUIRE_STREAM(stream);
    REQUIRE(device, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    REQUIRE_STREAM(to);
    REQUIRE_STREAM(from);
    return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value)
{
    (void)attribute;
    REQUIRE_STREAM(stream);
    REQUIRE(value, cudaErrorInvalidValue);
    memset(value, 0, sizeof *value);
    if (attribute == cudaLaunchAttributePriority && !is_default(stream))
        value->priority = stream->priority;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value)
{
    (void)attribute;
    REQUIRE_STREAM(stream);
    REQUIRE(value, cudaErrorInvalidValue);
    return cudaSuccess;
}

static cudaError_t portable_cuda_wait_(cudaStream_t stream, int is_query)
{
    ENTER(1);
    REQUIRE_STREAM(stream);
    if (portable_cuda_capture_of_(stream))
        return portable_cuda_error_(portable_cuda_invalidate_(portable_cuda_capture_of_(stream)));
    if (is_query && portable_cuda_is_late_())
        REQUIRE(portable_cuda_query_timeline_(timeline_of(stream)), cudaErrorNotReady);
    portable_cuda_host_waits_(stream);
    ENTER(1);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return portable_cuda_wait_(stream, 0);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return portable_cuda_wait_(stream, 1);
}

/* A host function or a callback. */
struct function {
    cudaHostFn_t function;
    cudaStreamCallback_t callback;
    cudaStream_t stream;
    void *data;
};

static void portable_cuda_call_back_(void *data)
{
    const struct function *const given = (const struct function *)data;

    if (given->function)
        given->function(given->data);
    else
        given->callback(given->stream, cudaSuccess, given->data);
}

static void portable_cuda_call_in_(cudaStream_t stream, const char *call, struct function function)
{
    if (portable_cuda_defer_(stream, EMULATE_FUNCTION, call, portable_cuda_call_back_, &function,
                             sizeof function))
        return;
    portable_cuda_begin_work_(stream, EMULATE_FUNCTION, call);
    portable_cuda_call_back_(&function);
    portable_cuda_end_work_();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    struct CUgraph_st *const graph = portable_cuda_capture_of_(stream);

    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE(function, cudaErrorInvalidValue);
    if (graph) {
        portable_cuda_capture_host_(graph, function, data, 0);
        return cudaSuccess;
    }
    portable_cuda_call_in_(stream, "cudaLaunchHostFunc",
                           (struct function){function, NULL, stream, data});
    return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE(callback && flags == 0, cudaErrorInvalidValue);
    REQUIRE(!portable_cuda_capture_of_(stream),
            portable_cuda_invalidate_(portable_cuda_capture_of_(stream)));
    portable_cuda_call_in_(stream, "cudaStreamAddCallback",
                           (struct function){NULL, callback, stream, data});
    return cudaSuccess;
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    ENTER(0);
    REQUIRE(event && flags <= 7, cudaErrorInvalidValue);
    REQUIRE(!(flags & cudaEventInterprocess) || flags & cudaEventDisableTiming,
            cudaErrorInvalidValue);
    cudaEvent_t const made = (cudaEvent_t)calloc(1, sizeof *made);
    REQUIRE(made, cudaErrorMemoryAllocation);
    made->flags = flags;
    portable_cuda_lock_();
    made->next = events;
    events = made;
    portable_cuda_unlock_();
    *event = made;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    ENTER(0);
    REQUIRE_EVENT(event);
    portable_cuda_lock_();
    for (cudaEvent_t *link = &events; *link; link = &(*link)->next)
        if (*link == event) {
            *link = event->next;
            break;
        }
    portable_cuda_unlock_();
    if (ORDER)
        ORDER->forget(event->clock);
    portable_cuda_empty_tail_(&event->tail);
    free(event);
    return cudaSuccess;
}

static long long nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Notes the time for the event whose latest cudaEventRecord has that number, if there is one: it
 * may have been destroyed, or recorded anew. */
static void portable_cuda_note_time_late_(void *data)
{
    const unsigned long long recorded = *(const unsigned long long *)data;
    const long long now = nanoseconds();

    portable_cuda_lock_();
    cudaEvent_t event = events;
    while (event && __atomic_load_n(&event->recorded, __ATOMIC_RELAXED) != recorded)
        event = event->next;
    if (event)
        event->nanoseconds = now;
    portable_cuda_unlock_();
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    static unsigned long long count;

    ENTER(0);
    REQUIRE_EVENT(event);
    REQUIRE_STREAM(stream);
    REQUIRE(flags <= cudaEventRecordExternal, cudaErrorInvalidValue);
    set_graph(&event->graph, portable_cuda_capture_of_(stream));
    portable_cuda_empty_tail_(&event->tail);
    if (event->graph)
        REQUIRE(portable_cuda_join_tail_(&event->tail, stream->tail.nodes, stream->tail.count),
                cudaErrorMemoryAllocation);
    if (!event->graph) {
        unsigned long long recorded = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&event->recorded, recorded, __ATOMIC_RELAXED);
        if (!portable_cuda_defer_(stream, EMULATE_CALL, NULL, portable_cuda_note_time_late_,
                                  &recorded, sizeof recorded))
            event->nanoseconds = nanoseconds();
    }
    if (!event->graph && ORDER)
        event->clock = ORDER->record(event->clock, timeline_of(stream));
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecordWithFlags(event, stream, 0);
}

/* A stream that waits for an event of a capture joins it. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE_EVENT(event);
    REQUIRE(flags <= cudaEventWaitExternal, cudaErrorInvalidValue);
    if (event->graph) {
        REQUIRE(!is_default(stream), cudaErrorStreamCaptureImplicit);
        REQUIRE(!stream->graph || stream->graph == event->graph, cudaErrorStreamCaptureMerge);
        set_graph(&stream->graph, event->graph);
        REQUIRE(portable_cuda_join_tail_(&stream->tail, event->tail.nodes, event->tail.count),
                cudaErrorMemoryAllocation);
    } else if (ORDER && event->clock && !portable_cuda_capture_of_(stream)) {
        ORDER->wait(timeline_of(stream), event->clock);
    }
    return cudaSuccess;
}

static void host_waits_for(const struct CUevent_st *event)
{
    if (ORDER && event->clock)
        ORDER->host_waits_for(event->clock);
}

static cudaError_t portable_cuda_wait_event_(cudaEvent_t event, int is_query)
{
    ENTER(1);
    REQUIRE_EVENT(event);
    REQUIRE_NO_CAPTURE();
    REQUIRE(!event->graph, cudaErrorCapturedEvent);
    if (is_query && portable_cuda_is_late_())
        REQUIRE(portable_cuda_query_clock_(event->clock), cudaErrorNotReady);
    host_waits_for(event);
    ENTER(1);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return portable_cuda_wait_event_(event, 0);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return portable_cuda_wait_event_(event, 1);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    ENTER(1);
    REQUIRE(milliseconds, cudaErrorInvalidValue);
    REQUIRE_EVENT(from);
    REQUIRE_EVENT(to);
    REQUIRE(from->recorded && to->recorded && !((from->flags | to->flags) & cudaEventDisableTiming),
            cudaErrorInvalidResourceHandle);
    if (portable_cuda_is_late_())
        REQUIRE(portable_cuda_is_past_(from->clock) && portable_cuda_is_past_(to->clock),
                cudaErrorNotReady);
    host_waits_for(from); /* only then is there a time */
    host_waits_for(to);
    *milliseconds = (float)((double)(to->nanoseconds - from->nanoseconds) * 1e-6);
    return cudaSuccess;
}

/* Ends a capture: no stream and no event belongs to it any more. */
static void clear_capture(struct CUgraph_st *graph)
{
    graph->tail = NULL;
    portable_cuda_lock_();
    for (cudaStream_t stream = streams; stream; stream = stream->next)
        if (stream->graph == graph) {
            stream->graph = NULL;
            stream->is_origin = 0;
            portable_cuda_empty_tail_(&stream->tail);
        }
    for (cudaEvent_t event = events; event; event = event->next)
        if (event->graph == graph) {
            event->graph = NULL;
            portable_cuda_empty_tail_(&event->tail);
        }
    portable_cuda_unlock_();
}

/* ---- captures ---- */

static cudaError_t portable_cuda_begin_capture_(cudaStream_t stream, struct CUgraph_st *graph,
                                                enum cudaStreamCaptureMode mode)
{
    ENTER(0);
    REQUIRE_STREAM(stream);
    REQUIRE((unsigned)mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    REQUIRE(!is_default(stream), cudaErrorStreamCaptureUnsupported);
    REQUIRE(!stream->graph, cudaErrorIllegalState);
    if (graph)
        graph->is_given = 1;
    else
        graph = (struct CUgraph_st *)calloc(1, sizeof *graph);
    REQUIRE(graph, cudaErrorMemoryAllocation);
    graph->mode = mode;
    graph->next = captures;
    captures = graph;
    set_graph(&stream->graph, graph);
    stream->is_origin = 1;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return portable_cuda_begin_capture_(stream, NULL, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode)
{
    (void)edges;
    REQUIRE(graph && (count == 0 || after), cudaErrorInvalidValue);
    const cudaError_t error = portable_cuda_begin_capture_(stream, graph, mode);
    if (error == cudaSuccess)
        REQUIRE(portable_cuda_join_tail_(&stream->tail, after, count), cudaErrorMemoryAllocation);
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (graph)
        *graph = NULL;
    REQUIRE_STREAM(stream);
    REQUIRE(!is_default(stream) && stream->graph, cudaErrorIllegalState);
    REQUIRE(stream->is_origin, cudaErrorStreamCaptureUnmatched);
    REQUIRE(graph || stream->graph->is_given, cudaErrorInvalidValue);
    struct CUgraph_st *const captured = stream->graph, **link = &captures;
    while (*link && *link != captured)
        link = &(*link)->next;
    REQUIRE(*link || captured->mode == cudaStreamCaptureModeRelaxed,
            cudaErrorStreamCaptureWrongThread);
    if (*link)
        *link = captured->next;
    captured->next = NULL;
    clear_capture(captured);
    if (captured->is_invalidated || captured->has_failed) {
        const cudaError_t error = captured->is_invalidated ? cudaErrorStreamCaptureInvalidated
                                                           : cudaErrorMemoryAllocation;
        if (captured->is_given)
            captured->is_invalidated = captured->has_failed = captured->is_given = 0;
        else
            portable_cuda_destroy_graph_(captured);
        return portable_cuda_error_(error);
    }
    captured->is_given = 0;
    if (graph)
        *graph = captured;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    REQUIRE(status, cudaErrorInvalidValue);
    REQUIRE_STREAM(stream);
    const struct CUgraph_st *const graph = portable_cuda_capture_of_(stream);
    *status = cudaStreamCaptureStatusNone;
    if (graph)
        *status = graph->is_invalidated ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **after, const cudaGraphEdgeData **edges,
                                     size_t *count)
{
    const cudaError_t error = cudaStreamIsCapturing(stream, status);
    if (error != cudaSuccess)
        return error;
    struct CUgraph_st *const captured = portable_cuda_capture_of_(stream);
    if (id)
        *id = (unsigned long long)(size_t)captured;
    if (graph)
        *graph = captured;
    if (after)
        *after = captured ? stream->tail.nodes : NULL;
    if (edges)
        *edges = NULL;
    if (count)
        *count = captured ? stream->tail.count : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags)
{
    (void)edges;
    REQUIRE((count == 0 || after) && flags <= cudaStreamSetCaptureDependencies,
            cudaErrorInvalidValue);
    REQUIRE_STREAM(stream);
    REQUIRE(portable_cuda_capture_of_(stream), cudaErrorIllegalState);
    if (flags == cudaStreamSetCaptureDependencies)
        portable_cuda_empty_tail_(&stream->tail);
    REQUIRE(portable_cuda_join_tail_(&stream->tail, after, count), cudaErrorMemoryAllocation);
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    REQUIRE(mode && (unsigned)*mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode old = thread_mode;
    thread_mode = *mode;
    *mode = old;
    return cudaSuccess;
}
