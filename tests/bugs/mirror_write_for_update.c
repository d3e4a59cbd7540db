/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a kernel updates a mirrored array that was requested for writing, so no values were copied
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel increase
 */
#include "bug.h"

#define N 128

KERNEL(increase)(int n, int *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] += 1;
}

int main(void)
{
    portable_array array;

    PORTABLE_CHECK(portable_array_create(&array, N, sizeof(int)));
    count_up((int *)portable_array_write_host(&array), N);
#if FIXED
    int *const x = (int *)portable_array_update_device(&array);
#else
    int *const x = (int *)portable_array_write_device(&array);
#endif
    LAUNCH(increase, 2, 64, 0, 0, N, x);
    const int *const out = (const int *)portable_array_read_host(&array);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i + 1);
    PORTABLE_CHECK(portable_array_destroy(&array));
    return 0;
}
