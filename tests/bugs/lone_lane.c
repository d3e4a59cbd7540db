/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one thread of each warp stores a word: a sector is moved for 4 of its 32 bytes
 * found by: accesscheck
 * limits: bytes=4
 * expect accesscheck: unused bytes in kernel warp_sums: the global store at
 * expect accesscheck: moves 8.00 times the bytes that it uses; the limit is 4
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 1024

/* Sums of 32 neighbouring elements. */
KERNEL(warp_sums)(const int *x, int *sums)
{
    const unsigned t = threadIdx.x;
    int value = x[blockIdx.x * blockDim.x + t];
    for (unsigned k = 16; k > 0; k /= 2)
        value += __shfl_down_sync(0xffffffff, value, k);
#if FIXED
    __shared__ int sum[8];
    if (t % 32 == 0)
        sum[t / 32] = value;
    __syncthreads();
    if (t < 8)
        sums[8 * blockIdx.x + t] = sum[t];
#else
    if (t % 32 == 0)
        sums[8 * blockIdx.x + t / 32] = value;
#endif
}

int main(void)
{
    int in[N], out[N / 32], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, N / 32);
    COPY_IN(x, in);
    LAUNCH(warp_sums, N / 256, 256, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < N / 32; i++)
        EXPECT(out[i] == 32 * 32 * i + 31 * 16);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
