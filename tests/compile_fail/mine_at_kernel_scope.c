// expect: MINE belongs at thread scope: inside FOR_EACH_THREAD
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    unsigned value[32] = {1};
#ifdef CORRECTED
    out[0] = value[0];
#else
    out[0] = MINE(value);
#endif
}
