/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: pinned host memory is never freed; a pointer to it remains
 * found by: memcheck
 * expect memcheck: leak: pinned host memory of 512 bytes, allocated at tests/bugs/leak_pinned.c:20
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
    int *out, *y;

    PORTABLE_CHECK(portable_malloc_host(&out, N * sizeof *out));
    ALLOCATE(y, N);
    LAUNCH(numbers, 2, 64, 0, 0, N, y);
    PORTABLE_CHECK(portable_copy_to_host(out, y, N * sizeof *out));
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i);
    RELEASE(y);
#if FIXED
    PORTABLE_CHECK(portable_free_host(out));
#endif
    exit(EXIT_SUCCESS);
}
