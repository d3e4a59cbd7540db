/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: neighbours are read from a tile with a halo, with no barrier after loading it
 * found by: racecheck
 * expect racecheck: race in kernel three_point
 * expect racecheck: of shared array tile, with no barrier between them
 */
#include "bug.h"

#define N 256

KERNEL(three_point)(int n, const int *x, int *y)
{
    SHARED(int, tile, [1 + 64 + 1]);
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), t = (int)threadIdx.x + 1;
    tile[t] = x[i];
    if (t == 1)
        tile[0] = i > 0 ? x[i - 1] : 0;
    if (t == 64)
        tile[65] = i < n - 1 ? x[i + 1] : 0;
#if FIXED
    SYNC_THREADS();
#endif
    y[i] = tile[t - 1] + tile[t] + tile[t + 1];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(three_point, N / 64, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N - 1; i++)
        EXPECT(out[i] == (i == 0 ? 1 : 3 * i));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
