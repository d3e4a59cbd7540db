// expect: SYNC_GRID belongs at kernel scope: between two FOR_EACH_BLOCK loops
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD
            out[threadIdx.x] = 1;
#ifdef CORRECTED
    }
    SYNC_GRID();
#else
        SYNC_GRID();
    }
#endif
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD
            out[threadIdx.x] = 2;
    }
}
