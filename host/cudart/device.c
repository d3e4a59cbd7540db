/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device: its properties, limits and peers, and what is shared with other processes.
 */
#define _GNU_SOURCE /* dladdr */
#include "host/cudart/device.h"
#include "host/cudart/runtime.h"
#include "host/cudart/memory.h"
#include "host/cudart/streams.h"
#include "host/emulate/check.h"

#include <dlfcn.h>  /* dladdr, dlopen, dlsym */
#include <stdio.h>  /* snprintf */
#include <string.h> /* memset, strcmp, strrchr */

__attribute__((weak)) int portable_cuda_capability_ = 75;

/* Atomic. */
static unsigned device_flags = cudaDeviceMapHost;
static enum cudaFuncCache device_cache = cudaFuncCachePreferNone;
static size_t limits[] = {1024, 8650752, 8388608, 0, 2048, 64, 0};

cudaError_t cudaDeviceSynchronize(void)
{
    if (emulate_running)
        portable_emulate_stop_(1, "cudaDeviceSynchronize in a kernel: CUDA 12 removed it");
    ENTER(1);
    REQUIRE_NO_CAPTURE();
    if (ORDER)
        ORDER->host_waits_for_all();
    ENTER(1);
    return cudaSuccess;
}

/* Memory stays allocated, so that memcheck reports what was not freed. */
cudaError_t cudaDeviceReset(void)
{
    if (ORDER)
        ORDER->host_waits_for_all();
    portable_cuda_reset_errors_();
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    ENTER(0);
    REQUIRE((unsigned)limit <= cudaLimitPersistingL2CacheSize, cudaErrorInvalidValue);
    REQUIRE(limit != cudaLimitDevRuntimeSyncDepth, cudaErrorUnsupportedLimit);
    __atomic_store_n(&limits[limit], value, __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    REQUIRE(value && (unsigned)limit <= cudaLimitPersistingL2CacheSize, cudaErrorInvalidValue);
    REQUIRE(limit != cudaLimitDevRuntimeSyncDepth, cudaErrorUnsupportedLimit);
    *value = __atomic_load_n(&limits[limit], __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    REQUIRE((unsigned)config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue);
    __atomic_store_n(&device_cache, config, __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    REQUIRE(config, cudaErrorInvalidValue);
    *config = __atomic_load_n(&device_cache, __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    REQUIRE((unsigned)config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    REQUIRE(config, cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    REQUIRE(count, cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

/* Makes the primary context current, for the driver API. */
cudaError_t cudaSetDevice(int device)
{
    REQUIRE_DEVICE(device);
    *portable_cuda_used_() = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    REQUIRE(device, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned int flags, unsigned int valid)
{
    REQUIRE_DEVICE(device);
    *portable_cuda_used_() = 1;
    if (valid & cudaInitDeviceFlagsAreValid)
        __atomic_store_n(&device_flags, flags | cudaDeviceMapHost, __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    REQUIRE(devices || count == 0, cudaErrorInvalidValue);
    for (int k = 0; k < count; k++)
        REQUIRE_DEVICE(devices[k]);
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    REQUIRE(!(flags & ~(unsigned)cudaDeviceMask), cudaErrorInvalidValue);
    __atomic_store_n(&device_flags, flags | cudaDeviceMapHost, __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    REQUIRE(flags, cudaErrorInvalidValue);
    *flags = __atomic_load_n(&device_flags, __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties)
{
    REQUIRE(device && properties, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    REQUIRE(p, cudaErrorInvalidValue);
    REQUIRE_DEVICE(device);
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "CPU (portable-nvcc)");
    p->totalGlobalMem = portable_cuda_total_bytes_();
    p->sharedMemPerBlock = SHARED_BYTES;
    p->sharedMemPerBlockOptin = SHARED_RAISED_BYTES;
    p->sharedMemPerMultiprocessor = SHARED_RAISED_BYTES;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->memPitch = 2147483647;
    p->maxThreadsPerBlock = p->maxThreadsPerMultiProcessor = BLOCK_THREADS;
    p->maxBlocksPerMultiProcessor = 1;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = portable_cuda_capability_ / 10;
    p->minor = portable_cuda_capability_ % 10;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->surfaceAlignment = 512;
    p->multiProcessorCount = 1;
    p->integrated = 1;
    p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = 1;
    p->hostNativeAtomicSupported = p->cooperativeLaunch = p->streamPrioritiesSupported = 1;
    p->concurrentManagedAccess = p->canUseHostPointerForRegisteredMem = 1;
    p->hostRegisterSupported = p->memoryPoolsSupported = p->unifiedFunctionPointers = 1;
    p->concurrentKernels = 0; /* one kernel at a time */
    p->asyncEngineCount = 0;
    p->maxTexture1D = p->maxSurface1D = 131072;
    p->maxTexture1DMipmap = 32768;
    p->maxTexture2D[0] = p->maxSurface2D[0] = 131072;
    p->maxTexture2D[1] = p->maxSurface2D[1] = 65536;
    p->maxTexture2DLinear[0] = 131072;
    p->maxTexture2DLinear[1] = 65000;
    p->maxTexture2DLinear[2] = 2097120;
    p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
    p->maxSurface3D[0] = p->maxSurface3D[1] = p->maxSurface3D[2] = 16384;
    p->maxTextureCubemap = p->maxSurfaceCubemap = 32768;
    p->maxTexture1DLayered[0] = 32768;
    p->maxTexture1DLayered[1] = 2048;
    p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = 32768;
    p->maxTexture2DLayered[2] = 2048;
    p->hostNumaId = -1;
    p->deviceNumaId = -1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct cudaDeviceProp p;

    REQUIRE(value, cudaErrorInvalidValue);
    const cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error != cudaSuccess)
        return error;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxPitch: *value = (int)p.memPitch; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrTextureAlignment: *value = (int)p.textureAlignment; break;
    case cudaDevAttrTexturePitchAlignment: *value = (int)p.texturePitchAlignment; break;
    case cudaDevAttrSurfaceAlignment: *value = (int)p.surfaceAlignment; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: *value = 2; break;
    case cudaDevAttrMaxTexture1DWidth: *value = p.maxTexture1D; break;
    case cudaDevAttrMaxTexture2DWidth: *value = p.maxTexture2D[0]; break;
    case cudaDevAttrMaxTexture2DHeight: *value = p.maxTexture2D[1]; break;
    case cudaDevAttrMaxTexture3DWidth: *value = p.maxTexture3D[0]; break;
    case cudaDevAttrMaxTexture3DHeight: *value = p.maxTexture3D[1]; break;
    case cudaDevAttrMaxTexture3DDepth: *value = p.maxTexture3D[2]; break;
    case cudaDevAttrIntegrated:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrHostNativeAtomicSupported:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    case cudaDevAttrHostNumaId:
    case cudaDevAttrNumaId: *value = -1; break;
    default:
        REQUIRE(attribute >= 1 && attribute < cudaDevAttrMax, cudaErrorInvalidValue);
        *value = 0; /* the device has none of it */
        break;
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to)
{
    (void)attribute;
    REQUIRE(value, cudaErrorInvalidValue);
    REQUIRE(from == 0 && to == 0, cudaErrorInvalidDevice);
    return portable_cuda_error_(cudaErrorInvalidDevice); /* the two must differ */
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    REQUIRE(can, cudaErrorInvalidValue);
    REQUIRE_DEVICE(device);
    REQUIRE_DEVICE(peer);
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)flags;
    REQUIRE_DEVICE(peer);
    return portable_cuda_error_(cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    REQUIRE_DEVICE(peer);
    return portable_cuda_error_(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    REQUIRE(id && length > 0, cudaErrorInvalidValue);
    REQUIRE_DEVICE(device);
    snprintf(id, (size_t)length, "0000:00:00.0");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    REQUIRE(device && id, cudaErrorInvalidValue);
    REQUIRE(strcmp(id, "0000:00:00.0") == 0, cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}

/* A call of libcuda, which stands beside the runtime; that of a check is in a directory there. */
static void *driver_symbol(const char *name)
{
    static const char *const places[] = {"libcuda.so.1", "../libcuda.so.1"};
    Dl_info runtime;
    char path[4096];
    void *library = NULL;
    if (!dladdr((const void *)limits, &runtime))
        return NULL;
    const char *const slash = strrchr(runtime.dli_fname, '/');
    const int length = slash ? (int)(slash + 1 - runtime.dli_fname) : 0;
    for (size_t k = 0; k < sizeof places / sizeof *places && !library; k++) {
        snprintf(path, sizeof path, "%.*s%s", length, runtime.dli_fname, places[k]);
        library = dlopen(path, RTLD_NOW);
    }
    return library ? dlsym(library, name) : NULL;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                             unsigned int version, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result)
{
    typedef int get_address(const char *symbol, void **function, int version,
                            unsigned long long flags, int *result);
    union {
        void *symbol;
        get_address *call;
    } driver = {NULL};
    int found = cudaDriverEntryPointSymbolNotFound;

    ENTER(0);
    REQUIRE(symbol && function && flags <= cudaEnablePerThreadDefaultStream, cudaErrorInvalidValue);
    *function = NULL;
    driver.symbol = driver_symbol("cuGetProcAddress_v2");
    REQUIRE(driver.symbol, cudaErrorInitializationError);
    driver.call(symbol, function, (int)version, flags, &found);
    if (result)
        *result = (enum cudaDriverEntryPointQueryResult)found;
    REQUIRE(*function || result, cudaErrorSymbolNotFound);
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result)
{
    return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, result);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    REQUIRE(version, cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

/* ---- other processes ---- */

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    (void)handle;
    (void)event;
    return portable_cuda_error_(cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    (void)event;
    (void)handle;
    return portable_cuda_error_(cudaErrorNotSupported);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory)
{
    (void)handle;
    (void)memory;
    return portable_cuda_error_(cudaErrorNotSupported);
}

cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned int flags)
{
    (void)memory;
    (void)handle;
    (void)flags;
    return portable_cuda_error_(cudaErrorNotSupported);
}

cudaError_t cudaIpcCloseMemHandle(void *memory)
{
    (void)memory;
    return portable_cuda_error_(cudaErrorNotSupported);
}
