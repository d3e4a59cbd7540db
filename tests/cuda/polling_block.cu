// SPDX-License-Identifier: BSD-3-Clause
// Threads that wait in a loop for what another thread of their block writes: since Volta each thread of
// a warp goes on by itself, so that the other comes to write it.
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <stdio.h>

struct state {
    int flag, word, lock, count, turns;
    int queue[256];
};

// The last thread of the warp releases the others.
__global__ void by_volatile(state *s)
{
    volatile int *flag = &s->flag;
    if (threadIdx.x == blockDim.x - 1) {
        s->word = 42;
        __threadfence();
        atomicExch(&s->flag, 1);
    }
    while (atomicAdd((int *)flag, 0) == 0)
        ;
    __threadfence();
    atomicAdd(&s->count, s->word);
}
__global__ void by_cas(state *s)
{
    if (threadIdx.x == blockDim.x - 1)
        atomicExch(&s->flag, 2);
    do {
    } while (atomicCAS(&s->flag, 3, 3) != 2);
    atomicAdd(&s->count, 1);
}
__global__ void by_object(cuda::atomic<int, cuda::thread_scope_block> *flag, int *out)
{
    if (threadIdx.x == 33) {
        *out = 7;
        flag->store(1, cuda::memory_order_release);
    }
    if (threadIdx.x == 0) {
        while (flag->load(cuda::memory_order_acquire) == 0)
            __nanosleep(10);
        *out += 1;
    }
}

// A lock that each thread of the warp takes; it keeps it while it waits for others.
__global__ void spin_lock(state *s)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&s->lock, 0, 1) == 0) {
            __threadfence();
            s->word = s->word + 1;
            for (int k = 0; k < 3; k++)
                __nanosleep(1);
            __threadfence();
            atomicExch(&s->lock, 0);
            done = true;
        }
    }
}
__device__ void take(int *lock)
{
again:
    if (atomicExch(lock, 1) != 0)
        goto again;
    __threadfence();
}
__device__ void leave(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void nested_locks(state *s)
{
    take(&s->lock);
    __nanosleep(1);
    for (;;)
        if (atomicCAS(&s->flag, 0, 1) == 0)
            break;
    s->turns++;
    atomicExch(&s->flag, 0);
    leave(&s->lock);
}

// Turns: thread t goes on when all before it have.
__global__ void in_turn(state *s)
{
    for (int seen = -1; seen != (int)threadIdx.x; seen = atomicAdd(&s->turns, 0))
        ;
    s->queue[threadIdx.x] = atomicAdd(&s->count, 1);
    __threadfence();
    atomicAdd(&s->turns, 1);
}

// A warp makes items, which the other takes, while a third waits at the barrier.
__global__ void producer(state *s)
{
    __shared__ int made, taken, sum;
    if (threadIdx.x == 0)
        made = taken = sum = 0;
    __syncthreads();
    if (threadIdx.x == 64) {
        for (int item = 1; item <= 20; item++) {
            while (atomicAdd(&made, 0) != atomicAdd(&taken, 0)) {
            }
            s->queue[0] = item * item;
            __threadfence_block();
            atomicAdd(&made, 1);
        }
    } else if (threadIdx.x == 0) {
        for (int item = 1; item <= 20; item++) {
            while (atomicAdd(&made, 0) < item) {
            }
            sum += s->queue[0];
            __threadfence_block();
            atomicAdd(&taken, 1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        s->count = sum;
}

// Every lane votes until one has seen the flag, which another warp sets.
__global__ void vote(state *s)
{
    if (threadIdx.x / 32 == 0) {
        int rounds = 0;
        while (!__any_sync(~0u, threadIdx.x == 5 && atomicAdd(&s->flag, 0)))
            rounds++;
        if (threadIdx.x == 0)
            s->word = rounds >= 0;
    } else if (threadIdx.x == 40) {
        for (unsigned k = 0; k < 100000; k++)
            s->queue[k % 7] += 1;
        atomicExch(&s->flag, 1);
    }
}
// The whole block goes around a barrier.
__global__ void barrier_loop(state *s)
{
    if (threadIdx.x == 3) {
        for (int k = 0; k < 3; k++)
            __nanosleep(1);
        atomicExch(&s->flag, 1);
    }
    while (!__syncthreads_or(atomicAdd(&s->flag, 0)))
        ;
    atomicAdd(&s->count, 1);
}
// Counts in device memory for longer than a deadlock takes to be found.
__global__ void counter(state *s)
{
    volatile int *word = &s->word;
    if (threadIdx.x == 0) {
        while (atomicAdd(&s->flag, 0) == 0)
            ;
        atomicAdd(&s->count, 1);
    } else {
        while (*word != 1 << 22)
            *word = *word + 1;
        __threadfence();
        atomicExch(&s->flag, 1);
    }
}

static state *s;
template <class Kernel> static void run(const char *name, Kernel kernel, int threads)
{
    cudaMemset(s, 0, sizeof *s);
    kernel<<<1, threads>>>(s);
    const cudaError_t error = cudaDeviceSynchronize();
    int queue = 0;
    for (int k = 0; k < 256; k++)
        queue += (k + 1) * s->queue[k];
    printf("%-13s %s: word %d, count %d, turns %d, lock %d, queue %d\n", name,
           cudaGetErrorName(error), s->word, s->count, s->turns, s->lock, queue);
}

int main()
{
    cudaMallocManaged(&s, sizeof *s);
    run("by_volatile", by_volatile, 32);
    run("by_cas", by_cas, 100);
    run("spin_lock", spin_lock, 64);
    run("nested_locks", nested_locks, 96);
    run("in_turn", in_turn, 256);
    run("producer", producer, 96);
    run("vote", vote, 64);
    run("barrier_loop", barrier_loop, 64);
    run("counter", counter, 2);
    cuda::atomic<int, cuda::thread_scope_block> *flag;
    int *out;
    cudaMallocManaged(&flag, sizeof *flag);
    cudaMallocManaged(&out, sizeof *out);
    cudaMemset(flag, 0, sizeof *flag);
    by_object<<<1, 64>>>(flag, out);
    const cudaError_t error = cudaDeviceSynchronize(); /* before *out is read */
    printf("by_object     %s: %d\n", cudaGetErrorName(error), *out);
    cudaFree(s);
    cudaFree(flag);
    cudaFree(out);
}
