// expect: ANY: the destination must be a PRIVATE of type int
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
        ANY(result, MINE(value) > 0);
        FOR_EACH_THREAD
            out[threadIdx.x] = (unsigned)MINE(result);
    }
}
