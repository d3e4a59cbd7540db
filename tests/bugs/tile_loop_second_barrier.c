/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: no barrier at the end of an iteration: the next one overwrites a tile that is still read
 * found by: racecheck
 * expect racecheck: race in kernel tile_sums
 * expect racecheck: of shared array tile, with no barrier between them
 */
#include "bug.h"

#define N 256

KERNEL(tile_sums)(int n, const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, tile, [64]);
        PRIVATE(int, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        for (int first = 0; first < n; first += 64) {
            FOR_EACH_THREAD
                tile[threadIdx.x] = x[first + (int)threadIdx.x];
            SYNC_THREADS();
            FOR_EACH_THREAD
                MINE(sum) += tile[63 - threadIdx.x];
#if FIXED
            SYNC_THREADS();
#endif
        }
        FOR_EACH_THREAD
            y[blockIdx.x * blockDim.x + threadIdx.x] = MINE(sum);
    }
}

int main(void)
{
    int in[N], out[128], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, 128);
    COPY_IN(x, in);
    LAUNCH(tile_sums, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < 128; i++)
        EXPECT(out[i] == 0 + 64 + 128 + 192 + 4 * (63 - i % 64));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
