/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a kernel uses the device side of a destroyed mirrored array
 * found by: memcheck
 * expect memcheck: error in kernel doubled: a read of 4 bytes
 */
#include "bug.h"

#define N 128

KERNEL(doubled)(int n, const int *x, int *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 2 * x[i];
}

int main(void)
{
    int out[N], *y;
    portable_array array;

    PORTABLE_CHECK(portable_array_create(&array, N, sizeof(int)));
    count_up((int *)portable_array_write_host(&array), N);
    const int *const x = (const int *)portable_array_read_device(&array);
    ALLOCATE(y, N);
#if !FIXED
    PORTABLE_CHECK(portable_array_destroy(&array));
#endif
    LAUNCH(doubled, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
#if FIXED
    PORTABLE_CHECK(portable_array_destroy(&array));
#endif
    RELEASE(y);
    return 0;
}
