/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a block without work exits before a grid barrier
 * found by: synccheck
 * expect synccheck: divergence in kernel two_steps
 */
#include "bug.h"

#define N 128

KERNEL(two_steps)(unsigned n, int *x, int *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if !FIXED
    if (i >= n)
        return;
#endif
    if (i < n)
        x[i] = (int)(3 * i);
    SYNC_GRID();
    if (i < n)
        y[i] = x[n - 1 - i];
}

int main(void)
{
    int out[N], *x, *y;

    ALLOCATE(x, N);
    ALLOCATE(y, N);
    LAUNCH_COOPERATIVE(two_steps, 3, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 3 * (N - 1 - i));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
