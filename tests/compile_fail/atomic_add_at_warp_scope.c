// expect: ATOMIC_ADD at warp scope would run once per warp on the CPU and once per thread on the GPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(int *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_EACH_THREAD
#else
        FOR_EACH_WARP
#endif
            ATOMIC_ADD(out, 1);
    }
}
