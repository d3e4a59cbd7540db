/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/queue.c as CUDA written by hand. */
#include "loops.h"

extern "C" __global__ void queue_claim(int n, unsigned capacity, const int *__restrict__ marks,
                                       unsigned *__restrict__ claims)
{
    __shared__ unsigned next;
    if (threadIdx.x == 0)
        next = 0;
    __syncthreads();
    FOR_TURNS(i, n) {
        if (marks[i] != 0) {
            const unsigned slot = atomicInc(&next, capacity - 1);
            atomicAdd(&claims[blockIdx.x * capacity + slot], 1);
        }
    }
}

/* The number of steps of the Collatz iteration from `start` to 1. */
static __device__ int collatz_steps(unsigned long long start)
{
    int steps = 0;
    while (start > 1) {
        start = start % 2 == 0 ? start / 2 : 3 * start + 1;
        steps++;
    }
    return steps;
}

extern "C" __global__ void persistent_threads(int n, unsigned *__restrict__ queue,
                                              int *__restrict__ steps)
{
    __shared__ unsigned fetched;
    const unsigned items = (n + blockDim.x - 1) / blockDim.x;
    while (true) {
        if (threadIdx.x == 0)
            fetched = atomicAdd(queue, 1);
        __syncthreads();
        const unsigned item = fetched;
        __syncthreads();
        if (item >= items)
            return;
        const unsigned i = item * blockDim.x + threadIdx.x;
        if (i < n)
            steps[i] = collatz_steps((unsigned long long)i + 1);
    }
}
