/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a block's total in shared memory is added to but never initialised
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel block_sums
 * expect initcheck: 4 bytes at byte 0 of shared array total
 */
#include "bug.h"

#define N 128

KERNEL(block_sums)(const int *x, int *sums)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, total, [1]);
#if FIXED
        FOR_THREADS_BELOW(1)
            total[0] = 0;
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            ATOMIC_ADD(&total[0], x[blockIdx.x * 64 + threadIdx.x]);
        SYNC_THREADS();
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = total[0];
    }
}

int main(void)
{
    int in[N], out[2], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, 2);
    COPY_IN(x, in);
    LAUNCH(block_sums, 2, 64, 0, 0, x, sums);
    COPY_OUT(out, sums);
    EXPECT(out[0] == 63 * 32 && out[1] == 64 * 64 + 63 * 32);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
