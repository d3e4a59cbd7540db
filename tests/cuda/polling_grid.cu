// SPDX-License-Identifier: BSD-3-Clause
// Blocks that wait in a loop for what another block writes: they are resident together.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <stdio.h>

enum { BLOCKS = 24, THREADS = 64, N = BLOCKS * THREADS };
struct grid {
    int flag, ticket, arrived, generation, head, tail, sum;
    int state[BLOCKS], total[BLOCKS], through[BLOCKS];
    int queue[256], in[N], out[N];
};

// The first block waits for the last one's flag, with shared memory that others use meanwhile.
__global__ void by_last(grid *g)
{
    __shared__ int mine[THREADS], seen;
    extern __shared__ int dynamic[];
    mine[threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
    dynamic[threadIdx.x] = -mine[threadIdx.x];
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
        g->sum = 5;
        __threadfence();
        atomicExch(&g->flag, 1);
    }
    if (threadIdx.x == 0) {
        while (atomicAdd(&g->flag, 0) == 0)
            ;
        __threadfence();
        seen = g->sum;
    }
    __syncthreads();
    const int left = (threadIdx.x + 1) % THREADS;
    g->out[blockIdx.x * THREADS + threadIdx.x] = mine[left] - dynamic[left] + seen;
}

// A barrier of the grid by hand, as often as asked for.
__device__ void wait_for_all(grid *g)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const int generation = atomicAdd(&g->generation, 0);
        __threadfence();
        if (atomicAdd(&g->arrived, 1) == (int)gridDim.x - 1) {
            atomicExch(&g->arrived, 0);
            __threadfence();
            atomicAdd(&g->generation, 1);
        } else {
            while (atomicAdd(&g->generation, 0) == generation)
                __nanosleep(20);
        }
        __threadfence();
    }
    __syncthreads();
}
__global__ void stencil(grid *g)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    int *from = g->in, *to = g->out;
    for (int step = 0; step < 6; step++) {
        to[i] = from[(i + N - 1) % N] + from[(i + 1) % N];
        wait_for_all(g);
        int *const other = from;
        from = to;
        to = other;
    }
}

// A scan with decoupled look-back; blocks take their numbers in the order opposite to the launch's.
__global__ void look_back(grid *g)
{
    __shared__ int scan[THREADS], before;
    const int number = gridDim.x - 1 - blockIdx.x, i = number * THREADS + threadIdx.x;
    scan[threadIdx.x] = g->in[i];
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        const int other = threadIdx.x >= step ? scan[threadIdx.x - step] : 0;
        __syncthreads();
        scan[threadIdx.x] += other;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const int total = scan[THREADS - 1];
        int sum = 0;
        g->total[number] = total;
        __threadfence();
        atomicExch(&g->state[number], 1);
        for (int other = number - 1; other >= 0; other--) {
            int state;
            do
                state = atomicAdd(&g->state[other], 0);
            while (state == 0);
            __threadfence();
            sum += state == 2 ? g->through[other] : g->total[other];
            if (state == 2)
                break;
        }
        g->through[number] = sum + total;
        __threadfence();
        atomicExch(&g->state[number], 2);
        before = sum;
    }
    __syncthreads();
    g->out[i] = before + scan[threadIdx.x];
}

// A queue of work, which workers fill too; they end when all work is done.
__global__ void work(grid *g)
{
    while (atomicAdd(&g->flag, 0) < 255) {
        const int place = atomicAdd(&g->head, 0);
        if (place >= atomicAdd(&g->tail, 0))
            continue;
        if (atomicCAS(&g->head, place, place + 1) != place)
            continue;
        int item;
        while ((item = atomicAdd(&g->queue[place], 0)) == 0)
            ;
        atomicAdd(&g->sum, item);
        if (item < 128) {
            const int next = atomicAdd(&g->tail, 2);
            atomicExch(&g->queue[next], 2 * item);
            atomicExch(&g->queue[next + 1], 2 * item + 1);
        }
        __threadfence();
        atomicAdd(&g->flag, 1);
    }
}

// Through cuda::atomic, between two barriers of a cooperative launch.
__global__ void ring(grid *g)
{
    cooperative_groups::grid_group all = cooperative_groups::this_grid();
    cuda::atomic_ref<int, cuda::thread_scope_device> turn(g->ticket);
    all.sync();
    if (threadIdx.x == 0) {
        const int mine = gridDim.x - 1 - blockIdx.x;
        while (turn.load(cuda::memory_order_acquire) != mine) {
        }
        g->sum = (g->sum * 3 + mine) % 1000;
        turn.store(mine + 1, cuda::memory_order_release);
    }
    all.sync();
    g->out[blockIdx.x * THREADS + threadIdx.x] = g->sum;
}

// A lock between blocks.
__global__ void locked(grid *g)
{
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&g->flag, 0, 1) != 0)
            ;
        __threadfence();
        g->sum += 1;
        for (int k = 0; k < 4; k++)
            __nanosleep(100);
        __threadfence();
        atomicExch(&g->flag, 0);
    }
}

static grid *g;
static void begin()
{
    cudaMemset(g, 0, sizeof *g);
    for (int i = 0; i < N; i++)
        g->in[i] = i % 7;
}
static void end(const char *name)
{
    const cudaError_t error = cudaDeviceSynchronize();
    long in = 0, out = 0;
    for (int i = 0; i < N; i++) {
        in += (long)g->in[i] * (i % 13);
        out += (long)g->out[i] * (i % 13);
    }
    printf("%-9s %s: sum %d, flag %d, in %ld, out %ld\n", name, cudaGetErrorName(error), g->sum,
           g->flag, in, out);
}

int main()
{
    cudaMallocManaged(&g, sizeof *g);
    begin();
    by_last<<<BLOCKS, THREADS, THREADS * sizeof(int)>>>(g);
    end("by_last");
    begin();
    stencil<<<BLOCKS, THREADS>>>(g);
    end("stencil");
    begin();
    look_back<<<BLOCKS, THREADS>>>(g);
    end("look_back");
    begin();
    g->queue[0] = g->tail = 1;
    work<<<BLOCKS, THREADS>>>(g);
    end("work");
    begin();
    void *arguments[] = {&g};
    cudaLaunchCooperativeKernel((void *)ring, BLOCKS, THREADS, arguments, 0, 0);
    end("ring");
    begin();
    locked<<<BLOCKS, THREADS>>>(g);
    end("locked");
    cudaFree(g);
}
