/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs: lists of work, captured from streams or added node by node. A launch replays the nodes in
 * the order of their creation. That order satisfies all dependencies, unless
 * cudaGraphAddDependencies adds one on a later node, which moves nodes.
 */
#include "host/cudart/allocations.h"
#include "host/cudart/copies.h"
#include "host/cudart/runtime.h"
#include "host/cudart/kernels.h"
#include "host/cudart/late.h"
#include "host/cudart/launch.h"
#include "host/cudart/memory.h"
#include "host/cudart/nodes.h"
#include "host/cudart/streams.h"
#include "host/emulate/check.h"

#include <stdlib.h> /* calloc, free, malloc, realloc */
#include <string.h> /* memcpy, memset */

struct CUgraphExec_st {
    struct CUgraph_st *graph;
    unsigned long long flags;
    struct emulate_clock *launched; /* the end of its last launch, which the next one comes after */
};
static struct condition *conditions;

/* ---- launches ---- */

static void portable_cuda_run_graph_(const struct CUgraph_st *graph, cudaStream_t stream);

static void portable_cuda_run_conditional_(const struct conditional *conditional,
                                           cudaStream_t stream)
{
    struct condition *const condition = conditional->condition;
    unsigned body = 0;
    switch (conditional->type) {
    case cudaGraphCondTypeWhile:
        while (condition->value && !portable_cuda_has_failed_()) {
            portable_cuda_run_graph_(conditional->bodies[0], stream);
            portable_cuda_catch_up_(stream);
        }
        return;
    case cudaGraphCondTypeIf: body = !condition->value; break;
    case cudaGraphCondTypeSwitch: body = condition->value; break;
    }
    if (body < conditional->size)
        portable_cuda_run_graph_(conditional->bodies[body], stream);
}
static void portable_cuda_run_allocation_(const struct allocation *allocation, cudaStream_t stream)
{
    if (!portable_cuda_graph_allocate_(allocation->address, allocation->bytes)) {
        portable_cuda_error_(cudaErrorMemoryAllocation);
        return;
    }
    portable_cuda_begin_work_(stream, EMULATE_ALLOCATION, "an allocation node");
    portable_cuda_touch_(NULL, allocation->address, 0, 0, allocation->bytes, 1, 1, 1);
    portable_cuda_end_work_();
    portable_cuda_count_graph_memory_((long long)allocation->bytes, 0);
}

/* With the node's data after it, which may be gone when it runs. */
static void portable_cuda_call_host_late_(void *data)
{
    struct host *const host = (struct host *)data;
    *portable_cuda_library_stream_() = NULL;
    host->function(host->bytes ? (void *)(host + 1) : host->data);
}
static void portable_cuda_defer_host_(const struct host *host, cudaStream_t stream)
{
    struct host *const late = (struct host *)malloc(sizeof *late + host->bytes);
    if (!late) {
        portable_cuda_error_(cudaErrorMemoryAllocation);
        return;
    }
    *late = *host;
    if (host->bytes)
        memcpy(late + 1, host->data, host->bytes);
    portable_cuda_defer_(stream, EMULATE_FUNCTION, "a host node", portable_cuda_call_host_late_,
                         late, sizeof *late + host->bytes);
    free(late);
}
static void portable_cuda_run_node_(const struct CUgraphNode_st *node, cudaStream_t stream)
{
    switch (node->type) {
    case cudaGraphNodeTypeMemAlloc:
        portable_cuda_run_allocation_(node->as.allocation, stream);
        break;
    case cudaGraphNodeTypeMemFree: portable_cuda_graph_free_(node->as.freed, stream); break;
    case cudaGraphNodeTypeEventRecord: cudaEventRecord(node->as.event, stream); break;
    case cudaGraphNodeTypeConditional:
        portable_cuda_run_conditional_(&node->as.conditional, stream);
        break;
    case cudaGraphNodeTypeKernel: portable_cuda_replay_(&node->as.kernel, stream); break;
    case cudaGraphNodeTypeMemcpy:
        portable_cuda_copy_in_(stream, "a copy node", &node->as.copy);
        break;
    case cudaGraphNodeTypeMemset:
        portable_cuda_set_in_(stream, "a memset node", &node->as.set);
        break;
    case cudaGraphNodeTypeWaitEvent: cudaStreamWaitEvent(stream, node->as.event, 0); break;
    case cudaGraphNodeTypeHost:
        if (portable_cuda_is_late_()) {
            portable_cuda_defer_host_(&node->as.host, stream);
            break;
        }
        portable_cuda_begin_work_(stream, EMULATE_FUNCTION, "a host node");
        *portable_cuda_library_stream_() = stream;
        node->as.host.function(node->as.host.data);
        portable_cuda_end_work_();
        break;
    case cudaGraphNodeTypeGraph: portable_cuda_run_graph_(node->as.graph, stream); break;
    default: break;
    }
}
/* Gives the node a branch: that of a node which it depends on and no other has continued, or a new
 * one, and has it wait for the others. */
