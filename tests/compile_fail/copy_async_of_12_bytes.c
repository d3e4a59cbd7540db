// expect: COPY_ASYNC copies 4, 8 or 16 bytes, a constant
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
#define BYTES 8
#else
#define BYTES 12
#endif

KERNEL(probe)(const float *x, float *y)
{
    FOR_EACH_BLOCK(32) {
        ALIGNED(16) SHARED(float, tile, [128]);
        FOR_EACH_THREAD
            COPY_ASYNC(&tile[4 * threadIdx.x], &x[4 * threadIdx.x], BYTES);
        COPY_COMMIT();
        COPY_WAIT(0);
        FOR_EACH_THREAD
            y[threadIdx.x] = tile[4 * threadIdx.x];
    }
}
