/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a warp barrier instead of a block barrier: a race between two warps
 * found by: racecheck
 * expect racecheck: race in kernel shift
 * expect racecheck: of shared array tile, with no barrier between them
 */
#include "bug.h"

#define N 256

KERNEL(shift)(const int *x, int *y)
{
    __shared__ int tile[128];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = x[i];
#if FIXED
    __syncthreads();
#else
    __syncwarp();
#endif
    y[i] = tile[t < 127 ? t + 1 : t];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(shift, N / 128, 128, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i % 128 < 127 ? i + 1 : i));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
