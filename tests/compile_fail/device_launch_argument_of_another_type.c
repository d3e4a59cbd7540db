// expect-gcc: passing argument 1 of 'child' from incompatible pointer type
// flags: -Werror
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: incompatible pointer types passing
#include "portable.h"

KERNEL_CHILD(child, float *);

#ifdef CORRECTED
KERNEL(probe)(float *out)
#else
KERNEL(probe)(int *out)
#endif
{
    GRID_STRIDE_LOOP(i, 1)
        DEVICE_LAUNCH(child, 1, 1, 0, out + i);
}
