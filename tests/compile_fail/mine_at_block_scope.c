// expect: MINE belongs at thread scope: inside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(unsigned, value);
#ifdef CORRECTED
        FOR_EACH_THREAD
            MINE(value) = 1;
#else
        MINE(value) = 1;
#endif
        FOR_EACH_THREAD
            out[threadIdx.x] = MINE(value);
    }
}
