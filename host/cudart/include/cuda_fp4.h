/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating point of 4 bits, E2M1: the types of one, two and four, and CUDA's functions of
 * them, for C++. In C there are only the types that the functions take.
 */
#ifndef PORTABLE_CUDA_FP4_H
#define PORTABLE_CUDA_FP4_H
#define __CUDA_FP4_H__

#include "cuda_fp6.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#if defined(__cplusplus)
#define __CUDA_FP4_TYPES_EXIST__

namespace portable_cuda
{
namespace tiny
{
template <class T>
static inline unsigned char to_fp4(T x, __nv_fp4_interpretation_t, enum cudaRoundMode rounding)
{
    return e2m1::convert(value_of(x), true, nearest_or_zero(rounding));
}
} // namespace tiny
} // namespace portable_cuda

#define PORTABLE_CUDA_CVT_(name, type, name2, type2)                                               \
    static inline __nv_fp4_storage_t __nv_cvt_##name##_to_fp4(                                     \
        type x, __nv_fp4_interpretation_t interpretation, enum cudaRoundMode rounding)             \
    {                                                                                              \
        return portable_cuda::tiny::to_fp4(x, interpretation, rounding);                           \
    }                                                                                              \
    static inline __nv_fp4x2_storage_t __nv_cvt_##name2##_to_fp4x2(                                \
        type2 x, __nv_fp4_interpretation_t interpretation, enum cudaRoundMode rounding)            \
    {                                                                                              \
        return (__nv_fp4x2_storage_t)portable_cuda::tiny::packed<portable_cuda::tiny::e2m1>(       \
            portable_cuda::tiny::to_fp4(type{x.x}, interpretation, rounding),                      \
            portable_cuda::tiny::to_fp4(type{x.y}, interpretation, rounding));                     \
    }
PORTABLE_CUDA_CVT_(double, double, double2, double2)
PORTABLE_CUDA_CVT_(float, float, float2, float2)
PORTABLE_CUDA_CVT_(halfraw, __half_raw, halfraw2, __half2_raw)
PORTABLE_CUDA_CVT_(bfloat16raw, __nv_bfloat16_raw, bfloat16raw2, __nv_bfloat162_raw)
#undef PORTABLE_CUDA_CVT_
static inline __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x,
                                                 __nv_fp4_interpretation_t interpretation)
{
    (void)interpretation;
    return portable_cuda::tiny::e2m1::to_half(x);
}
static inline __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x,
                                                     __nv_fp4_interpretation_t interpretation)
{
    return __half2_raw{__nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)x, interpretation).x,
                       __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x >> 4), interpretation).x};
}

#if defined(__CUDA_NO_FP4_CONVERSIONS__)
#define PORTABLE_CUDA_CONVERSIONS_ 0
#else
#define PORTABLE_CUDA_CONVERSIONS_ 1
#endif
#if defined(__CUDA_NO_FP4_CONVERSIONS__) || defined(__CUDA_NO_FP4_CONVERSION_OPERATORS__)
#define PORTABLE_CUDA_OPERATORS_ 0
#else
#define PORTABLE_CUDA_OPERATORS_ 1
#endif
#define PORTABLE_CUDA_STORAGE2_ __nv_fp4x2_storage_t
#define PORTABLE_CUDA_STORAGE4_ __nv_fp4x4_storage_t
#define PORTABLE_CUDA_TO_BFLOAT162_ 0

#define PORTABLE_CUDA_T_ __nv_fp4_e2m1
#define PORTABLE_CUDA_T2_ __nv_fp4x2_e2m1
#define PORTABLE_CUDA_T4_ __nv_fp4x4_e2m1
#define PORTABLE_CUDA_FORMAT_ e2m1
#include "portable_cuda/tiny_type.h"

#undef PORTABLE_CUDA_CONVERSIONS_
#undef PORTABLE_CUDA_OPERATORS_
#undef PORTABLE_CUDA_STORAGE2_
#undef PORTABLE_CUDA_STORAGE4_
#undef PORTABLE_CUDA_TO_BFLOAT162_
#endif

#endif
