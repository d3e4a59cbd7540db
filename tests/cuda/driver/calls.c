/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver API, from C. With an argument, a copy that is too long. */
#include "calls.h"
#include "expect.h"

#include <cudaTypedefs.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void contexts(void)
{
    CUcontext made, primary, found, other;
    unsigned flags, version;
    CUdevice device;
    int active;
    CUdeviceptr memory;

    OK(cuCtxGetCurrent(&found));
    TRUE(!found);
    EXPECT(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxPopCurrent(&found), CUDA_ERROR_INVALID_CONTEXT);
    CUctxCreateParams parameters = {NULL, 0, NULL};
    OK(cuCtxCreate(&made, &parameters, CU_CTX_SCHED_YIELD, 0));
    OK(cuCtxGetCurrent(&found));
    TRUE(found == made);
    OK(cuCtxGetFlags(&flags));
    TRUE(flags == CU_CTX_SCHED_YIELD);
    OK(cuCtxGetApiVersion(made, &version));
    TRUE(version == CUDA_VERSION);
    OK(cuMemAlloc(&memory, 4));
    OK(cuMemFree(memory));
    OK(cuCtxPopCurrent(&found));
    TRUE(found == made);
    OK(cuCtxGetCurrent(&found));
    TRUE(!found);
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    TRUE(!active);
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    TRUE(active);
    OK(cuCtxPushCurrent(made));
    OK(cuCtxSetCurrent(primary));
    OK(cuCtxGetCurrent(&found));
    TRUE(found == primary && primary != made);
    OK(cuCtxGetDevice(&device));
    TRUE(device == 0);
    OK(cuCtxDestroy(made));
    EXPECT(cuCtxPushCurrent(made), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxCreate_v2(&other, 0, 1), CUDA_ERROR_INVALID_DEVICE);
}

static void devices(void)
{
    CUdevice device;
    int count, major, minor, value, version;
    size_t bytes, free_bytes;
    char name[64];
    CUuuid uuid;

    OK(cuDriverGetVersion(&version));
    TRUE(version == CUDA_VERSION);
    OK(cuDeviceGetCount(&count));
    TRUE(count == 1);
    OK(cuDeviceGet(&device, 0));
    EXPECT(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
    OK(cuDeviceGetName(name, sizeof name, device));
    TRUE(name[0]);
    OK(cuDeviceGetUuid(&uuid, device));
    OK(cuDeviceTotalMem(&bytes, device));
    OK(cuMemGetInfo(&free_bytes, NULL));
    TRUE(free_bytes <= bytes);
    OK(cuDeviceComputeCapability(&major, &minor, device));
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    TRUE(value == major);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    TRUE(value == 32);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, device));
    TRUE(value == CU_COMPUTEMODE_DEFAULT);
    OK(cuDeviceCanAccessPeer(&value, device, device));
    TRUE(value == 0);
    EXPECT(cuDeviceCanAccessPeer(&value, device, 1), CUDA_ERROR_INVALID_DEVICE);
    OK(cuDeviceGetPCIBusId(name, sizeof name, device));
    device = 1;
    OK(cuDeviceGetByPCIBusId(&device, name));
    TRUE(device == 0);
    EXPECT(cuDeviceGetByPCIBusId(&device, "none"), CUDA_ERROR_INVALID_DEVICE);
}

