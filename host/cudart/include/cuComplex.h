/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's complex numbers, for C and C++. Quotients and absolute values are scaled, so that they do
 * not overflow where the result does not. (Smith, "Algorithm 116: Complex division", CACM 5, 1962)
 */
#ifndef PORTABLE_CUDA_CUCOMPLEX_H
#define PORTABLE_CUDA_CUCOMPLEX_H
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The functions of one precision. most: the largest number. */
#define PORTABLE_CUDA_COMPLEX_(type, real, make, get_real, get_imag, conjugate, add, sub, mul,     \
                               div, size, fma_, fabs_, sqrt_, maximum)                             \
    static inline type make(real x, real y)                                                        \
    {                                                                                              \
        type z;                                                                                    \
        z.x = x;                                                                                   \
        z.y = y;                                                                                   \
        return z;                                                                                  \
    }                                                                                              \
    static inline real get_real(type z)                                                            \
    {                                                                                              \
        return z.x;                                                                                \
    }                                                                                              \
    static inline real get_imag(type z)                                                            \
    {                                                                                              \
        return z.y;                                                                                \
    }                                                                                              \
    static inline type conjugate(type z)                                                           \
    {                                                                                              \
        return make(z.x, -z.y);                                                                    \
    }                                                                                              \
    static inline type add(type a, type b)                                                         \
    {                                                                                              \
        return make(a.x + b.x, a.y + b.y);                                                         \
    }                                                                                              \
    static inline type sub(type a, type b)                                                         \
    {                                                                                              \
        return make(a.x - b.x, a.y - b.y);                                                         \
    }                                                                                              \
    static inline type mul(type a, type b)                                                         \
    {                                                                                              \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    static inline type div(type a, type b)                                                         \
    {                                                                                              \
        const real s = 1 / (fabs_(b.x) + fabs_(b.y));                                              \
        const real ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s;                         \
        const real o = 1 / (bx * bx + by * by);                                                    \
        return make((ax * bx + ay * by) * o, (ay * bx - ax * by) * o);                             \
    }                                                                                              \
    static inline real size(type z)                                                                \
    {                                                                                              \
        const real a = fabs_(z.x), b = fabs_(z.y), v = a > b ? a : b, w = a > b ? b : a;           \
        const real t = w / v;                                                                      \
        return v == 0 || v > maximum || w > maximum ? v + w : v * sqrt_(1 + t * t);                \
    }                                                                                              \
    static inline type fma_(type a, type b, type c)                                                \
    {                                                                                              \
        return add(mul(a, b), c);                                                                  \
    }
PORTABLE_CUDA_COMPLEX_(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf,
                       cuCaddf, cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCfmaf, fabsf, sqrtf,
                       3.402823466e38f)
PORTABLE_CUDA_COMPLEX_(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj,
                       cuCadd, cuCsub, cuCmul, cuCdiv, cuCabs, cuCfma, fabs, sqrt,
                       1.79769313486231570e308)
#undef PORTABLE_CUDA_COMPLEX_

static inline cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex(z.x, z.y);
}

#endif
