/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: every eighth thread has work, so that a warp waits for four of its lanes
 * found by: accesscheck
 * limits: threads=16
 * expect accesscheck: inactive threads in kernel add_groups: the global load at
 * expect accesscheck: inactive threads in kernel add_groups: the global store at
 * expect accesscheck: has 4.00 avg. active threads per warp; the limit is 16
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 1024
#define GROUP 8

KERNEL(add_groups)(const int *x, int *sums)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
    const unsigned group = i;
    if (group < N / GROUP) {
#else
    const unsigned group = i / GROUP;
    if (i % GROUP == 0) {
#endif
        int sum = 0;
        for (unsigned k = 0; k < GROUP; k++)
            sum += x[GROUP * group + k];
        sums[group] = sum;
    }
}

int main(void)
{
    int in[N], out[N / GROUP], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, N / GROUP);
    COPY_IN(x, in);
    LAUNCH(add_groups, N / 128, 128, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < N / GROUP; i++)
        EXPECT(out[i] == GROUP * GROUP * i + GROUP * (GROUP - 1) / 2);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
