/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: warp operations and barriers that some threads never reach, with unused results: a compiler
 *     may remove code without a result, but a tool must still see it
 * found by: synccheck
 * expect synccheck: divergence in kernel shuffle
 * expect synccheck: divergence in kernel vote
 * expect synccheck: divergence in kernel barriers
 */
#include "bug.h"

#if FIXED
#define LOW 0x0000ffffu
#else
#define LOW 0xffffffffu
#endif

KERNEL(shuffle)(const int *x)
{
    if (threadIdx.x < 16) {
        int sum = x[threadIdx.x];
        sum += __shfl_xor_sync(LOW, sum, 8);
        (void)sum;
    }
    __syncthreads();
}

KERNEL(vote)(const int *x)
{
    if (threadIdx.x < 16) {
        int all = __all_sync(LOW, x[threadIdx.x]);
        (void)all;
    }
    __syncthreads();
}

/* Two barriers, although both branches do the same. */
KERNEL(barriers)(void)
{
#if FIXED
    __syncthreads();
#else
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();
#endif
}

int main(void)
{
    int in[32], *x;

    count_up(in, 32);
    ALLOCATE(x, 32);
    COPY_IN(x, in);
    LAUNCH(shuffle, 1, 32, 0, 0, x);
    LAUNCH(vote, 1, 32, 0, 0, x);
    LAUNCH(barriers, 1, 32, 0, 0);
    RELEASE(x);
    return 0;
}
