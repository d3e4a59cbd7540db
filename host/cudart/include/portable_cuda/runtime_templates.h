/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime API's overloads and templates for C++: typed pointers, kernels by name, variables of
 * the device by reference. cuda_runtime_api.h includes this.
 */
#ifndef PORTABLE_CUDA_RUNTIME_TEMPLATES_H
#define PORTABLE_CUDA_RUNTIME_TEMPLATES_H

#include <type_traits>

/* ---- memory, for a pointer of any type ---- */

template <class T> static inline cudaError_t cudaMalloc(T **memory, size_t bytes)
{
    return cudaMalloc((void **)(void *)memory, bytes);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **memory, size_t bytes,
                                            unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)memory, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **memory, size_t bytes, unsigned int flags = 0)
{
    return cudaHostAlloc((void **)(void *)memory, bytes, flags);
}
static inline cudaError_t cudaMallocHost(void **memory, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc(memory, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **memory, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)memory, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)(void *)memory, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **memory, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)(void *)memory, bytes, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **memory, size_t bytes, cudaMemPool_t pool,
                                          cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)memory, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **memory, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)memory, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *memory, size_t bytes = 0,
                                                   unsigned int flags = cudaMemAttachSingle)
{
    return cudaStreamAttachMemAsync(stream, (void *)memory, bytes, flags);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

/* ---- as before CUDA 13: a device by its number ---- */

static inline cudaMemLocation portable_cuda_location_(int device)
{
    cudaMemLocation location;
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, int device,
                                               cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(memory, bytes, portable_cuda_location_(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void *memory, size_t bytes, cudaMemoryAdvise advice,
                                        int device)
{
    return cudaMemAdvise(memory, bytes, advice, portable_cuda_location_(device));
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                               cudaGraphNode_t *node, char *log, size_t log_bytes)
{
    if (node)
        *node = 0;
    if (log && log_bytes > 0)
        *log = '\0';
    return cudaGraphInstantiate(executable, graph, 0);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *after, size_t count,
                                           cudaGraphNodeParams *parameters)
{
    return cudaGraphAddNode(node, graph, after, nullptr, count, parameters);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                              cudaGraphNode_t *node,
                                              cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {};
    const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
    if (node)
        *node = info.errorNode;
    if (result)
        *result = info.result;
    return error;
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **after, size_t *count)
{
    return cudaStreamGetCaptureInfo(stream, status, id, graph, after, nullptr, count);
}
static inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}
static inline cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}
static inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}
static inline cudaError_t cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}
static inline cudaError_t cudaThreadExit()
{
    return cudaDeviceReset();
}

/* ---- variables of the device ---- */

namespace portable_cuda
{
template <class T> static inline void *address_of(const T &symbol)
{
    return const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(symbol)));
}
} // namespace portable_cuda
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return portable_cuda_symbol_copy_(portable_cuda::address_of(symbol), sizeof(T),
                                      const_cast<void *>(from), bytes, offset, kind, 1, 0, 0);
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return portable_cuda_symbol_copy_(portable_cuda::address_of(symbol), sizeof(T),
                                      const_cast<void *>(from), bytes, offset, kind, 1, 1, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return portable_cuda_symbol_copy_(portable_cuda::address_of(symbol), sizeof(T), to, bytes,
                                      offset, kind, 0, 0, 0);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return portable_cuda_symbol_copy_(portable_cuda::address_of(symbol), sizeof(T), to, bytes,
                                      offset, kind, 0, 1, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **memory, const T &symbol)
{
    const cudaError_t error = portable_cuda_check_symbol_(portable_cuda::address_of(symbol));
    if (error == cudaSuccess)
        *memory = portable_cuda::address_of(symbol);
    return error;
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    const cudaError_t error = portable_cuda_check_symbol_(portable_cuda::address_of(symbol));
    if (error == cudaSuccess)
        *bytes = sizeof(T);
    return error;
}

/* ---- kernels ---- */

template <class T>
static inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared_bytes = 0,
                                                      cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes,
                                       stream);
}
namespace portable_cuda
{
template <class T> struct same_type {
    typedef T type;
};
} // namespace portable_cuda
template <class... Parameters>
static inline cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                   typename portable_cuda::same_type<Parameters>::type... arguments)
{
    /* The argument of a reference is an address. */
    void *objects[sizeof...(Parameters) + 1] = {portable_cuda::address_of(arguments)..., nullptr};
    const bool are_references[] = {std::is_reference<Parameters>::value..., false};
    void *addresses[sizeof...(Parameters) + 1];
    for (size_t k = 0; k < sizeof...(Parameters); k++)
        addresses[k] = are_references[k] ? &objects[k] : objects[k];
    return cudaLaunchKernelExC(config, (const void *)kernel, addresses);
}
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *kernel)
{
    return cudaGetFuncBySymbol(function, (const void *)kernel);
}
template <class T> static inline cudaError_t cudaFuncGetName(const char **name, T *kernel)
{
    return cudaFuncGetName(name, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel,
                                                                        int block_size,
                                                                        size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size,
                                                         shared_bytes);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int block_size,
                                                       size_t shared_bytes, unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel,
                                                                  block_size, shared_bytes, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel,
                                                                    int blocks, int block_size)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks,
                                                     block_size);
}
/* The largest block, in warps, that the kernel takes with that much shared memory. */
template <class Bytes, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, T kernel, Bytes shared_bytes_of, int limit = 0, unsigned int flags = 0)
{
    cudaFuncAttributes attributes;
    if (!grid || !block || !kernel)
        return cudaErrorInvalidValue;
    cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (error != cudaSuccess)
        return error;
    int size = attributes.maxThreadsPerBlock, blocks = 0;
    if (limit > 0 && limit < size)
        size = limit;
    *grid = *block = 0;
    for (; size > 0 && blocks == 0; size = blocks == 0 ? (size - 1) / 32 * 32 : size) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void *)kernel, size, (size_t)shared_bytes_of(size), flags);
        if (error != cudaSuccess)
            return error;
        if (blocks > 0)
            break;
    }
    int multiprocessors = 1;
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    *grid = blocks * multiprocessors;
    *block = size;
    return error;
}
template <class Bytes, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T kernel,
                                               Bytes shared_bytes_of, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, kernel,
                                                                   shared_bytes_of, limit, 0);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid, int *block, T kernel, size_t shared_bytes = 0, int limit = 0, unsigned int flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        grid, block, kernel, [shared_bytes](int) { return shared_bytes; }, limit, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel,
                                                             size_t shared_bytes = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid, block, kernel, shared_bytes, limit, 0);
}

#include "../channel_descriptor.h"

#endif
