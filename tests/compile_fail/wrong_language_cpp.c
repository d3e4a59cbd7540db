// expect: portable.h: this is a C++ compiler; use cc -std=c11 for CPU targets, nvcc -x cu for CUDA
/* SPDX-License-Identifier: BSD-3-Clause */
// flags: -x c++ -std=c++17
// needs: c++
// errors: 1
#ifndef CORRECTED
#include "portable.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
#endif
