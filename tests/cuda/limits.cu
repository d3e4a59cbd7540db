// SPDX-License-Identifier: BSD-3-Clause
// As much constant and static shared memory as there is: the constants of the program together, the
// shared variables of each kernel.
#include <cstdio>
#include <cuda_runtime.h>

__constant__ char first[65536 - 8];
__constant__ char second[8];

template <class T, int N> __global__ void whole(T *out)
{
    __shared__ T tile[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        tile[i] = T(i % 100);
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x] + first[threadIdx.x] + second[7];
}

__global__ void halves(int *out)
{
    __shared__ int left[6144], right[6144];
    for (int i = threadIdx.x; i < 6144; i += blockDim.x) {
        left[i] = i;
        right[i] = 2 * i;
    }
    __syncthreads();
    out[threadIdx.x] = left[6143 - threadIdx.x] + right[6143 - threadIdx.x];
}

template <class T> static void print(const char *name, const T *device)
{
    T host[32];
    const cudaError_t error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%-7s %s:", name, cudaGetErrorString(error));
    for (int i = 0; i < 32; i += 10)
        printf(" %g", (double)host[i]);
    printf("\n");
}

int main()
{
    static char bytes[65536 - 8];
    char *chars, last[8] = {0, 0, 0, 0, 0, 0, 0, 3};
    double *doubles;
    int *ints;
    bytes[31] = 1;
    cudaMemcpyToSymbol(first, bytes, sizeof bytes);
    cudaMemcpyToSymbol(second, last, sizeof last);
    cudaMalloc(&chars, 32);
    cudaMalloc(&doubles, 32 * sizeof *doubles);
    cudaMalloc(&ints, 32 * sizeof *ints);
    whole<char, 49152><<<1, 32>>>(chars);
    print("char", chars);
    whole<double, 6144><<<1, 32>>>(doubles);
    print("double", doubles);
    halves<<<1, 32>>>(ints);
    print("halves", ints);
    cudaFree(chars);
    cudaFree(doubles);
    cudaFree(ints);
    return 0;
}
