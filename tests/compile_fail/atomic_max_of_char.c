// expect-gcc: '_Generic' selector of type 'char'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'number' (aka 'char') not compatible with any generic association
#include "portable.h"

#ifdef CORRECTED
typedef float number;
#else
typedef char number;
#endif

KERNEL(probe)(int n, number *out)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_MAX(&out[i], (number)1);
}
