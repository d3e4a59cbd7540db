// expect: COPY_WAIT belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(const float *x, float *y)
{
    FOR_EACH_BLOCK(32) {
        SHARED(float, tile, [32]);
        FOR_EACH_THREAD
            COPY_ASYNC(&tile[threadIdx.x], &x[threadIdx.x], 4);
        COPY_COMMIT();
#ifdef CORRECTED
        COPY_WAIT(0);
#endif
        FOR_EACH_THREAD {
#ifndef CORRECTED
            COPY_WAIT(0);
#endif
            y[threadIdx.x] = tile[threadIdx.x];
        }
    }
}
