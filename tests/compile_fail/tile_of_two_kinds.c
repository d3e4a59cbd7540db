// expect-gcc: passing argument 3 of 'portable_tile_multiply_add_' from incompatible pointer type
// flags: -Werror
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: incompatible pointer types passing
#include "portable.h"

KERNEL(probe)(const half *from, float *to)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_WARP
        {
            TILE_A(a);
            TILE_C(c);
#ifdef CORRECTED
            TILE_B(b);
#else
            TILE_A(b);
#endif
            TILE_FILL(c, 0.0f);
            TILE_LOAD(a, from, 16);
            TILE_LOAD(b, from, 16);
            TILE_MULTIPLY_ADD(c, a, b, c);
            TILE_STORE(to, c, 16);
        }
    }
}
