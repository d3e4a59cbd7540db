/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a write to the NULL pointer of a zero-byte allocation
 * found by: memcheck
 * expect memcheck: error in kernel numbers
 * expect memcheck: null pointer
 */
#include "bug.h"

#define N 64

KERNEL(numbers)(int n, int *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = i;
}

int main(void)
{
    int *y;

#if FIXED
    ALLOCATE(y, (N + 127) / 128 * 128);
#else
    ALLOCATE(y, N / 128 * 128);
#endif
    LAUNCH(numbers, 2, 32, 0, 0, N, y);
    PORTABLE_CHECK(portable_synchronize());
    RELEASE(y);
    return 0;
}
