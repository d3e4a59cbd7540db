// expect: PRIVATE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        PRIVATE(unsigned, value);
        FOR_EACH_THREAD {
#else
        FOR_EACH_THREAD {
            PRIVATE(unsigned, value);
#endif
            MINE(value) = 1;
            out[threadIdx.x] = MINE(value);
        }
    }
}
