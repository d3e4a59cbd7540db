// expect: a kernel of the serial and openmp targets must be in a C file
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -x c++ -std=c++17
// needs: c++
#include "portable.h"

#ifdef CORRECTED
KERNEL(probe)(int n, float *x);
#else
KERNEL(probe)(int n, float *x)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD
            x[n] = 0;
    }
}
#endif
