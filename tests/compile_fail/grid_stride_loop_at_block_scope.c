// expect: GRID_STRIDE_LOOP at block scope would run once per block on the CPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_EACH_THREAD {
            GRID_STRIDE_LOOP(i, n)
                out[i] = 1;
        }
#else
        GRID_STRIDE_LOOP(i, n)
            out[i] = 1;
#endif
    }
}
