// expect: portable.h: this is C older than C11; use cc -std=c11
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -std=c99
// errors: 1
#ifndef CORRECTED
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
#endif
