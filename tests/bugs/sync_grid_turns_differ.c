/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the blocks reach a grid barrier a different number of times
 * found by: synccheck
 * expect synccheck: divergence in kernel rounds
 */
#include "bug.h"

#define BLOCKS 4

KERNEL(rounds)(int *y)
{
#if FIXED
    const unsigned turns = gridDim.x;
#else
    const unsigned turns = gridDim.x - blockIdx.x / 3;
#endif
    for (unsigned turn = 0; turn < turns; turn++) {
        if (threadIdx.x == 0)
            y[(blockIdx.x + turn) % gridDim.x] += 1;
        SYNC_GRID();
    }
}

int main(void)
{
    int out[BLOCKS], *y;

    ALLOCATE(y, BLOCKS);
    ZERO(y, BLOCKS);
    LAUNCH_COOPERATIVE(rounds, BLOCKS, 32, 0, 0, y);
    COPY_OUT(out, y);
    for (int b = 0; b < BLOCKS; b++)
        EXPECT(out[b] == BLOCKS);
    RELEASE(y);
    return 0;
}
