// expect: GRID_STRIDE_LOOP inside another grid-stride loop: use the 2D or 3D form
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
#ifdef CORRECTED
    GRID_STRIDE_LOOP_2D(x, y, n, n)
        out[y * n + x] = 1;
#else
    GRID_STRIDE_LOOP(y, n)
        GRID_STRIDE_LOOP(x, n)
            out[y * n + x] = 1;
#endif
}
