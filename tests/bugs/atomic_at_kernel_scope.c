/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: an atomic at kernel scope, outside its loops: once per thread on CUDA, once on serial
 * found by: compare
 * reason: on CUDA the program behaves as written
 */
#include "bug.h"

#define N 256

KERNEL(doubled)(int n, const int *x, int *y, int *launches)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 2 * x[i];
#if FIXED
    GRID_STRIDE_LOOP(k, 1)
        ATOMIC_ADD(&launches[k], 1);
#else
    ATOMIC_ADD(&launches[0], 1);
#endif
}

int main(void)
{
    int in[N], out[1], *x, *y, *launches;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    ALLOCATE(launches, 1);
    ZERO(launches, 1);
    COPY_IN(x, in);
    LAUNCH(doubled, 2, 64, 0, 0, N, x, y, launches);
    COPY_OUT(out, launches);
    print_ints(out, 1);
    RELEASE(x);
    RELEASE(y);
    RELEASE(launches);
    return 0;
}
