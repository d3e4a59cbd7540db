/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the threads of a warp exchange values through shared memory and rely on lockstep
 * found by: racecheck
 * expect racecheck: race in kernel warp_sums
 * expect racecheck: of shared array partial
 */
#include "bug.h"

#define N 128

KERNEL(warp_sums)(const int *x, int *sums)
{
    __shared__ int partial[64];
    const unsigned t = threadIdx.x, lane = t % 32;
    partial[t] = x[blockIdx.x * blockDim.x + t];
    __syncwarp();
    for (unsigned half = 16; half > 0; half /= 2) {
        if (lane < half)
            partial[t] += partial[t + half];
#if FIXED
        __syncwarp();
#endif
    }
    if (lane == 0)
        sums[(blockIdx.x * blockDim.x + t) / 32] = partial[t];
}

int main(void)
{
    int in[N], out[N / 32], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, N / 32);
    COPY_IN(x, in);
    LAUNCH(warp_sums, N / 64, 64, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int w = 0; w < N / 32; w++)
        EXPECT(out[w] == 32 * 32 * w + 31 * 16);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
