/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: each thread zeroes one bin, but there are more bins than threads
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel histogram
 * expect initcheck: of shared array counts
 */
#include "bug.h"

#define N 256
#define BINS 128

KERNEL(histogram)(const unsigned char *x, unsigned *bins)
{
    SHARED(unsigned, counts, [BINS]);
#if FIXED
    for (unsigned bin = threadIdx.x; bin < BINS; bin += blockDim.x)
#else
    const unsigned bin = threadIdx.x;
#endif
        counts[bin] = 0;
    SYNC_THREADS();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[x[i] % BINS], 1u);
    SYNC_THREADS();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], counts[b]);
}

int main(void)
{
    unsigned char in[N], *x;
    unsigned out[BINS], *bins;

    for (int i = 0; i < N; i++)
        in[i] = (unsigned char)i;
    ALLOCATE(x, N);
    ALLOCATE(bins, BINS);
    COPY_IN(x, in);
    ZERO(bins, BINS);
    LAUNCH(histogram, 2, 64, 0, 0, x, bins);
    COPY_OUT(out, bins);
    for (int b = 0; b < BINS; b++)
        EXPECT(out[b] == N / BINS);
    RELEASE(x);
    RELEASE(bins);
    return 0;
}
