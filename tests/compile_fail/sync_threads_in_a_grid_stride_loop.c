// expect: SYNC_THREADS belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
    GRID_STRIDE_LOOP(i, n) {
        out[i] = 1;
#ifdef CORRECTED
        out[i] = 2;
#else
        SYNC_THREADS();
#endif
    }
}
