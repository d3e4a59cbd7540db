/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs: lists of work, captured from streams or added node by node. A launch replays the nodes in
 * the order of their creation. That order satisfies all dependencies, unless
 * cudaGraphAddDependencies adds one on a later node, which moves nodes.
 */
#define _GNU_SOURCE /* posix_memalign */
#include "host/cudart/runtime.h"

#include <stdlib.h> /* calloc, free, malloc, posix_memalign, realloc */
#include <string.h> /* memcpy, memset */

struct kernel {
    const char *name;
    unsigned max_threads;
    void (*run)(const void *body);
    dim3 grid, block;
    size_t shared_bytes;
    int cooperative;
    void *body; /* owned */
    size_t bytes;
    void *function; /* as given to cudaGraphAddKernelNode, or NULL */
};
struct host {
    cudaHostFn_t function;
    void *data;
};
/* Memory that nodes allocate and free, at one address. */
struct allocation {
    struct allocation *next;
    void *address;
    size_t bytes;
    int references; /* of nodes */
};
/* The target of a cudaGraphConditionalHandle; kept until the program ends. */
struct condition {
    struct condition *next;
    unsigned value, initial, flags;
};
struct conditional {
    struct condition *condition;
    enum cudaGraphConditionalNodeType type;
    unsigned size;
    struct CUgraph_st **bodies; /* owned */
};
struct CUgraphNode_st {
    struct CUgraphNode_st *next;
    struct CUgraphNode_st *origin; /* in the graph that this is a clone's node of; never read */
    enum cudaGraphNodeType type;
    struct CUgraphNode_st **after; /* owned: the nodes that it is known to depend on */
    size_t after_count;
    int is_placed;
    union {
        struct kernel kernel;
        struct portable_cuda_copy_ copy;
        struct portable_cuda_set_ set;
        struct host host;
        struct CUgraph_st *graph; /* owned */
        struct allocation *allocation;
        void *freed;
        cudaEvent_t event;
        struct conditional conditional;
    } as;
};
struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
    struct CUgraph_st *next; /* among the captures in progress */
    enum cudaStreamCaptureMode mode;
    int is_spoilt, has_failed; /* failed: no memory for a node */
    int is_given;              /* to cudaStreamBeginCaptureToGraph */
};
struct CUgraphExec_st {
    struct CUgraph_st *graph;
    unsigned long long flags;
};

static struct condition *conditions;
static struct allocation *allocations;
/* For cudaDeviceGetGraphMemAttribute. */
static unsigned long long used, used_high, reserved, reserved_high;

/* This host thread's captures in progress. */
static __thread struct CUgraph_st *captures;
static __thread enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;
/* The graph that cudaGraphAddKernelNode gives a node, which takes it from the next launch. */
static __thread struct CUgraph_st *wanted;

cudaError_t portable_cuda_spoil_(struct CUgraph_st *graph)
{
    graph->is_spoilt = 1;
    return cudaErrorStreamCaptureUnsupported;
}

int portable_cuda_is_spoilt_(const struct CUgraph_st *graph)
{
    return graph->is_spoilt;
}

cudaError_t portable_cuda_unsafe_(void)
{
    cudaError_t error = cudaSuccess;

    if (thread_mode == cudaStreamCaptureModeRelaxed)
        return cudaSuccess;
    for (struct CUgraph_st *graph = captures; graph; graph = graph->next)
        if (graph->mode != cudaStreamCaptureModeRelaxed)
            error = portable_cuda_spoil_(graph);
    return error;
}

/* ---- nodes ---- */

static struct CUgraphNode_st *add(struct CUgraph_st *graph, enum cudaGraphNodeType type)
{
    struct CUgraphNode_st *const node = (struct CUgraphNode_st *)calloc(1, sizeof *node);

    if (!node) {
        graph->has_failed = 1;
        return NULL;
    }
    node->type = type;
    if (graph->last)
        graph->last->next = node;
    else
        graph->first = node;
    graph->last = node;
    return node;
}

static void add_kernel(struct CUgraph_st *graph, const struct kernel *kernel)
{
    struct CUgraphNode_st *const node = add(graph, cudaGraphNodeTypeKernel);

    if (!node)
        return;
    node->as.kernel = *kernel;
    node->as.kernel.body = aligned_alloc(16, (kernel->bytes + 31) / 16 * 16);
    if (node->as.kernel.body)
        memcpy(node->as.kernel.body, kernel->body, kernel->bytes);
    else
        graph->has_failed = 1;
}

void portable_cuda_capture_launch_(void *stream, const char *kernel, unsigned max_threads,
                                   void (*run)(const void *body), const dim3 *grid,
                                   const dim3 *block, size_t shared_bytes, int cooperative,
                                   const void *body, size_t bytes)
{
    const struct kernel given = {kernel, max_threads,  run,         *grid,
                                 *block, shared_bytes, cooperative, (void *)(size_t)body,
                                 bytes,  NULL};
    add_kernel(wanted ? wanted : portable_cuda_capture_of_((cudaStream_t)stream), &given);
}

int portable_cuda_captures_(void *stream)
{
    return wanted || portable_cuda_capture_of_((cudaStream_t)stream);
}

