// SPDX-License-Identifier: BSD-3-Clause
// One kernel for each pattern of accesses, for ncu.sh: what accesscheck counts beside a GPU's counters.
// Each thread stores its value, so that no load is dead.
#include <cuda_runtime.h>

enum { N = 1 << 16, BLOCK = 256 };

#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define T (int)threadIdx.x

// ---- global memory: element sizes, strides, starts ----

template <class V> __device__ void load(const V *x, V *y, int i)
{
    y[I] = x[i];
}
__global__ void bytes(const char *x, char *y)
{
    load(x, y, I);
}
__global__ void words(const int *x, int *y)
{
    load(x, y, I);
}
__global__ void words_from_1(const int *x, int *y)
{
    load(x, y, I + 1);
}
__global__ void words_by_2(const int *x, int *y)
{
    load(x, y, 2 * I);
}
__global__ void words_by_8(const int *x, int *y)
{
    load(x, y, 8 * I);
}
__global__ void words_by_33(const int *x, int *y)
{
    load(x, y, 33 * I % N);
}
__global__ void words_reversed(const int *x, int *y)
{
    load(x, y, N - 1 - I);
}
__global__ void word_of_all(const int *x, int *y)
{
    load(x, y, 7);
}
__global__ void pairs(const int2 *x, int2 *y)
{
    load(x, y, I);
}
__global__ void pairs_from_1(const int2 *x, int2 *y)
{
    load(x, y, I + 1);
}
__global__ void pairs_by_2(const int2 *x, int2 *y)
{
    load(x, y, 2 * I);
}
__global__ void pair_of_all(const int2 *x, int2 *y)
{
    load(x, y, 7);
}
__global__ void quads(const int4 *x, int4 *y)
{
    load(x, y, I);
}
__global__ void quads_from_1(const int4 *x, int4 *y)
{
    load(x, y, I + 1);
}
__global__ void quads_by_2(const int4 *x, int4 *y)
{
    load(x, y, 2 * I);
}
__global__ void quads_of_4_lanes(const int4 *x, int4 *y)
{
    load(x, y, I / 4);
}
__global__ void quad_of_all(const int4 *x, int4 *y)
{
    load(x, y, 7);
}
__global__ void stores_by_8(const int *x, int *y)
{
    y[8 * I] = x[I];
}
__global__ void store_of_a_lane(const int *x, int *y)
{
    if (T % 32 == 5)
        y[I] = x[I];
}
__global__ void half_warps(const int *x, int *y)
{
    if (T % 32 < 16)
        y[I] = x[I];
}

// ---- shared memory ----

template <class V> __device__ void exchange(const V *x, V *y, int store, int fetch)
{
    __shared__ V tile[4096 / sizeof(V) * 8];
    tile[store] = x[I];
    __syncthreads();
    y[I] = tile[fetch];
}
__global__ void banks(const int *x, int *y)
{
    exchange(x, y, T, BLOCK - 1 - T);
}
__global__ void banks_by_2(const int *x, int *y)
{
    exchange(x, y, 2 * T, 2 * (BLOCK - 1 - T));
}
__global__ void banks_by_3(const int *x, int *y)
{
    exchange(x, y, 3 * T, 3 * (BLOCK - 1 - T));
}
__global__ void banks_by_32(const int *x, int *y)
{
    exchange(x, y, 32 * T, 32 * (BLOCK - 1 - T));
}
__global__ void bank_of_all(const int *x, int *y)
{
    exchange(x, y, T, 7);
}
__global__ void banks_of_bytes(const char *x, char *y)
{
    exchange(x, y, T, BLOCK - 1 - T);
}
__global__ void banks_of_pairs(const int2 *x, int2 *y)
{
    exchange(x, y, T, BLOCK - 1 - T);
}
__global__ void banks_of_pairs_by_2(const int2 *x, int2 *y)
{
    exchange(x, y, 2 * T, 2 * (BLOCK - 1 - T));
}
__global__ void banks_of_pair_of_all(const int2 *x, int2 *y)
{
    exchange(x, y, T, 7);
}
__global__ void banks_of_pairs_twice(const int2 *x, int2 *y)
{
    exchange(x, y, T, T % 16);
}
__global__ void banks_of_quads(const int4 *x, int4 *y)
{
    exchange(x, y, T, BLOCK - 1 - T);
}
__global__ void banks_of_quads_by_2(const int4 *x, int4 *y)
{
    exchange(x, y, 2 * T, 2 * (BLOCK - 1 - T));
}
__global__ void banks_of_quad_of_all(const int4 *x, int4 *y)
{
    exchange(x, y, T, 7);
}

// ---- branches and loops ----

// Rows of 0 to 15 words; the lanes meet at the store.
__global__ void rows(const int *x, int *y)
{
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < T % 16; k++)
        sum += x[(33 * I + k) % N];
    y[I] = sum;
}
// The same in a loop, whose lanes meet after each row.
__global__ void rows_again(const int *x, int *y)
{
#pragma unroll 1
    for (int row = 0; row < 4; row++) {
        int sum = x[4 * I + row];
#pragma unroll 1
        for (int k = 0; k < (T + 5 * row) % 16; k++)
            sum += x[(33 * I + k) % N];
        y[4 * I + row] = sum;
    }
}
// Lanes of two branches meet before the next load.
__global__ void branches(const int *x, int *y)
{
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        const int v = x[(I + 256 * k) % N];
        if ((T + k) % 3 == 0)
            sum += x[(8 * I + v) % N];
        else
            sum -= x[(I + 5 + v) % N];
    }
    y[I] = sum;
}

// ---- atomics ----

__global__ void counts(const int *x, int *y)
{
    atomicExch(&y[x[I] + 5], I);
}
__global__ void own_counts(const int *x, int *y)
{
    atomicExch(&y[x[I] + I], I);
}

template <class V> static void run(void (*kernel)(const V *, V *), void *x, void *y)
{
    kernel<<<N / BLOCK / 8, BLOCK>>>((const V *)x, (V *)y);
}

int main()
{
    void *x, *y;
    cudaMalloc(&x, 64 * N);
    cudaMalloc(&y, 64 * N);
    cudaMemset(x, 0, 64 * N);
    run(bytes, x, y);
    run(words, x, y);
    run(words_from_1, x, y);
    run(words_by_2, x, y);
    run(words_by_8, x, y);
    run(words_by_33, x, y);
    run(words_reversed, x, y);
    run(word_of_all, x, y);
    run(pairs, x, y);
    run(pairs_from_1, x, y);
    run(pairs_by_2, x, y);
    run(pair_of_all, x, y);
    run(quads, x, y);
    run(quads_from_1, x, y);
    run(quads_by_2, x, y);
    run(quads_of_4_lanes, x, y);
    run(quad_of_all, x, y);
    run(stores_by_8, x, y);
    run(store_of_a_lane, x, y);
    run(half_warps, x, y);
    run(banks, x, y);
    run(banks_by_2, x, y);
    run(banks_by_3, x, y);
    run(banks_by_32, x, y);
    run(bank_of_all, x, y);
    run(banks_of_bytes, x, y);
    run(banks_of_pairs, x, y);
    run(banks_of_pairs_by_2, x, y);
    run(banks_of_pair_of_all, x, y);
    run(banks_of_pairs_twice, x, y);
    run(banks_of_quads, x, y);
    run(banks_of_quads_by_2, x, y);
    run(banks_of_quad_of_all, x, y);
    run(rows, x, y);
    run(rows_again, x, y);
    run(branches, x, y);
    run(counts, x, y);
    run(own_counts, x, y);
    const cudaError_t status = cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return status;
}
