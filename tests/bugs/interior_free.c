/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a pointer into the middle of an allocation is freed
 * found by: memcheck
 * expect memcheck: error in host code
 * expect memcheck: is not the start of a live device allocation
 */
#include "bug.h"

#define N 128

KERNEL(numbers)(int n, int *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = i;
}

int main(void)
{
    int out[N], *y;

    ALLOCATE(y, N + 1);
    y++;
    LAUNCH(numbers, 2, 64, 0, 0, N, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i);
#if FIXED
    RELEASE(y - 1);
#else
    RELEASE(y);
#endif
    return 0;
}
