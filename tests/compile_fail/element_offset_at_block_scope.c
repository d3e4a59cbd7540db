// expect: ELEMENT_OFFSET at block scope would run once per block on the CPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_EACH_THREAD
            out[ELEMENT_OFFSET()] = 0;
#else
        const unsigned first = ELEMENT_OFFSET();
        FOR_EACH_THREAD
            out[first] = 0;
#endif
    }
}
