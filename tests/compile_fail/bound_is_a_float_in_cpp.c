// expect: the bound of a loop must be an integer
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -x c++ -std=c++17 -DPORTABLE_TARGET_EMULATE=1
// needs: c++
#include "portable.h"

#ifdef CORRECTED
KERNEL(probe)(int n, float *x)
#else
KERNEL(probe)(float n, float *x)
#endif
{
    GRID_STRIDE_LOOP(i, n)
        x[(int)i] = 0;
}
