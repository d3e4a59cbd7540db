/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/vector.c as CUDA written by hand. */
#include "loops.h"

typedef float REAL;

extern "C" __global__ void vector_add(int n, const REAL *__restrict__ a, const REAL *__restrict__ b,
                                      REAL *__restrict__ c)
{
    FOR_PAIRS(i, n)
        c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy_per_thread(int n, REAL a, const REAL *__restrict__ x,
                                            REAL *__restrict__ y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void saxpy(int n, REAL a, const REAL *__restrict__ x, REAL *__restrict__ y)
{
    FOR_PAIRS(i, n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void saxpy_by_hand(int n, REAL a, const REAL *__restrict__ x,
                                         REAL *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void saxpy_float4(int n, float a, const float *__restrict__ x,
                                        float *__restrict__ y)
{
    const float4 *x4 = reinterpret_cast<const float4 *>(x);
    float4 *y4 = reinterpret_cast<float4 *>(y);
    FOR_PAIRS(i, n / 4) {
        const float4 u = x4[i], v = y4[i];
        y4[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
    }
    FOR_PAIRS(i, n % 4) {
        const int last = n / 4 * 4 + i;
        y[last] = a * x[last] + y[last];
    }
}

extern "C" __global__ void square(int n, REAL *x)
{
    FOR_PAIRS(i, n)
        x[i] = x[i] * x[i];
}
