// expect: BLOCK_REDUCE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    unsigned value[32] = {1}, result[32] = {2};
#ifdef CORRECTED
    result[0] = value[0];
#else
    BLOCK_REDUCE_ADD(result, value);
#endif
    out[0] = result[0];
}
