/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the accesses without a barrier between them are in DEVICE functions
 * found by: racecheck
 * expect racecheck: race in kernel pair_sums
 * expect racecheck: of shared array tile, with no barrier between them
 */
#include "bug.h"

#define N 128

DEVICE void put(int *tile, unsigned at, int value)
{
    tile[at] = value;
}

DEVICE int sum_of_pair(const int *tile, unsigned at)
{
    return tile[at] + tile[at ^ 1];
}

KERNEL(pair_sums)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, tile, [64]);
        FOR_EACH_THREAD
            put(tile, threadIdx.x, x[blockIdx.x * 64 + threadIdx.x]);
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            y[blockIdx.x * 64 + threadIdx.x] = sum_of_pair(tile, threadIdx.x);
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(pair_sums, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i + (i ^ 1));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
