// expect: SHARED exceeds 48 KiB per block; use SHARED_DYNAMIC
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(double *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        SHARED(double, tile, [6144]);
#else
        SHARED(double, tile, [6145]);
#endif
        FOR_EACH_THREAD {
            tile[threadIdx.x] = 1;
            out[threadIdx.x] = tile[threadIdx.x];
        }
    }
}
