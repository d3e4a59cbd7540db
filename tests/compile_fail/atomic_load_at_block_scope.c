// expect: ATOMIC_LOAD at block scope would run once per block on the CPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL(probe)(const unsigned *word, unsigned *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_THREADS_BELOW(1)
            out[0] = ATOMIC_LOAD(word);
#else
        out[0] = ATOMIC_LOAD(word);
#endif
    }
}
