// expect: SHARED belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
#ifdef CORRECTED
    FOR_EACH_BLOCK(32) {
        SHARED(unsigned, tile, [32]);
#else
    SHARED(unsigned, tile, [32]);
    FOR_EACH_BLOCK(32) {
#endif
        FOR_EACH_THREAD {
            tile[threadIdx.x] = 1;
            out[threadIdx.x] = tile[threadIdx.x];
        }
    }
}
