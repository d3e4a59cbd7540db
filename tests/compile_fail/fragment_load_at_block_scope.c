// expect: FRAGMENT_LOAD belongs at warp scope: inside FOR_EACH_WARP
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(const half *from, float *to)
{
    FOR_EACH_BLOCK(32) {
        FRAGMENT_A(a);
        FRAGMENT_C(c);
#ifdef CORRECTED
        FOR_EACH_WARP
#endif
        FRAGMENT_LOAD(a, from, 16);
        FOR_EACH_WARP
        FRAGMENT_STORE(to, c, 16);
    }
}
