/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime API, for C and C++, which the files of host/cudart define by topic.
 * docs/cuda-api.md lists which calls work, which are accepted without effect, and which are
 * refused.
 */
#ifndef PORTABLE_CUDA_CUDA_RUNTIME_API_H
#define PORTABLE_CUDA_CUDA_RUNTIME_API_H
/* CUDA's own guard, which other code asks for. */
#define __CUDA_RUNTIME_API_H__

#include "driver_functions.h"
#include "driver_types.h"
#include "vector_types.h"

/* portable-nvcc --cuda-version=12.4 defines PORTABLE_CUDA_VERSION, as 12040. */
#if defined(PORTABLE_CUDA_VERSION)
#define CUDART_VERSION PORTABLE_CUDA_VERSION
#else
#define CUDART_VERSION 13000
#endif
#if defined(__CUDA_API_VER_MAJOR__) && defined(__CUDA_API_VER_MINOR__)
#define __CUDART_API_VERSION (__CUDA_API_VER_MAJOR__ * 1000 + __CUDA_API_VER_MINOR__ * 10)
#else
#define __CUDART_API_VERSION CUDART_VERSION
#endif

/* A call. Its symbol begins with portable_, so that the checks report the line that calls it. */
#define PORTABLE_CUDA_CALL_(name, ...) cudaError_t name(__VA_ARGS__) __asm__("portable_" #name)
#if defined(__cplusplus)
#define PORTABLE_CUDA_DEFAULT_(value) = value
#else
#define PORTABLE_CUDA_DEFAULT_(value)
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* Errors. */
PORTABLE_CUDA_CALL_(cudaGetLastError, void);
PORTABLE_CUDA_CALL_(cudaPeekAtLastError, void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* The device. */
PORTABLE_CUDA_CALL_(cudaDeviceReset, void);
PORTABLE_CUDA_CALL_(cudaDeviceSynchronize, void);
PORTABLE_CUDA_CALL_(cudaDeviceSetLimit, enum cudaLimit limit, size_t value);
PORTABLE_CUDA_CALL_(cudaDeviceGetLimit, size_t *value, enum cudaLimit limit);
PORTABLE_CUDA_CALL_(cudaDeviceSetCacheConfig, enum cudaFuncCache config);
PORTABLE_CUDA_CALL_(cudaDeviceGetCacheConfig, enum cudaFuncCache *config);
PORTABLE_CUDA_CALL_(cudaDeviceSetSharedMemConfig, enum cudaSharedMemConfig config);
PORTABLE_CUDA_CALL_(cudaDeviceGetSharedMemConfig, enum cudaSharedMemConfig *config);
PORTABLE_CUDA_CALL_(cudaDeviceGetStreamPriorityRange, int *least, int *greatest);
PORTABLE_CUDA_CALL_(cudaDeviceGetByPCIBusId, int *device, const char *id);
PORTABLE_CUDA_CALL_(cudaDeviceGetPCIBusId, char *id, int length, int device);
PORTABLE_CUDA_CALL_(cudaGetDeviceCount, int *count);
PORTABLE_CUDA_CALL_(cudaGetDeviceProperties, struct cudaDeviceProp *properties, int device);
PORTABLE_CUDA_CALL_(cudaDeviceGetAttribute, int *value, enum cudaDeviceAttr attribute, int device);
PORTABLE_CUDA_CALL_(cudaDeviceGetP2PAttribute, int *value, enum cudaDeviceP2PAttr attribute,
                    int from, int to);
PORTABLE_CUDA_CALL_(cudaChooseDevice, int *device, const struct cudaDeviceProp *properties);
PORTABLE_CUDA_CALL_(cudaInitDevice, int device, unsigned int device_flags, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaSetDevice, int device);
PORTABLE_CUDA_CALL_(cudaGetDevice, int *device);
PORTABLE_CUDA_CALL_(cudaSetValidDevices, int *devices, int count);
PORTABLE_CUDA_CALL_(cudaSetDeviceFlags, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaGetDeviceFlags, unsigned int *flags);
PORTABLE_CUDA_CALL_(cudaDeviceCanAccessPeer, int *can, int device, int peer);
PORTABLE_CUDA_CALL_(cudaDeviceEnablePeerAccess, int peer, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaDeviceDisablePeerAccess, int peer);
PORTABLE_CUDA_CALL_(cudaCtxResetPersistingL2Cache, void);
PORTABLE_CUDA_CALL_(cudaDriverGetVersion, int *version);
PORTABLE_CUDA_CALL_(cudaRuntimeGetVersion, int *version);
PORTABLE_CUDA_CALL_(cudaProfilerStart, void);
PORTABLE_CUDA_CALL_(cudaProfilerStop, void);

/* Other processes: refused. */
PORTABLE_CUDA_CALL_(cudaIpcGetEventHandle, cudaIpcEventHandle_t *handle, cudaEvent_t event);
PORTABLE_CUDA_CALL_(cudaIpcOpenEventHandle, cudaEvent_t *event, cudaIpcEventHandle_t handle);
PORTABLE_CUDA_CALL_(cudaIpcGetMemHandle, cudaIpcMemHandle_t *handle, void *memory);
PORTABLE_CUDA_CALL_(cudaIpcOpenMemHandle, void **memory, cudaIpcMemHandle_t handle,
                    unsigned int flags);
PORTABLE_CUDA_CALL_(cudaIpcCloseMemHandle, void *memory);

/* Streams. */
PORTABLE_CUDA_CALL_(cudaStreamCreate, cudaStream_t *stream);
PORTABLE_CUDA_CALL_(cudaStreamCreateWithFlags, cudaStream_t *stream, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaStreamCreateWithPriority, cudaStream_t *stream, unsigned int flags,
                    int priority);
PORTABLE_CUDA_CALL_(cudaStreamGetPriority, cudaStream_t stream, int *priority);
PORTABLE_CUDA_CALL_(cudaStreamGetFlags, cudaStream_t stream, unsigned int *flags);
PORTABLE_CUDA_CALL_(cudaStreamGetId, cudaStream_t stream, unsigned long long *id);
PORTABLE_CUDA_CALL_(cudaStreamGetDevice, cudaStream_t stream, int *device);
PORTABLE_CUDA_CALL_(cudaStreamCopyAttributes, cudaStream_t to, cudaStream_t from);
PORTABLE_CUDA_CALL_(cudaStreamGetAttribute, cudaStream_t stream, cudaLaunchAttributeID attribute,
                    cudaLaunchAttributeValue *value);
PORTABLE_CUDA_CALL_(cudaStreamSetAttribute, cudaStream_t stream, cudaLaunchAttributeID attribute,
                    const cudaLaunchAttributeValue *value);
PORTABLE_CUDA_CALL_(cudaStreamDestroy, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaStreamWaitEvent, cudaStream_t stream, cudaEvent_t event,
                    unsigned int flags PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaStreamAddCallback, cudaStream_t stream, cudaStreamCallback_t callback,
                    void *data, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaStreamSynchronize, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaStreamQuery, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaStreamAttachMemAsync, cudaStream_t stream, void *memory,
                    size_t bytes PORTABLE_CUDA_DEFAULT_(0),
                    unsigned int flags PORTABLE_CUDA_DEFAULT_(cudaMemAttachSingle));
PORTABLE_CUDA_CALL_(cudaLaunchHostFunc, cudaStream_t stream, cudaHostFn_t function, void *data);

/* Events. */
PORTABLE_CUDA_CALL_(cudaEventCreate, cudaEvent_t *event);
PORTABLE_CUDA_CALL_(cudaEventCreateWithFlags, cudaEvent_t *event, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaEventRecord, cudaEvent_t event,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaEventRecordWithFlags, cudaEvent_t event,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0),
                    unsigned int flags PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaEventQuery, cudaEvent_t event);
