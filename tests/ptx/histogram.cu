/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/histogram.c as CUDA written by hand. */
#include "loops.h"

extern "C" __global__ void histogram_global(int n, const unsigned char *__restrict__ x,
                                            unsigned *__restrict__ bins)
{
    FOR_PAIRS(i, n)
        atomicAdd(&bins[x[i]], 1);
}

extern "C" __global__ void histogram_shared(int n, const unsigned char *__restrict__ x,
                                            unsigned *__restrict__ bins)
{
    __shared__ unsigned counts[256];
    for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
        counts[bin] = 0;
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned stride = gridDim.x * blockDim.x, turns = turns_(n, i, stride);
    for (unsigned turn = 0; turn < turns; turn++, i += stride)
        atomicAdd_block(&counts[x[(int)i]], 1);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&bins[bin], counts[bin]);
}

template <int BITS> static __device__ void count_word(unsigned *column, unsigned word)
{
    atomicAdd_block(&column[word << BITS & 255 << BITS], 1);
    atomicAdd_block(&column[word >> (8 - BITS) & 255 << BITS], 1);
    atomicAdd_block(&column[word >> (16 - BITS) & 255 << BITS], 1);
    atomicAdd_block(&column[word >> (24 - BITS) & 255 << BITS], 1);
}

template <int BITS>
static __device__ void count(unsigned *counts, int n, const unsigned char *__restrict__ x,
                             unsigned *__restrict__ bins)
{
    const int to_aligned = (16 - (size_t)x % 16) % 16;
    const int head = min(to_aligned, n);
    const int vectors = (n - head) / 16, tail = head + 16 * vectors;
    const uint4 *x16 = (const uint4 *)(x + head);
    const unsigned columns = 1 << BITS;
    unsigned *column = &counts[threadIdx.x % columns];
    for (unsigned k = threadIdx.x; k < 256 * columns; k += blockDim.x)
        counts[k] = 0;
    __syncthreads();
    FOR_TURNS(i, vectors) {
        const uint4 bytes = x16[i];
        count_word<BITS>(column, bytes.x);
        count_word<BITS>(column, bytes.y);
        count_word<BITS>(column, bytes.z);
        count_word<BITS>(column, bytes.w);
    }
    FOR_TURNS(i, head + n - tail)
        atomicAdd_block(&counts[x[i < head ? i : tail + i - head] * columns], 1);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        unsigned sum = 0;
        for (unsigned k = 0; k < columns; k++)
            sum += counts[bin * columns + (bin + k) % columns];
        atomicAdd(&bins[bin], sum);
    }
}

extern "C" __global__ void histogram_lanes(int n, int lanes, const unsigned char *__restrict__ x,
                                           unsigned *__restrict__ bins)
{
    __shared__ unsigned counts[256 * 32];
    if (lanes)
        count<5>(counts, n, x, bins);
    else
        count<1>(counts, n, x, bins);
}
