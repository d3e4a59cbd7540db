// expect: struct child_declared_by_KERNEL_CHILD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
KERNEL_CHILD(child, int *);
#else
KERNEL(child)(int *out);
#endif

KERNEL(probe)(int *out)
{
    GRID_STRIDE_LOOP(i, 1)
        DEVICE_LAUNCH(child, 1, 1, 0, out + i);
}
