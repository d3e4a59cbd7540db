/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: each thread's sum is a block-scope variable instead of a PRIVATE: one per thread on CUDA, a
 *     single one on serial
 * found by: compare
 * reason: the program is correct on CUDA
 */
#include "bug.h"

#define N 256

KERNEL(thread_sums)(int n, const int *x, int *sums)
{
    FOR_EACH_BLOCK(32) {
#if FIXED
        PRIVATE(int, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += x[i];
        FOR_EACH_THREAD
            sums[blockIdx.x * 32 + threadIdx.x] = MINE(sum);
#else
        int sum = 0;
        FOR_EACH_ELEMENT(i, n)
            sum += x[i];
        FOR_EACH_THREAD
            sums[blockIdx.x * 32 + threadIdx.x] = sum;
#endif
    }
}

int main(void)
{
    int in[N], out[64], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, 64);
    COPY_IN(x, in);
    LAUNCH(thread_sums, 2, 32, 0, 0, N, x, sums);
    COPY_OUT(out, sums);
    print_ints(out, 64);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
