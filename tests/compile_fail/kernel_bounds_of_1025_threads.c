// expect: KERNEL_LAUNCH_BOUNDS takes 1 to 1024 threads
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
KERNEL_LAUNCH_BOUNDS(probe, 1024, 1)(int n, float *x)
#else
KERNEL_LAUNCH_BOUNDS(probe, 1025, 1)(int n, float *x)
#endif
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
