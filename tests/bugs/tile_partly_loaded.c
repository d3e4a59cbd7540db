/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the last block loads only existing elements, but adds up the whole tile
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel block_sums
 * expect initcheck: of shared array tile
 */
#include "bug.h"

#define N 100

KERNEL(block_sums)(int n, const int *x, int *sums)
{
    SHARED(int, tile, [64]);
    const unsigned t = threadIdx.x;
    const int i = (int)(blockIdx.x * blockDim.x + t);
#if FIXED
    tile[t] = i < n ? x[i] : 0;
#else
    if (i < n)
        tile[t] = x[i];
#endif
    SYNC_THREADS();
    for (unsigned half = 32; half > 0; half /= 2) {
        if (t < half)
            tile[t] += tile[t + half];
        SYNC_THREADS();
    }
    if (t == 0)
        sums[blockIdx.x] = tile[0];
}

int main(void)
{
    int in[N], out[2], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, 2);
    COPY_IN(x, in);
    LAUNCH(block_sums, 2, 64, 0, 0, N, x, sums);
    COPY_OUT(out, sums);
    EXPECT(out[0] + out[1] == N * (N - 1) / 2);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