static int portable_cuda_branch_(struct CUgraphNode_st *node, const struct emulate_clock *begun)
{
    for (size_t i = 0; i < node->after_count && !node->branch; i++)
        if (!node->after[i]->is_continued) {
            node->after[i]->is_continued = 1;
            node->branch = node->after[i]->branch;
        }
    if (!node->branch)
        node->branch = portable_cuda_open_branch_();
    if (!node->branch)
        return 0;
    portable_cuda_wait_for_clock_(node->branch, begun);
    for (size_t i = 0; i < node->after_count; i++)
        portable_cuda_wait_for_clock_(node->branch, node->after[i]->clock);
    return 1;
}
/* For the check of the order of work: nodes wait for those that they depend on alone. */
static void portable_cuda_run_branches_(const struct CUgraph_st *graph, cudaStream_t stream)
{
    struct emulate_clock *const begun = portable_cuda_clock_of_(stream);
    struct CUgraphNode_st *node;
    for (node = graph->first; node; node = node->next) {
        node->branch = NULL;
        node->is_continued = 0;
        if (!portable_cuda_branch_(node, begun)) {
            portable_cuda_error_(cudaErrorMemoryAllocation);
            break;
        }
        ORDER->made_by(node->caller);
        portable_cuda_run_node_(node, node->branch);
        ORDER->made_by(NULL);
        node->clock = portable_cuda_clock_of_(node->branch);
    }
    for (struct CUgraphNode_st *done = graph->first; done != node; done = done->next)
        portable_cuda_wait_for_clock_(stream, done->clock);
    for (struct CUgraphNode_st *done = graph->first; done != node; done = done->next) {
        ORDER->forget(done->clock);
        if (!done->is_continued)
            cudaStreamDestroy(done->branch);
    }
    ORDER->forget(begun);
}
/* Whether nodes depend on what earlier ones did, or allocate and free memory: late work cannot. */
static int runs_at_once(const struct CUgraph_st *graph)
{
    const struct CUgraphNode_st *node = graph->first;
    while (node && node->type != cudaGraphNodeTypeConditional &&
           node->type != cudaGraphNodeTypeMemAlloc && node->type != cudaGraphNodeTypeMemFree &&
           !(node->type == cudaGraphNodeTypeGraph && runs_at_once(node->as.graph)))
        node = node->next;
    return node != NULL;
}
static void portable_cuda_run_graph_(const struct CUgraph_st *graph, cudaStream_t stream)
{
    if (portable_cuda_is_late_() && runs_at_once(graph)) {
        for (const struct CUgraphNode_st *node = graph->first; node; node = node->next) {
            portable_cuda_run_node_(node, stream);
            portable_cuda_catch_up_(stream);
        }
        return;
    }
    if (ORDER) {
        portable_cuda_run_branches_(graph, stream);
        return;
    }
    for (const struct CUgraphNode_st *node = graph->first; node; node = node->next)
        portable_cuda_run_node_(node, stream);
}

/* ---- capture ---- */

#define FAIL_IF(condition, error)                                                                  \
    do {                                                                                           \
        if (condition)                                                                             \
            return portable_cuda_error_(error);                                                    \
    } while (0)

