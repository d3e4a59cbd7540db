// expect: SHARED belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        SHARED(unsigned, tile, [32]);
        FOR_EACH_THREAD {
#else
        FOR_EACH_THREAD {
            SHARED(unsigned, tile, [32]);
#endif
            tile[threadIdx.x] = 1;
            out[threadIdx.x] = tile[threadIdx.x];
        }
    }
}
