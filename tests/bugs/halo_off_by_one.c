/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the last block loads a right halo that does not exist
 * found by: memcheck
 * expect memcheck: error in kernel three_point: a read of 4 bytes by block (1, 0, 0)
 * expect memcheck: 0 bytes after device array x of 512 bytes
 */
#include "bug.h"

#define N 128

KERNEL(three_point)(int n, const int *x, int *y)
{
    SHARED(int, tile, [1 + 64 + 1]);
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), t = (int)threadIdx.x + 1;
    tile[t] = x[i];
    if (t == 1)
        tile[0] = i > 0 ? x[i - 1] : 0;
#if FIXED
    if (t == 64)
        tile[65] = i < n - 1 ? x[i + 1] : 0;
#else
    if (t == 64)
        tile[65] = i < n ? x[i + 1] : 0;
#endif
    SYNC_THREADS();
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
    for (int i = 1; i < N - 1; i++)
        EXPECT(out[i] == 3 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
