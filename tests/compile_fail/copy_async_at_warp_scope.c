// expect: COPY_ASYNC at warp scope would run once per warp on the CPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(const float *x, float *y)
{
    FOR_EACH_BLOCK(32) {
        SHARED(float, tile, [32]);
#ifdef CORRECTED
        FOR_EACH_THREAD
            COPY_ASYNC_IF(x[0] > 0, &tile[threadIdx.x], &x[threadIdx.x], 4);
#else
        FOR_EACH_WARP
        COPY_ASYNC_IF(x[0] > 0, &tile[0], &x[0], 4);
#endif
        COPY_COMMIT();
        COPY_WAIT(0);
        FOR_EACH_THREAD
            y[threadIdx.x] = tile[threadIdx.x];
    }
}
