/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: every second double of an array in shared memory: half a warp needs two wavefronts
 * found by: accesscheck
 * limits: wavefronts=1.5
 * expect accesscheck: bank conflicts in kernel reverse: the shared store at
 * expect accesscheck: takes 2.00 times the ideal number of wavefronts; the limit is 1.5
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 128
#if FIXED
#define APART 1
#else
#define APART 2
#endif

/* The twin takes two wavefronts for a warp, which is ideal: its bytes are those of 64 words. */
KERNEL(reverse)(const double *x, double *y)
{
    __shared__ double tile[2 * 64];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[APART * t] = x[i];
    __syncthreads();
    y[i] = tile[APART * (63 - t)];
}

int main(void)
{
    double in[N], out[N], *x, *y;

    for (int i = 0; i < N; i++)
        in[i] = i;
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(reverse, N / 64, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 64 + 63 - i % 64);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
