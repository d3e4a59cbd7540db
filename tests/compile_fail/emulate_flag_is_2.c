// expect: portable.h: PORTABLE_TARGET_EMULATE is 0 or 1
/* SPDX-License-Identifier: BSD-3-Clause */
// errors: 1
#ifdef CORRECTED
#define PORTABLE_TARGET_EMULATE 1
#else
#define PORTABLE_TARGET_EMULATE 2
#endif
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
