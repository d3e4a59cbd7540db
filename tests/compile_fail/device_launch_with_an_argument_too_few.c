// expect: too few arguments to function
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL_CHILD(child, int, float *);

KERNEL(probe)(float *out)
{
    GRID_STRIDE_LOOP(i, 1)
#ifdef CORRECTED
        DEVICE_LAUNCH(child, 1, 1, 0, i, out);
#else
        DEVICE_LAUNCH(child, 1, 1, 0, out);
#endif
}
