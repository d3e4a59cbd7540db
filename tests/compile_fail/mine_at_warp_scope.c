// expect: MINE belongs at thread scope: inside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int *out)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(int, value);
        FOR_EACH_THREAD
            MINE(value) = 1;
#ifdef CORRECTED
        FOR_EACH_THREAD
#else
        FOR_EACH_WARP
#endif
            out[0] = MINE(value);
    }
}
