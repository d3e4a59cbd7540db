// expect: CUDA C needs nvcc, or make run TARGET=emulate SOURCES=file.c
/* SPDX-License-Identifier: BSD-3-Clause */
// errors: 1
#include "portable.h"

#ifdef CORRECTED
DEVICE float twice(float x)
#else
__device__ static inline float twice(float x)
#endif
{
    return 2 * x;
}

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = twice(x[i]);
}
