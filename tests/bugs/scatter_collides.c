/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a scatter's index table is not a permutation: two threads write one element
 * found by: racecheck
 * expect racecheck: race in kernel scatter
 */
#include "bug.h"

#define N 256

KERNEL(scatter)(int n, const int *place, int *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[place[i]] = i;
}

int main(void)
{
    int in[N], out[N], *place, *y;

    for (int i = 0; i < N; i++)
#if FIXED
        in[i] = 5 * i % N;
#else
        in[i] = 6 * i % N;
#endif
    ALLOCATE(place, N);
    ALLOCATE(y, N);
    ZERO(y, N);
    COPY_IN(place, in);
    LAUNCH(scatter, 4, 64, 0, 0, N, place, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[5 * i % N] == i);
    RELEASE(place);
    RELEASE(y);
    return 0;
}
