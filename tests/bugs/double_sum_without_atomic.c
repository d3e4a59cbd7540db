/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: all threads of a block add to one double without an atomic
 * found by: racecheck
 * expect racecheck: race in kernel block_sums
 * expect racecheck: of shared array sum, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(block_sums)(const double *x, double *sums)
{
    FOR_EACH_BLOCK(64) {
        SHARED(double, sum, [1]);
        FOR_THREADS_BELOW(1)
            sum[0] = 0;
        SYNC_THREADS();
        FOR_EACH_THREAD {
#if FIXED
            ATOMIC_ADD(&sum[0], x[blockIdx.x * 64 + threadIdx.x]);
#else
            sum[0] += x[blockIdx.x * 64 + threadIdx.x];
#endif
        }
        SYNC_THREADS();
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = sum[0];
    }
}

int main(void)
{
    double in[N], out[N / 64], *x, *sums;

    for (int i = 0; i < N; i++)
        in[i] = i;
    ALLOCATE(x, N);
    ALLOCATE(sums, N / 64);
    COPY_IN(x, in);
    LAUNCH(block_sums, N / 64, 64, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int b = 0; b < N / 64; b++)
        EXPECT(out[b] == 64 * 64 * b + 63 * 32);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
