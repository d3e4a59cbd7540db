/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/random.c as CUDA written by hand. */
#include <Random123/philox.h>
#include <Random123/u01fixedpt.h>

#include "loops.h"

typedef float REAL;

static __device__ philox4x32_ctr_t words_of(unsigned seed, unsigned stream, unsigned draw)
{
    const philox4x32_ctr_t counter = {{stream, draw, 0, 0}};
    const philox4x32_key_t key = {{seed, 0}};
    return philox4x32(counter, key);
}

/* The sum of a butterfly over the first `lanes` lanes of a warp, in lane 0. */
template <class T> static __device__ T warp_sum(T value, unsigned lane, unsigned lanes)
{
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const T other = __shfl_xor_sync(0xffffffff, value, delta);
        if ((lane ^ delta) < lanes)
            value += other;
    }
    return value;
}

/* The sum of a block of any size, in all its threads. */
template <class T> static __device__ T block_sum(T value)
{
    __shared__ T of_warp[32], of_block;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned warps = (blockDim.x + 31) / 32;
    value = warp_sum(value, lane, min(blockDim.x - warp * 32, 32));
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warp_sum(of_warp[lane < warps ? lane : 0], lane, warps);
        if (lane == 0)
            of_block = value;
    }
    __syncthreads();
    return of_block;
}

struct alignas(16) four {
    REAL number[4];
};

extern "C" __global__ void random_uniform(int n, unsigned seed, REAL *__restrict__ x)
{
    four *x4 = (four *)x;
    FOR_PAIRS(stream, n / 4) {
        const philox4x32_ctr_t words = words_of(seed, stream, 0);
        four numbers;
        for (int w = 0; w < 4; w++)
            numbers.number[w] = u01fixedpt_closed_open_32_float(words.v[w]);
        x4[stream] = numbers;
    }
    FOR_PAIRS(w, n % 4)
        x[n / 4 * 4 + w] = u01fixedpt_closed_open_32_float(words_of(seed, n / 4, 0).v[w]);
}

extern "C" __global__ void monte_carlo_pi(int n, int draws, unsigned seed, int *__restrict__ hits,
                                          int *__restrict__ total)
{
    int count = 0;
    FOR_TURNS(stream, n)
        for (int draw = 0; draw < draws; draw++) {
            const philox4x32_ctr_t words = words_of(seed, stream, draw);
            for (int w = 0; w < 4; w += 2) {
                const unsigned long long x = words.v[w] >> 1, y = words.v[w + 1] >> 1;
                count += x * x + y * y < 1ull << 62;
            }
        }
    count = block_sum(count);
    if (threadIdx.x == 0) {
        hits[blockIdx.x] = count;
        atomicAdd(total, count);
    }
}

static __device__ float payoff_of(float spot, float strike, float drift, float spread, float normal)
{
    const float price = spot * exp2f(drift + spread * normal);
    return price > strike ? price - strike : 0.0f;
}

static __device__ void direction_of(unsigned word, float *sine, float *cosine)
{
    const unsigned k = word >> 8, quarter = (k + (1u << 21)) >> 22;
    const float x = 6.28318531f * 0x1p-24f * (float)(int)(k - (quarter << 22));
    const float z = x * x;
    const float s =
        x + x * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
    const float c =
        1.0f - 0.5f * z +
        z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
    const float up = quarter & 1 ? c : s, across = quarter & 1 ? s : c;
    *sine = quarter & 2 ? -up : up;
    *cosine = (quarter + 1) & 2 ? -across : across;
}

extern "C" __global__ void monte_carlo_option(int n, unsigned seed, float spot, float strike,
                                              float drift, float spread, REAL *__restrict__ sums)
{
    REAL sum = 0;
    FOR_TURNS(stream, n) {
        const philox4x32_ctr_t words = words_of(seed, stream, 0);
        REAL payoff = 0;
        for (int w = 0; w < 4; w += 2) {
            const float u = u01fixedpt_open_closed_32_float(words.v[w]);
            const float radius = sqrtf(-2.0f * logf(u));
            float sine, cosine;
            direction_of(words.v[w + 1], &sine, &cosine);
            payoff += payoff_of(spot, strike, drift, spread, radius * cosine);
            payoff += payoff_of(spot, strike, drift, spread, radius * sine);
        }
        sum += payoff;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void monte_carlo_price(int blocks, REAL paths, REAL discount,
                                             const REAL *__restrict__ sums,
                                             REAL *__restrict__ price)
{
    REAL sum = 0;
    FOR_TURNS(b, blocks)
        sum += sums[b];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        price[0] = discount * (sum / paths);
}
