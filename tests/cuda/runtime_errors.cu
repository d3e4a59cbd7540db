/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of invalid calls and launches, what cudaGetLastError returns after them, and their
 * names. */
#include <cstdio>
#include <cstdlib>

__global__ void set(int *p)
{
    if (p)
        *p = 1;
}
__global__ void __launch_bounds__(64) bounded(int *p)
{
    if (threadIdx.x == 0)
        *p = 1;
}
__device__ int numbers[4];

static void show(const char *call, cudaError_t error)
{
    printf("%s: %s, last %s\n", call, cudaGetErrorName(error),
           cudaGetErrorName(cudaGetLastError()));
}
#define SHOW(call) show(#call, call)
#define LAUNCH(...)                                                                                \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        show(#__VA_ARGS__, cudaPeekAtLastError());                                                 \
        show("synchronize", cudaDeviceSynchronize());                                              \
    } while (0)

int main()
{
    int *device, *small, *p, count;
    int *host = (int *)calloc(1024, sizeof(int));
    size_t bytes;
    float ms;

    SHOW(cudaMalloc(&device, 4096));
    SHOW(cudaMalloc(&small, 400));
    LAUNCH(set<<<1, 2048>>>(device));
    LAUNCH(set<<<0, 1>>>(device));
    LAUNCH(set<<<1, dim3(1, 1, 65)>>>(device));
    LAUNCH(set<<<dim3(1, 70000), 1>>>(device));
    LAUNCH(set<<<1, 1, 50000>>>(device));
    LAUNCH(bounded<<<1, 128>>>(device));
    LAUNCH(bounded<<<1, 64>>>(device));

    SHOW(cudaMalloc((void **)0, 4));
    SHOW(cudaMalloc(&p, (size_t)1 << 50));
    SHOW(cudaMalloc(&p, 0));
    printf("%d\n", p == NULL);
    SHOW(cudaHostAlloc((void **)&p, 4, 77));
    SHOW(cudaMallocManaged(&p, 4, 0));
    SHOW(cudaFree(NULL));
    SHOW(cudaFreeHost(NULL));

    SHOW(cudaMemcpy(device, host, 4, (cudaMemcpyKind)7));
    SHOW(cudaMemcpy(NULL, host, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(device, 4, host, 16, 8, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemset(NULL, 0, 4));
    SHOW(cudaMemset2D(device, 4, 0, 8, 2));
    SHOW(cudaMemcpyFromSymbol(host, numbers, 4, 0, cudaMemcpyHostToDevice));
    SHOW(cudaGetSymbolSize(&bytes, numbers));
    printf("%zu\n", bytes);

    SHOW(cudaSetDevice(1000));
    SHOW(cudaSetDevice(-1));
    SHOW(cudaDeviceGetAttribute(&count, cudaDevAttrWarpSize, 1000));
    SHOW(cudaDeviceGetAttribute(&count, (cudaDeviceAttr)999, 0));
    SHOW(cudaDeviceCanAccessPeer(&count, 0, 0));
    printf("%d\n", count);
    SHOW(cudaDeviceEnablePeerAccess(0, 0));
    SHOW(cudaDeviceSetLimit((cudaLimit)99, 1));

    cudaEvent_t from, to, untimed;
    SHOW(cudaEventCreate(&from));
    SHOW(cudaEventCreate(&to));
    SHOW(cudaEventElapsedTime(&ms, from, to));
    SHOW(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    SHOW(cudaEventRecord(from));
    SHOW(cudaEventRecord(untimed));
    SHOW(cudaEventElapsedTime(&ms, from, untimed));
    SHOW(cudaEventRecord(NULL));
    SHOW(cudaEventDestroy(NULL));
    SHOW(cudaStreamDestroy(NULL));
    SHOW(cudaStreamCreate(NULL));

    SHOW(cudaHostRegister(host, 4096, 0));
    SHOW(cudaHostRegister(host, 4096, 0));
    SHOW(cudaHostUnregister(host));
    SHOW(cudaHostUnregister(host));
    SHOW(cudaHostGetDevicePointer((void **)&p, host, 0));

    printf("%s: %s\n", cudaGetErrorName(cudaErrorIllegalAddress),
           cudaGetErrorString(cudaErrorIllegalAddress));
    printf("%s: %s\n", cudaGetErrorName((cudaError_t)12345),
           cudaGetErrorString((cudaError_t)12345));
    SHOW(cudaEventDestroy(from));
    SHOW(cudaEventDestroy(to));
    SHOW(cudaEventDestroy(untimed));
    SHOW(cudaFree(device));
    SHOW(cudaFree(small));
    free(host);
    return 0;
}
