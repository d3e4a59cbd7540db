/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nodes of graphs: lists of work, which captures and graph.c add to.
 */
#include "host/cudart/nodes.h"
#include "host/cudart/allocations.h"
#include "host/cudart/errors.h"
#include "host/cudart/order.h"
#include "host/emulate/check.h"

#include <stdlib.h> /* aligned_alloc, calloc, free, malloc, realloc */
#include <string.h> /* memcpy */

static struct allocation *allocations; /* under the lock, as their references */
struct portable_cuda_graph_memory_ portable_cuda_graph_memory_;

cudaError_t portable_cuda_invalidate_(struct CUgraph_st *graph)
{
    graph->is_invalidated = 1;
    return cudaErrorStreamCaptureUnsupported;
}

int portable_cuda_is_invalidated_(const struct CUgraph_st *graph)
{
    return graph->is_invalidated;
}

int portable_cuda_join_tail_(struct portable_cuda_tail_ *tail, struct CUgraphNode_st *const *nodes,
                             size_t count)
{
    for (size_t k = 0; k < count; k++) {
        size_t at = 0;
        while (at < tail->count && tail->nodes[at] != nodes[k])
            at++;
        if (at < tail->count)
            continue;
        struct CUgraphNode_st **const longer = (struct CUgraphNode_st **)realloc(
            tail->nodes, (tail->count + 1) * sizeof(struct CUgraphNode_st *));
        if (!longer)
            return 0;
        longer[tail->count++] = nodes[k];
        tail->nodes = longer;
    }
    return 1;
}

void portable_cuda_empty_tail_(struct portable_cuda_tail_ *tail)
{
    free(tail->nodes);
    tail->nodes = NULL;
    tail->count = 0;
}

/* Apart, so that its frame is one of the runtime's. */
__attribute__((noinline)) static const void *portable_cuda_node_caller_(void)
{
    return emulate_caller(NULL);
}

struct CUgraphNode_st *portable_cuda_add_node_(struct CUgraph_st *graph,
                                               enum cudaGraphNodeType type)
{
    struct CUgraphNode_st *const node = (struct CUgraphNode_st *)calloc(1, sizeof *node);

    if (!node) {
        graph->has_failed = 1;
        return NULL;
    }
    node->type = type;
    if (ORDER)
        node->caller = portable_cuda_node_caller_();
    if (graph->tail) {
        node->after = graph->tail->nodes;
        node->after_count = graph->tail->count;
        graph->tail->nodes = NULL;
        graph->tail->count = 0;
        graph->has_failed |= !portable_cuda_join_tail_(graph->tail, &node, 1);
    }
    if (graph->last)
        graph->last->next = node;
    else
        graph->first = node;
    graph->last = node;
    return node;
}

void portable_cuda_capture_launch_(struct CUgraph_st *graph,
                                   const struct portable_cuda_kernel_ *kernel)
{
    struct CUgraphNode_st *const node = portable_cuda_add_node_(graph, cudaGraphNodeTypeKernel);

    if (!node)
        return;
    node->as.kernel = *kernel;
    if (kernel->caller)
        node->caller = kernel->caller;
    node->as.kernel.body = aligned_alloc(16, (kernel->bytes + 31) / 16 * 16);
    if (node->as.kernel.body)
        memcpy(node->as.kernel.body, kernel->body, kernel->bytes);
    else
        graph->has_failed = 1;
}

void portable_cuda_capture_copy_(struct CUgraph_st *graph, const struct portable_cuda_copy_ *copy)
{
    struct CUgraphNode_st *const node = portable_cuda_add_node_(graph, cudaGraphNodeTypeMemcpy);

    if (node)
        node->as.copy = *copy;
}

void portable_cuda_capture_set_(struct CUgraph_st *graph, const struct portable_cuda_set_ *set)
{
    struct CUgraphNode_st *const node = portable_cuda_add_node_(graph, cudaGraphNodeTypeMemset);

    if (node)
        node->as.set = *set;
}

void portable_cuda_capture_host_(struct CUgraph_st *graph, void (*function)(void *data), void *data,
                                 size_t bytes)
{
    struct CUgraphNode_st *const node = portable_cuda_add_node_(graph, cudaGraphNodeTypeHost);

    if (!node)
        return;
    node->as.host.function = function;
    node->as.host.data = bytes ? malloc(bytes) : data;
    node->as.host.bytes = bytes;
    if (bytes && node->as.host.data)
        memcpy(node->as.host.data, data, bytes);
    else if (bytes)
        graph->has_failed = 1;
}

void portable_cuda_count_graph_memory_(long long used, long long reserved)
{
    struct portable_cuda_graph_memory_ *const memory = &portable_cuda_graph_memory_;
    portable_cuda_lock_();
    memory->used += (unsigned long long)used;
    memory->reserved += (unsigned long long)reserved;
    if (memory->used > memory->used_high)
        memory->used_high = memory->used;
    if (memory->reserved > memory->reserved_high)
        memory->reserved_high = memory->reserved;
    portable_cuda_unlock_();
}

/* Drops a node's hold on its memory. A program that still uses it keeps it. */
static void drop(struct allocation *allocation)
{
    struct allocation **link = &allocations;
    if (!allocation)
        return;
    portable_cuda_lock_();
    const int is_last = --allocation->references == 0;
    while (is_last && *link != allocation)
        link = &(*link)->next;
    if (is_last)
        *link = allocation->next;
    portable_cuda_unlock_();
    if (!is_last)
        return;
    if (portable_cuda_allocation_of_(allocation->address).bytes == 0) {
        portable_cuda_guarded_free_(allocation->address);
        portable_cuda_count_graph_memory_(0, -(long long)allocation->bytes);
    }
    free(allocation);
}

