/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -x c++ -std=c++17
#include "wrong.h"

// case: kernel_in_cpp_on_serial
// expect: a kernel of the serial and openmp targets must be in a C file
KERNEL(probe)(int n, float *x) RIGHT(;)
#ifndef CORRECTED
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD
            x[n] = 0;
    }
}
#endif
