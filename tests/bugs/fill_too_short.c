/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: bins are zeroed with the number of bins instead of bytes
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel histogram
 * expect initcheck: of device array bins of 64 bytes
 */
#include "bug.h"

#define N 256
#define BINS 16
#if FIXED
#define BYTES (BINS * sizeof(unsigned))
#else
#define BYTES BINS
#endif

KERNEL(histogram)(int n, const int *x, unsigned *bins)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(&bins[x[i] % BINS], 1u);
}

int main(void)
{
    int in[N], *x;
    unsigned out[BINS], *bins;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(bins, BINS);
    COPY_IN(x, in);
    PORTABLE_CHECK(portable_memset(bins, 0, BYTES));
    LAUNCH(histogram, 2, 64, 0, 0, N, x, bins);
    COPY_OUT(out, bins);
    for (int b = 0; b < BINS; b++)
        EXPECT(out[b] == N / BINS);
    RELEASE(x);
    RELEASE(bins);
    return 0;
}
