/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a vote of the whole warp inside a divergent branch
 * found by: synccheck
 * expect synccheck: divergence in kernel count_large
 */
#include "bug.h"

#define N 64

KERNEL(count_large)(const int *x, int *counts)
{
    __shared__ unsigned votes[32];
    const unsigned lane = threadIdx.x;
    const int value = x[blockIdx.x * blockDim.x + lane];
#if FIXED
    votes[lane] = __ballot_sync(0xffffffffu, value % 2 != 0 && value > 10);
#else
    votes[lane] = 0;
    if (value % 2 != 0)
        votes[lane] = __ballot_sync(0xffffffffu, value > 10);
#endif
    __syncthreads();
    if (lane == 0)
        counts[blockIdx.x] = POPCOUNT(votes[31]);
}

int main(void)
{
    int in[N], out[2], *x, *counts;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(counts, 2);
    COPY_IN(x, in);
    LAUNCH(count_large, 2, 32, 0, 0, x, counts);
    COPY_OUT(out, counts);
    EXPECT(out[0] == 11 && out[1] == 16);
    RELEASE(x);
    RELEASE(counts);
    return 0;
}
