/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a write at block scope, which every thread makes instead of only one
 * found by: racecheck compare
 * expect racecheck: race in kernel block_firsts
 */
#include "bug.h"

KERNEL(block_firsts)(int *count)
{
    FOR_EACH_BLOCK(32) {
#if FIXED
        FOR_THREADS_BELOW(1)
            count[blockIdx.x] += 1;
#else
        count[blockIdx.x] += 1;
#endif
    }
}

int main(void)
{
    int out[4], *count;

    ALLOCATE(count, 4);
    ZERO(count, 4);
    LAUNCH(block_firsts, 4, 32, 0, 0, count);
    COPY_OUT(out, count);
    print_ints(out, 4);
    RELEASE(count);
    return 0;
}