static void memory(void)
{
    unsigned host[12], type;
    CUdeviceptr a, b;
    size_t pitch;
    CUDA_MEMCPY2D copy;
    void *pinned;
    unsigned char managed;

    OK(cuMemAlloc(&a, sizeof host));
    OK(cuMemAlloc(&b, sizeof host));
    EXPECT(cuMemAlloc(&b, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemsetD32(a, 0x01020304, 12));
    OK(cuMemsetD16(a + 4, 0x0506, 2));
    OK(cuMemsetD8(a + 8, 7, 4));
    EXPECT(cuMemsetD32(a + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemcpyDtoDAsync(b, a, sizeof host, NULL));
    OK(cuMemcpyDtoH(host, b, sizeof host));
    TRUE(host[0] == 0x01020304 && host[1] == 0x05060506 && host[2] == 0x07070707 &&
         host[11] == 0x01020304);
    for (unsigned k = 0; k < 12; k++)
        host[k] = k;
    OK(cuMemcpyHtoD(a, host, sizeof host));
    memset(&copy, 0, sizeof copy); /* the middle of 3 rows of 4 */
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = a;
    copy.srcPitch = 16;
    copy.srcXInBytes = 4;
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host;
    copy.WidthInBytes = 8;
    copy.Height = 2;
    OK(cuMemcpy2D(&copy));
    TRUE(host[0] == 5 && host[1] == 6 && host[2] == 9 && host[3] == 10);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
    TRUE(type == CU_MEMORYTYPE_DEVICE);
    EXPECT(
        cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(size_t)host),
        CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    OK(cuMemAllocPitch(&a, &pitch, 5, 3, 4));
    TRUE(pitch >= 5);
    OK(cuMemFree(a));
    OK(cuMemAllocManaged(&a, 64, CU_MEM_ATTACH_GLOBAL));
    OK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, a));
    TRUE(managed);
    OK(cuMemcpy(a, a + 32, 32));
    OK(cuMemFree(a));
    OK(cuMemAllocHost(&pinned, 64));
    OK(cuMemFreeHost(pinned));
    EXPECT(cuPointerGetAttribute(&type, (CUpointer_attribute)99, a), CUDA_ERROR_INVALID_VALUE);
    TRUE(cudaGetLastError() == cudaSuccess); /* the runtime's own errors are others */
}

