/* SPDX-License-Identifier: BSD-3-Clause */
/* How often each byte occurs: 256 bins. Integer counts do not depend on the order of the atomics,
 * so the result is exact. */
#include "portable.h"

#define HISTOGRAM_BINS 256

/* 1. One global atomic per byte.  x: n bytes; bins: HISTOGRAM_BINS counts, 0 at first */
KERNEL(histogram_global)(int n, const unsigned char *RESTRICT x, unsigned *RESTRICT bins)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(&bins[x[i]], 1u);
}

/* 2. Each block counts in shared memory, with atomics that only its own threads contend for, and
 *    adds its counts to the global ones at the end: one global atomic per bin and block. */
KERNEL(histogram_shared)(int n, const unsigned char *RESTRICT x, unsigned *RESTRICT bins)
{
    FOR_EACH_BLOCK(0) {
        SHARED(unsigned, counts, [HISTOGRAM_BINS]);
        FOR_EACH_THREAD {
            for (unsigned bin = threadIdx.x; bin < HISTOGRAM_BINS; bin += blockDim.x)
                counts[bin] = 0;
        }
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n)
            ATOMIC_ADD_BLOCK(&counts[x[i]], 1u);
        SYNC_THREADS();
        FOR_EACH_THREAD {
            for (unsigned bin = threadIdx.x; bin < HISTOGRAM_BINS; bin += blockDim.x)
                ATOMIC_ADD(&bins[bin], counts[bin]);
        }
    }
}
