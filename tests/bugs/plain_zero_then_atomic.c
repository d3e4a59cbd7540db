/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one thread zeroes a counter, and others add to it atomically with no barrier between
 * found by: racecheck
 * expect racecheck: race in kernel count_odd
 * expect racecheck: of shared array count, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(count_odd)(const int *x, int *counts)
{
    __shared__ int count[1];
    const unsigned t = threadIdx.x;
    if (t == 0)
        count[0] = 0;
#if FIXED
    __syncthreads();
#endif
    if (x[blockIdx.x * blockDim.x + t] % 2 != 0)
        atomicAdd(&count[0], 1);
    __syncthreads();
    if (t == 0)
        counts[blockIdx.x] = count[0];
}

int main(void)
{
    int in[N], out[2], *x, *counts;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(counts, 2);
    COPY_IN(x, in);
    LAUNCH(count_odd, 2, 64, 0, 0, x, counts);
    COPY_OUT(out, counts);
    EXPECT(out[0] == 32 && out[1] == 32);
    RELEASE(x);
    RELEASE(counts);
    return 0;
}
