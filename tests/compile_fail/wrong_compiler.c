// expect: portable.h: the compiler must be gcc, clang, or nvcc on top of one of them
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -U__GNUC__
// errors: 1
#ifndef CORRECTED
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
#endif
