// SPDX-License-Identifier: BSD-3-Clause
// Kernels whose results do not depend on the order of the threads, which ordercheck proves:
// tests/cuda/orders.sh runs them in many orders. With -DDECIDES=N, kernel N depends on it.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda_fp16.h>

#ifndef DECIDES
#define DECIDES 0
#endif
constexpr int N = 256, BLOCK = 64;

__device__ int index()
{
    return blockIdx.x * BLOCK + threadIdx.x;
}
__device__ void add(int *sum, int value)
{
    atomicAdd(sum, value);
}

__global__ void integers(int *out)
{
    add(&out[0], index());
    atomicSub(&out[0], 3);
    atomicMin(&out[1], -index());
    atomicMax(&out[2], index());
    atomicOr(&out[3], 1 << index() % 31);
    atomicXor(&out[4], index());
    atomicInc(reinterpret_cast<unsigned *>(&out[5]), 9);
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(&out[6]), "r"(index()) : "memory");
    cuda::atomic_ref<int, cuda::thread_scope_device>(out[7]).fetch_add(index(),
                                                                       cuda::memory_order_relaxed);
#if DECIDES == 1
    out[8 + atomicAdd(&out[0], 0) % 4] = 1;
#endif
}

__global__ void equal_stores(int *out)
{
    out[0] = DECIDES == 2 ? index() : 5;
    atomicExch(&out[1], 6);
}

__global__ void shared_counts(int *out)
{
    __shared__ int count[4];
    if (threadIdx.x < 4)
        count[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&count[index() % 4], 1);
#if DECIDES != 3
    __syncthreads();
#endif
    if (threadIdx.x < 4)
        atomicAdd(&out[threadIdx.x], count[threadIdx.x] * (threadIdx.x + 1));
}

__global__ void exact_floats(float *out)
{
    atomicAdd(&out[0], (DECIDES == 4 ? 0.1f : 0.125f) * index());
    atomicAdd(reinterpret_cast<double *>(&out[2]), 0.5);
    atomicAdd(reinterpret_cast<__half *>(&out[4]), __float2half(0.25f));
}

// Each step reads what all blocks have added before.
__global__ void steps(int *out)
{
    for (int step = 0; step < 3; step++) {
        atomicAdd(&out[step + 1],
                  out[step] % 7 + (DECIDES == 5 ? atomicAdd(&out[step + 1], 1) : 1));
        cooperative_groups::this_grid().sync();
    }
}

int main()
{
    int *out, host[16];
    cudaMalloc(&out, sizeof host);
    for (int kernel = 0; kernel < 5; kernel++) {
        cudaMemset(out, 0, sizeof host);
        float *const floats = reinterpret_cast<float *>(out);
        void *arguments[] = {&out};
        switch (kernel) {
        case 0: integers<<<N / BLOCK, BLOCK>>>(out); break;
        case 1: equal_stores<<<N / BLOCK, BLOCK>>>(out); break;
        case 2: shared_counts<<<N / BLOCK, BLOCK>>>(out); break;
        case 3: exact_floats<<<N / BLOCK, BLOCK>>>(floats); break;
        case 4:
            cudaLaunchCooperativeKernel(reinterpret_cast<void *>(steps), N / BLOCK, BLOCK,
                                        arguments, 0, 0);
            break;
        }
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        for (int word : host)
            printf("%x ", static_cast<unsigned>(word));
        printf("\n");
    }
    cudaFree(out);
    return 0;
}
