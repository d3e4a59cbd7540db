/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a block's offset is the total of the blocks that happened to run before it
 * found by: order
 * reason: no access is invalid: the result depends on the order of the blocks
 */
#include "bug.h"

#define BLOCKS 4

KERNEL(offsets)(int *total, int *offset)
{
    FOR_EACH_BLOCK(32) {
        FOR_THREADS_BELOW(1) {
            const int size = 10 * ((int)blockIdx.x + 1);
#if FIXED
            ATOMIC_ADD(total, size);
            offset[blockIdx.x] = 0;
            for (int b = 0; b < (int)blockIdx.x; b++)
                offset[blockIdx.x] += 10 * (b + 1);
#else
            offset[blockIdx.x] = ATOMIC_ADD(total, size);
#endif
        }
    }
}

int main(void)
{
    int out[BLOCKS], *total, *offset;

    ALLOCATE(total, 1);
    ALLOCATE(offset, BLOCKS);
    ZERO(total, 1);
    LAUNCH(offsets, BLOCKS, 32, 0, 0, total, offset);
    COPY_OUT(out, offset);
    print_ints(out, BLOCKS);
    RELEASE(total);
    RELEASE(offset);
    return 0;
}
