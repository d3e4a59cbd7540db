// SPDX-License-Identifier: BSD-3-Clause
// What fences and atomics order: the last block reads what the others wrote, blocks take turns
// under a lock, threads pass data on by flags; racecheck has nothing to report.
#include <cstdio>
#include <cuda/atomic>

enum { BLOCKS = 24, THREADS = 96, N = BLOCKS * THREADS };

__device__ unsigned tickets;

__device__ int values_of_block(const int *x, int *part)
{
    atomicAdd_block(part, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    return *part;
}

// One thread writes the block's result, passes a fence, draws a ticket.
__global__ void sum_by_last_block(const int *x, int *partial, int *sum)
{
    __shared__ int part;
    __shared__ bool last;
    if (threadIdx.x == 0)
        part = 0;
    __syncthreads();
    const int mine = values_of_block(x, &part);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        *sum = 0;
        for (unsigned k = 0; k < gridDim.x; k++)
            *sum += partial[k];
    }
}

// Every thread writes and passes a fence; one draws the ticket after a barrier.
__global__ void reverse_by_last_block(const int *x, int *copy, int *reversed)
{
    __shared__ bool last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    copy[i] = 2 * x[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last)
        for (int k = threadIdx.x; k < N; k += blockDim.x)
            reversed[k] = copy[N - 1 - k];
}

__device__ int lock;

__global__ void add_under_lock(const int *x, int *sum, int *most)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(&lock, 0, 1) != 0)
        continue;
    __threadfence();
    for (unsigned k = 0; k < blockDim.x; k++) {
        const int value = x[blockIdx.x * blockDim.x + k];
        *sum += value;
        *most = *most < value ? value : *most;
    }
    __threadfence();
    atomicExch(&lock, 0);
}

// Warp 0 hands its values to warp 1, which hands their doubles to warp 2, within the block.
__global__ void pass_on_in_block(const int *x, int *y)
{
    __shared__ int values[2][32], flags[2];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 2)
        flags[threadIdx.x] = 0;
    __syncthreads();
    int value = x[blockIdx.x * 32 + lane];
    if (warp > 0) {
        if (lane == 0)
            while (atomicAdd_block(&flags[warp - 1], 0) == 0)
                continue;
        __syncwarp();
        __threadfence_block();
        value = 2 * values[warp - 1][lane];
    }
    if (warp < 2) {
        values[warp][lane] = value;
        __threadfence_block();
        __syncwarp();
        if (lane == 0)
            atomicExch_block(&flags[warp], 1);
    } else {
        y[blockIdx.x * 32 + lane] = value;
    }
}

// The same ticket by cuda::atomic_ref, with the orders that it needs and no more.
__global__ void sum_by_atomic_ref(const int *x, int *partial, unsigned *count, int *sum)
{
    if (threadIdx.x != 0)
        return;
    int mine = 0;
    for (unsigned k = 0; k < blockDim.x; k++)
        mine += x[blockIdx.x * blockDim.x + k];
    partial[blockIdx.x] = mine;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> drawn(*count);
    if (drawn.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
        *sum = 0;
        for (unsigned k = 0; k < gridDim.x; k++)
            *sum += partial[k];
        drawn.store(0, cuda::memory_order_relaxed);
    }
}

int main()
{
    int *x, *y, *z;
    unsigned *count;
    cudaMallocManaged(&x, N * sizeof *x);
    cudaMallocManaged(&y, N * sizeof *y);
    cudaMallocManaged(&z, N * sizeof *z);
    cudaMallocManaged(&count, sizeof *count);
    *count = 0;
    int expected = 0;
    for (int i = 0; i < N; i++)
        expected += x[i] = i * 37 % 101;

    for (int turn = 0; turn < 2; turn++) {
        sum_by_last_block<<<BLOCKS, THREADS>>>(x, y, z);
        cudaDeviceSynchronize();
        printf("last block: %d, expected %d\n", z[0], expected);
    }
    reverse_by_last_block<<<BLOCKS, THREADS>>>(x, y, z);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += z[i] != 2 * x[N - 1 - i];
    printf("reversed by the last block: %d wrong\n", wrong);

    y[0] = y[1] = 0;
    add_under_lock<<<BLOCKS, THREADS>>>(x, &y[0], &y[1]);
    cudaDeviceSynchronize();
    printf("under a lock: %d, at most %d\n", y[0], y[1]);

    pass_on_in_block<<<BLOCKS, 96>>>(x, y);
    cudaDeviceSynchronize();
    wrong = 0;
    for (int i = 0; i < 32 * BLOCKS; i++)
        wrong += y[i] != 4 * x[i];
    printf("passed on twice: %d wrong\n", wrong);

    for (int turn = 0; turn < 2; turn++) {
        sum_by_atomic_ref<<<BLOCKS, THREADS>>>(x, y, count, z);
        cudaDeviceSynchronize();
        printf("atomic_ref: %d, count %u\n", z[0], *count);
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    cudaFree(count);
    return 0;
}
