/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: block 0 adds up all block sums in the same launch that computes them
 * found by: racecheck
 * expect racecheck: race in kernel block_sums
 * expect racecheck: by concurrent blocks
 */
#include "bug.h"

#define N 256

DEVICE void add_up(int count, const int *sums, int *total)
{
    int sum = 0;
    for (int b = 0; b < count; b++)
        sum += sums[b];
    total[0] = sum;
}

KERNEL(total_of_sums)(int count, const int *sums, int *total)
{
    add_up(count, sums, total);
}

KERNEL(block_sums)(const int *x, int *sums, int *total)
{
    if (threadIdx.x == 0) {
        int sum = 0;
        for (unsigned k = 0; k < blockDim.x; k++)
            sum += x[blockIdx.x * blockDim.x + k];
        sums[blockIdx.x] = sum;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        total[0] = 0;
#if !FIXED
    if (blockIdx.x == 0 && threadIdx.x == 0)
        add_up((int)gridDim.x, sums, total);
#endif
}

int main(void)
{
    int in[N], out[1], *x, *sums, *total;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, 4);
    ALLOCATE(total, 1);
    ZERO(sums, 4);
    COPY_IN(x, in);
    LAUNCH(block_sums, 4, N / 4, 0, 0, x, sums, total);
#if FIXED
    LAUNCH(total_of_sums, 1, 1, 0, 0, 4, sums, total);
#endif
    COPY_OUT(out, total);
    EXPECT(out[0] == N * (N - 1) / 2);
    RELEASE(x);
    RELEASE(sums);
    RELEASE(total);
    return 0;
}
