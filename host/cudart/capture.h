/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a call on a captured stream does in place of its work: adds it to a graph, as a node. For
 * files with CUDA's types and for those with portable.h's.
 */
#ifndef PORTABLE_HOST_CUDART_CAPTURE_H
#define PORTABLE_HOST_CUDART_CAPTURE_H

#include "host/cudart/errors.h"
#include "host/cudart/protocol.h" /* with the dim3 of either */

struct CUstream_st;
struct CUgraph_st;

/* The graph that the stream is captured into, or NULL (streams.c). */
struct CUgraph_st *portable_cuda_capture_of_(struct CUstream_st *stream);

/* A launch, which is run(body) after its begin and before its end. */
struct portable_cuda_kernel_ {
    const char *name;
    unsigned max_threads; /* of __launch_bounds__, or 0 */
    void (*run)(const void *body);
    dim3 grid, block;
    size_t shared_bytes;
    int cooperative;
    void *body;
    size_t bytes;       /* of the body */
    void *function;     /* as given to cudaGraphAddKernelNode, or NULL */
    const void *caller; /* of the launch, for the check of the order of work; or NULL */
};
/* A copy of depth slices of height rows of width bytes. */
struct portable_cuda_copy_ {
    char *to;
    size_t to_pitch, to_slice;
    const char *from;
    size_t from_pitch, from_slice;
    size_t width, height, depth;
};
struct portable_cuda_set_ {
    char *to;
    size_t pitch, slice, width, height, depth; /* width in bytes */
    unsigned value, element;                   /* element: its bytes, 1, 2 or 4 */
};

void portable_cuda_capture_launch_(struct CUgraph_st *graph,
                                   const struct portable_cuda_kernel_ *kernel);
void portable_cuda_capture_copy_(struct CUgraph_st *graph, const struct portable_cuda_copy_ *copy);
void portable_cuda_capture_set_(struct CUgraph_st *graph, const struct portable_cuda_set_ *set);
/* With bytes the node has a copy of the data. */
void portable_cuda_capture_host_(struct CUgraph_st *graph, void (*function)(void *data), void *data,
                                 size_t bytes);
cudaError_t portable_cuda_capture_allocation_(struct CUgraph_st *graph, void **memory,
                                              size_t bytes);
cudaError_t portable_cuda_capture_free_(struct CUgraph_st *graph, void *memory);

/* Invalidates the capture; returns the error for the call that a capture does not allow. */
cudaError_t portable_cuda_invalidate_(struct CUgraph_st *graph);
int portable_cuda_is_invalidated_(const struct CUgraph_st *graph);

#endif
