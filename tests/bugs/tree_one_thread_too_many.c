/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: <= instead of < in a reduction tree: one thread too many writes an element that another
 *     reads, and reads past the end
 * found by: racecheck memcheck
 * expect racecheck: race in kernel sum_tree
 * expect racecheck: of shared array partial, with no barrier between them
 * expect memcheck: error in kernel sum_tree: a read of 4 bytes
 * expect memcheck: shared array partial
 */
#include "bug.h"

#define N 256

KERNEL(sum_tree)(const int *x, int *sums)
{
    SHARED(int, partial, [128]);
    const unsigned t = threadIdx.x;
    partial[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
#if FIXED
        if (t < half)
#else
        if (t <= half)
#endif
            partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = partial[0];
}

int main(void)
{
    int in[N], out[N / 128], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, N / 128);
    COPY_IN(x, in);
    LAUNCH(sum_tree, N / 128, 128, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int b = 0; b < N / 128; b++)
        EXPECT(out[b] == 128 * 128 * b + 127 * 64);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
