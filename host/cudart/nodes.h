/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs as lists of nodes: what they are made of, and how they are copied and destroyed.
 */
#ifndef PORTABLE_HOST_CUDART_NODES_H
#define PORTABLE_HOST_CUDART_NODES_H

#include "host/cudart/include/cuda_runtime_api.h"

#include "host/cudart/capture.h"

struct host {
    cudaHostFn_t function;
    void *data;
    size_t bytes; /* of the data, if the node owns it */
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
    struct CUgraphNode_st **after; /* owned: the nodes that it depends on */
    size_t after_count;
    int is_placed;
    struct CUgraphNode_st *image; /* while its graph is cloned: the clone's */
    /* For the check of the order of work. */
    const void *caller;          /* that made it */
    struct CUstream_st *branch;  /* while its graph runs: the node's */
    struct emulate_clock *clock; /* when it was done; owned */
    int is_continued;            /* by another node of the branch */
    union {
        struct portable_cuda_kernel_ kernel; /* its body is owned */
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
/* What the next node that is captured from a stream depends on. */
struct portable_cuda_tail_ {
    struct CUgraphNode_st **nodes; /* owned */
    size_t count;
};
/* Adds nodes, each once. 0 without memory. */
int portable_cuda_join_tail_(struct portable_cuda_tail_ *tail, struct CUgraphNode_st *const *nodes,
                             size_t count);
void portable_cuda_empty_tail_(struct portable_cuda_tail_ *tail);

struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
    struct portable_cuda_tail_ *tail; /* of the stream that is captured at present, or NULL */
    struct CUgraph_st *next;          /* among the captures in progress */
    enum cudaStreamCaptureMode mode;
    int is_invalidated, has_failed; /* failed: no memory for a node */
    int is_given;                   /* to cudaStreamBeginCaptureToGraph */
};

/* A new last node; NULL without memory, which the graph notes. */
struct CUgraphNode_st *portable_cuda_add_node_(struct CUgraph_st *graph,
                                               enum cudaGraphNodeType type);
/* Frees the nodes. */
void portable_cuda_empty_graph_(struct CUgraph_st *graph);
void portable_cuda_destroy_graph_(struct CUgraph_st *graph);
/* NULL without memory. */
struct CUgraph_st *portable_cuda_clone_graph_(const struct CUgraph_st *graph);

/* Whether a graph's memory has these bytes; it need not be allocated yet. */
int portable_cuda_graph_owns_(const void *address, size_t bytes);
/* The bytes of graphs' memory, for cudaDeviceGetGraphMemAttribute: those that launched graphs have
 * allocated and not freed, and those that graphs keep for it. */
struct portable_cuda_graph_memory_ {
    unsigned long long used, used_high, reserved, reserved_high;
};
extern struct portable_cuda_graph_memory_ portable_cuda_graph_memory_; /* under the lock */
/* Adds to used and reserved. */
void portable_cuda_count_graph_memory_(long long used, long long reserved);

#endif
