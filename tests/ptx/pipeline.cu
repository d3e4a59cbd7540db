/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/pipeline.c as CUDA written by hand. */
#include "loops.h"

typedef float REAL;

extern "C" __global__ void saxpy_chunk(int n, REAL a, const REAL *__restrict__ x,
                                       REAL *__restrict__ y)
{
    FOR_PAIRS(i, n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void mirror_difference(int n, const REAL *__restrict__ y,
                                             REAL *__restrict__ z)
{
    FOR_PAIRS(i, n)
        z[i] = y[i] - y[n - 1 - i];
}
