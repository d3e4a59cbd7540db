/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a kernel reads one element past a small host array, far from all device memory
 * found by: memcheck
 * expect memcheck: error in kernel differences: a read of 4 bytes by block (0, 0, 0), thread (15, 0, 0)
 * expect memcheck: 0 bytes after host memory of 64 bytes, allocated at tests/bugs/host_heap_past_end.c:25
 */
#include "bug.h"

#define N 16

KERNEL(differences)(const int *table, int *y)
{
    const int i = (int)threadIdx.x;
#if FIXED
    y[i] = i + 1 < N ? table[i + 1] - table[i] : 0;
#else
    const int *const next = table + i + 1;
    y[i] = i == N - 1 ? *next : 0;
#endif
}

int main(void)
{
    /* Larger arrays lie at higher addresses. */
    int *const in = (int *)malloc(N * sizeof *in);
    int out[1024], *x, *y;

    count_up(in, N);
    ALLOCATE(x, 1024);
    ALLOCATE(y, 1024);
    PORTABLE_CHECK(portable_copy_to_device(x, in, N * sizeof *in));
#if FIXED
    LAUNCH(differences, 1, N, 0, 0, x, y);
#else
    LAUNCH(differences, 1, N, 0, 0, in, y);
#endif
    PORTABLE_CHECK(portable_copy_to_host(out, y, N * sizeof *y));
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i + 1 < N));
    RELEASE(x);
    RELEASE(y);
    free(in);
    return 0;
}
