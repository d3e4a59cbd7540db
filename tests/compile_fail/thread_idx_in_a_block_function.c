// expect: threadIdx_exists_only_inside_FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

BLOCK_FUNCTION(void, clear, (64), float *x)
{
#ifdef CORRECTED
    FOR_EACH_THREAD
#endif
        x[threadIdx.x] = 0;
}