void portable_cuda_capture_copy_(struct CUgraph_st *graph, const struct portable_cuda_copy_ *copy)
{
    struct CUgraphNode_st *const node = add(graph, cudaGraphNodeTypeMemcpy);

    if (node)
        node->as.copy = *copy;
}

void portable_cuda_capture_set_(struct CUgraph_st *graph, const struct portable_cuda_set_ *set)
{
    struct CUgraphNode_st *const node = add(graph, cudaGraphNodeTypeMemset);

    if (node)
        node->as.set = *set;
}

void portable_cuda_capture_host_(struct CUgraph_st *graph, cudaHostFn_t function, void *data)
{
    struct CUgraphNode_st *const node = add(graph, cudaGraphNodeTypeHost);

    if (node) {
        node->as.host.function = function;
        node->as.host.data = data;
    }
}

/* Drops a node's hold on its memory. A program that still uses it keeps it. */
static void drop(struct allocation *allocation)
{
    struct allocation **link = &allocations;
    if (!allocation || --allocation->references > 0)
        return;
    while (*link != allocation)
        link = &(*link)->next;
    *link = allocation->next;
    if (!portable_cuda_graph_has_(allocation->address)) {
        free(allocation->address);
        reserved -= allocation->bytes;
    }
    free(allocation);
}

static void empty(struct CUgraph_st *graph)
{
    while (graph->first) {
        struct CUgraphNode_st *const node = graph->first;
        graph->first = node->next;
        if (node->type == cudaGraphNodeTypeKernel)
            free(node->as.kernel.body);
        if (node->type == cudaGraphNodeTypeGraph && node->as.graph) {
            empty(node->as.graph);
            free(node->as.graph);
        }
        if (node->type == cudaGraphNodeTypeMemAlloc)
            drop(node->as.allocation);
        if (node->type == cudaGraphNodeTypeConditional) {
            for (unsigned i = 0; i < node->as.conditional.size; i++)
                if (node->as.conditional.bodies && node->as.conditional.bodies[i]) {
                    empty(node->as.conditional.bodies[i]);
                    free(node->as.conditional.bodies[i]);
                }
            free(node->as.conditional.bodies);
        }
        free(node->after);
        free(node);
    }
    graph->last = NULL;
}

static void destroy(struct CUgraph_st *graph)
{
    if (graph)
        empty(graph);
    free(graph);
}

static struct CUgraph_st *clone(const struct CUgraph_st *graph);

/* The bodies of a conditional node, cloned. */
static void clone_bodies(struct CUgraph_st *graph, struct conditional *conditional)
{
    struct CUgraph_st **const bodies = conditional->bodies;
    conditional->bodies = (struct CUgraph_st **)calloc(conditional->size, sizeof *bodies);
    graph->has_failed |= !conditional->bodies;
    for (unsigned i = 0; conditional->bodies && i < conditional->size; i++) {
        conditional->bodies[i] = clone(bodies[i]);
        graph->has_failed |= !conditional->bodies[i];
    }
}

/* NULL without memory. Dependencies stay behind: the order has them. */
static struct CUgraph_st *clone(const struct CUgraph_st *graph)
{
    struct CUgraph_st *const copy = (struct CUgraph_st *)calloc(1, sizeof *copy);

    for (struct CUgraphNode_st *node = graph->first; copy && node; node = node->next) {
        if (node->type == cudaGraphNodeTypeKernel)
            add_kernel(copy, &node->as.kernel);
        else {
            struct CUgraphNode_st *const made = add(copy, node->type);
            if (made)
                made->as = node->as;
            if (made && node->type == cudaGraphNodeTypeGraph) {
                made->as.graph = clone(node->as.graph);
                copy->has_failed |= !made->as.graph;
            }
            if (made && node->type == cudaGraphNodeTypeMemAlloc)
                made->as.allocation->references++;
            if (made && node->type == cudaGraphNodeTypeConditional)
                clone_bodies(copy, &made->as.conditional);
        }
        if (copy->last)
            copy->last->origin = node;
    }
    if (copy && copy->has_failed) {
        destroy(copy);
        return NULL;
    }
    return copy;
}

static void portable_cuda_run_graph_(const struct CUgraph_st *graph);