PORTABLE_CUDA_CALL_(cudaEventSynchronize, cudaEvent_t event);
PORTABLE_CUDA_CALL_(cudaEventDestroy, cudaEvent_t event);
PORTABLE_CUDA_CALL_(cudaEventElapsedTime, float *milliseconds, cudaEvent_t from, cudaEvent_t to);

/* Kernels. */
PORTABLE_CUDA_CALL_(cudaLaunchKernel, const void *kernel, dim3 grid, dim3 block, void **arguments,
                    size_t shared_bytes, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaLaunchCooperativeKernel, const void *kernel, dim3 grid, dim3 block,
                    void **arguments, size_t shared_bytes, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaLaunchKernelExC, const cudaLaunchConfig_t *config, const void *kernel,
                    void **arguments);
PORTABLE_CUDA_CALL_(cudaFuncSetCacheConfig, const void *kernel, enum cudaFuncCache config);
PORTABLE_CUDA_CALL_(cudaFuncSetSharedMemConfig, const void *kernel,
                    enum cudaSharedMemConfig config);
PORTABLE_CUDA_CALL_(cudaFuncGetAttributes, struct cudaFuncAttributes *attributes,
                    const void *kernel);
PORTABLE_CUDA_CALL_(cudaFuncSetAttribute, const void *kernel, enum cudaFuncAttribute attribute,
                    int value);
