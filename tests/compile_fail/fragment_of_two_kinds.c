// expect-gcc: passing argument 3 of 'portable_fragment_multiply_add_' from incompatible pointer type
// flags: -Werror
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: incompatible pointer types passing
#include "portable.h"

KERNEL(probe)(const half *from, float *to)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_WARP
        {
            FRAGMENT_A(a);
            FRAGMENT_C(c);
#ifdef CORRECTED
            FRAGMENT_B(b);
#else
            FRAGMENT_A(b);
#endif
            FRAGMENT_FILL(c, 0.0f);
            FRAGMENT_LOAD(a, from, 16);
            FRAGMENT_LOAD(b, from, 16);
            FRAGMENT_MULTIPLY_ADD(c, a, b, c);
            FRAGMENT_STORE(to, c, 16);
        }
    }
}
