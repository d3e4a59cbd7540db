// expect: FOR_EACH_ELEMENT belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
#ifdef CORRECTED
    FOR_EACH_BLOCK(32) {
        FOR_EACH_ELEMENT(i, n)
            out[i] = 1;
    }
#else
    FOR_EACH_ELEMENT(i, n)
        out[i] = 1;
#endif
}
