// expect: SHUFFLE: source and destination must be PRIVATE and of one type
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        PRIVATE(float, value);
        PRIVATE(float, result);
#else
        PRIVATE(float, value);
        PRIVATE(double, result);
#endif
        FOR_EACH_THREAD
            MINE(value) = 1;
        SHUFFLE(result, value, 0);
        FOR_EACH_THREAD
            out[threadIdx.x] = (unsigned)MINE(result);
    }
}
