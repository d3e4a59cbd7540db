// expect: no_such_kernel
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}

portable_status start(float *x, const int *numbers)
{
    const double half = 0.5;

    (void)x;
    (void)numbers;
    (void)half;
#ifdef CORRECTED
    return KERNEL_SHARED_LIMIT(probe, 65536);
#else
    return KERNEL_SHARED_LIMIT(no_such_kernel, 65536);
#endif
}
