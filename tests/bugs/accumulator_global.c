/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a total in device memory is added to but never initialised
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel add_up
 * expect initcheck: 4 bytes at byte 0 of device array total of 4 bytes
 */
#include "bug.h"

#define N 128

KERNEL(add_up)(int n, const int *x, int *total)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(total, x[i]);
}

int main(void)
{
    int in[N], out[1], *x, *total;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(total, 1);
    COPY_IN(x, in);
#if FIXED
    ZERO(total, 1);
#endif
    LAUNCH(add_up, 2, 64, 0, 0, N, x, total);
    COPY_OUT(out, total);
    EXPECT(out[0] == N * (N - 1) / 2);
    RELEASE(x);
    RELEASE(total);
    return 0;
}
