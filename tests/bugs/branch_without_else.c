/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a result is written only under a condition
 * found by: initcheck
 * expect initcheck: copy to the host of uninitialised memory: 4 bytes from byte 4
 */
#include "bug.h"

#define N 128

KERNEL(halves)(int n, const int *x, int *y)
{
    GRID_STRIDE_LOOP(i, n) {
        if (x[i] % 2 == 0)
            y[i] = x[i] / 2;
#if FIXED
        else
            y[i] = -1;
#endif
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(halves, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i % 2 == 0 ? i / 2 : -1));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
