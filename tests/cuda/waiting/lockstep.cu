// SPDX-License-Identifier: BSD-3-Clause
// Warps in lockstep, as code before Volta relied on: no __syncwarp between the lanes of a warp.
#include <cuda_runtime.h>
#include <stdio.h>

// The last steps of the classic reduction.
__device__ void last_warp(volatile int *sums, int t)
{
    sums[t] += sums[t + 32];
    sums[t] += sums[t + 16];
    sums[t] += sums[t + 8];
    sums[t] += sums[t + 4];
    sums[t] += sums[t + 2];
    sums[t] += sums[t + 1];
}
__global__ void reduction(const int *in, int *out)
{
    __shared__ int sums[256];
    const int t = threadIdx.x;
    sums[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 32; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t < 32)
        last_warp(sums, t);
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
// A scan of each warp, with branches.
__global__ void scan(const int *in, int *out)
{
    __shared__ volatile unsigned sums[128];
    const int t = threadIdx.x, lane = t % 32;
    sums[t] = in[t];
    if (lane >= 1)
        sums[t] += sums[t - 1];
    if (lane >= 2)
        sums[t] += sums[t - 2];
    if (lane >= 4)
        sums[t] += sums[t - 4];
    if (lane >= 8)
        sums[t] += sums[t - 8];
    if (lane >= 16)
        sums[t] += sums[t - 16];
    out[t] = sums[t];
}
// A histogram of a warp: a lane writes its tag until it finds it there.
__global__ void histogram(const int *in, int *out)
{
    __shared__ volatile unsigned bins[8];
    const unsigned lane = threadIdx.x;
    if (lane < 8)
        bins[lane] = 0;
    for (int k = 0; k < 8; k++) {
        const int bin = in[k * 32 + lane] % 8;
        unsigned count;
        do {
            count = bins[bin] & 0x7ffffff;
            count = lane << 27 | (count + 1);
            bins[bin] = count;
        } while (bins[bin] != count);
    }
    if (lane < 8)
        out[lane] = bins[lane] & 0x7ffffff;
}
// Each lane takes its neighbours' values, in a loop with a number of steps that differs.
__global__ void neighbours(const int *in, int *out)
{
    __shared__ volatile int values[64];
    const int t = threadIdx.x, right = t / 32 * 32 + (t + 1) % 32;
    values[t] = in[t];
    for (int step = 0; step < 5; step++) {
        int sum = 0;
        for (int k = 0; k <= t % 3; k++)
            sum += k;
        const int other = values[right];
        values[t] = other + sum;
    }
    out[t] = values[t];
}
// One warp sorts 64 keys.
__global__ void bitonic(const int *in, int *out)
{
    __shared__ volatile int keys[64];
    const int t = threadIdx.x;
    keys[t] = in[t];
    keys[t + 32] = in[t + 32];
    for (int size = 2; size <= 64; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int low = 2 * t - (t & (stride - 1));
            const bool up = (low & size) == 0 || size == 64;
            const int a = keys[low], b = keys[low + stride];
            if ((a > b) == up) {
                keys[low] = b;
                keys[low + stride] = a;
            }
        }
    out[t] = keys[t];
    out[t + 32] = keys[t + 32];
}
// A vote by shared memory, in a function that is called in two branches.
__device__ __noinline__ void mark(volatile int *flag, int predicate)
{
    *flag = 0;
    if (predicate)
        *flag = 1;
}
__global__ void vote(const int *in, int *out)
{
    __shared__ volatile int flags[2];
    const int t = threadIdx.x;
    if (t < 20)
        mark(&flags[0], in[t] == 74);
    else
        mark(&flags[1], in[t] < 0);
    out[t] = t < 20 ? flags[0] : 2 + flags[1];
}
// A barrier is missing between two warps: lockstep does not help.
__global__ void apart(const int *in, int *out)
{
    __shared__ int value;
    if (threadIdx.x == 40)
        value = 1;
    __syncthreads();
    if (threadIdx.x == 40)
        value = in[0] + 5;
    if (threadIdx.x == 3)
        out[0] = value != 0;
}

static int *in, *out;
static void show(const char *name, int count)
{
    const cudaError_t error = cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += (long)out[i] * (i % 17 + 1);
    printf("%-10s %s %ld\n", name, cudaGetErrorName(error), sum);
    cudaMemset(out, 0, 1024 * sizeof(int));
}

int main()
{
    cudaMallocManaged(&in, 1024 * sizeof(int));
    cudaMallocManaged(&out, 1024 * sizeof(int));
    cudaMemset(out, 0, 1024 * sizeof(int));
    for (int i = 0; i < 1024; i++)
        in[i] = i * 37 % 101;
    reduction<<<4, 256>>>(in, out);
    show("reduction", 4);
    scan<<<1, 128>>>(in, out);
    show("scan", 128);
    histogram<<<1, 32>>>(in, out);
    show("histogram", 8);
    neighbours<<<1, 64>>>(in, out);
    show("neighbours", 64);
    bitonic<<<1, 32>>>(in, out);
    show("bitonic", 64);
    vote<<<1, 32>>>(in, out);
    show("vote", 32);
    apart<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
