/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating point of 16 bits, IEEE's binary16: the types, and
 * CUDA's functions of them. Arithmetic and conversions round once, as a GPU does; the elementary
 * functions round the exact value to nearest.
 */
#ifndef PORTABLE_CUDA_FP16_H
#define PORTABLE_CUDA_FP16_H
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include "host_defines.h"
#include "vector_types.h"
#if defined(__cplusplus)
#include <cstring>
#include <utility>

#include "portable_cuda/small_float.h"
#if defined(__CUDACC__)
#include "portable_cuda/order.h"
#include "portable_cuda/synchronisation.h"
#endif

namespace portable_cuda
{
typedef small::small_float<5, 10> half_format;
}

#define PORTABLE_CUDA_T_ __half
#define PORTABLE_CUDA_T2_ __half2
#define PORTABLE_CUDA_RAW_ __half_raw
#define PORTABLE_CUDA_RAW2_ __half2_raw
#define PORTABLE_CUDA_OTHER_ __nv_bfloat16
#define PORTABLE_CUDA_FORMAT_ half_format
#define PORTABLE_CUDA_FROM_(type, rounding) __##type##2half_##rounding
#define PORTABLE_CUDA_TO_(type, rounding) __half2##type##_##rounding
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define PORTABLE_CUDA_CONVERSIONS_ 0
#else
#define PORTABLE_CUDA_CONVERSIONS_ 1
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
#define PORTABLE_CUDA_OPERATORS_ 0
#else
#define PORTABLE_CUDA_OPERATORS_ 1
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
#define PORTABLE_CUDA_OPERATORS2_ 0
#else
#define PORTABLE_CUDA_OPERATORS2_ 1
#endif
#include "portable_cuda/half_type.h"

/* Conversions from and to float and double. */
static inline float __half2float(__half a)
{
    return portable_cuda::half_format::to_float(portable_cuda::half_bits(a));
}
static inline __half __double2half(double a)
{
    return PORTABLE_CUDA_BITS_(portable_cuda::half_format::convert(a));
}
static inline __half __float2half(float a)
{
    return PORTABLE_CUDA_ROUND_((double)a);
}
static inline __half __float2half_rn(float a)
{
    return PORTABLE_CUDA_BITS_(
        portable_cuda::half_format::from_double((double)a, portable_cuda::small::to_nearest));
}
static inline __half __float2half_rz(float a)
{
    return PORTABLE_CUDA_BITS_(
        portable_cuda::half_format::from_double((double)a, portable_cuda::small::toward_zero));
}
static inline __half __float2half_rd(float a)
{
    return PORTABLE_CUDA_BITS_(
        portable_cuda::half_format::from_double((double)a, portable_cuda::small::downward));
}
static inline __half __float2half_ru(float a)
{
    return PORTABLE_CUDA_BITS_(
        portable_cuda::half_format::from_double((double)a, portable_cuda::small::upward));
}
static inline __half2 __float2half2_rn(float a)
{
    return __half2(__float2half_rn(a), __float2half_rn(a));
}
static inline __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__float2half_rn(a), __float2half_rn(b));
}
static inline __half2 __float22half2_rn(float2 a)
{
    return __half2(__float2half_rn(a.x), __float2half_rn(a.y));
}
static inline float2 __half22float2(__half2 a)
{
    const float2 result = {__low2float(a), __high2float(a)};
    return result;
}

/* Bits, and the elements of a pair. */
static inline short __half_as_short(__half a)
{
    return (short)portable_cuda::half_bits(a);
}
static inline unsigned short __half_as_ushort(__half a)
{
    return portable_cuda::half_bits(a);
}
static inline __half __short_as_half(short bits)
{
    return PORTABLE_CUDA_BITS_(bits);
}
static inline __half __ushort_as_half(unsigned short bits)
{
    return PORTABLE_CUDA_BITS_(bits);
}
static inline __half2 make_half2(__half x, __half y)
{
    return __half2(x, y);
}
static inline __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
static inline __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
static inline __half __low2half(__half2 a)
{
    return a.x;
}
static inline __half __high2half(__half2 a)
{
    return a.y;
}
static inline __half2 __low2half2(__half2 a)
{
    return __half2(a.x, a.x);
}
static inline __half2 __high2half2(__half2 a)
{
    return __half2(a.y, a.y);
}
static inline __half2 __lows2half2(__half2 a, __half2 b)
{
    return __half2(a.x, b.x);
}
static inline __half2 __highs2half2(__half2 a, __half2 b)
{
    return __half2(a.y, b.y);
}

#if defined(PORTABLE_CUDA_SHUFFLES_)
PORTABLE_CUDA_SHUFFLES_(__half)
PORTABLE_CUDA_SHUFFLES_(__half2)
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
#endif
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#undef PORTABLE_CUDA_BITS_
#undef PORTABLE_CUDA_ROUND_
#undef PORTABLE_CUDA_T_
#undef PORTABLE_CUDA_T2_
#undef PORTABLE_CUDA_RAW_
#undef PORTABLE_CUDA_RAW2_
#undef PORTABLE_CUDA_OTHER_
#undef PORTABLE_CUDA_FORMAT_
#undef PORTABLE_CUDA_FROM_
#undef PORTABLE_CUDA_TO_
#undef PORTABLE_CUDA_CONVERSIONS_
#undef PORTABLE_CUDA_OPERATORS_
#undef PORTABLE_CUDA_OPERATORS2_
#endif

#endif
