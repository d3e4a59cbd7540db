// expect: CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c
/* SPDX-License-Identifier: BSD-3-Clause */
// errors: 1
#include "portable.h"

#ifdef CORRECTED
CONSTANT(float, factor, );
#else
__constant__ float factor;
#endif

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] *= factor;
}
