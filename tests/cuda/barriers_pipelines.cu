// SPDX-License-Identifier: BSD-3-Clause
// cuda::pipeline of a thread and of a block, and the pipeline's functions.
#pragma nv_diag_suppress static_var_with_dynamic_init
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// All threads copy a batch while they use the one before.
template <int Stages> __global__ void unified(const int *in, int *out, int batches)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
    __shared__ int tile[Stages][64];
    const cg::thread_block block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int id = (int)block.thread_rank();
    int sum = 0, fetched = 0;
    for (int batch = 0; batch < batches; batch++) {
        for (; fetched < batches && fetched < batch + Stages; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetched % Stages], in + 64 * fetched,
                               cuda::aligned_size_t<4>(64 * sizeof(int)), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum = sum * 3 + tile[batch % Stages][63 - id];
        pipe.consumer_release();
    }
    out[id] = sum;
}

// The first warp copies, the second one uses.
__global__ void by_role(const int *in, int *out, int batches)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int tile[2][32];
    const cg::thread_block block = cg::this_thread_block();
    const bool produces = block.thread_rank() < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    const int lane = (int)block.thread_rank() % 32;
    int sum = 0;
    for (int batch = 0; batch < batches; batch++) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[batch % 2][lane], in + 32 * batch + lane, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = sum * 5 + tile[batch % 2][31 - lane];
            pipe.consumer_release();
        }
    }
    out[block.thread_rank()] = sum;
}

__global__ void of_a_thread(const int *in, int *out)
{
    __shared__ int tile[2][64];
    auto pipe = cuda::make_pipeline();
    for (int half = 0; half < 2; half++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[half][threadIdx.x], &in[64 * half + threadIdx.x], sizeof(int),
                           pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    int sum = tile[0][threadIdx.x];
    pipe.consumer_release();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    sum += 100 * tile[1][threadIdx.x];
    pipe.consumer_release();
    out[threadIdx.x] = sum;
}

__global__ void primitives(const int *in, int *out)
{
    alignas(16) __shared__ int tile[64 * 4];
    __pipeline_memcpy_async(&tile[4 * threadIdx.x], &in[4 * threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const int sum = tile[4 * (63 - threadIdx.x)] + tile[4 * (63 - threadIdx.x) + 3];
    __syncthreads();
    __pipeline_memcpy_async(&tile[2 * threadIdx.x], &in[2 * threadIdx.x], 8, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    nvcuda::experimental::pipeline pipe;
    nvcuda::experimental::memcpy_async(tile[128 + threadIdx.x], in[threadIdx.x], pipe);
    pipe.commit_and_wait();
    out[threadIdx.x] = sum + 1000 * tile[2 * threadIdx.x] + tile[2 * threadIdx.x + 1] +
                       100000 * tile[128 + threadIdx.x];
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
    cudaMallocManaged(&in, 512 * sizeof *in);
    cudaMallocManaged(&out, 64 * sizeof *out);
    for (int k = 0; k < 512; k++)
        in[k] = k * k % 97;
    unified<1><<<1, 64>>>(in, out, 8);
    show("one stage", out, 64);
    unified<2><<<1, 64>>>(in, out, 8);
    show("two stages", out, 64);
    unified<3><<<1, 64>>>(in, out, 8);
    show("three stages", out, 64);
    by_role<<<1, 64>>>(in, out, 9);
    show("by role", out, 64);
    of_a_thread<<<1, 64>>>(in, out);
    show("of a thread", out, 64);
    primitives<<<1, 64>>>(in, out);
    show("primitives", out, 64);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
