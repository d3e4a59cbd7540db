/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a kernel is passed a pointer from malloc
 * found by: memcheck
 * expect memcheck: error in kernel doubled: a read of 4 bytes
 */
#include "bug.h"

#define N 128

KERNEL(doubled)(int n, const int *x, int *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 2 * x[i];
}

int main(void)
{
    int *const in = (int *)malloc(N * sizeof *in);
    int out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    PORTABLE_CHECK(portable_copy_to_device(x, in, N * sizeof *in));
#if FIXED
    LAUNCH(doubled, 2, 64, 0, 0, N, x, y);
#else
    LAUNCH(doubled, 2, 64, 0, 0, N, in, y);
#endif
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    RELEASE(x);
    RELEASE(y);
    free(in);
    return 0;
}
