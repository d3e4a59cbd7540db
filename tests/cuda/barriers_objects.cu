// SPDX-License-Identifier: BSD-3-Clause
// cuda::barrier, and the functions on __mbarrier_t.
#pragma nv_diag_suppress static_var_with_dynamic_init
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

static_assert(sizeof(block_barrier) == 8, "a barrier of a block is one word");

__global__ void turn_around(int *out)
{
    __shared__ block_barrier bar;
    __shared__ int cell[128];
    const int id = (int)threadIdx.x;
    if (id == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    int value = id;
    for (int round = 0; round < 3; round++) {
        cell[id] = value;
        bar.arrive_and_wait();
        value = cell[127 - id] + 1;
        block_barrier::arrival_token token = bar.arrive();
        value += 10; // meanwhile
        bar.wait(static_cast<block_barrier::arrival_token &&>(token));
    }
    out[id] = value;
}

// The first warp fills buffers, the others take from them.
__global__ void produce_and_consume(const int *in, int *out, int n)
{
    __shared__ block_barrier ready[2], filled[2];
    __shared__ int buffer[2][32];
    const cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() < 2) {
        init(&ready[block.thread_rank()], block.size());
        init(&filled[block.thread_rank()], block.size());
    }
    block.sync();
    const int lane = (int)block.thread_rank() % 32, steps = n / 32;
    if (block.thread_rank() < 32) {
        for (int step = 0; step < steps; step++) {
            ready[step % 2].arrive_and_wait();
            buffer[step % 2][lane] = in[32 * step + lane];
            (void)filled[step % 2].arrive();
        }
    } else {
        int sum = 0;
        (void)ready[0].arrive();
        (void)ready[1].arrive();
        for (int step = 0; step < steps; step++) {
            filled[step % 2].arrive_and_wait();
            for (int k = 0; k < 32; k++)
                sum += buffer[step % 2][k] * (lane + 1);
            (void)ready[step % 2].arrive();
        }
        out[block.thread_rank() - 32] = sum;
    }
}

__global__ void copy(const int *in, int *out)
{
    __shared__ block_barrier bar;
    alignas(16) __shared__ int tile[64];
    __shared__ int other[64];
    const cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
    cuda::memcpy_async(other + block.thread_rank(), in + 64 + block.thread_rank(), sizeof(int),
                       bar);
    bar.arrive_and_wait();
    out[block.thread_rank()] = tile[63 - block.thread_rank()] * other[block.thread_rank() ^ 1];
}

// Each thread leaves after a round of its own.
__global__ void leave(int *out)
{
    __shared__ block_barrier bar;
    __shared__ int arrived;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        arrived = 0;
    }
    __syncthreads();
    for (unsigned round = 0; round < threadIdx.x; round++) {
        atomicAdd(&arrived, 1);
        bar.arrive_and_wait();
    }
    bar.arrive_and_drop();
    if (threadIdx.x == blockDim.x - 1)
        out[0] = atomicAdd(&arrived, 0);
}

__global__ void functions(int *out)
{
    __shared__ __mbarrier_t bar;
    __shared__ int cell[64];
    if (threadIdx.x == 0)
        __mbarrier_init(&bar, 64);
    __syncthreads();
    for (int round = 0; round < 2; round++) {
        cell[threadIdx.x] = (int)threadIdx.x + round;
        __mbarrier_token_t token = __mbarrier_arrive(&bar);
        while (!__mbarrier_test_wait(&bar, token))
            ;
        out[threadIdx.x] = cell[63 - threadIdx.x];
        token = __mbarrier_arrive(&bar);
        while (!__mbarrier_test_wait(&bar, token))
            ;
    }
}

static void show(const char *name, const int *out, int n)
{
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int k = 0; k < n; k++)
        sum = sum * 31 + (unsigned)out[k];
    printf("%s: %08x, %d ... %d%s\n", name, sum, out[0], out[n - 1], error ? " error" : "");
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 256 * sizeof *in);
    cudaMallocManaged(&out, 128 * sizeof *out);
    for (int k = 0; k < 256; k++)
        in[k] = k * k % 97;
    turn_around<<<1, 128>>>(out);
    show("turn_around", out, 128);
    produce_and_consume<<<1, 128>>>(in, out, 256);
    show("produce_and_consume", out, 96);
    copy<<<1, 64>>>(in, out);
    show("copy", out, 64);
    leave<<<1, 32>>>(out);
    show("leave", out, 1);
    functions<<<1, 64>>>(out);
    show("functions", out, 64);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
