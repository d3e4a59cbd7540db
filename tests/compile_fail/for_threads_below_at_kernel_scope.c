// expect: blockDim_exists_only_inside_FOR_EACH_BLOCK
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
#ifdef CORRECTED
    FOR_EACH_BLOCK(32) {
        FOR_THREADS_BELOW(1)
            out[0] = 1;
    }
#else
    FOR_THREADS_BELOW(1)
        out[0] = 1;
#endif
}
