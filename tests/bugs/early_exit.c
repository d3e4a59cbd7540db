/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: threads without an element exit before a block barrier
 * found by: synccheck
 * expect synccheck: divergence in kernel rotate
 */
#include "bug.h"

#define N 100

KERNEL(rotate)(int n, const int *x, int *y)
{
    SHARED(int, tile, [64]);
    const int t = (int)threadIdx.x, first = (int)(blockIdx.x * blockDim.x), i = first + t;
    const int count = n - first < 64 ? n - first : 64;
#if FIXED
    if (i < n)
        tile[t] = x[i];
#else
    if (i >= n)
        return;
    tile[t] = x[i];
#endif
    SYNC_THREADS();
    if (i < n)
        y[i] = tile[(t + 1) % count];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(rotate, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i == 63 ? 0 : i == 99 ? 64 : i + 1));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