/* Two pieces of memory, at neighbouring addresses as one array, and the first a second time. */
static void mapped(void)
{
    CUmemAllocationProp properties, found;
    CUmemGenericAllocationHandle pieces[2], again;
    CUmemAccessDesc access;
    CUdeviceptr x, alias, base, aligned;
    size_t granularity, bytes;
    unsigned long long flags;
    unsigned host[4] = {0}, type;
    int attribute, file = -1;

    OK(cuDeviceGetAttribute(&attribute, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                            0));
    TRUE(attribute == 1);
    memset(&properties, 0, sizeof properties);
    EXPECT(cuMemGetAllocationGranularity(&granularity, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    OK(cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    TRUE(granularity == 2 << 20);
    const size_t unit = granularity;
    EXPECT(cuMemAddressReserve(&x, unit / 2, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressReserve(&aligned, unit, 16 * unit, 0, 0));
    TRUE(aligned % (16 * unit) == 0);
    EXPECT(cuMemAddressFree(aligned, 2 * unit), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressFree(aligned, unit));
    EXPECT(cuMemAddressFree(aligned, unit), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressReserve(&x, 3 * unit, 0, 0, 0));
    OK(cuMemAddressReserve(&alias, unit, 0, 0, 0));
    EXPECT(cuMemCreate(&pieces[0], unit + 1, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    properties.location.id = 1;
    EXPECT(cuMemCreate(&pieces[0], unit, &properties, 0), CUDA_ERROR_INVALID_DEVICE);
    properties.location.id = 0;
    OK(cuMemCreate(&pieces[0], unit, &properties, 0));
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    OK(cuMemCreate(&pieces[1], unit, &properties, 0));
    OK(cuMemGetAllocationPropertiesFromHandle(&found, pieces[0]));
    TRUE(found.requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);

    EXPECT(cuMemMap(x, 2 * unit, 0, pieces[0], 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(x + 3 * unit, unit, 0, pieces[0], 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemMap(x + unit, unit, 0, pieces[1], 0));
    OK(cuMemMap(x, unit, 0, pieces[0], 0));
    EXPECT(cuMemMap(x, unit, 0, pieces[1], 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressFree(x, 3 * unit), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemGetAddressRange(&base, &bytes, x), CUDA_ERROR_NOT_FOUND); /* not accessible yet */
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    EXPECT(cuMemSetAccess(x, 3 * unit, &access, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemSetAccess(x + unit, unit, &access, 1));
    OK(cuMemSetAccess(x, 2 * unit, &access, 1));
    OK(cuMemGetAddressRange(&base, &bytes, x + unit + 5));
    TRUE(base == x && bytes == 2 * unit);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, x + unit));
    TRUE(type == CU_MEMORYTYPE_DEVICE);
    OK(cuMemsetD32(x, 7, unit / 2));
    OK(cuMemMap(alias, unit, 0, pieces[0], 0));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    OK(cuMemSetAccess(alias, unit, &access, 1));
    OK(cuMemGetAccess(&flags, &access.location, alias));
    TRUE(flags == CU_MEM_ACCESS_FLAGS_PROT_READ);
    EXPECT(cuMemsetD32(alias, 1, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemsetD32(x + unit - 4, 9, 2)); /* across the border */
    OK(cuMemcpyDtoH(host, alias + unit - 8, 8));
    TRUE(host[0] == 7 && host[1] == 9);

    EXPECT(
        cuMemExportToShareableHandle(&file, pieces[1], CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
        CUDA_ERROR_INVALID_VALUE);
    OK(cuMemExportToShareableHandle(&file, pieces[0], CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    EXPECT(cuMemImportFromShareableHandle(&again, (void *)-1,
                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
           CUDA_ERROR_INVALID_VALUE);
    OK(cuMemImportFromShareableHandle(&again, (void *)(size_t)file,
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    OK(cuMemUnmap(alias, unit));
    OK(cuMemMap(alias, unit, 0, again, 0));
    OK(cuMemRelease(again));
    EXPECT(cuMemRelease(again), CUDA_ERROR_INVALID_VALUE);
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    OK(cuMemSetAccess(alias, unit, &access, 1));
    OK(cuMemcpyDtoH(host, alias + unit - 8, 8));
    TRUE(host[0] == 7 && host[1] == 9);

    OK(cuMemRelease(pieces[0]));
    OK(cuMemRetainAllocationHandle(&again, (void *)(size_t)(x + 100)));
    TRUE(again == pieces[0]);
    OK(cuMemRelease(again));
    OK(cuMemUnmap(alias, unit));
    EXPECT(cuMemUnmap(x, unit / 2), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemUnmap(x, unit));
    OK(cuMemGetAddressRange(&base, &bytes, x + unit));
    TRUE(base == x + unit && bytes == unit);
    EXPECT(cuMemMap(x, unit, 0, pieces[0], 0), CUDA_ERROR_INVALID_VALUE); /* it is gone */
    OK(cuMemMap(x, unit, 0, pieces[1], 0));
    OK(cuMemRelease(pieces[1]));
    OK(cuMemUnmap(x, 2 * unit));
    OK(cuMemAddressFree(x, 3 * unit));
    OK(cuMemAddressFree(alias, unit));
}

static void pools(void)
{
    CUmemPoolProps properties;
    CUmemoryPool pool, found;
    CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemAccess_flags flags;
    CUdeviceptr x, y, to[2], from[2];
    CUmemcpyAttributes attributes;
    CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   CU_POINTER_ATTRIBUTE_IS_MANAGED};
    size_t bytes[] = {8, 8}, first = 0;
    unsigned long long used;
    unsigned char managed = 1;
    unsigned host[4] = {0};
    void *values[] = {&x, &managed};
    CUstream stream;

    OK(cuDeviceGetDefaultMemPool(&found, 0));
    OK(cuMemGetDefaultMemPool(&pool, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
    TRUE(found == pool);
    memset(&properties, 0, sizeof properties);
    EXPECT(cuMemPoolCreate(&pool, &properties), CUDA_ERROR_INVALID_VALUE);
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = device;
    OK(cuMemPoolCreate(&pool, &properties));
    OK(cuMemPoolGetAccess(&flags, pool, &device));
    TRUE(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocFromPoolAsync(&x, 16, pool, stream));
    OK(cuMemAllocFromPoolAsync(&y, 16, pool, stream));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    TRUE(used == 32);
    OK(cuMemsetD32Async(x, 1, 2, stream));
    OK(cuMemsetD32Async(x + 8, 2, 2, stream));
    to[0] = y, to[1] = y + 8, from[0] = x + 8, from[1] = x;
    memset(&attributes, 0, sizeof attributes);
    EXPECT(cuMemcpyBatchAsync(to, from, bytes, 2, &attributes, &first, 1, stream),
           CUDA_ERROR_INVALID_VALUE);
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    EXPECT(cuMemcpyBatchAsync(to, from, bytes, 2, &attributes, &first, 1, NULL),
           CUDA_ERROR_INVALID_VALUE);
    OK(cuMemcpyBatchAsync(to, from, bytes, 2, &attributes, &first, 1, stream));
    OK(cuMemcpyDtoHAsync(host, y, sizeof host, stream));
    OK(cuStreamSynchronize(stream));
    TRUE(host[0] == 2 && host[3] == 1);
    OK(cuMemFreeAsync(x, stream));
    OK(cuMemFreeAsync(y, stream));
    OK(cuMemPoolDestroy(pool));
    OK(cuStreamDestroy(stream));
    OK(cuPointerGetAttributes(2, asked, values, (CUdeviceptr)(size_t)host));
    TRUE(x == 0 && managed == 0);
}

static void arrays(void)
{
    const CUfunction blend = (CUfunction)blend_function();
    float host[12], line[4];
    CUDA_ARRAY_DESCRIPTOR plane = {4, 3, CU_AD_FORMAT_FLOAT, 1}, found;
    CUDA_ARRAY3D_DESCRIPTOR cube = {4, 3, 2, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};
    CUDA_MEMCPY2D copy;
    CUDA_MEMCPY3D copies;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC reading, read;
    CUarray array, volume, level;
    CUmipmappedArray pyramid;
    CUtexObject texture;
    CUsurfObject surface;
    CUdeviceptr x;

    for (int k = 0; k < 12; k++)
        host[k] = (float)k;
    plane.NumChannels = 3;
    EXPECT(cuArrayCreate(&array, &plane), CUDA_ERROR_INVALID_VALUE);
    plane.NumChannels = 1;
    OK(cuArrayCreate(&array, &plane));
    OK(cuArrayGetDescriptor(&found, array));
    TRUE(found.Width == 4 && found.Height == 3 && found.NumChannels == 1 &&
         found.Format == CU_AD_FORMAT_FLOAT);
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    copy.srcPitch = 4 * sizeof *host;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = copy.srcPitch;
    copy.Height = 3;
    OK(cuMemcpy2D(&copy));
    copy.dstXInBytes = 4;
    EXPECT(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
    copy.dstXInBytes = 2;
    EXPECT(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemcpyAtoH(line, array, 8, 8));
    TRUE(line[0] == 2 && line[1] == 3);

    memset(&resource, 0, sizeof resource);
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    memset(&reading, 0, sizeof reading);
    reading.addressMode[0] = CU_TR_ADDRESS_MODE_WRAP;
    reading.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    reading.filterMode = CU_TR_FILTER_MODE_LINEAR;
    reading.flags = CU_TRSF_NORMALIZED_COORDINATES;
    OK(cuTexObjectCreate(&texture, &resource, &reading, NULL));
    OK(cuTexObjectGetTextureDesc(&read, texture));
    TRUE(memcmp(&read, &reading, sizeof read) == 0);
    OK(cuMemAlloc(&x, 8 * sizeof *host));
    void *arguments[] = {&x, &texture};
    OK(cuLaunchKernel(blend, 1, 1, 1, 8, 1, 1, 0, NULL, arguments, NULL));
    OK(cuMemcpyDtoH(host, x, 8 * sizeof *host));
    TRUE(host[0] == 4 && host[1] == 4.5f && host[3] == 5.5f && host[4] == 4 && host[5] == 2.5f);
    OK(cuMemFree(x));
    OK(cuTexObjectDestroy(texture));
    EXPECT(cuTexObjectDestroy(texture), CUDA_ERROR_INVALID_VALUE);
    cube.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    OK(cuArray3DCreate(&volume, &cube));
    resource.res.array.hArray = volume;
    OK(cuSurfObjectCreate(&surface, &resource));
    OK(cuSurfObjectDestroy(surface));
    /* Bytes, which are read as numbers up to 1. */
    OK(cuTexObjectCreate(&texture, &resource, &reading, NULL));
    OK(cuTexObjectDestroy(texture));
    reading.flags = CU_TRSF_READ_AS_INTEGER;
    EXPECT(cuTexObjectCreate(&texture, &resource, &reading, NULL), CUDA_ERROR_INVALID_VALUE);

    memset(&copies, 0, sizeof copies); /* the second slice, from the middle of its first row */
    for (int k = 0; k < 12; k++)
        host[k] = (float)k;
    copies.srcMemoryType = CU_MEMORYTYPE_HOST;
    copies.srcHost = host;
    copies.srcPitch = 16;
    copies.srcHeight = 3;
    copies.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copies.dstArray = volume;
    copies.dstZ = 1;
    copies.WidthInBytes = 16;
    copies.Height = 3;
    copies.Depth = 1;
    OK(cuMemcpy3D(&copies));
    copies.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copies.srcArray = volume;
    copies.srcZ = 1;
    copies.srcXInBytes = 8;
    copies.dstMemoryType = CU_MEMORYTYPE_HOST;
    copies.dstHost = line;
    copies.dstZ = 0;
    copies.WidthInBytes = 8;
    copies.Height = 2;
    OK(cuMemcpy3DAsync(&copies, NULL));
    OK(cuStreamSynchronize(NULL));
    TRUE(line[0] == 2 && line[1] == 3 && line[2] == 6 && line[3] == 7);
    OK(cuMipmappedArrayCreate(&pyramid, &cube, 2));
    OK(cuMipmappedArrayGetLevel(&level, pyramid, 1));
    OK(cuArrayGetDescriptor(&found, level));
    TRUE(found.Width == 2 && found.Height == 1 && found.Format == CU_AD_FORMAT_UNSIGNED_INT8);
    OK(cuMipmappedArrayDestroy(pyramid));
    OK(cuArrayDestroy(volume));
    OK(cuArrayDestroy(array));
}

static void CUDA_CB count_call(CUstream stream, CUresult status, void *calls)
{
    *(int *)calls += stream && status == CUDA_SUCCESS;
}

static void streams(void)
{
    CUcontext context, current;
    CUgreenCtx green = (CUgreenCtx)&context;
    int calls = 0;
    CUstream stream;
    CUevent from, to;
    unsigned flags;
    float milliseconds;

    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamGetFlags(stream, &flags));
    TRUE(flags == CU_STREAM_NON_BLOCKING);
    OK(cuStreamGetCtx(stream, &context));
    OK(cuCtxGetCurrent(&current));
    TRUE(context == current);
    OK(cuStreamGetCtx_v2(stream, &context, &green));
    TRUE(context == current && !green);
    OK(cuStreamAddCallback(stream, count_call, &calls, 0));
    EXPECT(cuStreamAddCallback(stream, count_call, &calls, 1), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamSynchronize(stream));
    TRUE(calls == 1);
    OK(cuEventCreate(&from, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&to, CU_EVENT_DEFAULT));
    OK(cuEventRecord(from, stream));
    OK(cuStreamWaitEvent(stream, from, 0));
    OK(cuEventRecord(to, stream));
    OK(cuEventSynchronize(to));
    OK(cuEventElapsedTime(&milliseconds, from, to));
    TRUE(milliseconds >= 0);
    OK(cuEventQuery(to));
    OK(cuStreamQuery(stream));
    OK(cuStreamSynchronize(stream));
    OK(cuEventDestroy(from));
    OK(cuEventDestroy(to));
    OK(cuStreamDestroy(stream));
    EXPECT(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
}

static size_t CUDA_CB bytes_of_block(int threads)
{
    return (size_t)threads * 1024;
}

static void kernels(void)
{
    int grid, block;
    const CUfunction scale = (CUfunction)scale_function();
    int host[64], factor = 3, value;
    CUdeviceptr x;
    void *arguments[] = {&x, &factor};

    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
    TRUE(value == 64);
    for (int k = 0; k < 64; k++)
        host[k] = k;
    OK(cuMemAlloc(&x, sizeof host));
    OK(cuMemcpyHtoD(x, host, sizeof host));
    OK(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 32 * sizeof(int), NULL, arguments, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(host, x, sizeof host));
    TRUE(host[1] == 90 && host[63] == 96); /* each block's elements in reverse */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, 64, 0));
    TRUE(value >= 1);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, 65, 0));
    TRUE(value == 0);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, NULL, 0, 0));
    TRUE(grid >= 1 && block == 64);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, bytes_of_block, 0, 50));
    TRUE(block == 32); /* whole warps, in 48 KiB */
    EXPECT(cuOccupancyMaxPotentialBlockSize(&grid, &block, NULL, NULL, 0, 0),
           CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL),
           CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuLaunchKernel(scale, 1, 1, 1, 5000, 1, 1, 0, NULL, arguments, NULL),
           CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(x));
}

/* A kernel as the node of a graph, which the runtime API launches. */
static void graphs(void)
{
    const CUfunction scale = (CUfunction)scale_function();
    int host[32], factor = 2;
    CUkernelNodeAttrValue value;
    CUgraphNode node;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    CUdeviceptr x;
    void *arguments[] = {&x, &factor};
    CUDA_KERNEL_NODE_PARAMS parameters;

    OK(cuMemAlloc(&x, sizeof host));
    OK(cuMemsetD32(x, 21, 32));
    memset(&parameters, 0, sizeof parameters);
    parameters.func = scale;
    parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
    parameters.blockDimX = 32;
    parameters.blockDimY = parameters.blockDimZ = 1;
    parameters.sharedMemBytes = sizeof host;
    parameters.kernelParams = arguments;
    TRUE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &parameters));
    memset(&value, 0, sizeof value);
    value.priority = 1;
    OK(cuGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
    EXPECT(cuGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value),
           CUDA_ERROR_NOT_SUPPORTED);
    TRUE(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
    TRUE(cudaGraphLaunch(made, NULL) == cudaSuccess);
    OK(cuMemcpyDtoH(host, x, sizeof host));
    TRUE(host[0] == 42 && host[31] == 42);
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
    OK(cuMemFree(x));
}

static void addresses(void)
{
    enum cudaDriverEntryPointQueryResult found;
    PFN_cuMemAlloc_v3020 typed;
    CUresult (*allocate)(CUdeviceptr *, size_t);
    CUdriverProcAddressQueryResult result;
    const char *text;
    CUmodule module;
    CUdeviceptr memory;
    void *function;

    OK(cuGetProcAddress("cuMemAlloc", &function, CUDA_VERSION, 0, &result));
    TRUE(result == CU_GET_PROC_ADDRESS_SUCCESS);
    memcpy(&allocate, &function, sizeof allocate);
    TRUE(allocate == cuMemAlloc);
    OK(allocate(&memory, 16));
    OK(cuMemFree(memory));
    OK(cuGetProcAddress("cuNothing", &function, CUDA_VERSION, 0, &result));
    TRUE(result == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && !function);
    OK(cuGetProcAddress("cuStreamGetCtx", &function, 12000, 0, &result));
    TRUE(function == (void *)cuStreamGetCtx);
    OK(cuGetProcAddress("cuStreamGetCtx", &function, 12050, 0, &result));
    TRUE(function == (void *)cuStreamGetCtx_v2);
    TRUE(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault,
                                          &found) == cudaSuccess);
    memcpy(&typed, &function, sizeof typed);
    TRUE(found == cudaDriverEntryPointSuccess && typed == allocate);
    TRUE(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault, &found) ==
             cudaSuccess &&
         found == cudaDriverEntryPointSymbolNotFound && !function);
    EXPECT(cuModuleLoadData(&module, ""), CUDA_ERROR_INVALID_IMAGE);
    OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    TRUE(strcmp(text, "out of memory") == 0);
    EXPECT(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
}

int main(int count, char **arguments)
{
    int device;

    (void)arguments;
    EXPECT(cuDeviceGetCount(&device), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    OK(cuInit(0));
    contexts();
    devices();
    if (count > 1) {
        char host[64] = "";
        CUdeviceptr small;
        OK(cuMemAlloc(&small, 32));
        EXPECT(cuMemcpyHtoD(small, host, 64), CUDA_ERROR_INVALID_VALUE); /* too long */
        OK(cuMemFree(small));
        return failures;
    }
    memory();
    mapped();
    pools();
    arrays();
    streams();
    kernels();
    graphs();
    addresses();
    printf("%d failures\n", failures);
    return failures != 0;
}
