// expect: FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and GRID_STRIDE_LOOP
// errors: 1
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

BLOCK_FUNCTION(void, clear, (64), float *x)
{
#ifndef CORRECTED
    FOR_EACH_BLOCK(64)
#endif
    {
        FOR_EACH_THREAD
            x[threadIdx.x] = 0;
    }
}
