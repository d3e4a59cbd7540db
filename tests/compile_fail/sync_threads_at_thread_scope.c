// expect: SYNC_THREADS belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD {
            out[threadIdx.x] = 1;
#ifdef CORRECTED
        }
        SYNC_THREADS();
#else
            SYNC_THREADS();
        }
#endif
    }
}
