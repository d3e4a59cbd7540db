// expect: GRID_STRIDE_LOOP_2D at block scope would run once per block on the CPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_EACH_THREAD {
            GRID_STRIDE_LOOP_2D(x, y, n, n)
                out[x + y] = 1;
        }
#else
        GRID_STRIDE_LOOP_2D(x, y, n, n)
            out[x + y] = 1;
#endif
    }
}
