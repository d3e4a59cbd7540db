/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating-point formats of 8 bits or less, rounded once from an exact value: cuda_fp8.h,
 * cuda_fp6.h and cuda_fp4.h are built on it.
 */
#ifndef PORTABLE_CUDA_TINY_FLOAT_H
#define PORTABLE_CUDA_TINY_FLOAT_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../device_types.h" /* cudaRoundMode */
#include "../vector_types.h"
#include "small_float.h"

#include <assert.h>
#include <math.h>

namespace portable_cuda
{
namespace tiny
{
static inline float value_of(__half_raw x)
{
    return half_format::to_float(x.x);
}
static inline float value_of(__nv_bfloat16_raw x)
{
    return bfloat16_format::to_float(x.x);
}
static inline float value_of(float x)
{
    return x;
}
static inline double value_of(double x)
{
    return x;
}
static inline small::rounding nearest_or_zero(enum cudaRoundMode mode)
{
    assert(mode == cudaRoundNearest || mode == cudaRoundZero);
    return mode == cudaRoundNearest ? small::to_nearest : small::toward_zero;
}

/*
 * IEEE's layout and bias. `largest` is the largest finite number. `overflow` is what a larger one
 * becomes: infinity, the only NaN, or the largest, of a format that has neither.
 */
template <int exponent_bits, int fraction_bits, unsigned largest, unsigned overflow>
struct tiny_float {
    static constexpr int place_bits = exponent_bits + fraction_bits == 3 ? 4 : 8;
    static constexpr unsigned sign = 1u << (exponent_bits + fraction_bits);
    static constexpr int least_exponent = 2 - (1 << (exponent_bits - 1));
    static constexpr bool has_nan = overflow != largest;
    static constexpr bool has_infinity = overflow < sign - 1 && has_nan;

    static unsigned char limited(bool negative, unsigned long long bits, bool saturate)
    {
        if (bits > largest)
            bits = saturate ? largest : overflow;
        return (unsigned char)(negative ? bits | sign : bits);
    }
    /* Of a double, a NaN keeps its sign, and its first bits if the format has several. */
    static unsigned char convert(double x, bool saturate, small::rounding mode)
    {
        const unsigned long long bits = small::double_bits(x);
        const bool negative = bits >> 63;
        if (x == x)
            return limited(negative,
                           isinf(x) ? largest + 1
                                    : small::rounded(x, least_exponent, fraction_bits, mode),
                           saturate);
        if (!has_nan)
            return (unsigned char)largest;
        const unsigned nan =
            has_infinity
                ? overflow | 1u << (fraction_bits - 1) |
                      (unsigned)(bits >> (52 - fraction_bits) & ((1u << fraction_bits) - 1))
                : overflow;
        return (unsigned char)(negative ? nan | sign : nan);
    }
    /* Of other types, a NaN becomes the one with all bits but the sign. */
    static unsigned char convert(float x, bool saturate, small::rounding mode)
    {
        if (x == x)
            return convert((double)x, saturate, mode);
        return (unsigned char)(has_nan ? sign - 1 : largest);
    }
    template <class T> static unsigned char from(T x)
    {
        return convert(value_of(x), true, small::to_nearest);
    }
    template <class Integer> static unsigned char from_integer(Integer x)
    {
        const bool negative = x < 0;
        const unsigned long long bits = (unsigned long long)x;
        return limited(negative,
                       small::rounded(negative, negative ? 0 - bits : bits, 0, least_exponent,
                                      fraction_bits, small::to_nearest),
                       true);
    }

    /* Exact. Bits above the format's do not count. */
    static __half_raw to_half(unsigned char bits)
    {
        const unsigned magnitude = bits & (sign - 1);
        if (has_nan && magnitude > largest && !(has_infinity && magnitude == overflow))
            return __half_raw{(unsigned short)half_format::nan};
        /* In a half's places, the same bits have its bias. */
        const unsigned short moved = (unsigned short)(magnitude << (10 - fraction_bits));
        const double scale = 1u << (least_exponent - half_format::least_exponent);
        const double value = half_format::to_double(moved) * scale;
        return __half_raw{half_format::from_double(bits & sign ? -value : value)};
    }
    static float to_float(unsigned char bits)
    {
        return half_format::to_float(to_half(bits).x);
    }
    static __nv_bfloat16 to_bfloat16(unsigned char bits)
    {
        return __float2bfloat16_rz(to_float(bits));
    }
    static bool is_true(unsigned char bits)
    {
        return (bits & (sign - 1)) != 0;
    }
};
typedef tiny_float<4, 3, 0x7e, 0x7f> e4m3;
typedef tiny_float<5, 2, 0x7b, 0x7c> e5m2;
typedef tiny_float<2, 3, 0x1f, 0x1f> e2m3;
typedef tiny_float<3, 2, 0x1f, 0x1f> e3m2;
typedef tiny_float<2, 1, 0x07, 0x07> e2m1;

/* Powers of two, from 2^-127 to 2^127, and a NaN. */
struct e8m0 {
    static constexpr int place_bits = 8;

    /* Of the magnitude, toward zero or upward. */
    static unsigned char convert(double x, bool saturate, bool upward)
    {
        const unsigned long long magnitude = small::double_bits(fabs(x));
        const unsigned largest = 0xfe, nan = 0xff;
        if (x != x)
            return nan;
        if (isinf(x))
            return saturate ? largest : nan;
        if (magnitude <= 0x3800000000000000ull)
            return 0;
        unsigned bits = (unsigned)(magnitude >> 52) - (1023 - 127);
        if (upward && (magnitude & ((1ull << 52) - 1)))
            bits++;
        if (bits <= largest)
            return (unsigned char)bits;
        return upward && !saturate ? nan : largest;
    }
    template <class T> static unsigned char from(T x)
    {
        return convert((double)value_of(x), true, true);
    }
    template <class Integer> static unsigned char from_integer(Integer x)
    {
        const unsigned long long bits = (unsigned long long)x, magnitude = x < 0 ? 0 - bits : bits;
        if (magnitude == 0)
            return 0;
        return (unsigned char)(127 + 63 - __builtin_clzll(magnitude) +
                               ((magnitude & (magnitude - 1)) != 0));
    }

    static __nv_bfloat16_raw to_raw(unsigned char bits)
    {
        return __nv_bfloat16_raw{(unsigned short)(bits == 0xff ? 0x7fff
                                                  : bits == 0  ? 0x0040
                                                               : bits << 7)};
    }
    static __nv_bfloat16 to_bfloat16(unsigned char bits)
    {
        return to_raw(bits);
    }
    static float to_float(unsigned char bits)
    {
        return value_of(to_raw(bits));
    }
    static __half_raw to_half(unsigned char bits)
    {
        return __float2half_rn(to_float(bits));
    }
    static bool is_true(unsigned char)
    {
        return true;
    }
};

/* cudaRoundMode of e8m0: others than toward zero and upward are not for it. */
static inline bool is_upward(enum cudaRoundMode mode)
{
    assert(mode == cudaRoundZero || mode == cudaRoundPosInf);
    return mode == cudaRoundPosInf;
}

/* Numbers in one integer, the first in its lowest bits. */
template <class Format>
static inline unsigned packed(unsigned a, unsigned b, unsigned c = 0, unsigned d = 0)
{
    constexpr int bits = Format::place_bits;
    return a | b << bits | c << 2 * bits | d << 3 * bits;
}
template <class Format> static inline unsigned char place(unsigned numbers, int k)
{
    return (unsigned char)(numbers >> k * Format::place_bits);
}
} // namespace tiny
} // namespace portable_cuda

#endif
