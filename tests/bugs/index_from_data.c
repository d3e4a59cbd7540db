/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the index table of a gather has an index that is one too large
 * found by: memcheck
 * expect memcheck: error in kernel gather: a read of 4 bytes by block (1, 0, 0), thread (13, 0, 0)
 * expect memcheck: 0 bytes after device array x of 512 bytes
 */
#include "bug.h"

#define N 128

KERNEL(gather)(int n, const int *table, const int *x, int *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = x[table[i]];
}

int main(void)
{
    int in[N], indices[N], out[N], *x, *table, *y;

    count_up(in, N);
    count_up(indices, N);
#if FIXED
    indices[77] = N - 1;
#else
    indices[77] = N;
#endif
    ALLOCATE(x, N);
    ALLOCATE(table, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    COPY_IN(table, indices);
    LAUNCH(gather, 2, 64, 0, 0, N, table, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == indices[i]);
    RELEASE(x);
    RELEASE(table);
    RELEASE(y);
    return 0;
}
