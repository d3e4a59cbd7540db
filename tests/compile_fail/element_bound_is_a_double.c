// expect: the bound of a loop must be an integer
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

#ifdef CORRECTED
#define BOUND int
#else
#define BOUND double
#endif

KERNEL(probe)(BOUND n, int *x)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_ELEMENT(i, n)
            x[(int)i] = 1;
    }
}
