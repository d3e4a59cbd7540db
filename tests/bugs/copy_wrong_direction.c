/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a copy in the wrong direction
 * found by: memcheck
 * expect memcheck: error in host code
 * expect memcheck: portable_copy_to_host: the destination
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
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
#if FIXED
    PORTABLE_CHECK(portable_copy_to_device(x, in, sizeof in));
#else
    PORTABLE_CHECK(portable_copy_to_host(x, in, sizeof in));
#endif
    LAUNCH(doubled, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
