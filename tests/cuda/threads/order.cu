// SPDX-License-Identifier: BSD-3-Clause
// order [KIND [BLOCK]]: what blocks do whose order shows in the result, as hashes of all memory; or,
// with a KIND, kernels that fail in a BLOCK and in later ones; without a BLOCK, again and again, while
// others wait for their order.
#include <assert.h>
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>

enum { BLOCKS = 120, THREADS = 64, N = BLOCKS * THREADS };
static float *floats;
static int *ints;
__device__ volatile int turn;
__device__ cuda::atomic<int, cuda::thread_scope_device> passed;

// Some blocks take far longer than others.
__device__ float work(int block)
{
    float v = threadIdx.x + block * .5f;
    for (int k = 0; k < (block % 7 == 0 ? 3000 : 100); k++)
        v = v * .999f + .25f;
    return v;
}

__global__ void sums(float *to)
{
    __shared__ float of_block[THREADS];
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    of_block[threadIdx.x] = work(blockIdx.x);
    __syncthreads();
    atomicAdd(&count, threadIdx.x);
    atomicAdd(&to[0], of_block[THREADS - 1 - threadIdx.x]);
    __syncthreads();
    to[1 + blockIdx.x * THREADS + threadIdx.x] = of_block[threadIdx.x] + count;
}
__global__ void places(float *to, int *order)
{
    extern __shared__ float mine[];
    mine[threadIdx.x] = work(gridDim.x - 1 - blockIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        order[1 + atomicAdd(&order[0], 1)] = blockIdx.x;
    to[blockIdx.x * THREADS + threadIdx.x] = mine[threadIdx.x ^ 1];
}
// The last block to arrive sums what all have written.
__global__ void last_block(float *to, int *count)
{
    __shared__ bool is_last;
    to[blockIdx.x * THREADS + threadIdx.x] = work(blockIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicInc((unsigned *)count, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!is_last || threadIdx.x > 0)
        return;
    float sum = 0;
    for (int k = 0; k < N; k++)
        sum = sum * .5f + to[k];
    to[N] = sum;
}
// Each block takes its turn: by loads past the first cache, a volatile variable, or an atomic.
__global__ void half_turns(float *sum, __half2 *turn)
{
    const float mine = work(blockIdx.x);
    if (threadIdx.x == 0) {
        while (__high2float(__ldcg(turn)) != blockIdx.x) {
        }
        *sum = *sum * .75f + mine;
        __threadfence();
        __stcg(turn, __floats2half2_rn(0, blockIdx.x + 1));
    }
}
__global__ void volatile_turns(float *sum)
{
    const float mine = work(blockIdx.x);
    if (threadIdx.x == 0) {
        while (turn != (int)blockIdx.x) {
        }
        *sum = *sum * .75f + mine;
        __threadfence();
        turn = blockIdx.x + 1;
    }
}
__global__ void atomic_turns(float *sum)
{
    const float mine = work(blockIdx.x);
    if (threadIdx.x == 0) {
        while (passed.load() != (int)blockIdx.x) {
        }
        *sum = *sum * .75f + mine;
        passed.store(blockIdx.x + 1);
    }
}
// Earlier blocks wait for later ones, and all add in the order in which they go on.
__global__ void backwards(float *sum, int *order)
{
    const float mine = work(blockIdx.x);
    const int group = blockIdx.x / 5 * 5 + 4;
    if (threadIdx.x == 0) {
        while (passed.load() % 5 != group - (int)blockIdx.x)
            __nanosleep(10);
        *sum = *sum * .75f + mine;
        order[1 + atomicAdd(order, 1)] = blockIdx.x;
        passed.fetch_add(1);
    }
    __syncthreads();
    if (passed.load() < 0)
        *sum = 0;
}
// One block in the middle waits for the last; those between them may run ahead, and not twice.
__global__ void waits_for_last(float *to)
{
    float *const mine = &to[1 + blockIdx.x * THREADS + threadIdx.x];
    *mine = *mine * .5f + work(blockIdx.x);
    if (threadIdx.x > 0)
        return;
    if (blockIdx.x == gridDim.x / 2) {
        while (passed.load() == 0) {
        }
        to[0] = to[gridDim.x * THREADS];
    } else if (blockIdx.x == gridDim.x - 1) {
        passed.store(1);
    }
}
__global__ void child(float *to, int block)
{
    to[0] = to[0] * .5f + block + threadIdx.x;
}
__global__ void children(float *to)
{
    const float mine = work(blockIdx.x);
    if (threadIdx.x == 0 && blockIdx.x % 3 == 0) {
        to[1 + blockIdx.x] = mine;
        child<<<1, 1>>>(to, blockIdx.x);
    }
}
// Children of several blocks, which run in parallel, before children of their own.
__global__ void family(float *to, int generation)
{
    const float mine = work(blockIdx.x);
    if (threadIdx.x == 0) {
        atomicAdd(&to[1], 1);
        to[0] = to[0] * .75f + mine + 10 * generation;
    }
    if (generation < 2 && threadIdx.x < 2 && blockIdx.x % 40 == 0)
        family<<<3, THREADS>>>(to, generation + 1);
}
__global__ void prints(float *to)
{
    to[blockIdx.x] = work(blockIdx.x);
    if (threadIdx.x == 5)
        printf("%d: %a\n", blockIdx.x, to[blockIdx.x]);
}
template <class T> __global__ void of_templates(T *to)
{
    __shared__ T tile[THREADS];
    __shared__ volatile int sum;
    tile[threadIdx.x] = (T)work(blockIdx.x);
    sum = 0;
    __syncthreads();
    atomicAdd((int *)&sum, (int)tile[threadIdx.x]);
    __syncthreads();
    to[blockIdx.x * THREADS + threadIdx.x] = tile[(threadIdx.x + 1) % THREADS] + (T)sum;
}
// Block 0 waits for a later one, and so leaves its shared memory to others.
__global__ void keeps(float *to, int *flag)
{
    __shared__ float tile[THREADS];
    tile[threadIdx.x] = blockIdx.x + threadIdx.x;
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0) {
        }
    if (blockIdx.x == 3 && threadIdx.x == 0)
        atomicExch(flag, 1);
    __syncthreads();
    to[blockIdx.x * THREADS + threadIdx.x] = tile[threadIdx.x];
}
__global__ void fails(int kind, int block, int *never)
{
    const float mine = work(blockIdx.x);
    const int here = mine >= 0 && (int)blockIdx.x >= block && threadIdx.x == 3 + blockIdx.x % 3;
    if (kind == 0 && here)
        *(int *)(size_t)(8 + mine * 0) = 1;
    if (kind == 1)
        assert(!here);
    if (kind == 2 && here)
        __trap();
    if (kind == 3 && here)
        never[2] = 5 / never[1];
    if (kind == 4 && (int)blockIdx.x >= block) {
        if (threadIdx.x == 0)
            __syncwarp(3);
        __syncthreads();
    }
    if (kind == 5)
        printf("block %d\n", here ? blockIdx.x : 0);
    if (kind == 6 && here)
        while (atomicAdd(never, 0) == 0) {
        }
}
// Block 2 polls, so that block 3 runs, and fails: blocks 4 to 7, which wait for it, never go on.
__global__ void abandons(int *to, int *never)
{
    float v = 0;
    for (int k = 0; k < (blockIdx.x < 2 ? 1000 : 0); k++)
        v += work(0);
    if (blockIdx.x == 2)
        while (atomicAdd(never, 0) == 0) {
        }
    if (blockIdx.x > 3 && blockIdx.x < 8)
        atomicAdd(never, 0);
    if (blockIdx.x == 3) {
        atomicAdd(never, 0);
        __trap();
    }
    to[blockIdx.x] = v >= 0;
}

static void clear()
{
    memset(floats, 0, (N + 2) * sizeof *floats);
    memset(ints, 0, (N + 2) * sizeof *ints);
}
static void show(const char *name)
{
    const int error = cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int k = 0; k < N + 2; k++) {
        unsigned bits;
        memcpy(&bits, &floats[k], sizeof bits);
        hash = (hash ^ bits ^ (unsigned)ints[k] * 2654435761u) * 16777619u + hash / 65536;
    }
    printf("%s: error %d, sum %a, hash %08x\n", name, error, floats[0], hash);
    clear();
}

