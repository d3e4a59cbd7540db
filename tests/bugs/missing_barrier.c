/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a missing barrier between writing a tile and reading a neighbour's element
 * found by: racecheck ordercheck
 * expect racecheck: race in kernel reverse
 * expect ordercheck: order decides in kernel reverse: a read
 * expect racecheck: of shared array tile, with no barrier between them
 * proven: no races, and no atomics whose order could show
 */
#include "bug.h"

#define N 256

KERNEL(reverse)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, tile, [64]);
        FOR_EACH_THREAD
            tile[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            y[blockIdx.x * blockDim.x + threadIdx.x] = tile[63 - threadIdx.x];
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(reverse, N / 64, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 64 + 63 - i % 64);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
