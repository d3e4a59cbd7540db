// expect: FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and GRID_STRIDE_LOOP
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD {
#ifdef CORRECTED
            out[threadIdx.x] = blockIdx.x;
#else
            FOR_EACH_BLOCK(32)
                out[threadIdx.x] = blockIdx.x;
#endif
        }
    }
}
