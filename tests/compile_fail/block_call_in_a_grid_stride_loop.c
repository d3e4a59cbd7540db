// expect: BLOCK_CALL belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

BLOCK_FUNCTION(void, clear, (64), float *x)
{
    FOR_EACH_THREAD
        x[threadIdx.x] = 0;
}

KERNEL(probe)(float *x)
{
#ifdef CORRECTED
    FOR_EACH_BLOCK(64)
        BLOCK_CALL(clear, x);
#else
    GRID_STRIDE_LOOP(i, 64)
        BLOCK_CALL(clear, x + i);
#endif
}
