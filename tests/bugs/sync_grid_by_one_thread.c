/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one thread of each block waits for the grid on behalf of the others, which wait for it
 * found by: synccheck
 * expect synccheck: divergence in kernel totals
 */
#include "bug.h"

#define BLOCKS 4

KERNEL(totals)(int *sums, int *y)
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
    __syncthreads();
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        sum += sums[b];
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(void)
{
    int out[BLOCKS * 32], *sums, *y;

    ALLOCATE(sums, BLOCKS);
    ALLOCATE(y, BLOCKS * 32);
    ZERO(sums, BLOCKS);
    LAUNCH_COOPERATIVE(totals, BLOCKS, 32, 0, 0, sums, y);
    COPY_OUT(out, y);
    for (int i = 0; i < BLOCKS * 32; i++)
        EXPECT(out[i] == BLOCKS * (BLOCKS - 1) / 2);
    RELEASE(sums);
    RELEASE(y);
    return 0;
}
