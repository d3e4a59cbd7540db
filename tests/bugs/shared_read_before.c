/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the first thread reads the element before the start of a shared array
 * found by: memcheck
 * expect memcheck: error in kernel steps: a read of 4 bytes
 * expect memcheck: 4 bytes before shared array tile
 */
#include "bug.h"

#define N 128

KERNEL(steps)(const int *x, int *y)
{
    SHARED(int, tile, [64]);
    const int t = (int)threadIdx.x, i = (int)(blockIdx.x * blockDim.x) + t;
    tile[t] = x[i];
    SYNC_THREADS();
    const int *const own = tile + t;
#if FIXED
    y[i] = t > 0 ? own[0] - own[-1] : 0;
#else
    y[i] = own[0] - own[-1];
#endif
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(steps, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i % 64 > 0));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
