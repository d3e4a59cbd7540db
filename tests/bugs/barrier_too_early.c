/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the barrier is one statement too early
 * found by: racecheck
 * expect racecheck: race in kernel shift
 * expect racecheck: of shared array tile, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(shift)(const int *x, int *y)
{
    SHARED(int, tile, [64]);
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = x[i];
#if FIXED
    tile[t] += 1;
    SYNC_THREADS();
#else
    SYNC_THREADS();
    tile[t] += 1;
#endif
    y[i] = tile[(t + 1) % 64];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(shift, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 64 + (i + 1) % 64 + 1);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
