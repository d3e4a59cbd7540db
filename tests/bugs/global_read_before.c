/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the first element reads its left neighbour, which does not exist
 * found by: memcheck
 * expect memcheck: error in kernel steps: a read of 4 bytes by block (0, 0, 0), thread (0, 0, 0)
 * expect memcheck: 4 bytes before device array x of 512 bytes
 */
#include "bug.h"

#define N 128

KERNEL(steps)(const int *x, int *y)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
#if FIXED
    y[i] = i > 0 ? x[i] - x[i - 1] : 0;
#else
    y[i] = x[i] - x[i - 1];
#endif
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(steps, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i > 0));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
