/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one element per thread at kernel scope, without a loop: every element on CUDA, only the
 *     first on serial
 * found by: compare
 * reason: the program is correct on CUDA
 */
#include "bug.h"

#define N 128

KERNEL(doubled)(int n, const int *x, int *y)
{
#if FIXED
    GRID_STRIDE_LOOP(i, n)
        y[i] = 2 * x[i];
#else
    const int i = (int)ELEMENT_OFFSET();
    if (i < n)
        y[i] = 2 * x[i];
#endif
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(doubled, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    print_ints(out, N);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
