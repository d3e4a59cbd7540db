/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one thread of each block waits for the grid on behalf of the others
 * found by: synccheck
 * expect synccheck: divergence in kernel total
 */
#include "bug.h"

#define BLOCKS 4

KERNEL(total)(int *sums, int *y)
{
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = (int)blockIdx.x;
#if !FIXED
        SYNC_GRID();
#endif
    }
#if FIXED
    SYNC_GRID();
#endif
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
    LAUNCH_COOPERATIVE(total, BLOCKS, 32, 0, 0, sums, y);
    COPY_OUT(out, y);
    for (int b = 0; b < BLOCKS; b++)
        EXPECT(out[b] == BLOCKS * (BLOCKS - 1) / 2);
    RELEASE(sums);
    RELEASE(y);
    return 0;
}
