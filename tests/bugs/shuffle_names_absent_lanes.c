/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a shuffle in a branch names lanes that do not take the branch
 * found by: synccheck
 * expect synccheck: divergence in kernel lower_sums
 */
#include "bug.h"

#define N 64

KERNEL(lower_sums)(const int *x, int *sums)
{
    const unsigned lane = threadIdx.x;
    if (lane < 16) {
        int sum = x[blockIdx.x * blockDim.x + lane];
#if FIXED
        const unsigned mask = 0x0000ffffu;
#else
        const unsigned mask = 0xffffffffu;
#endif
        for (int offset = 8; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(mask, sum, offset);
        if (lane == 0)
            sums[blockIdx.x] = sum;
    }
}

int main(void)
{
    int in[N], out[2], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, 2);
    COPY_IN(x, in);
    LAUNCH(lower_sums, 2, 32, 0, 0, x, sums);
    COPY_OUT(out, sums);
    EXPECT(out[0] == 15 * 8 && out[1] == 16 * 32 + 15 * 8);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
