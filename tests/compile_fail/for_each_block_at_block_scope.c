// expect: FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and GRID_STRIDE_LOOP
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_EACH_THREAD
            out[threadIdx.x] = 1;
#else
        FOR_EACH_BLOCK(32) {
            FOR_EACH_THREAD
                out[threadIdx.x] = 1;
        }
#endif
    }
}
