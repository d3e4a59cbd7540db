/* SPDX-License-Identifier: BSD-3-Clause */
/* Proof that the comparison can fail: a twin of kernels/vector.c that must fail. */
#include "loops.h"

typedef float REAL;

/* Passes: the same kernel. */
extern "C" __global__ void vector_add(int n, const REAL *__restrict__ a, const REAL *__restrict__ b,
                                      REAL *__restrict__ c)
{
    FOR_PAIRS(i, n)
        c[i] = a[i] + b[i];
}

/* Fails: fewer instructions, because it multiplies nothing. */
extern "C" __global__ void square(int n, REAL *x)
{
    FOR_PAIRS(i, n)
        x[i] = 0;
}

/* Fails: there is nothing to compare it with. So do the kernels without a twin here. */
extern "C" __global__ void cube(int n, REAL *x)
{
    FOR_PAIRS(i, n)
        x[i] = x[i] * x[i] * x[i];
}
