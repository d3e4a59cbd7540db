/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating point of 8 bits: E4M3, E5M2, and the powers of two E8M0; the types of one, two and four,
 * and CUDA's functions of them, for C++. In C there are only the types that the functions take.
 */
#ifndef PORTABLE_CUDA_FP8_H
#define PORTABLE_CUDA_FP8_H
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
#include "vector_types.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
/* What becomes of a number beyond the largest: infinity, or a NaN in E4M3; or the largest. */
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus)
#define __CUDA_FP8_TYPES_EXIST__
#include "portable_cuda/tiny_float.h"

namespace portable_cuda
{
namespace tiny
{
template <class T>
static inline unsigned char to_fp8(T x, __nv_saturation_t saturate,
                                   __nv_fp8_interpretation_t interpretation)
{
    const bool finite = saturate == __NV_SATFINITE;
    return interpretation == __NV_E4M3 ? e4m3::convert(value_of(x), finite, small::to_nearest)
                                       : e5m2::convert(value_of(x), finite, small::to_nearest);
}
} // namespace tiny
} // namespace portable_cuda

#define PORTABLE_CUDA_CVT_(name, type, name2, type2)                                               \
    static inline __nv_fp8_storage_t __nv_cvt_##name##_to_fp8(                                     \
        type x, __nv_saturation_t saturate, __nv_fp8_interpretation_t interpretation)              \
    {                                                                                              \
        return portable_cuda::tiny::to_fp8(x, saturate, interpretation);                           \
    }                                                                                              \
    static inline __nv_fp8x2_storage_t __nv_cvt_##name2##_to_fp8x2(                                \
        type2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t interpretation)             \
    {                                                                                              \
        return (__nv_fp8x2_storage_t)portable_cuda::tiny::packed<portable_cuda::tiny::e4m3>(       \
            portable_cuda::tiny::to_fp8(type{x.x}, saturate, interpretation),                      \
            portable_cuda::tiny::to_fp8(type{x.y}, saturate, interpretation));                     \
    }
PORTABLE_CUDA_CVT_(double, double, double2, double2)
PORTABLE_CUDA_CVT_(float, float, float2, float2)
PORTABLE_CUDA_CVT_(halfraw, __half_raw, halfraw2, __half2_raw)
PORTABLE_CUDA_CVT_(bfloat16raw, __nv_bfloat16_raw, bfloat16raw2, __nv_bfloat162_raw)
#undef PORTABLE_CUDA_CVT_
static inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                 __nv_fp8_interpretation_t interpretation)
{
    return interpretation == __NV_E4M3 ? portable_cuda::tiny::e4m3::to_half(x)
                                       : portable_cuda::tiny::e5m2::to_half(x);
}
static inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                     __nv_fp8_interpretation_t interpretation)
{
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, interpretation).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), interpretation).x};
}

#define PORTABLE_CUDA_CVT_(name, type, name2, type2)                                               \
    static inline __nv_fp8_storage_t __nv_cvt_##name##_to_e8m0(type x, __nv_saturation_t saturate, \
                                                               enum cudaRoundMode rounding)        \
    {                                                                                              \
        return portable_cuda::tiny::e8m0::convert((double)portable_cuda::tiny::value_of(x),        \
                                                  saturate == __NV_SATFINITE,                      \
                                                  portable_cuda::tiny::is_upward(rounding));       \
    }                                                                                              \
    static inline __nv_fp8x2_storage_t __nv_cvt_##name2##_to_e8m0x2(                               \
        type2 x, __nv_saturation_t saturate, enum cudaRoundMode rounding)                          \
    {                                                                                              \
        return (__nv_fp8x2_storage_t)portable_cuda::tiny::packed<portable_cuda::tiny::e8m0>(       \
            __nv_cvt_##name##_to_e8m0(type{x.x}, saturate, rounding),                              \
            __nv_cvt_##name##_to_e8m0(type{x.y}, saturate, rounding));                             \
    }
PORTABLE_CUDA_CVT_(double, double, double2, double2)
PORTABLE_CUDA_CVT_(float, float, float2, float2)
PORTABLE_CUDA_CVT_(bfloat16raw, __nv_bfloat16_raw, bfloat162raw, __nv_bfloat162_raw)
#undef PORTABLE_CUDA_CVT_
static inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x)
{
    return portable_cuda::tiny::e8m0::to_raw(x);
}
static inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x)
{
    return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x,
                              __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}

#if defined(__CUDA_NO_FP8_CONVERSIONS__)
#define PORTABLE_CUDA_CONVERSIONS_ 0
#else
#define PORTABLE_CUDA_CONVERSIONS_ 1
#endif
#if defined(__CUDA_NO_FP8_CONVERSIONS__) || defined(__CUDA_NO_FP8_CONVERSION_OPERATORS__)
#define PORTABLE_CUDA_OPERATORS_ 0
#else
#define PORTABLE_CUDA_OPERATORS_ 1
#endif
#define PORTABLE_CUDA_STORAGE2_ __nv_fp8x2_storage_t
#define PORTABLE_CUDA_STORAGE4_ __nv_fp8x4_storage_t
#define PORTABLE_CUDA_TO_BFLOAT162_ 0

#define PORTABLE_CUDA_T_ __nv_fp8_e4m3
#define PORTABLE_CUDA_T2_ __nv_fp8x2_e4m3
#define PORTABLE_CUDA_T4_ __nv_fp8x4_e4m3
#define PORTABLE_CUDA_FORMAT_ e4m3
#include "portable_cuda/tiny_type.h"

#define PORTABLE_CUDA_T_ __nv_fp8_e5m2
#define PORTABLE_CUDA_T2_ __nv_fp8x2_e5m2
#define PORTABLE_CUDA_T4_ __nv_fp8x4_e5m2
#define PORTABLE_CUDA_FORMAT_ e5m2
#include "portable_cuda/tiny_type.h"

#undef PORTABLE_CUDA_TO_BFLOAT162_
#define PORTABLE_CUDA_TO_BFLOAT162_ 1
#define PORTABLE_CUDA_T_ __nv_fp8_e8m0
#define PORTABLE_CUDA_T2_ __nv_fp8x2_e8m0
#define PORTABLE_CUDA_T4_ __nv_fp8x4_e8m0
#define PORTABLE_CUDA_FORMAT_ e8m0
#include "portable_cuda/tiny_type.h"

#undef PORTABLE_CUDA_CONVERSIONS_
#undef PORTABLE_CUDA_OPERATORS_
#undef PORTABLE_CUDA_STORAGE2_
#undef PORTABLE_CUDA_STORAGE4_
#undef PORTABLE_CUDA_TO_BFLOAT162_
#endif

#endif
