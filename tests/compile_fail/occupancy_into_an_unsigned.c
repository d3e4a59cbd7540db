// expect-gcc: '_Generic' selector of type 'unsigned int *' is not compatible
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: controlling expression type 'unsigned int *' not compatible
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}

portable_status ask(int *blocks, unsigned *wrong)
{
    (void)blocks;
    (void)wrong;
#ifdef CORRECTED
    return portable_occupancy(probe, 256, 0, blocks);
#else
    return portable_occupancy(probe, 256, 0, wrong);
#endif
}