static void portable_cuda_run_conditional_(const struct conditional *conditional)
{
    struct condition *const condition = conditional->condition;
    unsigned body = 0;
    switch (conditional->type) {
    case cudaGraphCondTypeWhile:
        while (condition->value && !portable_cuda_has_failed_())
            portable_cuda_run_graph_(conditional->bodies[0]);
        return;
    case cudaGraphCondTypeIf: body = !condition->value; break;
    case cudaGraphCondTypeSwitch: body = condition->value; break;
    }
    if (body < conditional->size)
        portable_cuda_run_graph_(conditional->bodies[body]);
}
static void portable_cuda_run_allocation_(const struct allocation *allocation)
{
    if (!portable_cuda_graph_allocate_(allocation->address, allocation->bytes)) {
        portable_cuda_error_(cudaErrorMemoryAllocation);
        return;
    }
    used += allocation->bytes;
    used_high = used > used_high ? used : used_high;
}
static void portable_cuda_run_graph_(const struct CUgraph_st *graph)
{
    for (const struct CUgraphNode_st *node = graph->first; node; node = node->next)
        switch (node->type) {
        case cudaGraphNodeTypeMemAlloc: portable_cuda_run_allocation_(node->as.allocation); break;
        case cudaGraphNodeTypeMemFree: portable_cuda_graph_free_(node->as.freed); break;
        case cudaGraphNodeTypeEventRecord: cudaEventRecord(node->as.event, 0); break;
        case cudaGraphNodeTypeConditional:
            portable_cuda_run_conditional_(&node->as.conditional);
            break;
        case cudaGraphNodeTypeKernel: {
            const struct kernel *const kernel = &node->as.kernel;
            portable_cuda_replay_(kernel->name, kernel->max_threads, kernel->run, &kernel->grid,
                                  &kernel->block, kernel->shared_bytes, kernel->cooperative,
                                  kernel->body);
            break;
        }
        case cudaGraphNodeTypeMemcpy: portable_cuda_copy_now_(&node->as.copy); break;
        case cudaGraphNodeTypeMemset: portable_cuda_set_now_(&node->as.set); break;
        case cudaGraphNodeTypeHost: node->as.host.function(node->as.host.data); break;
        case cudaGraphNodeTypeGraph: portable_cuda_run_graph_(node->as.graph); break;
        default: break;
        }
}

/* ---- capture ---- */

#define FAIL_IF(condition, error)                                                                  \
    do {                                                                                           \
        if (condition)                                                                             \
            return portable_cuda_error_(error);                                                    \
    } while (0)
#define ENTER()                                                                                    \
    do {                                                                                           \
        const cudaError_t entered_ = portable_cuda_enter_(0);                                      \
        if (entered_ != cudaSuccess)                                                               \
            return entered_;                                                                       \
    } while (0)

