/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: half a warp waits at a barrier whose mask includes the whole warp
 * found by: synccheck
 * expect synccheck: divergence in kernel lower_half
 */
#include "bug.h"

#define N 64

KERNEL(lower_half)(const int *x, int *y)
{
    __shared__ int tile[32];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int other = 0;
    tile[t] = 0;
    if (t < 16) {
        tile[t] = x[i];
#if FIXED
        __syncwarp(0x0000ffffu);
#else
        __syncwarp(0xffffffffu);
#endif
        other = tile[15 - t];
    }
    __syncthreads();
    y[i] = other + tile[31 - t];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(lower_half, 2, 32, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 32 * 32 + (i % 32 < 16 ? 15 - i % 32 : 31 - i % 32));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
