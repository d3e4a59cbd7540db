/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs: lists of work, from the capture of streams or node by node, that a launch replays in the
 * order in which they were made. That order satisfies all dependencies, which are therefore not
 * kept.
 */
#include "host/cuda/runtime.h"

#include <stdlib.h> /* calloc, free, malloc */
#include <string.h> /* memcpy */

struct kernel {
    const char *name;
    unsigned max_threads;
    void (*run)(const void *body);
    dim3 grid, block;
    size_t shared_bytes;
    int cooperative;
    void *body; /* owned */
    size_t bytes;
};
struct host {
    cudaHostFn_t function;
    void *data;
};
struct CUgraphNode_st {
    struct CUgraphNode_st *next;
    enum cudaGraphNodeType type;
    union {
        struct kernel kernel;
        struct portable_cuda_copy_ copy;
        struct portable_cuda_set_ set;
        struct host host;
        struct CUgraph_st *graph; /* owned */
    } as;
};
struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
    struct CUgraph_st *next; /* among the captures in progress */
    enum cudaStreamCaptureMode mode;
    int is_spoilt, has_failed; /* failed: no memory for a node */
};
struct CUgraphExec_st {
    struct CUgraph_st *graph;
};

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
                                 bytes};
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

/* NULL without memory. */
static struct CUgraph_st *clone(const struct CUgraph_st *graph)
{
    struct CUgraph_st *const copy = (struct CUgraph_st *)calloc(1, sizeof *copy);

    for (const struct CUgraphNode_st *node = graph->first; copy && node; node = node->next)
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
        }
    if (copy && copy->has_failed) {
        destroy(copy);
        return NULL;
    }
    return copy;
}

static void portable_cuda_run_graph_(const struct CUgraph_st *graph)
{
    for (const struct CUgraphNode_st *node = graph->first; node; node = node->next)
        switch (node->type) {
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

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    ENTER();
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    FAIL_IF((unsigned)mode > cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    FAIL_IF(is_default(stream), cudaErrorStreamCaptureUnsupported);
    FAIL_IF(stream->graph, cudaErrorIllegalState);
    struct CUgraph_st *const graph = (struct CUgraph_st *)calloc(1, sizeof *graph);
    FAIL_IF(!graph, cudaErrorMemoryAllocation);
    graph->mode = mode;
    graph->next = captures;
    captures = graph;
    stream->graph = graph;
    stream->is_origin = 1;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    FAIL_IF(!graph, cudaErrorInvalidValue);
    *graph = NULL;
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    FAIL_IF(is_default(stream) || !stream->graph, cudaErrorIllegalState);
    FAIL_IF(!stream->is_origin, cudaErrorStreamCaptureUnmatched);
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
        destroy(captured);
        return portable_cuda_error_(error);
    }
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
static cudaError_t end_node(cudaGraphNode_t *node, cudaGraph_t graph)
{
    FAIL_IF(graph->has_failed, cudaErrorMemoryAllocation);
    *node = graph->last;
    return cudaSuccess;
}
#define BEGIN_NODE(parameters)                                                                     \
    do {                                                                                           \
        const cudaError_t begun_ = begin_node(node, graph, after, count, parameters);              \
        if (begun_ != cudaSuccess)                                                                 \
            return begun_;                                                                         \
    } while (0)

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *parameters)
{
    BEGIN_NODE(parameters);
    FAIL_IF(!parameters->func, cudaErrorInvalidDeviceFunction);
    FAIL_IF(parameters->extra, cudaErrorNotSupported);
    struct CUgraphNode_st *const before = graph->last;
    wanted = graph;
    const cudaError_t error =
        cudaLaunchKernel(parameters->func, parameters->gridDim, parameters->blockDim,
                         parameters->kernelParams, parameters->sharedMemBytes, 0);
    wanted = NULL;
    if (error != cudaSuccess)
        return error;
    FAIL_IF(graph->last == before, cudaErrorInvalidDeviceFunction);
    return end_node(node, graph);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *parameters)
{
    struct portable_cuda_copy_ copy;

    BEGIN_NODE(parameters);
    cudaError_t error = portable_cuda_copy_3d_(parameters, &copy);
    if (error == cudaSuccess)
        error = portable_cuda_check_copy_("cudaGraphAddMemcpyNode", &copy, parameters->kind);
    FAIL_IF(error != cudaSuccess, error);
    portable_cuda_capture_copy_(graph, &copy);
    return end_node(node, graph);
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
    return end_node(node, graph);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *parameters)
{
    BEGIN_NODE(parameters);
    const unsigned size = parameters->elementSize;
    FAIL_IF(size != 1 && size != 2 && size != 4, cudaErrorInvalidValue);
    const struct portable_cuda_set_ set = {(char *)parameters->dst,
                                           parameters->pitch,
                                           0,
                                           parameters->width * size,
                                           parameters->height,
                                           1,
                                           parameters->value,
                                           size};
    const cudaError_t error = portable_cuda_check_set_("cudaGraphAddMemsetNode", &set);
    FAIL_IF(error != cudaSuccess, error);
    portable_cuda_capture_set_(graph, &set);
    return end_node(node, graph);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *parameters)
{
    BEGIN_NODE(parameters);
    FAIL_IF(!parameters->fn, cudaErrorInvalidValue);
    portable_cuda_capture_host_(graph, parameters->fn, parameters->userData);
    return end_node(node, graph);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count)
{
    BEGIN_NODE(graph);
    add(graph, cudaGraphNodeTypeEmpty);
    return end_node(node, graph);
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
    return end_node(node, graph);
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

/* ---- execution ---- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags)
{
    (void)flags;
    ENTER();
    FAIL_IF(!executable || !graph, cudaErrorInvalidValue);
    *executable = (cudaGraphExec_t)malloc(sizeof **executable);
    FAIL_IF(!*executable, cudaErrorMemoryAllocation);
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
        portable_cuda_run_graph_(executable->graph);
        return cudaSuccess;
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
