/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcuda.so: the calls of the driver API that programs of the runtime API use, by those of the
 * runtime. Its errors are not the runtime's: cudaGetLastError does not see them.
 */
#define _GNU_SOURCE /* dladdr */
#include "host/cudart/driver.h"
#include "host/cudart/allocations.h"
#include "host/cudart/copies.h"
#include "host/cudart/launch.h"
#include "host/cudart/streams.h"

#include <dlfcn.h>  /* dladdr, dlopen, dlsym */
#include <stdio.h>  /* fprintf, snprintf */
#include <stdlib.h> /* malloc, free */
#include <string.h> /* memset, strcmp, strlen */

#define NAME(error)                                                                                \
    {                                                                                              \
        error, #error                                                                              \
    }
static const struct {
    CUresult number;
    const char *name;
} errors[] = {
    NAME(CUDA_SUCCESS),
    NAME(CUDA_ERROR_INVALID_VALUE),
    NAME(CUDA_ERROR_OUT_OF_MEMORY),
    NAME(CUDA_ERROR_NOT_INITIALIZED),
    NAME(CUDA_ERROR_DEINITIALIZED),
    NAME(CUDA_ERROR_PROFILER_DISABLED),
    NAME(CUDA_ERROR_PROFILER_NOT_INITIALIZED),
    NAME(CUDA_ERROR_PROFILER_ALREADY_STARTED),
    NAME(CUDA_ERROR_PROFILER_ALREADY_STOPPED),
    NAME(CUDA_ERROR_STUB_LIBRARY),
    NAME(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER),
    NAME(CUDA_ERROR_DEVICE_UNAVAILABLE),
    NAME(CUDA_ERROR_NO_DEVICE),
    NAME(CUDA_ERROR_INVALID_DEVICE),
    NAME(CUDA_ERROR_DEVICE_NOT_LICENSED),
    NAME(CUDA_ERROR_INVALID_IMAGE),
    NAME(CUDA_ERROR_INVALID_CONTEXT),
    NAME(CUDA_ERROR_CONTEXT_ALREADY_CURRENT),
    NAME(CUDA_ERROR_MAP_FAILED),
    NAME(CUDA_ERROR_UNMAP_FAILED),
    NAME(CUDA_ERROR_ARRAY_IS_MAPPED),
    NAME(CUDA_ERROR_ALREADY_MAPPED),
    NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
    NAME(CUDA_ERROR_ALREADY_ACQUIRED),
    NAME(CUDA_ERROR_NOT_MAPPED),
    NAME(CUDA_ERROR_NOT_MAPPED_AS_ARRAY),
    NAME(CUDA_ERROR_NOT_MAPPED_AS_POINTER),
    NAME(CUDA_ERROR_ECC_UNCORRECTABLE),
    NAME(CUDA_ERROR_UNSUPPORTED_LIMIT),
    NAME(CUDA_ERROR_CONTEXT_ALREADY_IN_USE),
    NAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
    NAME(CUDA_ERROR_INVALID_PTX),
    NAME(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT),
    NAME(CUDA_ERROR_NVLINK_UNCORRECTABLE),
    NAME(CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
    NAME(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    NAME(CUDA_ERROR_JIT_COMPILATION_DISABLED),
    NAME(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY),
    NAME(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC),
    NAME(CUDA_ERROR_CONTAINED),
    NAME(CUDA_ERROR_INVALID_SOURCE),
    NAME(CUDA_ERROR_FILE_NOT_FOUND),
    NAME(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND),
    NAME(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED),
    NAME(CUDA_ERROR_OPERATING_SYSTEM),
    NAME(CUDA_ERROR_INVALID_HANDLE),
    NAME(CUDA_ERROR_ILLEGAL_STATE),
    NAME(CUDA_ERROR_LOSSY_QUERY),
    NAME(CUDA_ERROR_NOT_FOUND),
    NAME(CUDA_ERROR_NOT_READY),
    NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
    NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    NAME(CUDA_ERROR_LAUNCH_TIMEOUT),
    NAME(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING),
    NAME(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
    NAME(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    NAME(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE),
    NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    NAME(CUDA_ERROR_ASSERT),
    NAME(CUDA_ERROR_TOO_MANY_PEERS),
    NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    NAME(CUDA_ERROR_HARDWARE_STACK_ERROR),
    NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    NAME(CUDA_ERROR_MISALIGNED_ADDRESS),
    NAME(CUDA_ERROR_INVALID_ADDRESS_SPACE),
    NAME(CUDA_ERROR_INVALID_PC),
    NAME(CUDA_ERROR_LAUNCH_FAILED),
    NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    NAME(CUDA_ERROR_TENSOR_MEMORY_LEAK),
    NAME(CUDA_ERROR_NOT_PERMITTED),
    NAME(CUDA_ERROR_NOT_SUPPORTED),
    NAME(CUDA_ERROR_SYSTEM_NOT_READY),
    NAME(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
    NAME(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
    NAME(CUDA_ERROR_MPS_CONNECTION_FAILED),
    NAME(CUDA_ERROR_MPS_RPC_FAILURE),
    NAME(CUDA_ERROR_MPS_SERVER_NOT_READY),
    NAME(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED),
    NAME(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED),
    NAME(CUDA_ERROR_MPS_CLIENT_TERMINATED),
    NAME(CUDA_ERROR_CDP_NOT_SUPPORTED),
    NAME(CUDA_ERROR_CDP_VERSION_MISMATCH),
    NAME(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_MERGE),
    NAME(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
    NAME(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    NAME(CUDA_ERROR_CAPTURED_EVENT),
    NAME(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    NAME(CUDA_ERROR_TIMEOUT),
    NAME(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE),
    NAME(CUDA_ERROR_EXTERNAL_DEVICE),
    NAME(CUDA_ERROR_INVALID_CLUSTER_SIZE),
    NAME(CUDA_ERROR_FUNCTION_NOT_LOADED),
    NAME(CUDA_ERROR_INVALID_RESOURCE_TYPE),
    NAME(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION),
    NAME(CUDA_ERROR_KEY_ROTATION),
    NAME(CUDA_ERROR_UNKNOWN),
};

static int initialised; /* by cuInit */

/* Contexts are handles, as there is one device with one memory; but a call needs a current one. */
struct CUctx_st {
    unsigned flags;
    int is_primary, uses; /* of the primary one: it is retained */
    struct CUctx_st *next;
};
static struct CUctx_st primary = {0, 1, 0, NULL}, *contexts;
static char contexts_lock;
/* The stack of the thread, the current one at its end. */
static __thread struct CUctx_st *stack[64];
static __thread unsigned depth;

static void lock(void)
{
    while (__atomic_exchange_n(&contexts_lock, 1, __ATOMIC_ACQUIRE))
        ;
}

static void unlock(void)
{
    __atomic_store_n(&contexts_lock, 0, __ATOMIC_RELEASE);
}

static int exists(const struct CUctx_st *context)
{
    const struct CUctx_st *entry = contexts;
    if (context == &primary)
        return primary.uses > 0 || *portable_cuda_used_();
    lock();
    while (entry && entry != context)
        entry = entry->next;
    unlock();
    return entry != NULL;
}

int portable_cuda_driver_is_ready_(void)
{
    return initialised || *portable_cuda_used_();
}

/* With the runtime API, the primary one. */
CUcontext portable_cuda_driver_context_(void)
{
    if (depth > 0 && stack[depth - 1])
        return stack[depth - 1];
    return *portable_cuda_used_() ? &primary : NULL;
}

CUresult cuInit(unsigned int flags)
{
    REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
    initialised = 1;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    REQUIRE(version, CUDA_ERROR_INVALID_VALUE);
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    REQUIRE(name, CUDA_ERROR_INVALID_VALUE);
    *name = NULL;
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].number == error)
            *name = errors[k].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    const char *name;
    REQUIRE(text, CUDA_ERROR_INVALID_VALUE);
    *text = cuGetErrorName(error, &name) == CUDA_SUCCESS ? cudaGetErrorString((cudaError_t)error)
                                                         : NULL;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The newest that the program's CUDA had: cuMemAlloc_v2 for cuMemAlloc. */
static CUresult address_of(const char *symbol, void **function, int version)
{
    static const char *const versions[] = {"_v4", "_v2", ""};
    Dl_info info;
    char name[128];
    void *const library = dladdr((const void *)errors, &info)
                              ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                              : NULL;
    *function = NULL;
    REQUIRE(library, CUDA_ERROR_NOT_FOUND);
    /* That of 12.5 is a call of its own. */
    const int only_first = version < 12050 && strcmp(symbol, "cuStreamGetCtx") == 0;
    const size_t begin = only_first ? 2 : version < 13000;
    for (size_t k = begin; k < sizeof versions / sizeof *versions && !*function; k++) {
        snprintf(name, sizeof name, "%s%s", symbol, versions[k]);
        *function = dlsym(library, name);
        if (*function && (!dladdr(*function, &info) || strcmp(info.dli_sname, name) != 0))
            *function = NULL; /* of another library */
    }
    dlclose(library);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *result)
{
    (void)flags;
    REQUIRE(symbol && function && strncmp(symbol, "cu", 2) == 0, CUDA_ERROR_INVALID_VALUE);
    const CUresult error = address_of(symbol, function, version);
    if (result)
        *result = error == CUDA_SUCCESS ? CU_GET_PROC_ADDRESS_SUCCESS
                                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return result ? CUDA_SUCCESS : error;
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags);
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
    return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

/* ---- devices ---- */

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    ENTER();
    REQUIRE(device, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(ordinal == 0, CUDA_ERROR_INVALID_DEVICE);
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    ENTER();
    REQUIRE(count, CUDA_ERROR_INVALID_VALUE);
    *count = 1;
    return CUDA_SUCCESS;
}

/* cudaGetDeviceProperties, which has what the calls below return. */
static CUresult properties_of(CUdevice device, struct cudaDeviceProp *properties)
{
    ENTER_DEVICE(device);
    RUN(cudaGetDeviceProperties(properties, device));
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    struct cudaDeviceProp properties;
    const CUresult error = properties_of(device, &properties);
    REQUIRE(error == CUDA_SUCCESS, error);
    REQUIRE(name && size > 0, CUDA_ERROR_INVALID_VALUE);
    snprintf(name, (size_t)size, "%s", properties.name);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp properties;
    const CUresult error = properties_of(device, &properties);
    REQUIRE(error == CUDA_SUCCESS, error);
    REQUIRE(uuid, CUDA_ERROR_INVALID_VALUE);
    *uuid = properties.uuid;
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp properties;
    const CUresult error = properties_of(device, &properties);
    REQUIRE(error == CUDA_SUCCESS, error);
    REQUIRE(bytes, CUDA_ERROR_INVALID_VALUE);
    *bytes = properties.totalGlobalMem;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    ENTER_DEVICE(device);
    REQUIRE(value, CUDA_ERROR_INVALID_VALUE);
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED: /* which nobody sees */
    case CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        *value = 1;
        return CUDA_SUCCESS;
    default: RUN(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
    }
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    struct cudaDeviceProp properties;
    const CUresult error = properties_of(device, &properties);
    REQUIRE(error == CUDA_SUCCESS, error);
    REQUIRE(major && minor, CUDA_ERROR_INVALID_VALUE);
    *major = properties.major;
    *minor = properties.minor;
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    ENTER();
    RUN(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
    ENTER_DEVICE(device);
    RUN(cudaDeviceGetPCIBusId(id, length, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    ENTER();
    RUN(cudaDeviceGetByPCIBusId(device, id));
}

/* ---- contexts ---- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    ENTER_DEVICE(device);
    REQUIRE(context, CUDA_ERROR_INVALID_VALUE);
    __atomic_add_fetch(&primary.uses, 1, __ATOMIC_RELAXED);
    *context = &primary;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    ENTER_DEVICE(device);
    REQUIRE(primary.uses > 0, CUDA_ERROR_INVALID_CONTEXT);
    __atomic_sub_fetch(&primary.uses, 1, __ATOMIC_RELAXED);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    ENTER_DEVICE(device);
    RUN(cudaDeviceReset());
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
    ENTER_DEVICE(device);
    REQUIRE((flags & ~(unsigned)CU_CTX_FLAGS_MASK) == 0, CUDA_ERROR_INVALID_VALUE);
    primary.flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    ENTER_DEVICE(device);
    REQUIRE(flags && active, CUDA_ERROR_INVALID_VALUE);
    *flags = primary.flags;
    *active = exists(&primary);
    return CUDA_SUCCESS;
}

static CUresult push(CUcontext context)
{
    REQUIRE(depth < sizeof stack / sizeof *stack, CUDA_ERROR_OUT_OF_MEMORY);
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
    ENTER_DEVICE(device);
    REQUIRE(context && (flags & ~(unsigned)CU_CTX_FLAGS_MASK) == 0, CUDA_ERROR_INVALID_VALUE);
    struct CUctx_st *const made = (struct CUctx_st *)calloc(1, sizeof *made);
    REQUIRE(made, CUDA_ERROR_OUT_OF_MEMORY);
    made->flags = flags;
    lock();
    made->next = contexts;
    contexts = made;
    unlock();
    *context = made;
    return push(made);
}

CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned int flags,
                     CUdevice device)
{
    REQUIRE(!parameters || (parameters->numExecAffinityParams == 0 && !parameters->cigParams),
            CUDA_ERROR_NOT_SUPPORTED);
    return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context)
{
    ENTER();
    REQUIRE(context && context != &primary && exists(context), CUDA_ERROR_INVALID_CONTEXT);
    lock();
    for (struct CUctx_st **link = &contexts; *link; link = &(*link)->next)
        if (*link == context) {
            *link = context->next;
            break;
        }
    unlock();
    if (depth > 0 && stack[depth - 1] == context)
        depth--;
    free(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    ENTER();
    REQUIRE(context && exists(context), CUDA_ERROR_INVALID_CONTEXT);
    return push(context);
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    ENTER();
    REQUIRE(depth > 0, CUDA_ERROR_INVALID_CONTEXT);
    depth--;
    if (context)
        *context = stack[depth];
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    ENTER();
    REQUIRE(!context || exists(context), CUDA_ERROR_INVALID_CONTEXT);
    if (depth == 0)
        return context ? push(context) : CUDA_SUCCESS;
    if (context)
        stack[depth - 1] = context;
    else
        depth--;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    ENTER();
    REQUIRE(context, CUDA_ERROR_INVALID_VALUE);
    *context = portable_cuda_driver_context_();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    ENTER_CONTEXT();
    REQUIRE(device, CUDA_ERROR_INVALID_VALUE);
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    ENTER_CONTEXT();
    REQUIRE(flags, CUDA_ERROR_INVALID_VALUE);
    *flags = portable_cuda_driver_context_()->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
    ENTER();
    REQUIRE(version, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(context ? exists(context) : portable_cuda_driver_context_() != NULL,
            CUDA_ERROR_INVALID_CONTEXT);
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

/* No other context has memory of its own. */
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    ENTER_CONTEXT();
    REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(peer && exists(peer), CUDA_ERROR_INVALID_CONTEXT);
    return peer == portable_cuda_driver_context_() ? CUDA_ERROR_INVALID_CONTEXT
                                                   : CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    ENTER_CONTEXT();
    REQUIRE(peer && exists(peer), CUDA_ERROR_INVALID_CONTEXT);
    return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    ENTER_CONTEXT();
    RUN(cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuCtxSynchronize(void)
{
    ENTER_CONTEXT();
    RUN(cudaDeviceSynchronize());
}

/* ---- memory ---- */

/* The result of a call that allocates memory or finds it, and the address if it succeeds. */
static CUresult address_result(struct before was, cudaError_t error, const void *address,
                               CUdeviceptr *memory)
{
    const CUresult result = result_of(was, error);
    if (result == CUDA_SUCCESS)
        *memory = (uintptr_t)address;
    return result;
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
    ENTER_CONTEXT();
    RUN(cudaMemGetInfo(free_bytes, total));
}

CUresult cuMemAlloc(CUdeviceptr *memory, size_t bytes)
{
    const struct before was = before();
    void *address = NULL;
    ENTER_CONTEXT();
    REQUIRE(memory && bytes > 0, CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaMalloc(&address, bytes);
    return address_result(was, error, address, memory);
}

CUresult cuMemAllocPitch(CUdeviceptr *memory, size_t *pitch, size_t width, size_t height,
                         unsigned int element)
{
    const struct before was = before();
    void *address = NULL;
    ENTER_CONTEXT();
    REQUIRE(memory && pitch && width > 0 && height > 0 &&
                (element == 4 || element == 8 || element == 16),
            CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaMallocPitch(&address, pitch, width, height);
    return address_result(was, error, address, memory);
}

CUresult cuMemAllocManaged(CUdeviceptr *memory, size_t bytes, unsigned int flags)
{
    const struct before was = before();
    void *address = NULL;
    ENTER_CONTEXT();
    REQUIRE(memory && bytes > 0, CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaMallocManaged(&address, bytes, flags);
    return address_result(was, error, address, memory);
}

CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t bytes, CUstream stream)
{
    const struct before was = before();
    void *address = NULL;
    ENTER_CONTEXT();
    REQUIRE(memory && bytes > 0, CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaMallocAsync(&address, bytes, stream);
    return address_result(was, error, address, memory);
}

CUresult cuMemFree(CUdeviceptr memory)
{
    ENTER_CONTEXT();
    RUN(cudaFree(at(memory)));
}

CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaFreeAsync(at(memory), stream));
}

CUresult cuMemAllocHost(void **memory, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMallocHost(memory, bytes));
}

CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags)
{
    ENTER_CONTEXT();
    RUN(cudaHostAlloc(memory, bytes, flags));
}

CUresult cuMemFreeHost(void *memory)
{
    ENTER_CONTEXT();
    RUN(cudaFreeHost(memory));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags)
{
    const struct before was = before();
    void *address = NULL;
    ENTER_CONTEXT();
    REQUIRE(device, CUDA_ERROR_INVALID_VALUE);
    const cudaError_t error = cudaHostGetDevicePointer(&address, host, flags);
    return address_result(was, error, address, device);
}

CUresult cuMemHostRegister(void *memory, size_t bytes, unsigned int flags)
{
    ENTER_CONTEXT();
    RUN(cudaHostRegister(memory, bytes, flags));
}

CUresult cuMemHostUnregister(void *memory)
{
    ENTER_CONTEXT();
    RUN(cudaHostUnregister(memory));
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr memory)
{
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(at(memory));
    ENTER_CONTEXT();
    REQUIRE(base || bytes, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(found.bytes > 0, CUDA_ERROR_NOT_FOUND);
    if (base)
        *base = (uintptr_t)found.base;
    if (bytes)
        *bytes = found.bytes;
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr memory)
{
    const struct before was = before();
    struct cudaPointerAttributes found;
    ENTER_CONTEXT();
    REQUIRE(value, CUDA_ERROR_INVALID_VALUE);
    const CUresult error = result_of(was, cudaPointerGetAttributes(&found, at(memory)));
    REQUIRE(error == CUDA_SUCCESS, error);
    REQUIRE(found.type != cudaMemoryTypeUnregistered, CUDA_ERROR_INVALID_VALUE);
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)value = portable_cuda_driver_context_(); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value =
            found.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = (uintptr_t)found.devicePointer;
        break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        REQUIRE(found.hostPointer, CUDA_ERROR_INVALID_VALUE);
        *(void **)value = found.hostPointer;
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned char *)value = found.type == cudaMemoryTypeManaged;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = 0; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return cuMemGetAddressRange((CUdeviceptr *)value, NULL, memory);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return cuMemGetAddressRange(NULL, (size_t *)value, memory);
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned char *)value = 1; break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}

/* Of memory that is not CUDA's, all values are 0. */
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **values,
                                CUdeviceptr memory)
{
    ENTER_CONTEXT();
    REQUIRE(count > 0 && attributes && values, CUDA_ERROR_INVALID_VALUE);
    for (unsigned k = 0; k < count; k++) {
        const CUresult result = cuPointerGetAttribute(values[k], attributes[k], memory);
        REQUIRE(result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_VALUE, result);
        if (result == CUDA_SUCCESS)
            continue;
        switch (attributes[k]) {
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned char *)values[k] = 0; break;
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(unsigned *)values[k] = 0; break;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)values[k] = CU_DEVICE_INVALID; break;
        default: *(CUdeviceptr *)values[k] = 0; break;
        }
    }
    return CUDA_SUCCESS;
}

/* ---- copies ---- */

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpy(at(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpy(to, at(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpyAsync(at(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpyAsync(to, at(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                            CUmemcpyAttributes *attributes, size_t *first, size_t attribute_count,
                            CUstream stream)
{
    ENTER_CONTEXT();
    REQUIRE(to && from && bytes && count > 0 && attributes && first && attribute_count > 0 &&
                attribute_count <= count && first[0] == 0 && stream && stream != CU_STREAM_LEGACY,
            CUDA_ERROR_INVALID_VALUE);
    for (size_t k = 0; k < attribute_count; k++)
        REQUIRE(attributes[k].srcAccessOrder >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM &&
                    attributes[k].srcAccessOrder <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY &&
                    first[k] < count && (k == 0 || first[k - 1] < first[k]),
                CUDA_ERROR_INVALID_VALUE);
    for (size_t k = 0, of = 0; k < count; k++) {
        while (of + 1 < attribute_count && first[of + 1] <= k)
            of++;
        const struct before was = before();
        const cudaError_t error =
            attributes[of].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL
                ? cudaMemcpyAsync(at(to[k]), at(from[k]), bytes[k], cudaMemcpyDefault, stream)
                : portable_cuda_copy_unstaged_("cuMemcpyBatchAsync", at(to[k]), at(from[k]),
                                               bytes[k], stream);
        const CUresult result = result_of(was, error);
        REQUIRE(result == CUDA_SUCCESS, result);
    }
    return CUDA_SUCCESS;
}

static CUresult set(CUdeviceptr memory, unsigned value, unsigned element, size_t count,
                    int asynchronous, CUstream stream)
{
    ENTER_CONTEXT();
    REQUIRE(memory % element == 0 && count <= SIZE_MAX / element, CUDA_ERROR_INVALID_VALUE);
    const size_t bytes = count * element;
    const struct portable_cuda_set_ whole = {
        (char *)at(memory), bytes, 0, bytes, 1, 1, value, element};
    RUN(portable_cuda_set_all_("cuMemset", &whole, asynchronous, stream));
}

CUresult cuMemsetD8(CUdeviceptr memory, unsigned char value, size_t count)
{
    return set(memory, value, 1, count, 0, NULL);
}

CUresult cuMemsetD8Async(CUdeviceptr memory, unsigned char value, size_t count, CUstream stream)
{
    return set(memory, value, 1, count, 1, stream);
}

CUresult cuMemsetD16(CUdeviceptr memory, unsigned short value, size_t count)
{
    return set(memory, value, 2, count, 0, NULL);
}

CUresult cuMemsetD16Async(CUdeviceptr memory, unsigned short value, size_t count, CUstream stream)
{
    return set(memory, value, 2, count, 1, stream);
}

CUresult cuMemsetD32(CUdeviceptr memory, unsigned int value, size_t count)
{
    return set(memory, value, 4, count, 0, NULL);
}

CUresult cuMemsetD32Async(CUdeviceptr memory, unsigned int value, size_t count, CUstream stream)
{
    return set(memory, value, 4, count, 1, stream);
}

/* ---- streams and events ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    ENTER_CONTEXT();
    RUN(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    ENTER_CONTEXT();
    RUN(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    ENTER_CONTEXT();
    RUN(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
    ENTER_CONTEXT();
    RUN(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    ENTER_CONTEXT();
    RUN(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
    ENTER_CONTEXT();
    RUN(cudaStreamGetId(stream, id));
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *device)
{
    ENTER_CONTEXT();
    RUN(cudaStreamGetDevice(stream, device));
}

/* Streams do not keep the context that they were made in: all contexts are alike. */
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    ENTER_CONTEXT();
    REQUIRE(context, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(portable_cuda_is_stream_(stream), CUDA_ERROR_INVALID_HANDLE);
    *context = portable_cuda_driver_context_();
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green)
{
    const CUresult result = cuStreamGetCtx(stream, context);
    if (result == CUDA_SUCCESS && green)
        *green = NULL;
    return result;
}

struct callback {
    CUstreamCallback function;
    void *data;
};
static void run_callback(cudaStream_t stream, cudaError_t status, void *data)
{
    const struct callback callback = *(const struct callback *)data;
    free(data);
    callback.function(stream, number_of(status), callback.data);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                             unsigned int flags)
{
    ENTER_CONTEXT();
    REQUIRE(callback, CUDA_ERROR_INVALID_VALUE);
    struct callback *const made = (struct callback *)malloc(sizeof *made);
    REQUIRE(made, CUDA_ERROR_OUT_OF_MEMORY);
    made->function = callback;
    made->data = data;
    const struct before was = before();
    const CUresult result =
        result_of(was, cudaStreamAddCallback(stream, run_callback, made, flags));
    if (result != CUDA_SUCCESS)
        free(made);
    return result;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    ENTER_CONTEXT();
    RUN(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event)
{
    ENTER_CONTEXT();
    RUN(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    ENTER_CONTEXT();
    RUN(cudaEventRecord(event, stream));
}

CUresult cuEventQuery(CUevent event)
{
    ENTER_CONTEXT();
    RUN(cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    ENTER_CONTEXT();
    RUN(cudaEventSynchronize(event));
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
    ENTER_CONTEXT();
    RUN(cudaEventElapsedTime(milliseconds, from, to));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    ENTER_CONTEXT();
    RUN(cudaLaunchHostFunc(stream, function, data));
}

/* ---- kernels: a CUfunction, as a CUkernel, is the address of one ---- */

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    const struct before was = before();
    struct cudaFuncAttributes all;
    ENTER_CONTEXT();
    REQUIRE(value, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(function, CUDA_ERROR_INVALID_HANDLE);
    const CUresult error = result_of(was, cudaFuncGetAttributes(&all, function));
    REQUIRE(error == CUDA_SUCCESS, error);
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = all.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)all.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)all.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)all.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = all.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = all.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = all.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = all.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = all.maxDynamicSharedSizeBytes;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = all.preferredShmemCarveout;
        break;
    default:
        REQUIRE(attribute < CU_FUNC_ATTRIBUTE_MAX, CUDA_ERROR_INVALID_VALUE);
        *value = 0;
        break;
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    ENTER_CONTEXT();
    REQUIRE(function, CUDA_ERROR_INVALID_HANDLE);
    RUN(cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value));
}

/* The addresses of the arguments in the buffer that `extra` names, one for each parameter. The
 * caller frees them. */
static CUresult unpack(CUfunction function, void **extra, void ***arguments)
{
    union {
        CUfunction function;
        portable_function_ kernel;
    } both;
    char *buffer = NULL;
    size_t size = 0, offset = 0, count = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = (char *)extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
            size = *(size_t *)extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    both.function = function;
    const struct portable_cuda_parameter_ *const all = portable_cuda_parameters_(both.kernel);
    REQUIRE(all, CUDA_ERROR_INVALID_HANDLE);
    while (all[count].bytes)
        count++;
    *arguments = (void **)malloc((count + 1) * sizeof **arguments);
    REQUIRE(*arguments, CUDA_ERROR_OUT_OF_MEMORY);
    for (size_t k = 0; k < count; k++) {
        offset = (offset + all[k].alignment - 1) / all[k].alignment * all[k].alignment;
        (*arguments)[k] = buffer + offset;
        offset += all[k].bytes;
    }
    if (offset <= (buffer ? size : 0))
        return CUDA_SUCCESS;
    free(*arguments);
    return CUDA_ERROR_INVALID_VALUE;
}

/* A launch with either form of arguments. */
static CUresult launch(const cudaLaunchConfig_t *config, CUfunction function, void **arguments,
                       void **extra)
{
    void **unpacked = NULL;
    ENTER_CONTEXT();
    REQUIRE(function, CUDA_ERROR_INVALID_HANDLE);
    REQUIRE(!arguments || !extra, CUDA_ERROR_INVALID_VALUE);
    if (extra) {
        const CUresult error = unpack(function, extra, &unpacked);
        REQUIRE(error == CUDA_SUCCESS, error);
    }
    const struct before was = before();
    const CUresult result =
        result_of(was, cudaLaunchKernelExC(config, function, unpacked ? unpacked : arguments));
    free((void *)unpacked);
    return result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra)
{
    const cudaLaunchConfig_t config = {
        {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, NULL, 0};
    return launch(&config, function, arguments, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *given, CUfunction function, void **arguments,
                          void **extra)
{
    REQUIRE(given, CUDA_ERROR_INVALID_VALUE);
    const cudaLaunchConfig_t config = {{given->gridDimX, given->gridDimY, given->gridDimZ},
                                       {given->blockDimX, given->blockDimY, given->blockDimZ},
                                       given->sharedMemBytes,
                                       given->hStream,
                                       given->attrs,
                                       given->numAttrs};
    return launch(&config, function, arguments, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **arguments)
{
    const dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
    ENTER_CONTEXT();
    REQUIRE(function, CUDA_ERROR_INVALID_HANDLE);
    RUN(cudaLaunchCooperativeKernel(function, grid, block, arguments, shared_bytes, stream));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int block_size, size_t shared_bytes,
                                                              unsigned int flags)
{
    ENTER_CONTEXT();
    REQUIRE(function, CUDA_ERROR_INVALID_HANDLE);
    RUN(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                               shared_bytes, flags));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int block_size, size_t shared_bytes)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                shared_bytes, CU_OCCUPANCY_DEFAULT);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
                                                 int block_size)
{
    ENTER_CONTEXT();
    REQUIRE(function, CUDA_ERROR_INVALID_HANDLE);
    RUN(cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, block_size));
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize shared_bytes_of,
                                                   size_t shared_bytes, int limit,
                                                   unsigned int flags)
{
    int size = 0, blocks = 0, multiprocessors = 0;
    ENTER_CONTEXT();
    REQUIRE(grid_size && block_size && flags <= CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE,
            CUDA_ERROR_INVALID_VALUE);
    CUresult result = cuFuncGetAttribute(&size, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (result == CUDA_SUCCESS)
        result =
            cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
    if (limit > 0 && limit < size)
        size = limit;
    /* The largest whole warps of which a multiprocessor takes a block. */
    for (; result == CUDA_SUCCESS && size > 0; size = (size - 1) / 32 * 32) {
        result = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, function, size, shared_bytes_of ? shared_bytes_of(size) : shared_bytes, flags);
        if (blocks > 0)
            break;
    }
    REQUIRE(result == CUDA_SUCCESS, result);
    *grid_size = blocks * multiprocessors;
    *block_size = size;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes,
                                          int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, function,
                                                     shared_bytes_of, shared_bytes, limit,
                                                     CU_OCCUPANCY_DEFAULT);
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS *parameters)
{
    ENTER_CONTEXT();
    REQUIRE(parameters, CUDA_ERROR_INVALID_VALUE);
    REQUIRE(!parameters->extra, CUDA_ERROR_NOT_SUPPORTED);
    const struct cudaKernelNodeParams of_runtime = {
        parameters->func ? (void *)parameters->func : (void *)parameters->kern,
        {parameters->gridDimX, parameters->gridDimY, parameters->gridDimZ},
        {parameters->blockDimX, parameters->blockDimY, parameters->blockDimZ},
        parameters->sharedMemBytes,
        parameters->kernelParams,
        NULL};
    RUN(cudaGraphAddKernelNode(node, graph, after, count, &of_runtime));
}

/* The attributes of a launch that change what it does are refused, as in a launch. */
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue *value)
{
    ENTER_CONTEXT();
    REQUIRE(node && value, CUDA_ERROR_INVALID_VALUE);
    switch (attribute) {
    case cudaLaunchAttributeCooperative:
        return value->cooperative ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
    case cudaLaunchAttributeClusterDimension:
        return value->clusterDim.x * value->clusterDim.y * value->clusterDim.z > 1
                   ? CUDA_ERROR_NOT_SUPPORTED
                   : CUDA_SUCCESS;
    default: return CUDA_SUCCESS;
    }
}

/* ---- what is refused ---- */

static CUresult lack(const char *call, const char *what)
{
    fflush(stdout);
    fprintf(stderr, "%s: the CPU has no %s\n", call, what);
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuGreenCtxCreate(CUgreenCtx *context, CUdevResourceDesc resources, CUdevice device,
                          unsigned int flags)
{
    (void)context;
    (void)resources;
    (void)flags;
    ENTER_DEVICE(device);
    return lack("cuGreenCtxCreate", "multiprocessors to divide among contexts");
}

CUresult cuGreenCtxDestroy(CUgreenCtx context)
{
    (void)context;
    return CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuGreenCtxGetId(CUgreenCtx context, unsigned long long *id)
{
    (void)context;
    (void)id;
    return CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green)
{
    (void)context;
    (void)green;
    return CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                void *address, const cuuint64_t *extents, const cuuint64_t *strides,
                                const cuuint32_t *box, const cuuint32_t *element_strides,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    (void)map;
    (void)type;
    (void)rank;
    (void)address;
    (void)extents;
    (void)strides;
    (void)box;
    (void)element_strides;
    (void)interleave;
    (void)swizzle;
    (void)promotion;
    (void)fill;
    ENTER();
    return lack("cuTensorMapEncodeTiled", "tensor memory accelerator");
}