/* ---- node by node ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    ENTER(0);
    FAIL_IF(!graph || flags != 0, cudaErrorInvalidValue);
    *graph = (cudaGraph_t)calloc(1, sizeof **graph);
    FAIL_IF(!*graph, cudaErrorMemoryAllocation);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    FAIL_IF(!graph, cudaErrorInvalidValue);
    portable_cuda_destroy_graph_(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph)
{
    FAIL_IF(!copy || !graph, cudaErrorInvalidValue);
    *copy = portable_cuda_clone_graph_(graph);
    FAIL_IF(!*copy, cudaErrorMemoryAllocation);
    return cudaSuccess;
}

/* The arguments of each call that adds a node, and its result. */
static cudaError_t begin_node(cudaGraphNode_t *node, cudaGraph_t graph,
                              const cudaGraphNode_t *after, size_t count, const void *parameters)
{
    ENTER(0);
    FAIL_IF(!node || !graph || !parameters || (count > 0 && !after), cudaErrorInvalidValue);
    *node = NULL;
    graph->tail = NULL; /* a stream that is captured goes on behind its own work */
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
    const cudaError_t error = portable_cuda_launch_node_(graph, parameters);
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

static cudaError_t portable_cuda_read_copy_(const char *call,
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
    const cudaError_t error = portable_cuda_read_copy_("cudaGraphAddMemcpyNode", parameters, &copy);
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

static cudaError_t portable_cuda_read_set_(const char *call,
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
    const cudaError_t error = portable_cuda_read_set_("cudaGraphAddMemsetNode", parameters, &set);
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
    portable_cuda_capture_host_(graph, parameters->fn, parameters->userData, 0);
    return end_node(node, graph, after, count);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count)
{
    BEGIN_NODE(graph);
    portable_cuda_add_node_(graph, cudaGraphNodeTypeEmpty);
    return end_node(node, graph, after, count);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child)
{
    BEGIN_NODE(child);
    struct CUgraph_st *const copy = portable_cuda_clone_graph_(child);
    FAIL_IF(!copy, cudaErrorMemoryAllocation);
    struct CUgraphNode_st *const made = portable_cuda_add_node_(graph, cudaGraphNodeTypeGraph);
    if (made)
        made->as.graph = copy;
    else
        portable_cuda_destroy_graph_(copy);
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
    struct CUgraphNode_st *const made = portable_cuda_add_node_(graph, type);
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
    ENTER(0);
    FAIL_IF(!handle || !graph || flags > cudaGraphCondAssignDefault, cudaErrorInvalidValue);
    struct condition *const condition = (struct condition *)calloc(1, sizeof *condition);
    FAIL_IF(!condition, cudaErrorMemoryAllocation);
    condition->initial = value;
    condition->flags = flags;
    portable_cuda_lock_();
    condition->next = conditions;
    conditions = condition;
    portable_cuda_unlock_();
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
    struct CUgraphNode_st *const made =
        portable_cuda_add_node_(graph, cudaGraphNodeTypeConditional);
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
    ENTER(0);
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
    ENTER(0);
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
        const struct portable_cuda_kernel_ old = node->as.kernel;
        node->as.kernel = scratch.first->as.kernel;
        scratch.first->as.kernel = old;
    }
    const int has_failed = scratch.has_failed;
    portable_cuda_empty_graph_(&scratch);
    FAIL_IF(has_failed, cudaErrorMemoryAllocation);
    return error;
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *parameters)
{
    struct portable_cuda_copy_ copy;
    ENTER(0);
    FAIL_IF(!node || !parameters || node->type != cudaGraphNodeTypeMemcpy, cudaErrorInvalidValue);
    const cudaError_t error =
        portable_cuda_read_copy_("cudaGraphMemcpyNodeSetParams", parameters, &copy);
    FAIL_IF(error != cudaSuccess, error);
    node->as.copy = copy;
    return cudaSuccess;
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *parameters)
{
    struct portable_cuda_set_ set;
    ENTER(0);
    FAIL_IF(!node || !parameters || node->type != cudaGraphNodeTypeMemset, cudaErrorInvalidValue);
    const cudaError_t error =
        portable_cuda_read_set_("cudaGraphMemsetNodeSetParams", parameters, &set);
    FAIL_IF(error != cudaSuccess, error);
    node->as.set = set;
    return cudaSuccess;
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *parameters)
{
    FAIL_IF(!node || !parameters || !parameters->fn || node->type != cudaGraphNodeTypeHost,
            cudaErrorInvalidValue);
    if (node->as.host.bytes)
        free(node->as.host.data);
    node->as.host.function = parameters->fn;
    node->as.host.data = parameters->userData;
    node->as.host.bytes = 0;
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
    portable_cuda_lock_();
    const struct portable_cuda_graph_memory_ memory = portable_cuda_graph_memory_;
    portable_cuda_unlock_();
    const unsigned long long values[] = {memory.used, memory.used_high, memory.reserved,
                                         memory.reserved_high};
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
    portable_cuda_lock_();
    if (attribute == cudaGraphMemAttrUsedMemHigh)
        portable_cuda_graph_memory_.used_high = portable_cuda_graph_memory_.used;
    else
        portable_cuda_graph_memory_.reserved_high = portable_cuda_graph_memory_.reserved;
    portable_cuda_unlock_();
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
    ENTER(0);
    FAIL_IF(!executable || !graph, cudaErrorInvalidValue);
    *executable = (cudaGraphExec_t)calloc(1, sizeof **executable);
    FAIL_IF(!*executable, cudaErrorMemoryAllocation);
    (*executable)->flags = flags;
    (*executable)->graph = portable_cuda_clone_graph_(graph);
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
static cudaError_t portable_cuda_prepare_(const struct CUgraph_st *graph, int may_free,
                                          cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (const struct CUgraphNode_st *node = graph->first; node && error == cudaSuccess;
         node = node->next)
        if (node->type == cudaGraphNodeTypeGraph)
            error = portable_cuda_prepare_(node->as.graph, may_free, stream);
        else if (node->type == cudaGraphNodeTypeConditional) {
            const struct conditional *const conditional = &node->as.conditional;
            if (conditional->condition->flags & cudaGraphCondAssignDefault)
                conditional->condition->value = conditional->condition->initial;
            for (unsigned i = 0; i < conditional->size && error == cudaSuccess; i++)
                error = portable_cuda_prepare_(conditional->bodies[i], may_free, stream);
        } else if (node->type == cudaGraphNodeTypeMemAlloc &&
                   portable_cuda_graph_has_(node->as.allocation->address))
            error = may_free ? portable_cuda_graph_free_(node->as.allocation->address, stream)
                             : portable_cuda_error_(cudaErrorInvalidValue);
    return error;
}

/* The new graph must have the same kinds of nodes in the same order. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    ENTER(0);
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
    struct CUgraph_st *const copy = portable_cuda_clone_graph_(graph);
    FAIL_IF(!copy, cudaErrorMemoryAllocation);
    portable_cuda_destroy_graph_(executable->graph);
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
    ENTER(0);
    FAIL_IF(!executable, cudaErrorInvalidValue);
    FAIL_IF(!portable_cuda_is_stream_(stream), cudaErrorInvalidResourceHandle);
    struct CUgraph_st *const outer = portable_cuda_capture_of_(stream);
    if (!outer) {
        if (runs_at_once(executable->graph))
            portable_cuda_catch_up_(stream);
        const cudaError_t error = portable_cuda_prepare_(
            executable->graph, (executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0,
            stream);
        if (error != cudaSuccess)
            return error;
        if (executable->launched) {
            portable_cuda_wait_for_clock_(stream, executable->launched);
            ORDER->forget(executable->launched);
        }
        portable_cuda_run_graph_(executable->graph, stream);
        executable->launched = ORDER ? portable_cuda_clock_of_(stream) : NULL;
        return cudaSuccess;
    }
    struct CUgraph_st *const copy = portable_cuda_clone_graph_(executable->graph);
    FAIL_IF(!copy, cudaErrorMemoryAllocation);
    struct CUgraphNode_st *const node = portable_cuda_add_node_(outer, cudaGraphNodeTypeGraph);
    if (node)
        node->as.graph = copy;
    else
        portable_cuda_destroy_graph_(copy);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    FAIL_IF(!executable, cudaErrorInvalidValue);
    portable_cuda_destroy_graph_(executable->graph);
    if (executable->launched)
        ORDER->forget(executable->launched);
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
