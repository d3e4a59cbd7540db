/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver API, from C. With an argument, a copy that is too long. */
#include "calls.h"

#include <cuda.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define EXPECT(call, expected)                                                                     \
    do {                                                                                           \
        const char *name_ = "unknown";                                                             \
        const CUresult error_ = (call);                                                            \
        if (error_ != (expected)) {                                                                \
            cuGetErrorName(error_, &name_);                                                        \
            printf("line %d: %s: %s\n", __LINE__, #call, name_);                                   \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define OK(call) EXPECT(call, CUDA_SUCCESS)
#define TRUE(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

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

static void streams(void)
{
    CUstream stream;
    CUevent from, to;
    unsigned flags;
    float milliseconds;

    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamGetFlags(stream, &flags));
    TRUE(flags == CU_STREAM_NON_BLOCKING);
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

static void kernels(void)
{
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
    TRUE(host[1] == 3 && host[63] == 189);
    EXPECT(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL),
           CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuLaunchKernel(scale, 1, 1, 1, 5000, 1, 1, 0, NULL, arguments, NULL),
           CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree(x));
}

static void addresses(void)
{
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
    EXPECT(cuModuleLoadData(&module, ""), CUDA_ERROR_NOT_SUPPORTED);
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
    streams();
    kernels();
    addresses();
    printf("%d failures\n", failures);
    return failures != 0;
}
