/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: memory is allocated by the number of elements instead of bytes
 * found by: memcheck
 * expect memcheck: error in kernel numbers: a write of 4 bytes
 * expect memcheck: 0 bytes after device array y of 128 bytes
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
    int *y;

#if FIXED
    PORTABLE_CHECK(portable_malloc(&y, N * sizeof *y));
#else
    PORTABLE_CHECK(portable_malloc(&y, N));
#endif
    LAUNCH(numbers, 2, 64, 0, 0, N, y);
#if FIXED
    int out[N];
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i);
#endif
    RELEASE(y);
    return 0;
}
