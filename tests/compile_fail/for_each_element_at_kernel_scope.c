// expect: blockIdx_exists_only_inside_FOR_EACH_BLOCK
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
