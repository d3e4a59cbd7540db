// expect: FOR_EACH_WARP belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_EACH_WARP
        out[WARP_INDEX()] = 1;
#else
        FOR_EACH_THREAD {
            FOR_EACH_WARP
            out[WARP_INDEX()] = 1;
        }
#endif
    }
}
