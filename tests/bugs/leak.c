/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: device memory is never freed
 * found by: memcheck
 * expect memcheck: leak: device array y of 512 bytes
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

    ALLOCATE(y, N);
    LAUNCH(numbers, 2, 64, 0, 0, N, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i);
#if FIXED
    RELEASE(y);
#endif
    return 0;
}
