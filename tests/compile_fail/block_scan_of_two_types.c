// expect: BLOCK_SCAN: source and destination must be PRIVATE and of one type
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        PRIVATE(long long, value);
        PRIVATE(long long, result);
#else
        PRIVATE(int, value);
        PRIVATE(long long, result);
#endif
        FOR_EACH_THREAD
            MINE(value) = 1;
        BLOCK_SCAN_ADD_EXCLUSIVE(result, value);
        FOR_EACH_THREAD
            out[threadIdx.x] = (unsigned)MINE(result);
    }
}
