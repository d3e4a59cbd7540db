// expect: CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c
/* SPDX-License-Identifier: BSD-3-Clause */
// errors: 1
#include "portable.h"

#ifdef CORRECTED
KERNEL(probe)(int n, float *x)
#else
__global__ void probe(int n, float *x)
#endif
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}