// Shared memory is of the OS thread that launches.
static void keep()
{
    keeps<<<4, THREADS>>>(floats, ints);
    cudaDeviceSynchronize();
    for (int k = 0; k < 4 * THREADS; k++)
        if (floats[k] != k / THREADS + k % THREADS)
            printf("keeps: word %d is wrong\n", k);
    clear();
}

static void abandon()
{
    for (int k = 0; k < 20; k++) {
        cudaMallocManaged(&ints, (BLOCKS + 1) * sizeof *ints);
        memset(ints, 0, (BLOCKS + 1) * sizeof *ints);
        abandons<<<BLOCKS, 1>>>(ints, ints + BLOCKS);
        const int error = cudaDeviceSynchronize();
        for (int turn = 0; turn < 1000; turn++)
            std::this_thread::yield();
        int blocks = 0;
        for (int b = 4; b < 8; b++)
            blocks += ints[b];
        printf("abandons: error %d, %d blocks went on\n", error, blocks);
        cudaDeviceReset();
    }
}

int main(int count, char **words)
{
    if (count == 2) {
        abandon();
        return 0;
    }
    cudaMallocManaged(&floats, (N + 2) * sizeof *floats);
    cudaMallocManaged(&ints, (N + 2) * sizeof *ints);
    clear();
    if (count > 2) {
        fails<<<BLOCKS, THREADS>>>(atoi(words[1]), atoi(words[2]), ints);
        show("fails");
        return 0;
    }
    keep();
    std::thread(keep).join();
    for (int k = 0; k < 2; k++) {
        sums<<<BLOCKS, THREADS>>>(floats);
        show("sums");
        places<<<BLOCKS, THREADS, THREADS * sizeof(float)>>>(floats, ints);
        show("places");
        last_block<<<BLOCKS, THREADS>>>(floats, ints);
        show("last_block");
        half_turns<<<BLOCKS, THREADS>>>(floats, (__half2 *)ints);
        show("half_turns");
        volatile_turns<<<BLOCKS, THREADS>>>(floats);
        show("volatile_turns");
        const int zero = 0;
        cudaMemcpyToSymbol(turn, &zero, sizeof zero);
        atomic_turns<<<BLOCKS, THREADS>>>(floats);
        show("atomic_turns");
        cudaMemcpyToSymbol(passed, &zero, sizeof zero);
        backwards<<<BLOCKS, THREADS>>>(floats, ints);
        show("backwards");
        cudaMemcpyToSymbol(passed, &zero, sizeof zero);
        waits_for_last<<<BLOCKS, THREADS>>>(floats);
        show("waits_for_last");
        cudaMemcpyToSymbol(passed, &zero, sizeof zero);
        children<<<BLOCKS, THREADS>>>(floats);
        show("children");
        family<<<BLOCKS, THREADS>>>(floats, 0);
        show("family");
        of_templates<<<BLOCKS, THREADS>>>(floats);
        show("of_templates<float>");
        of_templates<<<BLOCKS, THREADS>>>(ints);
        show("of_templates<int>");
    }
    prints<<<BLOCKS, THREADS>>>(floats);
    show("prints");
    cudaFree(floats);
    cudaFree(ints);
    return 0;
}
