// expect-gcc: '_Generic' selector of type 'long int'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'number' (aka 'long') not compatible with any generic association
#include "portable.h"

#ifdef CORRECTED
typedef int number;
#else
typedef long number;
#endif

KERNEL(probe)(int n, number *out)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(&out[i], (number)1);
}
