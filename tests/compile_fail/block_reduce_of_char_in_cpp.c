// expect-gcc: use of deleted function
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: call to deleted function 'portable_reduce_add_'
// flags: -x c++ -std=c++17 -DPORTABLE_TARGET_EMULATE=1
// needs: c++
#include "portable.h"

KERNEL(probe)(int *out)
{
    FOR_EACH_BLOCK(64) {
#ifdef CORRECTED
        PRIVATE(int, value);
#else
        PRIVATE(char, value);
#endif
        FOR_EACH_THREAD
            MINE(value) = 1;
        BLOCK_REDUCE_ADD(value, value);
        FOR_EACH_THREAD
            out[threadIdx.x] = MINE(value);
    }
}
