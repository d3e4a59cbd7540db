/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a product of ints overflows
 * found by: memcheck
 * expect memcheck: error in kernel squares
 * expect memcheck: overflow
 */
#include "bug.h"

#define N 128

KERNEL(squares)(int n, const int *x, long long *y)
{
    GRID_STRIDE_LOOP(i, n)
#if FIXED
        y[i] = (long long)x[i] * x[i];
#else
        y[i] = x[i] * x[i];
#endif
}

int main(void)
{
    int in[N], *x;
    long long out[N], *y;

    for (int i = 0; i < N; i++)
        in[i] = 1000 * i;
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(squares, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 1000000LL * i * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
