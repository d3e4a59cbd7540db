// expect: no_such_kernel
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}

portable_status ask(int *blocks)
{
#ifdef CORRECTED
    return portable_occupancy(probe, 256, 0, blocks);
#else
    return portable_occupancy(no_such_kernel, 256, 0, blocks);
#endif
}
