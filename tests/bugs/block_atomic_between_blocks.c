/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a block-scoped atomic is used between blocks
 * found by: racecheck
 * expect racecheck: race in kernel count_by_residue
 * expect racecheck: by concurrent blocks
 */
#include "bug.h"

#define N 256

KERNEL(count_by_residue)(int n, const int *x, unsigned *bins)
{
    GRID_STRIDE_LOOP(i, n) {
#if FIXED
        ATOMIC_ADD(&bins[x[i] % 8], 1u);
#else
        ATOMIC_ADD_BLOCK(&bins[x[i] % 8], 1u);
#endif
    }
}

int main(void)
{
    int in[N], *x;
    unsigned out[8], *bins;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(bins, 8);
    ZERO(bins, 8);
    COPY_IN(x, in);
    LAUNCH(count_by_residue, 4, 64, 0, 0, N, x, bins);
    COPY_OUT(out, bins);
    for (int b = 0; b < 8; b++)
        EXPECT(out[b] == N / 8);
    RELEASE(x);
    RELEASE(bins);
    return 0;
}