PORTABLE_CUDA_CALL_(cudaGetFuncBySymbol, cudaFunction_t *function, const void *kernel);
PORTABLE_CUDA_CALL_(cudaFuncGetName, const char **name, const void *kernel);
PORTABLE_CUDA_CALL_(cudaLibraryLoadData, cudaLibrary_t *library, const void *image,
                    enum cudaJitOption *options, void **values, unsigned int count,
                    enum cudaLibraryOption *library_options, void **library_values,
                    unsigned int library_count);
PORTABLE_CUDA_CALL_(cudaLibraryLoadFromFile, cudaLibrary_t *library, const char *file,
                    enum cudaJitOption *options, void **values, unsigned int count,
                    enum cudaLibraryOption *library_options, void **library_values,
                    unsigned int library_count);
PORTABLE_CUDA_CALL_(cudaLibraryUnload, cudaLibrary_t library);
PORTABLE_CUDA_CALL_(cudaLibraryGetKernel, cudaKernel_t *kernel, cudaLibrary_t library,
                    const char *name);
PORTABLE_CUDA_CALL_(cudaLibraryGetGlobal, void **memory, size_t *bytes, cudaLibrary_t library,
                    const char *name);
PORTABLE_CUDA_CALL_(cudaLibraryGetManaged, void **memory, size_t *bytes, cudaLibrary_t library,
                    const char *name);
PORTABLE_CUDA_CALL_(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, const void *kernel,
                    int block_size, size_t shared_bytes);
PORTABLE_CUDA_CALL_(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *blocks,
                    const void *kernel, int block_size, size_t shared_bytes, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaOccupancyAvailableDynamicSMemPerBlock, size_t *bytes, const void *kernel,
                    int blocks, int block_size);

/* Memory. */
PORTABLE_CUDA_CALL_(cudaMalloc, void **memory, size_t bytes);
PORTABLE_CUDA_CALL_(cudaMallocManaged, void **memory, size_t bytes,
                    unsigned int flags PORTABLE_CUDA_DEFAULT_(cudaMemAttachGlobal));
PORTABLE_CUDA_CALL_(cudaMallocHost, void **memory, size_t bytes);
PORTABLE_CUDA_CALL_(cudaMallocPitch, void **memory, size_t *pitch, size_t width, size_t height);
PORTABLE_CUDA_CALL_(cudaMalloc3D, struct cudaPitchedPtr *memory, struct cudaExtent extent);
PORTABLE_CUDA_CALL_(cudaFree, void *memory);
PORTABLE_CUDA_CALL_(cudaFreeHost, void *memory);
PORTABLE_CUDA_CALL_(cudaHostAlloc, void **memory, size_t bytes, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaHostRegister, void *memory, size_t bytes, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaHostUnregister, void *memory);
PORTABLE_CUDA_CALL_(cudaHostGetDevicePointer, void **device, void *host, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaHostGetFlags, unsigned int *flags, void *host);
PORTABLE_CUDA_CALL_(cudaMemGetInfo, size_t *free_bytes, size_t *total_bytes);
PORTABLE_CUDA_CALL_(cudaPointerGetAttributes, struct cudaPointerAttributes *attributes,
                    const void *memory);
PORTABLE_CUDA_CALL_(cudaMemPrefetchAsync, const void *memory, size_t bytes,
                    struct cudaMemLocation location, unsigned int flags,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemAdvise, const void *memory, size_t bytes, enum cudaMemoryAdvise advice,
                    struct cudaMemLocation location);
