// expect: SYNC_GRID belongs at kernel scope: between two FOR_EACH_BLOCK loops
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
    GRID_STRIDE_LOOP(i, n) {
        out[i] = 1;
#ifdef CORRECTED
    }
    SYNC_GRID();
#else
        SYNC_GRID();
    }
#endif
}
