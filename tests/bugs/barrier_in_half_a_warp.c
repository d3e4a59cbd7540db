/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a barrier in a branch that half of each warp takes
 * found by: synccheck
 * expect synccheck: divergence in kernel pair_sums
 */
#include "bug.h"

#define N 128

KERNEL(pair_sums)(const int *x, int *y)
{
    SHARED(int, tile, [64]);
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = x[i];
#if FIXED
    SYNC_THREADS();
#endif
    int sum = 0;
    if (t % 2 == 0) {
#if !FIXED
        SYNC_THREADS();
#endif
        sum = tile[t] + tile[t + 1];
    }
    y[i] = sum;
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
        EXPECT(out[i] == (i % 2 == 0 ? 2 * i + 1 : 0));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
