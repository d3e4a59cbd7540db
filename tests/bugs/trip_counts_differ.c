/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a loop with a barrier runs a different number of iterations in half of the threads
 * found by: synccheck
 * expect synccheck: divergence in kernel sums
 */
#include "bug.h"

#define N 128

KERNEL(sums)(int *y)
{
    __shared__ int tile[64];
    const int t = (int)threadIdx.x;
#if FIXED
    const int turns = 2;
#else
    const int turns = t < 32 ? 2 : 1;
#endif
    tile[t] = 1;
    for (int turn = 0; turn < turns; turn++) {
        __syncthreads();
        const int other = tile[(t + 32) % 64];
        __syncthreads();
        tile[t] += other;
    }
    y[(int)(blockIdx.x * blockDim.x) + t] = tile[t];
}

int main(void)
{
    int out[N], *y;

    ALLOCATE(y, N);
    LAUNCH(sums, 2, 64, 0, 0, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 4);
    RELEASE(y);
    return 0;
}
