// expect: BLOCK_REDUCE: source and destination must be PRIVATE and of one type
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        PRIVATE(int, value);
        PRIVATE(int, result);
#else
        PRIVATE(int, value);
        PRIVATE(unsigned, result);
#endif
        FOR_EACH_THREAD
            MINE(value) = 1;
        BLOCK_REDUCE_MIN(result, value);
        FOR_EACH_THREAD
            out[threadIdx.x] = (unsigned)MINE(result);
    }
}
