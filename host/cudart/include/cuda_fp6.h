/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating point of 6 bits, E2M3 and E3M2: the types of one, two and four, and CUDA's functions of
 * them, for C++. In C there are only the types that the functions take.
 */
#ifndef PORTABLE_CUDA_FP6_H
#define PORTABLE_CUDA_FP6_H
#define __CUDA_FP6_H__

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#if defined(__cplusplus)
#define __CUDA_FP6_TYPES_EXIST__

namespace portable_cuda
{
namespace tiny
{
template <class T>
static inline unsigned char to_fp6(T x, __nv_fp6_interpretation_t interpretation,
                                   enum cudaRoundMode rounding)
{
    const small::rounding mode = nearest_or_zero(rounding);
    return interpretation == __NV_E2M3 ? e2m3::convert(value_of(x), true, mode)
                                       : e3m2::convert(value_of(x), true, mode);
}
} // namespace tiny
} // namespace portable_cuda

#define PORTABLE_CUDA_CVT_(name, type, name2, type2)                                               \
    static inline __nv_fp6_storage_t __nv_cvt_##name##_to_fp6(                                     \
        type x, __nv_fp6_interpretation_t interpretation, enum cudaRoundMode rounding)             \
    {                                                                                              \
        return portable_cuda::tiny::to_fp6(x, interpretation, rounding);                           \
    }                                                                                              \
    static inline __nv_fp6x2_storage_t __nv_cvt_##name2##_to_fp6x2(                                \
        type2 x, __nv_fp6_interpretation_t interpretation, enum cudaRoundMode rounding)            \
    {                                                                                              \
        return (__nv_fp6x2_storage_t)portable_cuda::tiny::packed<portable_cuda::tiny::e3m2>(       \
            portable_cuda::tiny::to_fp6(type{x.x}, interpretation, rounding),                      \
            portable_cuda::tiny::to_fp6(type{x.y}, interpretation, rounding));                     \
    }
PORTABLE_CUDA_CVT_(double, double, double2, double2)
PORTABLE_CUDA_CVT_(float, float, float2, float2)
PORTABLE_CUDA_CVT_(halfraw, __half_raw, halfraw2, __half2_raw)
PORTABLE_CUDA_CVT_(bfloat16raw, __nv_bfloat16_raw, bfloat16raw2, __nv_bfloat162_raw)
#undef PORTABLE_CUDA_CVT_
static inline __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x,
                                                 __nv_fp6_interpretation_t interpretation)
{
    return interpretation == __NV_E2M3 ? portable_cuda::tiny::e2m3::to_half(x)
                                       : portable_cuda::tiny::e3m2::to_half(x);
}
static inline __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t x,
                                                     __nv_fp6_interpretation_t interpretation)
{
    return __half2_raw{__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)x, interpretation).x,
                       __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x >> 8), interpretation).x};
}

#if defined(__CUDA_NO_FP6_CONVERSIONS__)
#define PORTABLE_CUDA_CONVERSIONS_ 0
#else
#define PORTABLE_CUDA_CONVERSIONS_ 1
#endif
#if defined(__CUDA_NO_FP6_CONVERSIONS__) || defined(__CUDA_NO_FP6_CONVERSION_OPERATORS__)
#define PORTABLE_CUDA_OPERATORS_ 0
#else
#define PORTABLE_CUDA_OPERATORS_ 1
#endif
#define PORTABLE_CUDA_STORAGE2_ __nv_fp6x2_storage_t
#define PORTABLE_CUDA_STORAGE4_ __nv_fp6x4_storage_t
#define PORTABLE_CUDA_TO_BFLOAT162_ 0

#define PORTABLE_CUDA_T_ __nv_fp6_e3m2
#define PORTABLE_CUDA_T2_ __nv_fp6x2_e3m2
#define PORTABLE_CUDA_T4_ __nv_fp6x4_e3m2
#define PORTABLE_CUDA_FORMAT_ e3m2
#include "portable_cuda/tiny_type.h"

#define PORTABLE_CUDA_T_ __nv_fp6_e2m3
#define PORTABLE_CUDA_T2_ __nv_fp6x2_e2m3
#define PORTABLE_CUDA_T4_ __nv_fp6x4_e2m3
#define PORTABLE_CUDA_FORMAT_ e2m3
#include "portable_cuda/tiny_type.h"

#undef PORTABLE_CUDA_CONVERSIONS_
#undef PORTABLE_CUDA_OPERATORS_
#undef PORTABLE_CUDA_STORAGE2_
#undef PORTABLE_CUDA_STORAGE4_
#undef PORTABLE_CUDA_TO_BFLOAT162_
#endif

#endif
