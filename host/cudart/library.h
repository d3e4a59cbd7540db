/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the calls of CUDA's host libraries begin, each in a library of its own above libcudart. For C
 * and C++.
 */
#ifndef PORTABLE_HOST_CUDART_LIBRARY_H
#define PORTABLE_HOST_CUDART_LIBRARY_H

#include "host/cudart/include/cuda_runtime_api.h"

#if defined(__cplusplus)
extern "C" {
#endif
#include "host/cudart/copies.h"
#include "host/cudart/streams.h"

/* Begins a call that works on the stream. A capture cannot take it. */
static inline cudaError_t portable_cuda_begin_library_(cudaStream_t stream)
{
    const cudaError_t error = portable_cuda_enter_(0);
    if (error != cudaSuccess)
        return error;
    if (!portable_cuda_is_stream_(stream))
        return cudaErrorInvalidResourceHandle;
    struct CUgraph_st *const graph = portable_cuda_capture_of_(stream);
    *portable_cuda_library_stream_() = stream;
    if (!graph)
        portable_cuda_catch_up_(stream);
    return graph ? portable_cuda_invalidate_(graph) : cudaSuccess;
}
/* An array of n elements of the device's memory, which the call reads or writes. */
static inline int portable_cuda_opens_array_(const char *call, const char *role,
                                             const void *address, size_t n, size_t element,
                                             int reads, int writes)
{
    return n == 0 || portable_cuda_operand_(call, role, address, 0, n * element, 1, reads,
                                            writes) == cudaSuccess;
}

#if defined(__cplusplus)
}
#endif

#endif
