// expect-gcc: '_Generic' selector of type 'short int'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: type 'number' (aka 'short') not compatible with any generic association
#include "portable.h"

#ifdef CORRECTED
typedef int number;
#else
typedef short number;
#endif

KERNEL(probe)(int n, number *out)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_STORE(&out[i], (number)1);
}
