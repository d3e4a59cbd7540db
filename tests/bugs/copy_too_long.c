/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a copy to the host reads more bytes than the device memory has
 * found by: memcheck
 * expect memcheck: error in host code
 * expect memcheck: portable_copy_to_host: 1024 bytes
 * expect memcheck: which has 512, at tests/bugs/copy_too_long.c:
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
    int out[2 * N], *y;

    ALLOCATE(y, N);
    LAUNCH(numbers, 2, 64, 0, 0, N, y);
#if FIXED
    PORTABLE_CHECK(portable_copy_to_host(out, y, N * sizeof *out));
#else
    PORTABLE_CHECK(portable_copy_to_host(out, y, sizeof out));
#endif
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i);
    RELEASE(y);
    return 0;
}
