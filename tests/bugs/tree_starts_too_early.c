/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a missing barrier between storing private sums in shared memory and summing them in a tree
 * found by: racecheck
 * expect racecheck: race in kernel sum_tree
 * expect racecheck: of shared array partial, with no barrier between them
 */
#include "bug.h"

#define N 1000

KERNEL(sum_tree)(int n, const int *x, int *sums)
{
    FOR_EACH_BLOCK(128) {
        SHARED(int, partial, [128]);
        PRIVATE(int, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += x[i];
        FOR_EACH_THREAD
            partial[threadIdx.x] = MINE(sum);
#if FIXED
        SYNC_THREADS();
#endif
        for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
            FOR_THREADS_BELOW(half)
                partial[threadIdx.x] += partial[threadIdx.x + half];
            SYNC_THREADS();
        }
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = partial[0];
    }
}

int main(void)
{
    int in[N], out[2], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, 2);
    COPY_IN(x, in);
    LAUNCH(sum_tree, 2, 128, 0, 0, N, x, sums);
    COPY_OUT(out, sums);
    EXPECT(out[0] + out[1] == N * (N - 1) / 2);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
