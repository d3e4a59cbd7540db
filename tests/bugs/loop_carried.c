/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: iterations of a kernel-scope grid-stride loop depend on each other
 * found by: racecheck
 * expect racecheck: race in kernel add_left
 */
#include "bug.h"

#define N 256

KERNEL(add_left)(int n, int *x, int *y)
{
    GRID_STRIDE_LOOP(i, n) {
#if FIXED
        y[i] = x[i] + (i > 0 ? x[i - 1] : 0);
#else
        x[i] += i > 0 ? x[i - 1] : 0;
        y[i] = x[i];
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
    LAUNCH(add_left, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 1; i < N; i++)
        EXPECT(out[i] == 2 * i - 1);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
