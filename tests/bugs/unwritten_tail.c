/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a loop stops one element early, so the last result is never written
 * found by: initcheck
 * expect initcheck: copy to the host of uninitialised memory: 4 bytes from byte 996
 * expect initcheck: of device array y of 1000 bytes
 */
#include "bug.h"

#define N 250

KERNEL(squares)(int n, int *y)
{
#if FIXED
    GRID_STRIDE_LOOP(i, n)
#else
    GRID_STRIDE_LOOP(i, n - 1)
#endif
        y[i] = i * i;
}

int main(void)
{
    int out[N], *y;

    ALLOCATE(y, N);
    LAUNCH(squares, 2, 64, 0, 0, N, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i * i);
    RELEASE(y);
    return 0;
}
