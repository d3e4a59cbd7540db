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

static __device__ void count_word(unsigned *column, unsigned word)
{
    atomicAdd_block(&column[word << 5 & 255 << 5], 1);
    atomicAdd_block(&column[word >> 3 & 255 << 5], 1);
    atomicAdd_block(&column[word >> 11 & 255 << 5], 1);
    atomicAdd_block(&column[word >> 19 & 255 << 5], 1);
}

extern "C" __global__ void histogram_lanes(int n, const unsigned char *__restrict__ x,
                                           unsigned *__restrict__ bins)
{
    __shared__ unsigned counts[256][32];
    const int to_aligned = (16 - (size_t)x % 16) % 16;
    const int head = min(to_aligned, n);
    const int vectors = (n - head) / 16, tail = head + 16 * vectors;
    const uint4 *x16 = (const uint4 *)(x + head);
    const unsigned lane = threadIdx.x % 32;
    for (unsigned k = threadIdx.x; k < 256 * 32; k += blockDim.x)
        counts[k / 32][k % 32] = 0;
    __syncthreads();
    FOR_TURNS(i, vectors) {
        const uint4 bytes = x16[i];
        count_word(&counts[0][lane], bytes.x);
        count_word(&counts[0][lane], bytes.y);
        count_word(&counts[0][lane], bytes.z);
        count_word(&counts[0][lane], bytes.w);
    }
    FOR_TURNS(i, head + n - tail)
        atomicAdd_block(&counts[x[i < head ? i : tail + i - head]][lane], 1);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        unsigned sum = 0;
        for (unsigned k = 0; k < 32; k++)
            sum += counts[bin][(bin + k) % 32];
        atomicAdd(&bins[bin], sum);
    }
}
