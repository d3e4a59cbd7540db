// expect: WARP_REDUCE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(unsigned, value);
        PRIVATE(unsigned, result);
        FOR_EACH_THREAD {
            MINE(value) = threadIdx.x;
#ifdef CORRECTED
        }
        WARP_REDUCE_ADD(result, value);
#else
            WARP_REDUCE_ADD(result, value);
        }
#endif
        FOR_EACH_THREAD
            out[threadIdx.x] = (unsigned)MINE(result);
    }
}
