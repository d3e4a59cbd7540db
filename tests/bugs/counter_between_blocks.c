/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one thread of each block adds to a total in global memory without an atomic
 * found by: racecheck
 * expect racecheck: race in kernel total_of_blocks
 * expect racecheck: by concurrent blocks
 */
#include "bug.h"

KERNEL(total_of_blocks)(const int *x, int *total)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(int, sum);
        FOR_EACH_THREAD
            MINE(sum) = x[blockIdx.x * blockDim.x + threadIdx.x];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1) {
#if FIXED
            ATOMIC_ADD(total, MINE(sum));
#else
            total[0] += MINE(sum);
#endif
        }
    }
}

int main(void)
{
    int in[128], out[1], *x, *total;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(total, 1);
    ZERO(total, 1);
    COPY_IN(x, in);
    LAUNCH(total_of_blocks, 4, 32, 0, 0, x, total);
    COPY_OUT(out, total);
    EXPECT(out[0] == 127 * 64);
    RELEASE(x);
    RELEASE(total);
    return 0;
}
