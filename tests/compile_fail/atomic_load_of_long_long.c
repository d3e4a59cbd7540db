// expect-gcc: '_Generic' selector of type 'long long int'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'number' (aka 'long long') not compatible with any generic association
#include "portable.h"

#ifdef CORRECTED
typedef unsigned long long number;
#else
typedef long long number;
#endif

KERNEL(probe)(int n, const number *x, number *out)
{
    GRID_STRIDE_LOOP(i, n)
        out[i] = ATOMIC_LOAD(&x[i]);
}
