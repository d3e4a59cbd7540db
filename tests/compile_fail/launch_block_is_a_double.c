// expect-gcc: '_Generic' selector of type 'double' is not compatible
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'double' not compatible with any generic association
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
    return KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100, x);
#else
    return KERNEL_LAUNCH(probe, 4, half, 0, 0, 100, x);
#endif
}