PORTABLE_CUDA_CALL_(cudaMemRangeGetAttribute, void *data, size_t size,
                    enum cudaMemRangeAttribute attribute, const void *memory, size_t bytes);

/* Memory in stream order, and pools. */
PORTABLE_CUDA_CALL_(cudaMallocAsync, void **memory, size_t bytes, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaFreeAsync, void *memory, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaMallocFromPoolAsync, void **memory, size_t bytes, cudaMemPool_t pool,
                    cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaDeviceGetDefaultMemPool, cudaMemPool_t *pool, int device);
PORTABLE_CUDA_CALL_(cudaDeviceGetMemPool, cudaMemPool_t *pool, int device);
PORTABLE_CUDA_CALL_(cudaDeviceSetMemPool, int device, cudaMemPool_t pool);
PORTABLE_CUDA_CALL_(cudaMemPoolCreate, cudaMemPool_t *pool,
                    const struct cudaMemPoolProps *properties);
PORTABLE_CUDA_CALL_(cudaMemPoolDestroy, cudaMemPool_t pool);
PORTABLE_CUDA_CALL_(cudaMemPoolTrimTo, cudaMemPool_t pool, size_t bytes);
PORTABLE_CUDA_CALL_(cudaMemPoolSetAttribute, cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                    void *value);
PORTABLE_CUDA_CALL_(cudaMemPoolGetAttribute, cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                    void *value);
PORTABLE_CUDA_CALL_(cudaMemPoolSetAccess, cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                    size_t count);
PORTABLE_CUDA_CALL_(cudaMemPoolGetAccess, enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                    struct cudaMemLocation *location);

/* Copies. */
PORTABLE_CUDA_CALL_(cudaMemcpy, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
PORTABLE_CUDA_CALL_(cudaMemcpyAsync, void *to, const void *from, size_t bytes,
                    enum cudaMemcpyKind kind, cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemcpyPeer, void *to, int to_device, const void *from, int from_device,
                    size_t bytes);
PORTABLE_CUDA_CALL_(cudaMemcpyPeerAsync, void *to, int to_device, const void *from, int from_device,
                    size_t bytes, cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemcpy2D, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                    size_t width, size_t height, enum cudaMemcpyKind kind);
PORTABLE_CUDA_CALL_(cudaMemcpy2DAsync, void *to, size_t to_pitch, const void *from,
                    size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemcpy3D, const struct cudaMemcpy3DParms *copy);
PORTABLE_CUDA_CALL_(cudaMemcpy3DAsync, const struct cudaMemcpy3DParms *copy,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemcpy3DPeer, const struct cudaMemcpy3DPeerParms *copy);
PORTABLE_CUDA_CALL_(cudaMemcpy3DPeerAsync, const struct cudaMemcpy3DPeerParms *copy,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemset, void *memory, int value, size_t bytes);
PORTABLE_CUDA_CALL_(cudaMemsetAsync, void *memory, int value, size_t bytes,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemset2D, void *memory, size_t pitch, int value, size_t width,
                    size_t height);
PORTABLE_CUDA_CALL_(cudaMemset2DAsync, void *memory, size_t pitch, int value, size_t width,
                    size_t height, cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemset3D, struct cudaPitchedPtr memory, int value,
                    struct cudaExtent extent);
PORTABLE_CUDA_CALL_(cudaMemset3DAsync, struct cudaPitchedPtr memory, int value,
                    struct cudaExtent extent, cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));

/* Variables of the device. C has the address alone; C++ has the templates below. */
PORTABLE_CUDA_CALL_(cudaMemcpyToSymbol, const void *symbol, const void *from, size_t bytes,
                    size_t offset PORTABLE_CUDA_DEFAULT_(0),
                    enum cudaMemcpyKind kind PORTABLE_CUDA_DEFAULT_(cudaMemcpyHostToDevice));
PORTABLE_CUDA_CALL_(cudaMemcpyToSymbolAsync, const void *symbol, const void *from, size_t bytes,
                    size_t offset, enum cudaMemcpyKind kind,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemcpyFromSymbol, void *to, const void *symbol, size_t bytes,
                    size_t offset PORTABLE_CUDA_DEFAULT_(0),
                    enum cudaMemcpyKind kind PORTABLE_CUDA_DEFAULT_(cudaMemcpyDeviceToHost));
