/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: page-locked host memory is never freed; portable.h's own table does not keep it alive
 * found by: memcheck
 * expect memcheck: leak: host memory
 * expect memcheck: Direct leak of 512 byte
 * expect memcheck: tests/bugs/leak_pinned.c:22
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
    int *volatile out, *y, *host;

    PORTABLE_CHECK(portable_malloc_host(&host, N * sizeof *host));
    out = host;
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
