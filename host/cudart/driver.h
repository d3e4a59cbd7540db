/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How each call of the driver API begins and ends, for the files of libcuda.
 */
#ifndef PORTABLE_HOST_CUDART_DRIVER_H
#define PORTABLE_HOST_CUDART_DRIVER_H

#include "host/cudart/errors.h"
#include "host/cudart/include/cuda.h"

/* Whether the thread may call the driver API, and its current context, or NULL (driver.c). */
int portable_cuda_driver_is_ready_(void);
CUcontext portable_cuda_driver_context_(void);

/* The state that a call of the runtime must not change. */
struct before {
    cudaError_t error;
    int used;
};
static inline struct before before(void)
{
    const struct before now = {cudaPeekAtLastError(), *portable_cuda_used_()};
    return now;
}

/* The driver's number for an error of the runtime. Most are the same. */
static inline CUresult number_of(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorStubLibrary: return CUDA_ERROR_STUB_LIBRARY;
    default: break;
    }
    return error > cudaErrorProfilerAlreadyStopped && error < cudaErrorNoDevice
               ? CUDA_ERROR_INVALID_VALUE
               : (CUresult)error;
}

static inline CUresult result_of(struct before was, cudaError_t error)
{
    *portable_cuda_used_() = was.used;
    if (error != cudaSuccess) {
        cudaGetLastError();
        portable_cuda_error_(was.error);
    }
    return number_of(error);
}
/* Ends the call with the result of one of the runtime. */
#define RUN(call)                                                                                  \
    do {                                                                                           \
        const struct before before_ = before();                                                    \
        return result_of(before_, call);                                                           \
    } while (0)

#define REQUIRE(condition, error)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return error;                                                                          \
    } while (0)
#define ENTER() REQUIRE(portable_cuda_driver_is_ready_(), CUDA_ERROR_NOT_INITIALIZED)
/* Begins a call that needs a context. */
#define ENTER_CONTEXT()                                                                            \
    do {                                                                                           \
        ENTER();                                                                                   \
        REQUIRE(portable_cuda_driver_context_(), CUDA_ERROR_INVALID_CONTEXT);                      \
    } while (0)
#define ENTER_DEVICE(device)                                                                       \
    do {                                                                                           \
        ENTER();                                                                                   \
        REQUIRE((device) == 0, CUDA_ERROR_INVALID_DEVICE);                                         \
    } while (0)

static inline void *at(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

#endif
