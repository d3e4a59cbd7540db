// expect: the bound of a loop must be an integer
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
#define BOUND int
#else
#define BOUND float
#endif

KERNEL(probe)(BOUND n, int *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[(int)i] = 1;
}
