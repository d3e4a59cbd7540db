/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a two-array stencil is launched in place: each block reads elements that another writes
 * found by: racecheck
 * expect racecheck: race in kernel differences
 * expect racecheck: by concurrent blocks
 */
#include "bug.h"

#define N 256

KERNEL(differences)(int n, const int *from, int *to)
{
    GRID_STRIDE_LOOP(i, n)
        to[i] = from[(i + 64) % n] - from[i];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    ZERO(y, N);
#if FIXED
    LAUNCH(differences, 4, 64, 0, 0, N, x, y);
#else
    LAUNCH(differences, 4, 64, 0, 0, N, x, x);
#endif
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i + 64) % N - i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
