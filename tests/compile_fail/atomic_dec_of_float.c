// expect-gcc: '_Generic' selector of type 'float'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'number' (aka 'float') not compatible with any generic association
#include "portable.h"

#ifdef CORRECTED
typedef unsigned long long number;
#else
typedef float number;
#endif

KERNEL(probe)(int n, number *out)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_DEC(&out[i], (number)1);
}
