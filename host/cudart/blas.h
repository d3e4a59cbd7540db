/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuBLAS's handle, and how its calls begin, for blas.c and blas_structured.c.
 *
 * A call on a stream in capture becomes a node of the graph, which makes it at each launch. The
 * node keeps the arguments; LIST(V, S, M, R) lists them:
 *   V(type, name)   a value,
 *   S(name, bytes)  the address of a number that the call reads; the host's is read at the capture,
 *   M(type, name)   a structure that the call takes by its address,
 *   R(name)         the address of a result; if the host waits for it, there is no capture.
 */
#ifndef PORTABLE_HOST_CUDART_BLAS_H
#define PORTABLE_HOST_CUDART_BLAS_H

#include "host/cudart/include/cublas_api.h"
#include "host/cudart/streams.h"

#include <string.h> /* memcpy */

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics_mode;
    cublasMath_t math_mode;
    int only_checks; /* the call's arguments, and does nothing */
};

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
    } while (0)
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const cublasStatus_t tried_ = call;                                                        \
        if (tried_ != CUBLAS_STATUS_SUCCESS)                                                       \
            return tried_;                                                                         \
    } while (0)

/* Begins each call that works on the handle's stream, which the graph captures, or NULL. */
static inline cublasStatus_t portable_cuda_begin_blas_(cublasHandle_t handle,
                                                       struct CUgraph_st **graph)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (portable_cuda_enter_(0) != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    REQUIRE(portable_cuda_is_stream_(handle->stream));
    *graph = portable_cuda_capture_of_(handle->stream);
    *portable_cuda_library_stream_() = handle->stream;
    if (!*graph)
        portable_cuda_catch_up_(handle->stream);
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t portable_cuda_refuse_capture_(struct CUgraph_st *graph)
{
    if (!graph)
        return CUBLAS_STATUS_SUCCESS;
    portable_cuda_invalidate_(graph);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
/* Begins a call that a capture cannot take. */
#define BEGIN(handle)                                                                              \
    do {                                                                                           \
        struct CUgraph_st *graph_;                                                                 \
        TRY(portable_cuda_begin_blas_(handle, &graph_));                                           \
        TRY(portable_cuda_refuse_capture_(graph_));                                                \
    } while (0)
/* In each call after the checks of its arguments, and before those of memory. */
#define CHECKED(handle)                                                                            \
    do {                                                                                           \
        if ((handle)->only_checks)                                                                 \
            return CUBLAS_STATUS_SUCCESS;                                                          \
    } while (0)

static inline int portable_cuda_host_points_(const struct cublasContext *handle)
{
    return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
}
struct kept_number {
    const void *address;
    double parts[2];
};
static inline struct kept_number keep_number(const struct cublasContext *handle,
                                             const void *address, size_t bytes)
{
    struct kept_number number = {address, {0, 0}};
    if (portable_cuda_host_points_(handle) && address)
        memcpy(number.parts, address, bytes);
    return number;
}
static inline const void *kept_address(const struct cublasContext *handle,
                                       const struct kept_number *number)
{
    return portable_cuda_host_points_(handle) && number->address ? number->parts : number->address;
}

#define PARAMETER_V_(type, name) , type name
#define PARAMETER_S_(name, bytes) , const void *name
#define PARAMETER_M_(type, name) , const type *name
#define PARAMETER_R_(name) , void *name
#define ARGUMENT_V_(type, name) , name
#define ARGUMENT_S_(name, bytes) , name
#define ARGUMENT_M_(type, name) , name
#define ARGUMENT_R_(name) , name
#define MEMBER_V_(type, name) type name;
#define MEMBER_S_(name, bytes) struct kept_number name;
#define MEMBER_M_(type, name) type name;
#define MEMBER_R_(name) void *name;
#define KEEP_V_(type, name) kept.name = name;
#define KEEP_S_(name, bytes) kept.name = keep_number(handle, name, bytes);
#define KEEP_M_(type, name) kept.name = *name;
#define KEEP_R_(name) kept.name = name;
#define WAITS_V_(type, name)
#define WAITS_S_(name, bytes)
#define WAITS_M_(type, name)
#define WAITS_R_(name) waits |= name && portable_cuda_host_points_(handle);
#define KEPT_V_(type, name) , kept->name
#define KEPT_S_(name, bytes) , kept_address(&kept->handle, &kept->name)
#define KEPT_M_(type, name) , &kept->name
#define KEPT_R_(name) , kept->name
#define EACH_(LIST, what) LIST(what##_V_, what##_S_, what##_M_, what##_R_)

/* Defines portable_cuda_NAME_, which begins the call and makes it, at once or from a graph, by
 * portable_cuda_NAME_now_, whose body follows. */
#define CALL(name, LIST)                                                                           \
    static cublasStatus_t portable_cuda_##name##_now_(                                             \
        const char *call, const struct cublasContext *handle EACH_(LIST, PARAMETER));              \
    struct kept_##name {                                                                           \
        const char *call;                                                                          \
        struct cublasContext handle;                                                               \
        EACH_(LIST, MEMBER)                                                                        \
    };                                                                                             \
    static void portable_cuda_##name##_again_(void *data)                                          \
    {                                                                                              \
        const struct kept_##name *const kept = (const struct kept_##name *)data;                   \
        if (portable_cuda_##name##_now_(kept->call, &kept->handle EACH_(LIST, KEPT)) !=            \
            CUBLAS_STATUS_SUCCESS)                                                                 \
            portable_cuda_error_(cudaErrorUnknown);                                                \
    }                                                                                              \
    static cublasStatus_t portable_cuda_##name##_(const char *call,                                \
                                                  cublasHandle_t handle EACH_(LIST, PARAMETER))    \
    {                                                                                              \
        struct kept_##name kept;                                                                   \
        struct CUgraph_st *graph;                                                                  \
        int waits = 0;                                                                             \
        TRY(portable_cuda_begin_blas_(handle, &graph));                                            \
        EACH_(LIST, WAITS)                                                                         \
        if (!graph) {                                                                              \
            TRY(portable_cuda_##name##_now_(call, handle EACH_(LIST, ARGUMENT)));                  \
            if (waits)                                                                             \
                portable_cuda_host_waits_(handle->stream);                                         \
            return CUBLAS_STATUS_SUCCESS;                                                          \
        }                                                                                          \
        kept.call = call;                                                                          \
        kept.handle = *handle;                                                                     \
        kept.handle.only_checks = 1;                                                               \
        TRY(portable_cuda_##name##_now_(call, &kept.handle EACH_(LIST, ARGUMENT)));                \
        EACH_(LIST, KEEP)                                                                          \
        if (waits)                                                                                 \
            return portable_cuda_refuse_capture_(graph);                                           \
        kept.handle.only_checks = 0;                                                               \
        portable_cuda_capture_host_(graph, portable_cuda_##name##_again_, &kept, sizeof kept);     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    static cublasStatus_t portable_cuda_##name##_now_(                                             \
        const char *call, const struct cublasContext *handle EACH_(LIST, PARAMETER))

#endif
