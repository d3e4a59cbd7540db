// expect: WARP_INDEX belongs at warp scope: inside FOR_EACH_WARP
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_EACH_WARP
#else
        FOR_EACH_THREAD
#endif
        out[0] = WARP_INDEX();
    }
}
