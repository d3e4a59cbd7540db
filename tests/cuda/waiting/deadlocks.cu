// SPDX-License-Identifier: BSD-3-Clause
// deadlocks NUMBER: a kernel whose threads wait for what never comes.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__device__ int lock;
__device__ volatile int ready;
__device__ cuda::atomic<int, cuda::thread_scope_device> turn;
__device__ unsigned tries;

// Taken twice by one thread.
__global__ void never_released()
{
    for (int k = 0; k < 2; k++)
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
}
// Nobody sets the flag.
__global__ void never_set()
{
    while (!ready)
        ;
}
// The last block cannot start before the first ends.
__global__ void beyond_the_gpu()
{
    if (blockIdx.x == gridDim.x - 1)
        ready = 1;
    if (threadIdx.x == 0)
        while (!ready) {
        }
    __syncthreads();
}
// Half of the block waits at a barrier for the thread that polls what they would write after it.
__global__ void before_a_barrier()
{
    if (threadIdx.x == 5) {
        do
            __nanosleep(100);
        while (turn.load() == 0);
    }
    __syncthreads();
    turn.store(1);
}
// Two blocks, two locks, in opposite order.
__global__ void opposite(int *locks)
{
    const int first = blockIdx.x % 2;
    if (threadIdx.x > 0)
        return;
    while (atomicExch(&locks[first], 1))
        ;
    for (int k = 0; k < 50; k++)
        __nanosleep(1);
    while (atomicExch(&locks[1 - first], 1))
        ;
}
// A poll that ends a block's loop around a barrier, and a block at the grid's barrier.
__global__ void around_a_barrier()
{
    cooperative_groups::grid_group all = cooperative_groups::this_grid();
    if (blockIdx.x == 0)
        while (!__syncthreads_or(ready)) {
        }
    all.sync();
}
__global__ void at_once()
{
    tries = 0;
}
// Ends by itself: a clock, and a count in memory that is large.
__global__ void patient(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles)
        ;
    const clock_t begin = clock();
    while (clock() - begin < 300000)
        ;
    while (atomicAdd(&tries, 1) < 30000000)
        ;
}

int main(int, char **arguments)
{
    int *locks;
    cudaMalloc(&locks, 8);
    cudaMemset(locks, 0, 8);
    at_once<<<1, 1>>>(); // what the checks keep of the first kernel, no later one may read
    switch (atoi(arguments[1])) {
    case 0: never_released<<<1, 40>>>(); break;
    case 1: never_set<<<2, 64>>>(); break;
    case 2: beyond_the_gpu<<<100000, 64>>>(); break;
    case 3: before_a_barrier<<<1, 64>>>(); break;
    case 4: opposite<<<2, 32>>>(locks); break;
    case 5: cudaLaunchCooperativeKernel((void *)around_a_barrier, 3, 32, nullptr, 0, 0); break;
    default: patient<<<1, 2>>>(100000000);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(locks);
}
