// expect: GRID_STRIDE_LOOP_2D inside another grid-stride loop: use the 2D or 3D form
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD {
#ifdef CORRECTED
            GRID_STRIDE_LOOP_3D(x, y, z, n, n, n)
                out[(z * n + y) * n + x] = 1;
#else
            GRID_STRIDE_LOOP(z, n)
                GRID_STRIDE_LOOP_2D(x, y, n, n)
                    out[(z * n + y) * n + x] = 1;
#endif
        }
    }
}
