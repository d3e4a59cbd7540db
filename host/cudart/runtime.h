/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that the files of the runtime API, errors.c, runtime.c and graph.c, call in each
 * other; protocol.h has those of launch.c. Functions whose names begin with portable_ are skipped
 * by the checks when they look for the line of a call.
 */
#ifndef PORTABLE_HOST_CUDART_RUNTIME_H
#define PORTABLE_HOST_CUDART_RUNTIME_H

#include "host/cudart/include/cuda_runtime_api.h"
#include "host/cudart/protocol.h"

/* ---- errors.c, where errors are numbers ---- */

/* Notes an error for cudaGetLastError, and returns it. */
cudaError_t portable_cuda_error_(cudaError_t error);
/* At the start of a call: the error of a failed kernel, which every later call returns. A call that
 * waits for the device is the first to learn of it. */
cudaError_t portable_cuda_enter_(int waits);
/* Whether this thread has called the runtime API, which makes the primary context current. */
int *portable_cuda_used_(void);
/* Forgets that a kernel failed. */
void portable_cuda_reset_errors_(void);
/* Whether a kernel failed; if that was reported, it is the last error again. */
int portable_cuda_has_failed_(void);

/* Tells memcheck of memory that is not what the call takes. */
enum portable_cuda_fault_ {
    PORTABLE_CUDA_NOT_DEVICE_,
    PORTABLE_CUDA_NOT_HOST_,
    PORTABLE_CUDA_OUT_OF_RANGE_,
    PORTABLE_CUDA_WRONG_FREE_
};
__attribute__((format(printf, 2, 3))) void portable_cuda_fault_(enum portable_cuda_fault_ fault,
                                                                const char *format, ...);
/* Raises the kernel's limit on dynamic shared memory; 0 if that is too much. */
int portable_cuda_raise_shared_(const char *kernel, size_t bytes);

/* ---- runtime.c ---- */

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
void portable_cuda_copy_now_(const struct portable_cuda_copy_ *copy);
void portable_cuda_set_now_(const struct portable_cuda_set_ *set);
cudaError_t portable_cuda_check_copy_(const char *call, const struct portable_cuda_copy_ *copy,
                                      enum cudaMemcpyKind kind);
cudaError_t portable_cuda_set_all_(const char *call, const struct portable_cuda_set_ *set,
                                   int asynchronous, cudaStream_t stream);
cudaError_t portable_cuda_check_set_(const char *call, const struct portable_cuda_set_ *set);
cudaError_t portable_cuda_copy_3d_(const struct cudaMemcpy3DParms *parameters,
                                   struct portable_cuda_copy_ *copy);
/* An operand of a library's call, height rows of width bytes of the device's memory: checks its
 * range, and tells the checks that the call reads or writes it. */
cudaError_t portable_cuda_operand_(const char *call, const char *role, const void *address,
                                   size_t pitch, size_t width, size_t height, int reads,
                                   int writes);
/* A graph's memory, whose address the graph keeps: whether it is allocated; makes it so (0 without
 * memory); frees it. */
int portable_cuda_graph_has_(const void *memory);
int portable_cuda_graph_allocate_(void *memory, size_t bytes);
cudaError_t portable_cuda_graph_free_(void *memory);
/* Whether the stream exists. */
int portable_cuda_is_stream_(cudaStream_t stream);

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    unsigned long long id;
    struct CUgraph_st *graph; /* that it is captured into, or NULL */
    int is_origin;            /* the capture began with it */
};
struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    int recorded;
    long long nanoseconds;
    struct CUgraph_st *graph; /* the capture that it was recorded in, or NULL */
};
/* The capture of a stream, or NULL. */
struct CUgraph_st *portable_cuda_capture_of_(cudaStream_t stream);
/* Ends a capture: no stream and no event belongs to it any more. */
void portable_cuda_forget_capture_(const struct CUgraph_st *graph);

/* ---- graph.c ---- */

void portable_cuda_capture_copy_(struct CUgraph_st *graph, const struct portable_cuda_copy_ *copy);
void portable_cuda_capture_set_(struct CUgraph_st *graph, const struct portable_cuda_set_ *set);
void portable_cuda_capture_host_(struct CUgraph_st *graph, cudaHostFn_t function, void *data);
cudaError_t portable_cuda_capture_allocation_(struct CUgraph_st *graph, void **memory,
                                              size_t bytes);
cudaError_t portable_cuda_capture_free_(struct CUgraph_st *graph, void *memory);
/* A graph's allocation of that size has been freed. */
void portable_cuda_graph_freed_(size_t bytes);
/* Whether a graph's memory has these bytes; it need not be allocated yet. */
int portable_cuda_graph_owns_(const void *address, size_t bytes);
/* For a call that must not be made during a capture, on the stream or at all: ends the capture. */
cudaError_t portable_cuda_unsafe_(void);
/* Spoils the capture. */
cudaError_t portable_cuda_spoil_(struct CUgraph_st *graph);
/* Whether it was spoilt. */
int portable_cuda_is_spoilt_(const struct CUgraph_st *graph);

#endif
