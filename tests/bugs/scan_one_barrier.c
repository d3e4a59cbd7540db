/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: an in-place scan has one barrier per step: a sum is written while a neighbour still reads it
 * found by: racecheck
 * expect racecheck: race in kernel prefix_sums
 * expect racecheck: of shared array sums, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(prefix_sums)(const int *x, int *y)
{
    SHARED(int, sums, [64]);
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = x[i];
    SYNC_THREADS();
    for (unsigned distance = 1; distance < 64; distance *= 2) {
        const int before = t >= distance ? sums[t - distance] : 0;
#if FIXED
        SYNC_THREADS();
#endif
        sums[t] += before;
        SYNC_THREADS();
    }
    y[i] = sums[t];
}

int main(void)
{
    int in[N], out[N], *x, *y, sum = 0;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(prefix_sums, N / 64, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++) {
        sum = i % 64 == 0 ? i : sum + i;
        EXPECT(out[i] == sum);
    }
    RELEASE(x);
    RELEASE(y);
    return 0;
}
