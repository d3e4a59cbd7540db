// expect: FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and GRID_STRIDE_LOOP
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
    GRID_STRIDE_LOOP(i, n) {
#ifdef CORRECTED
        out[i] = 1;
#else
        FOR_EACH_BLOCK(32) {
            FOR_EACH_THREAD
                out[i] = threadIdx.x;
        }
#endif
    }
}
