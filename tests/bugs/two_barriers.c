/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the two halves of a block wait at different barriers
 * found by: synccheck
 * expect synccheck: divergence in kernel swap_halves
 */
#include "bug.h"

#define N 128

KERNEL(swap_halves)(const int *x, int *y)
{
    __shared__ int tile[64];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 32) {
        tile[t] = x[i];
#if !FIXED
        __syncthreads();
#endif
    } else {
        tile[t] = -x[i];
#if !FIXED
        __syncthreads();
#endif
    }
#if FIXED
    __syncthreads();
#endif
    y[i] = tile[t ^ 32];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(swap_halves, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i % 64 < 32 ? -(i + 32) : i - 32));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
