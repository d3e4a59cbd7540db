/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches by function pointer, attributes of kernels, occupancy, attributes of the device. */
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) {                                                               \
            printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error_));              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct numbers {
    double d;
    short s[3];
};
__global__ void store(int *out, char c, numbers n, float f)
{
    out[threadIdx.x] = (int)threadIdx.x + c + (int)n.d + n.s[2] + (int)f;
}
template <class T, int K> __global__ void __launch_bounds__(128) dynamic(T *out, int n)
{
    extern __shared__ int room[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        room[i] = i * K;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = (T)room[n - 1];
}

__host__ __device__ static size_t four_bytes_each(int threads)
{
    return (size_t)threads * 4;
}

int main()
{
    int *out, host[4], result;
    CHECK(cudaMalloc(&out, sizeof host));

    char c = 1;
    numbers n = {20.5, {0, 0, 300}};
    float f = 4000.25f;
    void *arguments[] = {&out, &c, &n, &f};
    CHECK(cudaLaunchKernel((const void *)store, dim3(1), dim3(4), arguments, 0, 0));
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[0], host[3]);
    c = 2;
    CHECK(cudaLaunchCooperativeKernel(store, dim3(1), dim3(4), arguments));
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(4);
    CHECK(cudaLaunchKernelEx(&config, store, out, 'a', n, 0));
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[3]);

    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, dynamic<int, 3>));
    printf("%d %d\n", attributes.maxThreadsPerBlock, attributes.maxDynamicSharedSizeBytes);
    dynamic<int, 3><<<1, 128, 60000>>>(out, 15000);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    CHECK(
        cudaFuncSetAttribute(dynamic<int, 3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    dynamic<int, 3><<<1, 128, 60000>>>(out, 15000);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    printf("%d\n", result);
    dynamic<int, 3><<<1, 128, 60004>>>(out, 15001);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                       dynamic<int, 3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20)));
    CHECK(cudaFuncSetCacheConfig(store, cudaFuncCachePreferShared));
    cudaGetLastError();

    int blocks, grid, block;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 128, 0));
    printf("%d\n", blocks > 0);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 2000, 0));
    printf("%d\n", blocks);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, dynamic<int, 3>, 0, 0));
    printf("%d %d\n", grid > 0, block);
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic<float, 1>,
                                                         four_bytes_each, 64));
    printf("%d %d\n", grid > 0, block);

    int count, device, value;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDevice(&device));
    printf("%d %d\n", count > 0, device);
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    printf("%d %d %d %zu %d %d\n", properties.warpSize, properties.maxThreadsPerBlock,
           properties.maxGridSize[1], properties.sharedMemPerBlock, properties.major > 2,
           properties.multiProcessorCount > 0);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimZ, 0));
    printf("%d\n", value);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0));
    printf("%d\n", value);
    int driver, runtime;
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    printf("%d\n", driver >= runtime && runtime >= 12000);
    size_t bytes;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    printf("%zu\n", bytes);
    CHECK(cudaFree(out));
    return 0;
}
