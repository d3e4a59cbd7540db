/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: all lanes vote on whether any continues, but a finished lane leaves the loop early
 * found by: synccheck
 * expect synccheck: divergence in kernel steps_to_one
 */
#include "bug.h"

#define N 64

KERNEL(steps_to_one)(const int *x, int *steps)
{
    __shared__ int counts[32];
    const unsigned lane = threadIdx.x, i = blockIdx.x * blockDim.x + lane;
    int value = x[i], count = 0;
#if FIXED
    while (__any_sync(0xffffffffu, value > 1)) {
#else
    while (value > 1 && __any_sync(0xffffffffu, value > 1)) {
#endif
        if (value > 1) {
            value /= 2;
            count++;
        }
    }
    counts[lane] = count;
    __syncthreads();
    steps[i] = counts[31 - lane];
}

int main(void)
{
    int in[N], out[N], *x, *steps;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(steps, N);
    COPY_IN(x, in);
    LAUNCH(steps_to_one, 2, 32, 0, 0, x, steps);
    COPY_OUT(out, steps);
    for (int i = 1; i < N; i++)
        EXPECT(i >> out[i / 32 * 32 + 31 - i % 32] == 1);
    RELEASE(x);
    RELEASE(steps);
    return 0;
}
