/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one thread waits for the grid after all others of its block have exited
 * found by: synccheck
 * expect synccheck: divergence in kernel totals
 */
#include "bug.h"

#define BLOCKS 4

KERNEL(totals)(int *sums, int *y)
{
#if !FIXED
    if (threadIdx.x > 0)
        return;
#endif
    if (threadIdx.x == 0)
        sums[blockIdx.x] = (int)blockIdx.x;
    SYNC_GRID();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += sums[b];
        y[blockIdx.x] = sum;
    }
}

int main(void)
{
    int out[BLOCKS], *sums, *y;

    ALLOCATE(sums, BLOCKS);
    ALLOCATE(y, BLOCKS);
    LAUNCH_COOPERATIVE(totals, BLOCKS, 32, 0, 0, sums, y);
    COPY_OUT(out, y);
    for (int b = 0; b < BLOCKS; b++)
        EXPECT(out[b] == BLOCKS * (BLOCKS - 1) / 2);
    RELEASE(sums);
    RELEASE(y);
    return 0;
}
