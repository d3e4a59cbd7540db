// expect: FRAGMENT_C belongs at block scope or at warp scope
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(float *to)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FRAGMENT_C(c);
#else
        FOR_EACH_THREAD {
            FRAGMENT_C(c);
            to[0] = c[0].value[0][0];
        }
#endif
        FOR_EACH_WARP
        {
            FRAGMENT_FILL(c, 0.0f);
            FRAGMENT_STORE(to, c, 16);
        }
    }
}
