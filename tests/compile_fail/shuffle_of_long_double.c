// expect-gcc: '_Generic' selector of type 'long double' is not compatible with any association
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'long double' not compatible with any generic association
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        PRIVATE(int, value);
        PRIVATE(int, result);
#else
        PRIVATE(long double, value);
        PRIVATE(long double, result);
#endif
        FOR_EACH_THREAD
            MINE(value) = 1;
        SHUFFLE(result, value, 0);
        FOR_EACH_THREAD
            out[threadIdx.x] = (unsigned)MINE(result);
    }
}
