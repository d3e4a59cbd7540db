// SPDX-License-Identifier: BSD-3-Clause
// Mistakes in the use of Thrust and CUB. A comment names the check that must report its line. The
// divergence, which ends a kernel, needs the argument "warp"; with "fixed" there are no mistakes.
#include <cstdio>
#include <cstring>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

constexpr int N = 64;

struct next {
    int *from, *to;
    bool fixed;
    __device__ void operator()(int i) const
    {
        to[i] = from[fixed ? i : i + 1]; // memcheck
    }
};

struct count {
    int *counter;
    bool fixed;
    __device__ void operator()(int) const
    {
        if (fixed)
            atomicAdd(counter, 1);
        else
            ++*counter; // racecheck
    }
};

__global__ void two_sums(const int *in, int *out, bool fixed)
{
    typedef cub::BlockReduce<int, N> reduce;
    __shared__ typename reduce::TempStorage storage;
    const int first = reduce(storage).Sum(in[threadIdx.x]); // racecheck
    if (fixed)
        __syncthreads();
    const int second = reduce(storage).Sum(2 * in[threadIdx.x]); // racecheck
    if (threadIdx.x == 0)
        out[0] = first + second;
}

__global__ void histogram(const int *in, int *out, bool fixed)
{
    typedef cub::BlockHistogram<unsigned char, N, 1, 16, cub::BLOCK_HISTO_ATOMIC> histogram;
    __shared__ typename histogram::TempStorage storage;
    __shared__ int bins[16];
    unsigned char item[1] = {(unsigned char)(in[threadIdx.x] % 16)};
    if (fixed)
        histogram(storage).InitHistogram(bins);
    __syncthreads();
    histogram(storage).Composite(item, bins); // initcheck
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void part_of_a_warp(const int *in, int *out, bool fixed)
{
    typedef cub::WarpReduce<int> reduce;
    __shared__ typename reduce::TempStorage storage;
    if (fixed || threadIdx.x < 16) {
        const int sum = reduce(storage).Sum(in[threadIdx.x]); // synccheck
        if (threadIdx.x == 0)
            out[0] = sum;
    }
}

int main(int argc, char **argv)
{
    const bool fixed = argc > 1 && strcmp(argv[1], "fixed") == 0;
    const thrust::counting_iterator<int> first(0);
    int *in, *out, *unset, host[N];
    for (int i = 0; i < N; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    cudaMalloc(&unset, sizeof host);
    if (fixed)
        cudaMemset(unset, 0, sizeof host);
    thrust::for_each(thrust::device, first, first + N, next{in, out, fixed});
    thrust::for_each(thrust::device, first, first + N, count{out, fixed});
    two_sums<<<1, N>>>(in, out, fixed);
    histogram<<<1, N>>>(in, out, fixed);
    if (argc > 1)
        part_of_a_warp<<<1, 32>>>(in, out, fixed);
    thrust::transform(thrust::device, unset, unset + N, out, thrust::negate<int>()); // initcheck
    cudaDeviceSynchronize();
    cudaFree(unset);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
