// expect-gcc: invalid conversion from
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: no matching function for call to 'portable_plain_add_'
// flags: -x c++ -std=c++17 -DPORTABLE_TARGET_EMULATE=1
// needs: c++
#include "portable.h"

#ifdef CORRECTED
KERNEL(probe)(int *sum)
#else
KERNEL(probe)(long *sum)
#endif
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD
            ATOMIC_ADD(sum, 1);
    }
}
