/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the device side of a mirrored array is requested before the array is written, and the
 *     resulting NULL is passed to a kernel
 * found by: memcheck
 * expect memcheck: error in kernel doubled
 * expect memcheck: null pointer
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
    portable_array from, to;

    PORTABLE_CHECK(portable_array_create(&from, N, sizeof(int)));
    PORTABLE_CHECK(portable_array_create(&to, N, sizeof(int)));
#if FIXED
    count_up((int *)portable_array_write_host(&from), N);
#endif
    const int *const x = (const int *)portable_array_read_device(&from);
    int *const y = (int *)portable_array_write_device(&to);
    LAUNCH(doubled, 2, 64, 0, 0, N, x, y);
    const int *const out = (const int *)portable_array_read_host(&to);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    PORTABLE_CHECK(portable_array_destroy(&from));
    PORTABLE_CHECK(portable_array_destroy(&to));
    return 0;
}
