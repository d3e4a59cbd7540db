// expect: COPY_WAIT takes 0 to 8 groups, a constant
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
#define GROUPS 8
#else
#define GROUPS 9
#endif

KERNEL(probe)(const float *x, float *y)
{
    FOR_EACH_BLOCK(32) {
        SHARED(float, tile, [32]);
        FOR_EACH_THREAD
            COPY_ASYNC(&tile[threadIdx.x], &x[threadIdx.x], 4);
        COPY_COMMIT();
        COPY_WAIT(GROUPS);
        COPY_WAIT(0);
        FOR_EACH_THREAD
            y[threadIdx.x] = tile[threadIdx.x];
    }
}