static int is_default(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

static cudaError_t portable_cuda_begin_capture_(cudaStream_t stream, struct CUgraph_st *graph,
                                                enum cudaStreamCaptureMode mode)
{
    ENTER();
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    FAIL_IF((unsigned)mode > cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    FAIL_IF(is_default(stream), cudaErrorStreamCaptureUnsupported);
    FAIL_IF(stream->graph, cudaErrorIllegalState);
    if (graph)
        graph->is_given = 1;
    else
        graph = (struct CUgraph_st *)calloc(1, sizeof *graph);
    FAIL_IF(!graph, cudaErrorMemoryAllocation);
    graph->mode = mode;
    graph->next = captures;
    captures = graph;
    stream->graph = graph;
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
    FAIL_IF(!graph || (count > 0 && !after), cudaErrorInvalidValue);
    return portable_cuda_begin_capture_(stream, graph, mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (graph)
        *graph = NULL;
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    FAIL_IF(is_default(stream) || !stream->graph, cudaErrorIllegalState);
    FAIL_IF(!stream->is_origin, cudaErrorStreamCaptureUnmatched);
    FAIL_IF(!graph && !stream->graph->is_given, cudaErrorInvalidValue);
    struct CUgraph_st *const captured = stream->graph, **link = &captures;
    while (*link && *link != captured)
        link = &(*link)->next;
    FAIL_IF(!*link && captured->mode != cudaStreamCaptureModeRelaxed,
            cudaErrorStreamCaptureWrongThread);
    if (*link)
        *link = captured->next;
    captured->next = NULL;
    portable_cuda_forget_capture_(captured);
    if (captured->is_spoilt || captured->has_failed) {
        const cudaError_t error =
            captured->is_spoilt ? cudaErrorStreamCaptureInvalidated : cudaErrorMemoryAllocation;
        if (captured->is_given)
            captured->is_spoilt = captured->has_failed = captured->is_given = 0;
        else
            destroy(captured);
        return portable_cuda_error_(error);
    }
    captured->is_given = 0;
    if (graph)
        *graph = captured;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    FAIL_IF(!status, cudaErrorInvalidValue);
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    const struct CUgraph_st *const graph = portable_cuda_capture_of_(stream);
    *status = !graph             ? cudaStreamCaptureStatusNone
              : graph->is_spoilt ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

/* The next node follows the last one. */
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
        *after = captured ? &captured->last : NULL;
    if (edges)
        *edges = NULL;
    if (count)
        *count = captured && captured->last;
    return cudaSuccess;
}

/* Nodes run in the order of their creation, whatever their dependencies. */
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags)
{
    (void)edges;
    (void)flags;
    FAIL_IF(count > 0 && !after, cudaErrorInvalidValue);
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    FAIL_IF(!portable_cuda_capture_of_(stream), cudaErrorIllegalState);
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    FAIL_IF(!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode old = thread_mode;
    thread_mode = *mode;
    *mode = old;
    return cudaSuccess;
}

/* ---- node by node ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    ENTER();
    FAIL_IF(!graph || flags != 0, cudaErrorInvalidValue);
    *graph = (cudaGraph_t)calloc(1, sizeof **graph);
    FAIL_IF(!*graph, cudaErrorMemoryAllocation);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    FAIL_IF(!graph, cudaErrorInvalidValue);
    destroy(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph)
{
    FAIL_IF(!copy || !graph, cudaErrorInvalidValue);
    *copy = clone(graph);
    FAIL_IF(!*copy, cudaErrorMemoryAllocation);
    return cudaSuccess;
}

/* The arguments of each call that adds a node, and its result. */
static cudaError_t begin_node(cudaGraphNode_t *node, cudaGraph_t graph,
                              const cudaGraphNode_t *after, size_t count, const void *parameters)
{
    ENTER();
    FAIL_IF(!node || !graph || !parameters || (count > 0 && !after), cudaErrorInvalidValue);
    *node = NULL;
    return cudaSuccess;
}
static int depend(struct CUgraphNode_st *node, const cudaGraphNode_t *after, size_t count)
{
    const size_t size = (node->after_count + count) * sizeof(cudaGraphNode_t);
    struct CUgraphNode_st **list;
    if (count == 0)
        return 1;
    list = (struct CUgraphNode_st **)realloc(node->after, size);
    if (!list)
        return 0;
    memcpy(list + node->after_count, after, count * sizeof *after);
    node->after = list;
    node->after_count += count;
    return 1;
}
static cudaError_t end_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                            size_t count)
{
    FAIL_IF(graph->has_failed || !depend(graph->last, after, count), cudaErrorMemoryAllocation);
    *node = graph->last;
    return cudaSuccess;
}
#define BEGIN_NODE(parameters)                                                                     \
    do {                                                                                           \
        const cudaError_t begun_ = begin_node(node, graph, after, count, parameters);              \
        if (begun_ != cudaSuccess)                                                                 \
            return begun_;                                                                         \
    } while (0)

static cudaError_t portable_cuda_add_kernel_(cudaGraph_t graph,
                                             const struct cudaKernelNodeParams *parameters)
{
    struct CUgraphNode_st *const before = graph->last;
    FAIL_IF(!parameters->func, cudaErrorInvalidDeviceFunction);
    FAIL_IF(parameters->extra, cudaErrorNotSupported);
    wanted = graph;
    const cudaError_t error =
        cudaLaunchKernel(parameters->func, parameters->gridDim, parameters->blockDim,
                         parameters->kernelParams, parameters->sharedMemBytes, 0);
    wanted = NULL;
    if (error != cudaSuccess)
        return error;
    FAIL_IF(graph->last == before, cudaErrorInvalidDeviceFunction);
    graph->last->as.kernel.function = parameters->func;
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *parameters)
{
    BEGIN_NODE(parameters);
    const cudaError_t error = portable_cuda_add_kernel_(graph, parameters);
    if (error != cudaSuccess)
        return error;
    return end_node(node, graph, after, count);
}

static cudaError_t portable_cuda_take_copy_(const char *call,
                                            const struct cudaMemcpy3DParms *parameters,
                                            struct portable_cuda_copy_ *copy)
{
    const cudaError_t error = portable_cuda_copy_3d_(parameters, copy);
    return error == cudaSuccess ? portable_cuda_check_copy_(call, copy, parameters->kind) : error;
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *parameters)
{
    struct portable_cuda_copy_ copy;

    BEGIN_NODE(parameters);
    const cudaError_t error = portable_cuda_take_copy_("cudaGraphAddMemcpyNode", parameters, &copy);
    FAIL_IF(error != cudaSuccess, error);
    portable_cuda_capture_copy_(graph, &copy);
    return end_node(node, graph, after, count);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct portable_cuda_copy_ copy = {(char *)to, bytes, 0, (const char *)from, bytes, 0,
                                             bytes,      1,     1};
    BEGIN_NODE(from);
    const cudaError_t error = portable_cuda_check_copy_("cudaGraphAddMemcpyNode1D", &copy, kind);
    FAIL_IF(error != cudaSuccess, error);
    portable_cuda_capture_copy_(graph, &copy);
    return end_node(node, graph, after, count);
}

static cudaError_t portable_cuda_take_set_(const char *call,
                                           const struct cudaMemsetParams *parameters,
                                           struct portable_cuda_set_ *set)
{
    const unsigned size = parameters->elementSize;
    if (size != 1 && size != 2 && size != 4)
        return cudaErrorInvalidValue;
    const struct portable_cuda_set_ made = {(char *)parameters->dst,
                                            parameters->pitch,
                                            0,
                                            parameters->width * size,
                                            parameters->height,
                                            1,
                                            parameters->value,
                                            size};
    *set = made;
    return portable_cuda_check_set_(call, set);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *parameters)
{
    struct portable_cuda_set_ set;

    BEGIN_NODE(parameters);
    const cudaError_t error = portable_cuda_take_set_("cudaGraphAddMemsetNode", parameters, &set);
    FAIL_IF(error != cudaSuccess, error);
    portable_cuda_capture_set_(graph, &set);
    return end_node(node, graph, after, count);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *parameters)
{
    BEGIN_NODE(parameters);
    FAIL_IF(!parameters->fn, cudaErrorInvalidValue);
    portable_cuda_capture_host_(graph, parameters->fn, parameters->userData);
    return end_node(node, graph, after, count);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count)
{
    BEGIN_NODE(graph);
    add(graph, cudaGraphNodeTypeEmpty);
    return end_node(node, graph, after, count);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child)
{
    BEGIN_NODE(child);
    struct CUgraph_st *const copy = clone(child);
    FAIL_IF(!copy, cudaErrorMemoryAllocation);
    struct CUgraphNode_st *const made = add(graph, cudaGraphNodeTypeGraph);
    if (made)
        made->as.graph = copy;
    else
        destroy(copy);
    return end_node(node, graph, after, count);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    size_t k = 0;

    FAIL_IF(!graph || !count, cudaErrorInvalidValue);
    for (struct CUgraphNode_st *node = graph->first; node; node = node->next, k++)
        if (nodes && k < *count)
            nodes[k] = node;
    if (nodes)
        for (size_t rest = k; rest < *count; rest++)
            nodes[rest] = NULL;
    *count = nodes && *count < k ? *count : k;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    FAIL_IF(!node || !type, cudaErrorInvalidValue);
    *type = node->type;
    return cudaSuccess;
}

/* ---- memory, events and conditions ---- */

void portable_cuda_graph_freed_(size_t bytes)
{
    used -= bytes;
}

int portable_cuda_graph_owns_(const void *address, size_t bytes)
{
    const struct allocation *of = allocations;
    while (of && ((const char *)address < (const char *)of->address ||
                  (const char *)address + bytes > (const char *)of->address + of->bytes))
        of = of->next;
    return of != NULL;
}

cudaError_t portable_cuda_capture_allocation_(struct CUgraph_st *graph, void **memory, size_t bytes)
{
    struct allocation *const allocation = (struct allocation *)calloc(1, sizeof *allocation);
    struct CUgraphNode_st *const node = allocation ? add(graph, cudaGraphNodeTypeMemAlloc) : NULL;

    *memory = NULL;
    if (!node || bytes == 0 || posix_memalign(&allocation->address, 256, bytes) != 0) {
        if (node)
            node->type = cudaGraphNodeTypeEmpty;
        free(allocation);
        return portable_cuda_error_(bytes ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    }
    allocation->bytes = bytes;
    allocation->references = 1;
    allocation->next = allocations;
    allocations = allocation;
    node->as.allocation = allocation;
    reserved += bytes;
    reserved_high = reserved > reserved_high ? reserved : reserved_high;
    *memory = allocation->address;
    return cudaSuccess;
}

cudaError_t portable_cuda_capture_free_(struct CUgraph_st *graph, void *memory)
{
    struct CUgraphNode_st *const node = add(graph, cudaGraphNodeTypeMemFree);
    FAIL_IF(!node, cudaErrorMemoryAllocation);
    node->as.freed = memory;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     struct cudaMemAllocNodeParams *parameters)
{
    BEGIN_NODE(parameters);
    FAIL_IF(parameters->poolProps.allocType != cudaMemAllocationTypePinned, cudaErrorInvalidValue);
    const cudaError_t error =
        portable_cuda_capture_allocation_(graph, &parameters->dptr, parameters->bytesize);
    return error != cudaSuccess ? error : end_node(node, graph, after, count);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *memory)
{
    BEGIN_NODE(memory);
    const cudaError_t error = portable_cuda_capture_free_(graph, memory);
    return error != cudaSuccess ? error : end_node(node, graph, after, count);
}

static cudaError_t portable_cuda_add_event_(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *after, size_t count,
                                            cudaEvent_t event, enum cudaGraphNodeType type)
{
    BEGIN_NODE(event);
    struct CUgraphNode_st *const made = add(graph, type);
    if (made)
        made->as.event = event;
    return end_node(node, graph, after, count);
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *after, size_t count,
                                        cudaEvent_t event)
{
    return portable_cuda_add_event_(node, graph, after, count, event, cudaGraphNodeTypeEventRecord);
}
/* Events are complete. */
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *after, size_t count, cudaEvent_t event)
{
    return portable_cuda_add_event_(node, graph, after, count, event, cudaGraphNodeTypeWaitEvent);
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags)
{
    ENTER();
    FAIL_IF(!handle || !graph || flags > cudaGraphCondAssignDefault, cudaErrorInvalidValue);
    struct condition *const condition = (struct condition *)calloc(1, sizeof *condition);
    FAIL_IF(!condition, cudaErrorMemoryAllocation);
    condition->initial = value;
    condition->flags = flags;
    condition->next = conditions;
    conditions = condition;
    *handle = (cudaGraphConditionalHandle)(size_t)condition;
    return cudaSuccess;
}
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value)
{
    ((struct condition *)(size_t)handle)->value = value;
}

static cudaError_t portable_cuda_add_conditional_(cudaGraphNode_t *node, cudaGraph_t graph,
                                                  const cudaGraphNode_t *after, size_t count,
                                                  struct cudaConditionalNodeParams *parameters)
{
    BEGIN_NODE(parameters);
    FAIL_IF(!parameters->handle || (unsigned)parameters->type > cudaGraphCondTypeSwitch ||
                parameters->size == 0 || parameters->size > 1000 ||
                (parameters->type == cudaGraphCondTypeIf && parameters->size > 2) ||
                (parameters->type == cudaGraphCondTypeWhile && parameters->size > 1),
            cudaErrorInvalidValue);
    struct conditional conditional = {(struct condition *)(size_t)parameters->handle,
                                      parameters->type, parameters->size, NULL};
    conditional.bodies =
        (struct CUgraph_st **)calloc(conditional.size, sizeof(struct CUgraph_st *));
    FAIL_IF(!conditional.bodies, cudaErrorMemoryAllocation);
    struct CUgraphNode_st *const made = add(graph, cudaGraphNodeTypeConditional);
    if (!made) {
        free(conditional.bodies);
        return portable_cuda_error_(cudaErrorMemoryAllocation);
    }
    for (unsigned i = 0; i < conditional.size; i++) {
        conditional.bodies[i] = (struct CUgraph_st *)calloc(1, sizeof *graph);
        graph->has_failed |= !conditional.bodies[i];
    }
    made->as.conditional = conditional;
    parameters->phGraph_out = conditional.bodies;
    return end_node(node, graph, after, count);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *parameters)
{
    (void)edges;
    FAIL_IF(!parameters, cudaErrorInvalidValue);
    switch (parameters->type) {
    case cudaGraphNodeTypeKernel: {
        const struct cudaKernelNodeParamsV2 *const given = &parameters->kernel;
        const struct cudaKernelNodeParams kernel = {given->func,         given->gridDim,
                                                    given->blockDim,     given->sharedMemBytes,
                                                    given->kernelParams, given->extra};
        return cudaGraphAddKernelNode(node, graph, after, count, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(node, graph, after, count, &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(node, graph, after, count, &parameters->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(node, graph, after, count, &parameters->host);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(node, graph, after, count, parameters->graph.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, after, count);
    case cudaGraphNodeTypeEventRecord:
        return cudaGraphAddEventRecordNode(node, graph, after, count,
                                           parameters->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
        return cudaGraphAddEventWaitNode(node, graph, after, count, parameters->eventWait.event);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(node, graph, after, count, &parameters->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(node, graph, after, count, parameters->free.dptr);
    case cudaGraphNodeTypeConditional:
        return portable_cuda_add_conditional_(node, graph, after, count, &parameters->conditional);
    default: return portable_cuda_error_(cudaErrorNotSupported);
    }
}

/* Moves the node, and first what it depends on, to the end of the list. */
static void place(struct CUgraphNode_st *node, struct CUgraphNode_st ***end)
{
    if (node->is_placed)
        return;
    node->is_placed = 1;
    for (size_t i = 0; i < node->after_count; i++)
        place(node->after[i], end);
    **end = node;
    *end = &node->next;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count)
{
    struct CUgraphNode_st *node, *next, **list, *first = NULL, **end = &first;
    size_t nodes = 0;
    (void)edges;
    ENTER();
    FAIL_IF(!graph || (count > 0 && (!from || !to)), cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        FAIL_IF(!depend(to[i], &from[i], 1), cudaErrorMemoryAllocation);
    for (node = graph->first; node; node = node->next, nodes++)
        node->is_placed = 0;
    list = (struct CUgraphNode_st **)malloc((nodes + 1) * sizeof(struct CUgraphNode_st *));
    FAIL_IF(!list, cudaErrorMemoryAllocation);
    nodes = 0;
    for (node = graph->first; node; node = next) {
        next = node->next;
        list[nodes++] = node;
    }
    for (size_t i = 0; i < nodes; i++)
        place(list[i], &end);
    *end = NULL;
    graph->first = first;
    for (node = first; node; node = node->next)
        graph->last = node;
    free(list);
    return cudaSuccess;
}

/* ---- changes of nodes ---- */

/* The node of an executable graph that came from the given one. */
static struct CUgraphNode_st *node_of(const struct CUgraph_st *graph, cudaGraphNode_t origin)
{
    for (struct CUgraphNode_st *node = graph->first; node; node = node->next) {
        struct CUgraphNode_st *found = NULL;
        if (node->origin == origin)
            return node;
        if (node->type == cudaGraphNodeTypeGraph)
            found = node_of(node->as.graph, origin);
        for (unsigned i = 0;
             node->type == cudaGraphNodeTypeConditional && i < node->as.conditional.size; i++)
            if (!found)
                found = node_of(node->as.conditional.bodies[i], origin);
        if (found)
            return found;
    }
    return NULL;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t copy)
{
    FAIL_IF(!node || !original || !copy, cudaErrorInvalidValue);
    *node = node_of(copy, original);
    FAIL_IF(!*node, cudaErrorInvalidValue);
    return cudaSuccess;
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph)
{
    FAIL_IF(!node || !graph || node->type != cudaGraphNodeTypeGraph, cudaErrorInvalidValue);
    *graph = node->as.graph;
    return cudaSuccess;
}

/* Without the arguments, which a node does not give back: NULL lets cudaGraphKernelNodeSetParams
 * keep them. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *parameters)
{
    FAIL_IF(!node || !parameters || node->type != cudaGraphNodeTypeKernel, cudaErrorInvalidValue);
    memset(parameters, 0, sizeof *parameters);
    parameters->func = node->as.kernel.function;
    parameters->gridDim = node->as.kernel.grid;
    parameters->blockDim = node->as.kernel.block;
    parameters->sharedMemBytes = (unsigned)node->as.kernel.shared_bytes;
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *parameters)
{
    struct CUgraph_st scratch;
    ENTER();
    FAIL_IF(!node || !parameters || node->type != cudaGraphNodeTypeKernel, cudaErrorInvalidValue);
    if (!parameters->kernelParams && parameters->func == node->as.kernel.function) {
        node->as.kernel.grid = parameters->gridDim;
        node->as.kernel.block = parameters->blockDim;
        node->as.kernel.shared_bytes = parameters->sharedMemBytes;
        return cudaSuccess;
    }
    memset(&scratch, 0, sizeof scratch);
    const cudaError_t error = portable_cuda_add_kernel_(&scratch, parameters);
    if (error == cudaSuccess && !scratch.has_failed) {
        const struct kernel old = node->as.kernel;
        node->as.kernel = scratch.first->as.kernel;
        scratch.first->as.kernel = old;
    }
    const int has_failed = scratch.has_failed;
    empty(&scratch);
    FAIL_IF(has_failed, cudaErrorMemoryAllocation);
    return error;
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *parameters)
{
    struct portable_cuda_copy_ copy;
    ENTER();
    FAIL_IF(!node || !parameters || node->type != cudaGraphNodeTypeMemcpy, cudaErrorInvalidValue);
    const cudaError_t error =
        portable_cuda_take_copy_("cudaGraphMemcpyNodeSetParams", parameters, &copy);
    FAIL_IF(error != cudaSuccess, error);
    node->as.copy = copy;
    return cudaSuccess;
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *parameters)
{
    struct portable_cuda_set_ set;
    ENTER();
    FAIL_IF(!node || !parameters || node->type != cudaGraphNodeTypeMemset, cudaErrorInvalidValue);
    const cudaError_t error =
        portable_cuda_take_set_("cudaGraphMemsetNodeSetParams", parameters, &set);
    FAIL_IF(error != cudaSuccess, error);
    node->as.set = set;
    return cudaSuccess;
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *parameters)
{
    FAIL_IF(!node || !parameters || !parameters->fn || node->type != cudaGraphNodeTypeHost,
            cudaErrorInvalidValue);
    node->as.host.function = parameters->fn;
    node->as.host.data = parameters->userData;
    return cudaSuccess;
}
#define OF_EXECUTABLE(Kind, type)                                                                  \
    cudaError_t cudaGraphExec##Kind##NodeSetParams(cudaGraphExec_t executable,                     \
                                                   cudaGraphNode_t node, const type *parameters)   \
    {                                                                                              \
        FAIL_IF(!executable, cudaErrorInvalidValue);                                               \
        return cudaGraph##Kind##NodeSetParams(node_of(executable->graph, node), parameters);       \
    }
OF_EXECUTABLE(Kernel, struct cudaKernelNodeParams)
OF_EXECUTABLE(Memcpy, struct cudaMemcpy3DParms)
OF_EXECUTABLE(Memset, struct cudaMemsetParams)
OF_EXECUTABLE(Host, struct cudaHostNodeParams)
#undef OF_EXECUTABLE

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    const unsigned long long values[] = {used, used_high, reserved, reserved_high};
    FAIL_IF(device != 0, cudaErrorInvalidDevice);
    FAIL_IF(!value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh, cudaErrorInvalidValue);
    memcpy(value, &values[attribute], sizeof *values);
    return cudaSuccess;
}
/* The highest values alone can be set, to 0, which means the current ones. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    FAIL_IF(device != 0, cudaErrorInvalidDevice);
    FAIL_IF(!value || (attribute != cudaGraphMemAttrUsedMemHigh &&
                       attribute != cudaGraphMemAttrReservedMemHigh),
            cudaErrorInvalidValue);
    if (attribute == cudaGraphMemAttrUsedMemHigh)
        used_high = used;
    else
        reserved_high = reserved;
    return cudaSuccess;
}
cudaError_t cudaDeviceGraphMemTrim(int device)
{
    FAIL_IF(device != 0, cudaErrorInvalidDevice);
    return cudaSuccess;
}

/* ---- execution ---- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags)
{
    ENTER();
    FAIL_IF(!executable || !graph, cudaErrorInvalidValue);
    *executable = (cudaGraphExec_t)malloc(sizeof **executable);
    FAIL_IF(!*executable, cudaErrorMemoryAllocation);
    (*executable)->flags = flags;
    (*executable)->graph = clone(graph);
    if (!(*executable)->graph) {
        free(*executable);
        *executable = NULL;
        return portable_cuda_error_(cudaErrorMemoryAllocation);
    }
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *parameters)
{
    FAIL_IF(!parameters, cudaErrorInvalidValue);
    const cudaError_t error = cudaGraphInstantiate(executable, graph, parameters->flags);
    parameters->errNode_out = NULL;
    parameters->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
}

/* Before a launch: conditions have their first values, and memory that an earlier launch allocated
 * is freed if that is allowed. */
static cudaError_t portable_cuda_prepare_(const struct CUgraph_st *graph, int may_free)
{
    cudaError_t error = cudaSuccess;
    for (const struct CUgraphNode_st *node = graph->first; node && error == cudaSuccess;
         node = node->next)
        if (node->type == cudaGraphNodeTypeGraph)
            error = portable_cuda_prepare_(node->as.graph, may_free);
        else if (node->type == cudaGraphNodeTypeConditional) {
            const struct conditional *const conditional = &node->as.conditional;
            if (conditional->condition->flags & cudaGraphCondAssignDefault)
                conditional->condition->value = conditional->condition->initial;
            for (unsigned i = 0; i < conditional->size && error == cudaSuccess; i++)
                error = portable_cuda_prepare_(conditional->bodies[i], may_free);
        } else if (node->type == cudaGraphNodeTypeMemAlloc &&
                   portable_cuda_graph_has_(node->as.allocation->address))
            error = may_free ? portable_cuda_graph_free_(node->as.allocation->address)
                             : portable_cuda_error_(cudaErrorInvalidValue);
    return error;
}

/* The new graph must have the same kinds of nodes in the same order. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    ENTER();
    FAIL_IF(!executable || !graph || !result, cudaErrorInvalidValue);
    memset(result, 0, sizeof *result);
    const struct CUgraphNode_st *a = executable->graph->first, *b = graph->first;
    while (a && b && a->type == b->type) {
        a = a->next;
        b = b->next;
    }
    if (a || b) {
        result->result = a && b ? cudaGraphExecUpdateErrorNodeTypeChanged
                                : cudaGraphExecUpdateErrorTopologyChanged;
        return portable_cuda_error_(cudaErrorGraphExecUpdateFailure);
    }
    struct CUgraph_st *const copy = clone(graph);
    FAIL_IF(!copy, cudaErrorMemoryAllocation);
    destroy(executable->graph);
    executable->graph = copy;
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream)
{
    FAIL_IF(!executable, cudaErrorInvalidValue);
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    ENTER();
    FAIL_IF(!executable, cudaErrorInvalidValue);
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    struct CUgraph_st *const outer = portable_cuda_capture_of_(stream);
    if (!outer) {
        const cudaError_t error = portable_cuda_prepare_(
            executable->graph, (executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0);
        if (error == cudaSuccess)
            portable_cuda_run_graph_(executable->graph);
        return error;
    }
    struct CUgraph_st *const copy = clone(executable->graph);
    FAIL_IF(!copy, cudaErrorMemoryAllocation);
    struct CUgraphNode_st *const node = add(outer, cudaGraphNodeTypeGraph);
    if (node)
        node->as.graph = copy;
    else
        destroy(copy);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    FAIL_IF(!executable, cudaErrorInvalidValue);
    destroy(executable->graph);
    free(executable);
    return cudaSuccess;
}

/* ---- refused ---- */

#define REFUSED(name, ...)                                                                         \
    cudaError_t name(__VA_ARGS__)                                                                  \
    {                                                                                              \
        return portable_cuda_error_(cudaErrorNotSupported);                                        \
    }
#define UNUSED __attribute__((unused))
REFUSED(cudaGraphicsMapResources, int count UNUSED, cudaGraphicsResource_t *resources UNUSED,
        cudaStream_t stream UNUSED)
REFUSED(cudaGraphicsUnmapResources, int count UNUSED, cudaGraphicsResource_t *resources UNUSED,
        cudaStream_t stream UNUSED)
REFUSED(cudaGraphicsUnregisterResource, cudaGraphicsResource_t resource UNUSED)
REFUSED(cudaGraphicsResourceSetMapFlags, cudaGraphicsResource_t resource UNUSED,
        unsigned int flags UNUSED)
REFUSED(cudaGraphicsResourceGetMappedPointer, void **memory UNUSED, size_t *bytes UNUSED,
        cudaGraphicsResource_t resource UNUSED)
REFUSED(cudaGraphicsSubResourceGetMappedArray, cudaArray_t *array UNUSED,
        cudaGraphicsResource_t resource UNUSED, unsigned int index UNUSED,
        unsigned int level UNUSED)
REFUSED(cudaMemPoolExportToShareableHandle, void *handle UNUSED, cudaMemPool_t pool UNUSED,
        enum cudaMemAllocationHandleType type UNUSED, unsigned int flags UNUSED)
REFUSED(cudaMemPoolImportFromShareableHandle, cudaMemPool_t *pool UNUSED, void *handle UNUSED,
        enum cudaMemAllocationHandleType type UNUSED, unsigned int flags UNUSED)
REFUSED(cudaMemPoolExportPointer, struct cudaMemPoolPtrExportData *data UNUSED, void *memory UNUSED)
REFUSED(cudaMemPoolImportPointer, void **memory UNUSED, cudaMemPool_t pool UNUSED,
        struct cudaMemPoolPtrExportData *data UNUSED)
