// expect: ATOMIC_STORE at block scope would run once per block on the CPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_THREADS_BELOW(1)
            ATOMIC_STORE(out, 1u);
#else
        ATOMIC_STORE(out, 1u);
#endif
    }
}
