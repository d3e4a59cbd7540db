/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the input is never copied to the device
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel doubled
 * expect initcheck: of device array x of 512 bytes
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
    COPY_IN(x, in);
#endif
    LAUNCH(doubled, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * in[i]);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
