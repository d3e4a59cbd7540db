/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a histogram in global memory is counted without atomics
 * found by: racecheck
 * expect racecheck: race in kernel histogram
 */
#include "bug.h"

#define N 512
#define BINS 64

KERNEL(histogram)(const unsigned char *x, unsigned *bins)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
    atomicAdd(&bins[x[i]], 1u);
#else
    bins[x[i]]++;
#endif
}

int main(void)
{
    unsigned char in[N], *x;
    unsigned out[BINS], *bins, sum = 0;

    for (int i = 0; i < N; i++)
        in[i] = (unsigned char)(i * i % BINS);
    ALLOCATE(x, N);
    ALLOCATE(bins, BINS);
    ZERO(bins, BINS);
    COPY_IN(x, in);
    LAUNCH(histogram, 4, N / 4, 0, 0, x, bins);
    COPY_OUT(out, bins);
    for (int b = 0; b < BINS; b++)
        sum += out[b];
    EXPECT(sum == N);
    RELEASE(x);
    RELEASE(bins);
    return 0;
}
