/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one warp reads another warp's output with no barrier between
 * found by: racecheck
 * expect racecheck: race in kernel pass_on
 * expect racecheck: of shared array items, with no barrier between them
 */
#include "bug.h"

#define N 64

KERNEL(pass_on)(const int *x, int *y)
{
    __shared__ int items[32];
    const unsigned t = threadIdx.x;
    if (t < 32)
        items[t] = x[blockIdx.x * 32 + t];
#if FIXED
    __syncthreads();
#endif
    if (t >= 32)
        y[blockIdx.x * 32 + t - 32] = 2 * items[t - 32];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(pass_on, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
