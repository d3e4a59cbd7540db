/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the mask of a shuffle in a branch includes lanes that do not take the branch
 * found by: synccheck
 * expect synccheck: divergence in kernel lower_sums
 */
#include "bug.h"

#define N 64

KERNEL(lower_sums)(const int *x, int *y)
{
    __shared__ int total[1];
    const unsigned lane = threadIdx.x, i = blockIdx.x * blockDim.x + lane;
    int sum = x[i];
    if (lane < 16) {
#if FIXED
        const unsigned mask = 0x0000ffffu;
#else
        const unsigned mask = 0xffffffffu;
#endif
        for (int offset = 8; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(mask, sum, offset);
        if (lane == 0)
            total[0] = sum;
    }
    __syncthreads();
    y[i] = total[0];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(lower_sums, 2, 32, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 32 * 32 * 16 + 15 * 8);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
