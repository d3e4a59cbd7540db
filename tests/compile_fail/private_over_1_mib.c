// expect: PRIVATE: over 1 MiB for the block
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
#define SHAPE 32
#else
#define SHAPE 0
#endif

KERNEL(probe)(double *x)
{
    FOR_EACH_BLOCK(SHAPE) {
        PRIVATE(double, values, [129]);
        FOR_EACH_THREAD {
            MINE(values)[128] = 1;
            x[threadIdx.x] = MINE(values)[128];
        }
    }
}
