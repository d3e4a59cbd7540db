/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the second step of a cooperative kernel reads other blocks' results without a grid
 *     barrier
 * found by: racecheck
 * expect racecheck: race in kernel two_steps
 * expect racecheck: by concurrent blocks
 */
#include "bug.h"

#define N 256

KERNEL(two_steps)(int n, int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_ELEMENT(i, n)
            x[i] = 3 * i;
    }
#if FIXED
    SYNC_GRID();
#endif
    FOR_EACH_BLOCK(64) {
        FOR_EACH_ELEMENT(i, n)
            y[i] = x[n - 1 - i];
    }
}

int main(void)
{
    int out[N], *x, *y;

    ALLOCATE(x, N);
    ALLOCATE(y, N);
    ZERO(x, N);
    LAUNCH_COOPERATIVE(two_steps, 4, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 3 * (N - 1 - i));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