PORTABLE_CUDA_CALL_(cudaMemcpyFromSymbolAsync, void *to, const void *symbol, size_t bytes,
                    size_t offset, enum cudaMemcpyKind kind,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaGetSymbolAddress, void **memory, const void *symbol);
PORTABLE_CUDA_CALL_(cudaGetSymbolSize, size_t *bytes, const void *symbol);
/* symbol_bytes: the size of the variable, or 0 if the program's symbol table must tell. */
PORTABLE_CUDA_CALL_(portable_cuda_symbol_copy_, void *symbol, size_t symbol_bytes, void *memory,
                    size_t bytes, size_t offset, enum cudaMemcpyKind kind, int to_symbol,
                    int asynchronous, cudaStream_t stream);
PORTABLE_CUDA_CALL_(portable_cuda_check_symbol_, void *symbol);

/* Arrays. */
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f);
PORTABLE_CUDA_CALL_(cudaGetChannelDesc, struct cudaChannelFormatDesc *format,
                    cudaArray_const_t array);
PORTABLE_CUDA_CALL_(cudaMallocArray, cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                    size_t width, size_t height PORTABLE_CUDA_DEFAULT_(0),
                    unsigned int flags PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMalloc3DArray, cudaArray_t *array,
                    const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                    unsigned int flags PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaFreeArray, cudaArray_t array);
PORTABLE_CUDA_CALL_(cudaArrayGetInfo, struct cudaChannelFormatDesc *format,
                    struct cudaExtent *extent, unsigned int *flags, cudaArray_t array);
PORTABLE_CUDA_CALL_(cudaMallocMipmappedArray, cudaMipmappedArray_t *array,
                    const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                    unsigned int levels, unsigned int flags PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaGetMipmappedArrayLevel, cudaArray_t *array,
                    cudaMipmappedArray_const_t mipmapped, unsigned int level);
PORTABLE_CUDA_CALL_(cudaFreeMipmappedArray, cudaMipmappedArray_t array);
PORTABLE_CUDA_CALL_(cudaMemcpyToArray, cudaArray_t to, size_t x_bytes, size_t y, const void *from,
                    size_t bytes, enum cudaMemcpyKind kind);
PORTABLE_CUDA_CALL_(cudaMemcpyFromArray, void *to, cudaArray_const_t from, size_t x_bytes, size_t y,
                    size_t bytes, enum cudaMemcpyKind kind);
PORTABLE_CUDA_CALL_(cudaMemcpy2DToArray, cudaArray_t to, size_t x_bytes, size_t y, const void *from,
                    size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind);
PORTABLE_CUDA_CALL_(cudaMemcpy2DToArrayAsync, cudaArray_t to, size_t x_bytes, size_t y,
                    const void *from, size_t pitch, size_t width, size_t height,
                    enum cudaMemcpyKind kind, cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemcpy2DFromArray, void *to, size_t pitch, cudaArray_const_t from,
                    size_t x_bytes, size_t y, size_t width, size_t height,
                    enum cudaMemcpyKind kind);
PORTABLE_CUDA_CALL_(cudaMemcpy2DFromArrayAsync, void *to, size_t pitch, cudaArray_const_t from,
                    size_t x_bytes, size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemcpy2DArrayToArray, cudaArray_t to, size_t to_x_bytes, size_t to_y,
                    cudaArray_const_t from, size_t from_x_bytes, size_t from_y, size_t width,
                    size_t height,
                    enum cudaMemcpyKind kind PORTABLE_CUDA_DEFAULT_(cudaMemcpyDeviceToDevice));

/* Graphs. */
PORTABLE_CUDA_CALL_(cudaStreamBeginCapture, cudaStream_t stream, enum cudaStreamCaptureMode mode);
PORTABLE_CUDA_CALL_(cudaStreamEndCapture, cudaStream_t stream, cudaGraph_t *graph);
PORTABLE_CUDA_CALL_(cudaStreamIsCapturing, cudaStream_t stream,
                    enum cudaStreamCaptureStatus *status);
