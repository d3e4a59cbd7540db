// expect: PRIVATE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
#ifdef CORRECTED
    FOR_EACH_BLOCK(32) {
        PRIVATE(unsigned, value);
#else
    PRIVATE(unsigned, value);
    FOR_EACH_BLOCK(32) {
#endif
        FOR_EACH_THREAD {
            MINE(value) = 1;
            out[threadIdx.x] = MINE(value);
        }
    }
}
