// SPDX-License-Identifier: BSD-3-Clause
// Polls by plain and volatile reads, which racecheck reports, and which end.
#include <cuda_runtime.h>
#include <stdio.h>

__device__ bool ready;
__device__ volatile int stage;
__device__ int values[64];

// Within a warp: the compiler may read once, and the loop must end.
__global__ void by_plain(int *out)
{
    if (threadIdx.x == 31)
        ready = true;
    while (!ready)
        ;
    atomicAdd(out, 1);
}
// Between warps, by shared memory.
__global__ void by_volatile(int *out)
{
    __shared__ volatile int flags[4];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        flags[warp] = 0;
    __syncthreads();
    if (warp < 3)
        for (; flags[warp + 1] == 0;) {
        }
    flags[warp] = 1;
    atomicAdd(out, 1);
}
// Between blocks, each after the next one.
__global__ void by_blocks(int *out)
{
    const int mine = gridDim.x - 1 - blockIdx.x;
    if (threadIdx.x == 0) {
        do {
        } while (stage != mine);
        *out = *out * 10 + mine;
        __threadfence();
        stage = mine + 1;
    }
}

int main()
{
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    *out = 0;
    by_plain<<<1, 32>>>(out);
    printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *out);
    *out = 0;
    by_volatile<<<1, 128>>>(out);
    printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *out);
    *out = 0;
    by_blocks<<<8, 32>>>(out);
    printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *out);
    cudaFree(out);
}
