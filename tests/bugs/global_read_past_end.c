/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the last element reads its right neighbour, which does not exist
 * found by: memcheck
 * expect memcheck: error in kernel pair_sums: a read of 4 bytes
 * expect memcheck: 0 bytes after device array x of 1000 bytes
 */
#include "bug.h"

#define N 250

KERNEL(pair_sums)(int n, const int *x, int *y)
{
    GRID_STRIDE_LOOP(i, n)
#if FIXED
        y[i] = x[i] + (i + 1 < n ? x[i + 1] : 0);
#else
        y[i] = x[i] + x[i + 1];
#endif
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(pair_sums, 2, 128, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i + 1 < N ? 2 * i + 1 : i));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
