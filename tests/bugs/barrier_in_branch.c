/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a barrier in a branch that only one warp takes
 * found by: synccheck
 * expect synccheck: divergence in kernel halves
 */
#include "bug.h"

#define N 128

KERNEL(halves)(const int *x, int *y)
{
    __shared__ int tile[64];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = x[i];
#if FIXED
    __syncthreads();
#endif
    if (t < 32) {
#if !FIXED
        __syncthreads();
#endif
        y[i] = tile[t] + tile[t + 32];
    } else {
        y[i] = 0;
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(halves, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i % 64 < 32 ? 2 * i + 32 : 0));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
