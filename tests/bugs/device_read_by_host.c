/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the host reads device memory through its pointer
 * found by: memcheck
 * expect memcheck: error in host code: a read of 4 bytes
 * reason: a GPU tool does not check host accesses; the program crashes
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
    int out[N], *y, sum = 0;

    ALLOCATE(y, N);
    LAUNCH(numbers, 2, 64, 0, 0, N, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
#if FIXED
        sum += out[i];
#else
        sum += y[i];
#endif
    EXPECT(sum == N * (N - 1) / 2);
    RELEASE(y);
    return sum == 0;
}
