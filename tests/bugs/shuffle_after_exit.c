/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: lanes without an element have exited when the others read their values by a shuffle
 * found by: synccheck
 * expect synccheck: divergence in kernel warp_sums
 */
#include "bug.h"

#define N 48

KERNEL(warp_sums)(int n, const int *x, int *sums)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
#if FIXED
    int sum = i < n ? x[i] : 0;
#else
    if (i >= n)
        return;
    int sum = x[i];
#endif
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, (unsigned)offset);
    if (i % 32 == 0)
        sums[i / 32] = sum;
}

int main(void)
{
    int in[N], out[2], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, 2);
    COPY_IN(x, in);
    LAUNCH(warp_sums, 2, 32, 0, 0, N, x, sums);
    COPY_OUT(out, sums);
    EXPECT(out[0] + out[1] == N * (N - 1) / 2);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
