// expect: read-only
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

BLOCK_FUNCTION(void, halve, (64), PRIVATE_PARAMETER(float, x),
               PRIVATE_PARAMETER(float, half_x, [1]))
{
    FOR_EACH_THREAD {
#ifdef CORRECTED
        MINE(half_x)[0] = MINE(x) / 2;
#else
        MINE(x) = MINE(x) / 2;
#endif
    }
}
