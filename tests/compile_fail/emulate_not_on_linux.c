// expect: portable.h: the emulate target needs Linux; use the serial target on this system
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -DPORTABLE_TARGET_EMULATE=1 -U__linux__
// errors: 1
#ifdef CORRECTED
#undef PORTABLE_TARGET_EMULATE
#endif
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
