/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: neighbouring threads read every eighth element, so that each read has a sector of its own
 * found by: accesscheck
 * limits: sectors=2
 * expect accesscheck: excessive sectors in kernel every_eighth: the global load at
 * expect accesscheck: moves 8.00 times the ideal number of sectors; the limit is 2
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 256
#define STRIDE 8

__global__ void every_eighth(const int *x, int *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
    y[i] = x[i];
#else
    y[i] = x[STRIDE * i];
#endif
}

int main(void)
{
    int in[N * STRIDE], out[N], *x, *y;

    count_up(in, N * STRIDE);
    ALLOCATE(x, N * STRIDE);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(every_eighth, N / 128, 128, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
