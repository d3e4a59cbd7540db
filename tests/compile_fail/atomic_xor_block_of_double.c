// expect-gcc: '_Generic' selector of type 'double'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'number' (aka 'double') not compatible with any generic association
#include "portable.h"

#ifdef CORRECTED
typedef unsigned long long number;
#else
typedef double number;
#endif

KERNEL(probe)(int n, number *out)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_XOR_BLOCK(&out[i], (number)1);
}
