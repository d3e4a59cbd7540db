/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels by their addresses: their attributes, and cudaLaunchKernel.
 */
#include "host/cudart/kernels.h"
#include "host/cudart/runtime.h"
#include "host/cudart/device.h"
#include "host/cudart/launch.h"
#include "host/cudart/streams.h"
#include "host/emulate/check.h"

#include <stdint.h> /* uintptr_t */
#include <string.h> /* memset */

static portable_function_ kernel_of(const void *address)
{
    union {
        const void *address;
        portable_function_ kernel;
    } both;
    both.address = address;
    return both.kernel;
}

static cudaError_t query(const void *kernel, const char **name, unsigned *max_threads,
                         int *capability)
{
    *name = NULL;
    *max_threads = 0;
    ENTER(0);
    REQUIRE(kernel, cudaErrorInvalidDeviceFunction);
    portable_cuda_query_(kernel_of(kernel), name, max_threads, capability);
    REQUIRE(*name, cudaErrorInvalidDeviceFunction);
    return cudaSuccess;
}

static cudaError_t portable_cuda_launch_kernel_(const void *kernel, const dim3 *grid,
                                                const dim3 *block, void **arguments,
                                                size_t shared_bytes, cudaStream_t stream,
                                                int cooperative, struct CUgraph_st *graph)
{
    if (!emulate_running) {
        ENTER(0);
        REQUIRE(kernel, cudaErrorInvalidDeviceFunction);
        REQUIRE_STREAM(stream);
    }
    const cudaError_t before = cudaGetLastError();
    portable_cuda_launch_function_(kernel_of(kernel), grid, block, arguments, shared_bytes, stream,
                                   cooperative, graph);
    const cudaError_t error = cudaPeekAtLastError();
    if (error == cudaSuccess)
        portable_cuda_error_(before);
    return error;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream)
{
    return portable_cuda_launch_kernel_(kernel, &grid, &block, arguments, shared_bytes, stream, 0,
                                        NULL);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream)
{
    return portable_cuda_launch_kernel_(kernel, &grid, &block, arguments, shared_bytes, stream, 1,
                                        NULL);
}

cudaError_t portable_cuda_launch_node_(struct CUgraph_st *graph,
                                       const struct cudaKernelNodeParams *parameters)
{
    return portable_cuda_launch_kernel_(parameters->func, &parameters->gridDim,
                                        &parameters->blockDim, parameters->kernelParams,
                                        parameters->sharedMemBytes, NULL, 0, graph);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments)
{
    int cooperative = 0;

    REQUIRE(config && (config->attrs || config->numAttrs == 0), cudaErrorInvalidValue);
    for (unsigned k = 0; k < config->numAttrs; k++) {
        const cudaLaunchAttribute *const attribute = &config->attrs[k];
        if (attribute->id == cudaLaunchAttributeCooperative)
            cooperative = attribute->val.cooperative != 0;
        else if (attribute->id == cudaLaunchAttributeClusterDimension)
            REQUIRE(attribute->val.clusterDim.x * attribute->val.clusterDim.y *
                            attribute->val.clusterDim.z <=
                        1,
                    cudaErrorNotSupported);
    }
    return portable_cuda_launch_kernel_(kernel, &config->gridDim, &config->blockDim, arguments,
                                        config->dynamicSmemBytes, config->stream, cooperative,
                                        NULL);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    REQUIRE(kernel, cudaErrorInvalidDeviceFunction);
    REQUIRE((unsigned)config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config)
{
    REQUIRE(kernel, cudaErrorInvalidDeviceFunction);
    REQUIRE((unsigned)config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue);
    return cudaSuccess;
}

/* The driver API's handle is the kernel's address. */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel)
{
    const char *name;
    unsigned max_threads;
    int capability;

    REQUIRE(function, cudaErrorInvalidValue);
    const cudaError_t error = query(kernel, &name, &max_threads, &capability);
    if (error == cudaSuccess)
        *function = (cudaFunction_t)(uintptr_t)kernel;
    return error;
}

cudaError_t cudaFuncGetName(const char **name, const void *kernel)
{
    unsigned max_threads;
    int capability;

    REQUIRE(name, cudaErrorInvalidValue);
    return query(kernel, name, &max_threads, &capability);
}

/* Registers and memory of the compiled kernel are unknown: no registers would divide by 0. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    const char *name;
    unsigned max_threads;
    int capability;

    REQUIRE(attributes, cudaErrorInvalidValue);
    const cudaError_t error = query(kernel, &name, &max_threads, &capability);
    if (error != cudaSuccess)
        return error;
    const struct portable_cuda_settings_ *const settings = portable_cuda_settings_of_(name, 0);
    memset(attributes, 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = max_threads ? (int)max_threads : BLOCK_THREADS;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = capability;
    attributes->maxDynamicSharedSizeBytes =
        settings ? (int)__atomic_load_n(&settings->shared_limit, __ATOMIC_RELAXED)
                 : (int)SHARED_BYTES;
    attributes->preferredShmemCarveout =
        settings ? __atomic_load_n(&settings->carveout, __ATOMIC_RELAXED) : -1;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    const char *name;
    unsigned max_threads;
    int capability;

    const cudaError_t error = query(kernel, &name, &max_threads, &capability);
    if (error != cudaSuccess)
        return error;
    struct portable_cuda_settings_ *const settings = portable_cuda_settings_of_(name, 1);
    REQUIRE(settings, cudaErrorMemoryAllocation);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        REQUIRE(value >= 0 && value <= SHARED_RAISED_BYTES &&
                    portable_cuda_raise_shared_(settings->kernel, (size_t)value),
                cudaErrorInvalidValue);
        __atomic_store_n(&settings->shared_limit, (size_t)value, __ATOMIC_RELAXED);
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        REQUIRE(value >= -1 && value <= 100, cudaErrorInvalidValue);
        __atomic_store_n(&settings->carveout, value, __ATOMIC_RELAXED);
        return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference: return cudaSuccess;
    default: return portable_cuda_error_(cudaErrorInvalidValue);
    }
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags)
{
    struct cudaFuncAttributes attributes;

    REQUIRE(blocks && block_size > 0 && flags <= cudaOccupancyDisableCachingOverride,
            cudaErrorInvalidValue);
    *blocks = 0;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess)
        *blocks = block_size <= attributes.maxThreadsPerBlock &&
                  shared_bytes <= (size_t)attributes.maxDynamicSharedSizeBytes;
    return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int block_size, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size,
                                                                  shared_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
                                                      int block_size)
{
    struct cudaFuncAttributes attributes;

    REQUIRE(bytes && blocks > 0 && block_size > 0, cudaErrorInvalidValue);
    *bytes = 0;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess && blocks == 1)
        *bytes = (size_t)attributes.maxDynamicSharedSizeBytes;
    return error;
}
