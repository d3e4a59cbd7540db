// expect-gcc: '_Generic' selector of type 'char' is not compatible with any association
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'char' not compatible with any generic association
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        PRIVATE(int, value);
        PRIVATE(int, result);
#else
        PRIVATE(char, value);
        PRIVATE(char, result);
#endif
        FOR_EACH_THREAD
            MINE(value) = 1;
        BLOCK_REDUCE_ADD(result, value);
        FOR_EACH_THREAD
            out[threadIdx.x] = (unsigned)MINE(result);
    }
}
