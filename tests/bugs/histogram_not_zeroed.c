/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a histogram in shared memory is never initialised
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel histogram
 * expect initcheck: of shared array counts
 */
#include "bug.h"

#define N 256
#define BINS 16

KERNEL(histogram)(int n, const int *x, unsigned *bins)
{
    FOR_EACH_BLOCK(64) {
        SHARED(unsigned, counts, [BINS]);
#if FIXED
        FOR_THREADS_BELOW(BINS)
            counts[threadIdx.x] = 0;
#endif
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n)
            ATOMIC_ADD_BLOCK(&counts[x[i] % BINS], 1u);
        SYNC_THREADS();
        FOR_THREADS_BELOW(BINS)
            ATOMIC_ADD(&bins[threadIdx.x], counts[threadIdx.x]);
    }
}

int main(void)
{
    int in[N], *x;
    unsigned out[BINS], *bins;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(bins, BINS);
    COPY_IN(x, in);
    ZERO(bins, BINS);
    LAUNCH(histogram, 2, 64, 0, 0, N, x, bins);
    COPY_OUT(out, bins);
    for (int b = 0; b < BINS; b++)
        EXPECT(out[b] == N / BINS);
    RELEASE(x);
    RELEASE(bins);
    return 0;
}
