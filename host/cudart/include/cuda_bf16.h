/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating point of 16 bits with float's exponent, bfloat16: the types, and
 * CUDA's functions of them. Arithmetic and conversions round once, as a GPU does; the elementary
 * functions round the exact value to nearest.
 */
#ifndef PORTABLE_CUDA_BF16_H
#define PORTABLE_CUDA_BF16_H
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"
#include "host_defines.h"
#include "vector_types.h"
#if defined(__cplusplus)
#include "portable_cuda/small_float.h"
#if defined(__CUDACC__)
#include "portable_cuda/synchronisation.h"
#endif

namespace portable_cuda
{
typedef small::small_float<8, 7> bfloat16_format;
}

#define PORTABLE_CUDA_T_ __nv_bfloat16
#define PORTABLE_CUDA_T2_ __nv_bfloat162
#define PORTABLE_CUDA_RAW_ __nv_bfloat16_raw
#define PORTABLE_CUDA_RAW2_ __nv_bfloat162_raw
#define PORTABLE_CUDA_OTHER_ __half
#define PORTABLE_CUDA_FORMAT_ bfloat16_format
#define PORTABLE_CUDA_FROM_(type, rounding) __##type##2bfloat16_##rounding
#define PORTABLE_CUDA_TO_(type, rounding) __bfloat162##type##_##rounding
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define PORTABLE_CUDA_CONVERSIONS_ 0
#else
#define PORTABLE_CUDA_CONVERSIONS_ 1
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define PORTABLE_CUDA_OPERATORS_ 0
#else
#define PORTABLE_CUDA_OPERATORS_ 1
#endif
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define PORTABLE_CUDA_OPERATORS2_ 0
#else
#define PORTABLE_CUDA_OPERATORS2_ 1
#endif
#include "portable_cuda/half_type.h"

/* Conversions from and to float and double. */
static inline float __bfloat162float(__nv_bfloat16 a)
{
    return portable_cuda::bfloat16_format::to_float(portable_cuda::half_bits(a));
}
static inline __nv_bfloat16 __double2bfloat16(double a)
{
    return PORTABLE_CUDA_BITS_(portable_cuda::bfloat16_format::convert(a));
}
static inline __nv_bfloat16 __float2bfloat16(float a)
{
    return PORTABLE_CUDA_ROUND_((double)a);
}
static inline __nv_bfloat16 __float2bfloat16_rn(float a)
{
    return PORTABLE_CUDA_BITS_(
        portable_cuda::bfloat16_format::from_double((double)a, portable_cuda::small::to_nearest));
}
static inline __nv_bfloat16 __float2bfloat16_rz(float a)
{
    return PORTABLE_CUDA_BITS_(
        portable_cuda::bfloat16_format::from_double((double)a, portable_cuda::small::toward_zero));
}
static inline __nv_bfloat16 __float2bfloat16_rd(float a)
{
    return PORTABLE_CUDA_BITS_(
        portable_cuda::bfloat16_format::from_double((double)a, portable_cuda::small::downward));
}
static inline __nv_bfloat16 __float2bfloat16_ru(float a)
{
    return PORTABLE_CUDA_BITS_(
        portable_cuda::bfloat16_format::from_double((double)a, portable_cuda::small::upward));
}
static inline __nv_bfloat162 __float2bfloat162_rn(float a)
{
    return __nv_bfloat162(__float2bfloat16_rn(a), __float2bfloat16_rn(a));
}
static inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return __nv_bfloat162(__float2bfloat16_rn(a), __float2bfloat16_rn(b));
}
static inline __nv_bfloat162 __float22bfloat162_rn(float2 a)
{
    return __nv_bfloat162(__float2bfloat16_rn(a.x), __float2bfloat16_rn(a.y));
}
static inline float2 __bfloat1622float2(__nv_bfloat162 a)
{
    const float2 result = {__low2float(a), __high2float(a)};
    return result;
}

/* Bits, and the elements of a pair. */
static inline short __bfloat16_as_short(__nv_bfloat16 a)
{
    return (short)portable_cuda::half_bits(a);
}
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a)
{
    return portable_cuda::half_bits(a);
}
static inline __nv_bfloat16 __short_as_bfloat16(short bits)
{
    return PORTABLE_CUDA_BITS_(bits);
}
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    return PORTABLE_CUDA_BITS_(bits);
}
static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)
{
    return __nv_bfloat162(x, y);
}
static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
static inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)
{
    return __nv_bfloat162(a, a);
}
static inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a)
{
    return a.x;
}
static inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a)
{
    return a.y;
}
static inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a)
{
    return __nv_bfloat162(a.x, a.x);
}
static inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a)
{
    return __nv_bfloat162(a.y, a.y);
}
static inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x, b.x);
}
static inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.y, b.y);
}

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

#if !defined(__CUDA_NO_HALF_CONVERSIONS__) && !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
inline __half::__half(__nv_bfloat16 other) : __half(__bfloat162float(other))
{
}
inline __nv_bfloat16::__nv_bfloat16(__half other) : __nv_bfloat16(__half2float(other))
{
}
#endif

#if !defined(CUDA_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

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
