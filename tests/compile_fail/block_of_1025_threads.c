// expect: FOR_EACH_BLOCK: a block has at most 1024 threads
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
#ifdef CORRECTED
    FOR_EACH_BLOCK(1024) {
#else
    FOR_EACH_BLOCK(1025) {
#endif
        FOR_EACH_THREAD
            out[threadIdx.x] = 1;
    }
}
