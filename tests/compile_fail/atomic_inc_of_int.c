// expect-gcc: '_Generic' selector of type 'int'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'number' (aka 'int') not compatible with any generic association
#include "portable.h"

#ifdef CORRECTED
typedef unsigned number;
#else
typedef int number;
#endif

KERNEL(probe)(int n, number *out)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_INC(&out[i], (number)1);
}
