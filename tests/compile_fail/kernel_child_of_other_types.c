// expect: conflicting types for 'child'
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
KERNEL_CHILD(child, int, float *);
#else
KERNEL_CHILD(child, unsigned, float *);
#endif

KERNEL(child)(int n, float *out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = 0;
}
