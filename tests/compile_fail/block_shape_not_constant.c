// expect-gcc: not constant
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: is not an integral constant expression
#include "portable.h"

KERNEL(probe)(unsigned n, unsigned *out)
{
#ifdef CORRECTED
    FOR_EACH_BLOCK(0) {
#else
    FOR_EACH_BLOCK(n) {
#endif
        FOR_EACH_THREAD
            out[threadIdx.x] = n;
    }
}
