// expect: ELEMENT_STRIDE at block scope would run once per block on the CPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_EACH_THREAD
            out[ELEMENT_STRIDE()] = 0;
#else
        const unsigned step = ELEMENT_STRIDE();
        FOR_EACH_THREAD
            out[step] = 0;
#endif
    }
}
