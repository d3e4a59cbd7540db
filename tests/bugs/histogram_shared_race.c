/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a histogram in shared memory is counted without atomics
 * found by: racecheck
 * expect racecheck: race in kernel histogram
 * expect racecheck: of shared array counts, with no barrier between them
 */
#include "bug.h"

#define N 512
#define BINS 64

KERNEL(histogram)(int n, const unsigned char *x, unsigned *bins)
{
    FOR_EACH_BLOCK(64) {
        SHARED(unsigned, counts, [BINS]);
        FOR_EACH_THREAD
            counts[threadIdx.x] = 0;
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n) {
#if FIXED
            ATOMIC_ADD_BLOCK(&counts[x[i]], 1u);
#else
            counts[x[i]]++;
#endif
        }
        SYNC_THREADS();
        FOR_EACH_THREAD
            ATOMIC_ADD(&bins[threadIdx.x], counts[threadIdx.x]);
    }
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
    LAUNCH(histogram, 2, 64, 0, 0, N, x, bins);
    COPY_OUT(out, bins);
    for (int b = 0; b < BINS; b++)
        sum += out[b];
    EXPECT(sum == N);
    RELEASE(x);
    RELEASE(bins);
    return 0;
}
