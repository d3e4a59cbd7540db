/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the number of elements is not a multiple of the block size, and there is no bounds check
 * found by: memcheck
 * expect memcheck: error in kernel doubled: a read of 4 bytes by block (1, 0, 0), thread (36, 0, 0)
 * expect memcheck: 0 bytes after device array x of 400 bytes
 */
#include "bug.h"

#define N 100

KERNEL(doubled)(int n, const int *x, int *y)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
#if FIXED
    if (i < n)
#endif
        y[i] = 2 * x[i];
    (void)n;
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(doubled, (N + 63) / 64, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