void portable_cuda_empty_graph_(struct CUgraph_st *graph)
{
    while (graph->first) {
        struct CUgraphNode_st *const node = graph->first;
        graph->first = node->next;
        if (node->type == cudaGraphNodeTypeKernel)
            free(node->as.kernel.body);
        if (node->type == cudaGraphNodeTypeHost && node->as.host.bytes)
            free(node->as.host.data);
        if (node->type == cudaGraphNodeTypeGraph && node->as.graph) {
            portable_cuda_empty_graph_(node->as.graph);
            free(node->as.graph);
        }
        if (node->type == cudaGraphNodeTypeMemAlloc)
            drop(node->as.allocation);
        if (node->type == cudaGraphNodeTypeConditional) {
            for (unsigned i = 0; i < node->as.conditional.size; i++)
                if (node->as.conditional.bodies && node->as.conditional.bodies[i]) {
                    portable_cuda_empty_graph_(node->as.conditional.bodies[i]);
                    free(node->as.conditional.bodies[i]);
                }
            free(node->as.conditional.bodies);
        }
        free(node->after);
        free(node);
    }
    graph->last = NULL;
}

void portable_cuda_destroy_graph_(struct CUgraph_st *graph)
{
    if (graph)
        portable_cuda_empty_graph_(graph);
    free(graph);
}

/* The bodies of a conditional node, cloned. */
static void clone_bodies(struct CUgraph_st *graph, struct conditional *conditional)
{
    struct CUgraph_st **const bodies = conditional->bodies;
    conditional->bodies = (struct CUgraph_st **)calloc(conditional->size, sizeof *bodies);
    graph->has_failed |= !conditional->bodies;
    for (unsigned i = 0; conditional->bodies && i < conditional->size; i++) {
        conditional->bodies[i] = portable_cuda_clone_graph_(bodies[i]);
        graph->has_failed |= !conditional->bodies[i];
    }
}

/* Of the node, whose image is the last one; those that it depends on come before it. */
static void clone_dependencies(struct CUgraph_st *copy, const struct CUgraphNode_st *node)
{
    struct CUgraphNode_st *const made = copy->last;

    if (node->after_count == 0)
        return;
    made->after = (struct CUgraphNode_st **)malloc(node->after_count * sizeof made);
    copy->has_failed |= !made->after;
    for (size_t i = 0; made->after && i < node->after_count; i++)
        made->after[made->after_count++] = node->after[i]->image;
}

struct CUgraph_st *portable_cuda_clone_graph_(const struct CUgraph_st *graph)
{
    struct CUgraph_st *const copy = (struct CUgraph_st *)calloc(1, sizeof *copy);

    for (struct CUgraphNode_st *node = graph->first; copy && node; node = node->next) {
        if (node->type == cudaGraphNodeTypeKernel)
            portable_cuda_capture_launch_(copy, &node->as.kernel);
        else if (node->type == cudaGraphNodeTypeHost)
            portable_cuda_capture_host_(copy, node->as.host.function, node->as.host.data,
                                        node->as.host.bytes);
        else {
            struct CUgraphNode_st *const made = portable_cuda_add_node_(copy, node->type);
            if (made)
                made->as = node->as;
            if (made && node->type == cudaGraphNodeTypeGraph) {
                made->as.graph = portable_cuda_clone_graph_(node->as.graph);
                copy->has_failed |= !made->as.graph;
            }
            if (made && node->type == cudaGraphNodeTypeMemAlloc) {
                portable_cuda_lock_();
                made->as.allocation->references++;
                portable_cuda_unlock_();
            }
            if (made && node->type == cudaGraphNodeTypeConditional)
                clone_bodies(copy, &made->as.conditional);
        }
        if (copy->last) {
            copy->last->origin = node;
            copy->last->caller = node->caller;
            node->image = copy->last;
            clone_dependencies(copy, node);
        }
    }
    if (copy && copy->has_failed) {
        portable_cuda_destroy_graph_(copy);
        return NULL;
    }
    return copy;
}

int portable_cuda_graph_owns_(const void *address, size_t bytes)
{
    portable_cuda_lock_();
    const struct allocation *of = allocations;
    while (of && ((const char *)address < (const char *)of->address ||
                  (const char *)address + bytes > (const char *)of->address + of->bytes))
        of = of->next;
    portable_cuda_unlock_();
    return of != NULL;
}

cudaError_t portable_cuda_capture_allocation_(struct CUgraph_st *graph, void **memory, size_t bytes)
{
    struct allocation *const allocation = (struct allocation *)calloc(1, sizeof *allocation);
    struct CUgraphNode_st *const node =
        allocation ? portable_cuda_add_node_(graph, cudaGraphNodeTypeMemAlloc) : NULL;

    *memory = NULL;
    if (node && bytes > 0)
        allocation->address = portable_cuda_guarded_(bytes);
    if (!node || !allocation->address) {
        if (node)
            node->type = cudaGraphNodeTypeEmpty;
        free(allocation);
        return portable_cuda_error_(bytes ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    }
    allocation->bytes = bytes;
    allocation->references = 1;
    node->as.allocation = allocation;
    portable_cuda_lock_();
    allocation->next = allocations;
    allocations = allocation;
    portable_cuda_unlock_();
    portable_cuda_count_graph_memory_(0, (long long)bytes);
    *memory = allocation->address;
    return cudaSuccess;
}

cudaError_t portable_cuda_capture_free_(struct CUgraph_st *graph, void *memory)
{
    struct CUgraphNode_st *const node = portable_cuda_add_node_(graph, cudaGraphNodeTypeMemFree);
    if (!node)
        return portable_cuda_error_(cudaErrorMemoryAllocation);
    node->as.freed = memory;
    return cudaSuccess;
}
