// expect: portable.h: the emulate target needs x86-64 or aarch64; use the serial target here
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -DPORTABLE_TARGET_EMULATE=1 -U__x86_64__ -U__aarch64__
// errors: 1
#ifndef CORRECTED
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
#endif
