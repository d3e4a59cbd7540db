// expect: FRAGMENT_C: over 1 MiB for the block
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
#define TILES 32
#else
#define TILES 33
#endif

KERNEL(probe)(float *to)
{
    FOR_EACH_BLOCK(0) {
        FRAGMENT_C(c, [TILES]);
        FOR_EACH_WARP
        {
            FRAGMENT_FILL(c[1], 0.0f);
            FRAGMENT_STORE(to, c[1], 16);
        }
    }
}