PORTABLE_CUDA_CALL_(cudaThreadExchangeStreamCaptureMode, enum cudaStreamCaptureMode *mode);
PORTABLE_CUDA_CALL_(cudaGraphCreate, cudaGraph_t *graph, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaGraphDestroy, cudaGraph_t graph);
PORTABLE_CUDA_CALL_(cudaGraphClone, cudaGraph_t *clone, cudaGraph_t graph);
PORTABLE_CUDA_CALL_(cudaGraphAddKernelNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count,
                    const struct cudaKernelNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphAddMemcpyNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count,
                    const struct cudaMemcpy3DParms *copy);
PORTABLE_CUDA_CALL_(cudaGraphAddMemcpyNode1D, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count, void *to, const void *from,
                    size_t bytes, enum cudaMemcpyKind kind);
PORTABLE_CUDA_CALL_(cudaGraphAddMemsetNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count,
                    const struct cudaMemsetParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphAddHostNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count,
                    const struct cudaHostNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphAddEmptyNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count);
PORTABLE_CUDA_CALL_(cudaGraphAddChildGraphNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count, cudaGraph_t child);
PORTABLE_CUDA_CALL_(cudaGraphGetNodes, cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
PORTABLE_CUDA_CALL_(cudaGraphNodeGetType, cudaGraphNode_t node, enum cudaGraphNodeType *type);
PORTABLE_CUDA_CALL_(cudaGraphInstantiate, cudaGraphExec_t *executable, cudaGraph_t graph,
                    unsigned long long flags PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaGraphInstantiateWithFlags, cudaGraphExec_t *executable, cudaGraph_t graph,
                    unsigned long long flags PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaGraphExecUpdate, cudaGraphExec_t executable, cudaGraph_t graph,
                    cudaGraphExecUpdateResultInfo *result);
PORTABLE_CUDA_CALL_(cudaGraphUpload, cudaGraphExec_t executable, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaGraphLaunch, cudaGraphExec_t executable, cudaStream_t stream);
PORTABLE_CUDA_CALL_(cudaGraphExecDestroy, cudaGraphExec_t executable);
PORTABLE_CUDA_CALL_(cudaGraphAddMemAllocNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count,
                    struct cudaMemAllocNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphAddMemFreeNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count, void *memory);
PORTABLE_CUDA_CALL_(cudaGraphAddEventRecordNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count, cudaEvent_t event);
PORTABLE_CUDA_CALL_(cudaGraphAddEventWaitNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, size_t count, cudaEvent_t event);
PORTABLE_CUDA_CALL_(cudaGraphAddNode, cudaGraphNode_t *node, cudaGraph_t graph,
                    const cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t count,
                    struct cudaGraphNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphAddDependencies, cudaGraph_t graph, const cudaGraphNode_t *from,
                    const cudaGraphNode_t *to, const cudaGraphEdgeData *edges, size_t count);
PORTABLE_CUDA_CALL_(cudaGraphConditionalHandleCreate, cudaGraphConditionalHandle *handle,
                    cudaGraph_t graph, unsigned int value PORTABLE_CUDA_DEFAULT_(0),
                    unsigned int flags PORTABLE_CUDA_DEFAULT_(0));
/* For kernels. */
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
PORTABLE_CUDA_CALL_(cudaGraphKernelNodeGetParams, cudaGraphNode_t node,
                    struct cudaKernelNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphKernelNodeSetParams, cudaGraphNode_t node,
                    const struct cudaKernelNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphMemcpyNodeSetParams, cudaGraphNode_t node,
                    const struct cudaMemcpy3DParms *copy);
PORTABLE_CUDA_CALL_(cudaGraphMemsetNodeSetParams, cudaGraphNode_t node,
                    const struct cudaMemsetParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphHostNodeSetParams, cudaGraphNode_t node,
                    const struct cudaHostNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphExecKernelNodeSetParams, cudaGraphExec_t executable,
                    cudaGraphNode_t node, const struct cudaKernelNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphExecMemcpyNodeSetParams, cudaGraphExec_t executable,
                    cudaGraphNode_t node, const struct cudaMemcpy3DParms *copy);
PORTABLE_CUDA_CALL_(cudaGraphExecMemsetNodeSetParams, cudaGraphExec_t executable,
                    cudaGraphNode_t node, const struct cudaMemsetParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphExecHostNodeSetParams, cudaGraphExec_t executable,
                    cudaGraphNode_t node, const struct cudaHostNodeParams *parameters);
PORTABLE_CUDA_CALL_(cudaGraphNodeFindInClone, cudaGraphNode_t *node, cudaGraphNode_t original,
                    cudaGraph_t clone);
PORTABLE_CUDA_CALL_(cudaGraphChildGraphNodeGetGraph, cudaGraphNode_t node, cudaGraph_t *graph);
PORTABLE_CUDA_CALL_(cudaGraphInstantiateWithParams, cudaGraphExec_t *executable, cudaGraph_t graph,
                    cudaGraphInstantiateParams *parameters);
PORTABLE_CUDA_CALL_(cudaStreamBeginCaptureToGraph, cudaStream_t stream, cudaGraph_t graph,
                    const cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t count,
                    enum cudaStreamCaptureMode mode);
PORTABLE_CUDA_CALL_(cudaStreamGetCaptureInfo, cudaStream_t stream,
                    enum cudaStreamCaptureStatus *status,
                    unsigned long long *id PORTABLE_CUDA_DEFAULT_(0),
                    cudaGraph_t *graph PORTABLE_CUDA_DEFAULT_(0),
                    const cudaGraphNode_t **after PORTABLE_CUDA_DEFAULT_(0),
                    const cudaGraphEdgeData **edges PORTABLE_CUDA_DEFAULT_(0),
                    size_t *count PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaStreamUpdateCaptureDependencies, cudaStream_t stream,
                    cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t count,
                    unsigned int flags PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaDeviceGetGraphMemAttribute, int device,
                    enum cudaGraphMemAttributeType attribute, void *value);
PORTABLE_CUDA_CALL_(cudaDeviceSetGraphMemAttribute, int device,
                    enum cudaGraphMemAttributeType attribute, void *value);
PORTABLE_CUDA_CALL_(cudaDeviceGraphMemTrim, int device);

/* Graphics, and pools of other processes: refused. */
PORTABLE_CUDA_CALL_(cudaGraphicsMapResources, int count, cudaGraphicsResource_t *resources,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaGraphicsUnmapResources, int count, cudaGraphicsResource_t *resources,
                    cudaStream_t stream PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaGraphicsUnregisterResource, cudaGraphicsResource_t resource);
PORTABLE_CUDA_CALL_(cudaGraphicsResourceSetMapFlags, cudaGraphicsResource_t resource,
                    unsigned int flags);
PORTABLE_CUDA_CALL_(cudaGraphicsResourceGetMappedPointer, void **memory, size_t *bytes,
                    cudaGraphicsResource_t resource);
PORTABLE_CUDA_CALL_(cudaGraphicsSubResourceGetMappedArray, cudaArray_t *array,
                    cudaGraphicsResource_t resource, unsigned int index, unsigned int level);
PORTABLE_CUDA_CALL_(cudaGetDriverEntryPoint, const char *symbol, void **function,
                    unsigned long long flags,
                    enum cudaDriverEntryPointQueryResult *result PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaGetDriverEntryPointByVersion, const char *symbol, void **function,
                    unsigned int version, unsigned long long flags,
                    enum cudaDriverEntryPointQueryResult *result PORTABLE_CUDA_DEFAULT_(0));
PORTABLE_CUDA_CALL_(cudaMemPoolExportToShareableHandle, void *handle, cudaMemPool_t pool,
                    enum cudaMemAllocationHandleType type, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaMemPoolImportFromShareableHandle, cudaMemPool_t *pool, void *handle,
                    enum cudaMemAllocationHandleType type, unsigned int flags);
PORTABLE_CUDA_CALL_(cudaMemPoolExportPointer, struct cudaMemPoolPtrExportData *data, void *memory);
PORTABLE_CUDA_CALL_(cudaMemPoolImportPointer, void **memory, cudaMemPool_t pool,
                    struct cudaMemPoolPtrExportData *data);

#if defined(PORTABLE_CUDA_VERSION)
/* The driver's may be newer. */
static inline cudaError_t portable_cuda_runtime_version_(int *version)
{
    const cudaError_t error = cudaRuntimeGetVersion(version);
    if (error == cudaSuccess)
        *version = PORTABLE_CUDA_VERSION;
    return error;
}
#define cudaRuntimeGetVersion portable_cuda_runtime_version_
#endif

#if defined(__cplusplus)
}
#include "portable_cuda/runtime_templates.h"
#endif

#endif
