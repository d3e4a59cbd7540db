/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: no barrier between the levels of a reduction tree
 * found by: racecheck
 * expect racecheck: race in kernel sum_tree
 * expect racecheck: of shared array partial, with no barrier between them
 */
#include "bug.h"

#define N 512

KERNEL(sum_tree)(const int *x, int *sums)
{
    SHARED(int, partial, [128]);
    const unsigned t = threadIdx.x;
    partial[t] = x[blockIdx.x * blockDim.x + t];
    SYNC_THREADS();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            partial[t] += partial[t + half];
#if FIXED
        SYNC_THREADS();
#endif
    }
    if (t == 0)
        sums[blockIdx.x] = partial[0];
}

int main(void)
{
    int in[N], out[N / 128], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, N / 128);
    COPY_IN(x, in);
    LAUNCH(sum_tree, N / 128, 128, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int b = 0; b < N / 128; b++)
        EXPECT(out[b] == 128 * 128 * b + 127 * 64);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
