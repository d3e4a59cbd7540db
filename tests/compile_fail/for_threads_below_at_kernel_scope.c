// expect: FOR_THREADS_BELOW belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
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
