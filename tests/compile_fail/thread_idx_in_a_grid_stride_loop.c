// expect: threadIdx_exists_only_inside_FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, unsigned *out)
{
    GRID_STRIDE_LOOP(i, n)
#ifdef CORRECTED
        out[i] = (unsigned)i;
#else
        out[i] = threadIdx.x;
#endif
}
