/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/reduce.c as CUDA written by hand. */
#include "loops.h"

typedef float REAL;

struct add {
    static __device__ REAL of(REAL a, REAL b)
    {
        return a + b;
    }
};
struct minimum {
    static __device__ REAL of(REAL a, REAL b)
    {
        return fminf(a, b);
    }
};
struct maximum {
    static __device__ REAL of(REAL a, REAL b)
    {
        return fmaxf(a, b);
    }
};

/* The reduction of the first `lanes` lanes of a warp, in lane 0. */
template <class Op> static __device__ REAL warp_reduce(REAL value, unsigned lane, unsigned lanes)
{
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const REAL other = __shfl_xor_sync(0xffffffff, value, delta);
        if ((lane ^ delta) < lanes)
            value = Op::of(value, other);
    }
    return value;
}

/* The reduction of a block of any size, in all its threads. */
template <class Op> static __device__ REAL block_reduce(REAL value)
{
    __shared__ REAL of_warp[32], of_block;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned warps = (blockDim.x + 31) / 32;
    value = warp_reduce<Op>(value, lane, min(blockDim.x - warp * 32, 32));
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warp_reduce<Op>(of_warp[lane < warps ? lane : 0], lane, warps);
        if (lane == 0)
            of_block = value;
    }
    __syncthreads();
    return of_block;
}

static __device__ unsigned next_power_of_two(unsigned n)
{
    unsigned power = 1;
    while (power < n)
        power *= 2;
    return power;
}

/* A thread's share of the n elements. */
static __device__ REAL thread_sum(int n, const REAL *__restrict__ x)
{
    REAL sum = 0;
    FOR_TURNS(i, n)
        sum += x[i];
    return sum;
}

extern "C" __global__ void sum_one_thread(int n, const REAL *__restrict__ x,
                                          REAL *__restrict__ total)
{
    REAL sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    total[0] = sum;
}

extern "C" __global__ void sum_atomic(int n, const REAL *__restrict__ x, REAL *__restrict__ total)
{
    FOR_PAIRS(i, n)
        atomicAdd(total, x[i]);
}

extern "C" __global__ void sum_tree(int n, const REAL *__restrict__ x, REAL *__restrict__ sums)
{
    __shared__ REAL partial[1024];
    partial[threadIdx.x] = thread_sum(n, x);
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = partial[0];
}

extern "C" __global__ void sum_tree_any(int n, const REAL *__restrict__ x, REAL *__restrict__ sums)
{
    __shared__ REAL partial[1024];
    partial[threadIdx.x] = thread_sum(n, x);
    __syncthreads();
    unsigned count = blockDim.x;
    while (count > 1) {
        const unsigned half = next_power_of_two(count) / 2;
        if (threadIdx.x < count - half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
        count = half;
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = partial[0];
}

extern "C" __global__ void sum_butterfly(int n, const REAL *__restrict__ x, REAL *__restrict__ sums)
{
    __shared__ REAL partial[1024];
    REAL sum = thread_sum(n, x);
    for (unsigned mask = blockDim.x / 2; mask > 0; mask /= 2) {
        partial[threadIdx.x] = sum;
        __syncthreads();
        sum += partial[threadIdx.x ^ mask];
        __syncthreads();
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void sum_warp(int n, const REAL *__restrict__ x, REAL *__restrict__ sums)
{
    REAL sum = thread_sum(n, x);
    for (unsigned delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x % 32 == 0)
        sums[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}

extern "C" __global__ void sum_two_level(int n, const REAL *__restrict__ x, REAL *__restrict__ sums)
{
    __shared__ REAL of_warp[32];
    REAL sum = thread_sum(n, x);
    for (unsigned delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
    for (unsigned delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void sum_collective(int n, const REAL *__restrict__ x,
                                          REAL *__restrict__ sums)
{
    const REAL sum = block_reduce<add>(thread_sum(n, x));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void sum_quarters(int n, const REAL *__restrict__ x, REAL *__restrict__ sums)
{
    const int quarter = n / 4;
    REAL sum = 0;
    FOR_TURNS(i, quarter)
        sum += (x[i] + x[quarter + i]) + (x[2 * quarter + i] + x[3 * quarter + i]);
    FOR_TURNS(i, n % 4)
        sum += x[4 * quarter + i];
    sum = block_reduce<add>(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void sum_float4(int n, const float *__restrict__ x, float *__restrict__ sums)
{
    const float4 *x4 = (const float4 *)x;
    const int quarter = n / 16;
    float4 four = make_float4(0, 0, 0, 0);
    FOR_TURNS(i, quarter) {
        const float4 a = x4[i], b = x4[quarter + i];
        const float4 c = x4[2 * quarter + i], d = x4[3 * quarter + i];
        four.x += (a.x + b.x) + (c.x + d.x);
        four.y += (a.y + b.y) + (c.y + d.y);
        four.z += (a.z + b.z) + (c.z + d.z);
        four.w += (a.w + b.w) + (c.w + d.w);
    }
    float sum = (four.x + four.y) + (four.z + four.w);
    FOR_TURNS(i, n % 16)
        sum += x[16 * quarter + i];
    sum = block_reduce<add>(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void statistics(int n, const REAL *__restrict__ x, REAL *__restrict__ lows,
                                      REAL *__restrict__ highs, REAL *__restrict__ sums)
{
    REAL low = x[0], high = x[0], sum = 0;
    FOR_TURNS(i, n) {
        const REAL value = x[i];
        low = value < low ? value : low;
        high = value > high ? value : high;
        sum += value;
    }
    low = block_reduce<minimum>(low);
    high = block_reduce<maximum>(high);
    sum = block_reduce<add>(sum);
    if (threadIdx.x == 0) {
        lows[blockIdx.x] = low;
        highs[blockIdx.x] = high;
        sums[blockIdx.x] = sum;
    }
}

extern "C" __global__ void statistics_of_blocks(int n, int blocks, const REAL *__restrict__ lows,
                                                const REAL *__restrict__ highs,
                                                const REAL *__restrict__ sums,
                                                REAL *__restrict__ result)
{
    REAL low = lows[0], high = highs[0], sum = 0;
    FOR_TURNS(b, blocks) {
        low = lows[b] < low ? lows[b] : low;
        high = highs[b] > high ? highs[b] : high;
        sum += sums[b];
    }
    low = block_reduce<minimum>(low);
    high = block_reduce<maximum>(high);
    sum = block_reduce<add>(sum);
    if (threadIdx.x == 0) {
        result[0] = low;
        result[1] = high;
        result[2] = sum;
        result[3] = sum / (REAL)n;
    }
}
