/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating-point formats of 16 bits or less, rounded once from an exact value: cuda_fp16.h and
 * cuda_bf16.h are built on it.
 */
#ifndef PORTABLE_CUDA_SMALL_FLOAT_H
#define PORTABLE_CUDA_SMALL_FLOAT_H

#include <math.h>
#include <string.h> /* memcpy */

#include <type_traits>

#if defined(PORTABLE_FPCHECK_)
#include "../../../emulate/overflow.h"
#endif

namespace portable_cuda
{
namespace small
{
enum rounding { to_nearest, toward_zero, upward, downward };

static inline unsigned long long double_bits(double x)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline double double_of_bits(unsigned long long bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* magnitude * 2^exponent, rounded to a fraction of that many bits: exponent and fraction as the
 * format has them. No exponent is too large; numbers below the least one are denormal. */
static inline unsigned long long rounded(bool negative, unsigned long long magnitude, int exponent,
                                         int least_exponent, int fraction_bits, rounding mode)
{
    if (magnitude == 0)
        return 0;
    int value_exponent = 63 - __builtin_clzll(magnitude) + exponent;
    if (value_exponent < least_exponent)
        value_exponent = least_exponent;
    const int shift = value_exponent - fraction_bits - exponent;
    unsigned long long significand = 0;
    bool half = false, rest = true;
    if (shift <= 0) {
        significand = magnitude << -shift;
        rest = false;
    } else if (shift <= 64) {
        significand = shift < 64 ? magnitude >> shift : 0;
        half = magnitude >> (shift - 1) & 1;
        rest = (magnitude & ((1ull << (shift - 1)) - 1)) != 0;
    }
    switch (mode) {
    case to_nearest: significand += half && (rest || (significand & 1)); break;
    case toward_zero: break;
    case upward: significand += !negative && (half || rest); break;
    case downward: significand += negative && (half || rest); break;
    }
    return ((unsigned long long)(value_exponent - least_exponent) << fraction_bits) + significand;
}
/* The same of a finite double. */
static inline unsigned long long rounded(double x, int least_exponent, int fraction_bits,
                                         rounding mode)
{
    const unsigned long long bits = double_bits(x), fraction = bits & ((1ull << 52) - 1);
    const int exponent = (int)(bits >> 52 & 2047);
    return rounded(bits >> 63, exponent ? fraction | 1ull << 52 : fraction,
                   exponent ? exponent - 1075 : -1074, least_exponent, fraction_bits, mode);
}

/* IEEE's layout: sign, exponent, fraction. */
template <int exponent_bits, int fraction_bits> struct small_float {
    static constexpr unsigned infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    static constexpr unsigned sign = 1u << (exponent_bits + fraction_bits);
    static constexpr unsigned nan = sign - 1; /* what a GPU returns */
    static constexpr int least_exponent = 2 - (1 << (exponent_bits - 1));

    /* magnitude * 2^exponent, rounded. */
    static unsigned short round(bool negative, unsigned long long magnitude, int exponent,
                                rounding mode)
    {
        return limited(negative,
                       rounded(negative, magnitude, exponent, least_exponent, fraction_bits, mode),
                       mode, [=] { return scalbn((double)magnitude, exponent); });
    }
    /* size(): that of the finite number, which the bits may be too many for. */
    template <class Size>
    static unsigned short limited(bool negative, unsigned long long bits, rounding mode, Size size)
    {
        if (bits >= infinity)
            bits = infinity - (mode == toward_zero || (mode == upward && negative) ||
                               (mode == downward && !negative));
#if defined(PORTABLE_FPCHECK_)
        if (bits == infinity && fraction_bits == 10)
            portable_overflows_half_(negative ? -size() : size());
        else if (bits == infinity && fraction_bits == 7)
            portable_overflows_bf16_(negative ? -size() : size());
#else
        (void)size;
#endif
        return (unsigned short)(negative ? bits | sign : bits);
    }

    static unsigned short from_double(double x, rounding mode = to_nearest)
    {
        const unsigned long long bits = double_bits(x), fraction = bits & ((1ull << 52) - 1);
        const bool negative = bits >> 63;
        if ((bits >> 52 & 2047) == 2047)
            return (unsigned short)(fraction ? nan : negative ? sign | infinity : infinity);
        return limited(negative, rounded(x, least_exponent, fraction_bits, mode), mode,
                       [x] { return fabs(x); });
    }

    /* Unlike all else, the conversion of a double keeps the sign and the first bits of a NaN. */
    static unsigned short convert(double x)
    {
        if (x == x)
            return from_double(x);
        const unsigned long long bits = double_bits(x), fraction = bits & ((1ull << 52) - 1);
        return (unsigned short)((bits >> 63 ? sign : 0) | infinity | 1u << (fraction_bits - 1) |
                                (unsigned)(fraction >> (52 - fraction_bits)));
    }

    /* Exact. A NaN becomes quiet, and keeps its sign and fraction. */
    static double to_double(unsigned short bits)
    {
        const unsigned exponent = (bits & infinity) >> fraction_bits;
        const unsigned long long fraction = bits & ((1u << fraction_bits) - 1);
        if (exponent == infinity >> fraction_bits)
            return double_of_bits((unsigned long long)((bits & sign) != 0) << 63 | 2047ull << 52 |
                                  fraction << (52 - fraction_bits) |
                                  (unsigned long long)(fraction != 0) << 51);
        const double scale =
            double_of_bits((unsigned long long)(1023 + least_exponent - fraction_bits +
                                                (exponent ? (int)exponent - 1 : 0))
                           << 52);
        const double magnitude =
            (double)(fraction | (unsigned long long)(exponent != 0) << fraction_bits) * scale;
        return bits & sign ? -magnitude : magnitude;
    }

    /* As the conversion to float does it on a GPU: bfloat16 keeps all bits, half makes one NaN. */
    static float to_float(unsigned short bits)
    {
        unsigned float_bits = (unsigned)bits << 16;
        if (fraction_bits != 7) {
            if (!is_nan(bits))
                return (float)to_double(bits);
            float_bits = 0x7fffffff;
        }
        float x;
        memcpy(&x, &float_bits, sizeof x);
        return x;
    }

    template <class Integer> static unsigned short from_integer(Integer value, rounding mode)
    {
        const bool negative = value < 0;
        const unsigned long long bits = (unsigned long long)value;
        return round(negative, negative ? 0 - bits : bits, 0, mode);
    }

    static bool is_nan(unsigned short bits)
    {
        return (bits & (sign - 1)) > infinity;
    }

    static unsigned short add(unsigned short a, unsigned short b)
    {
        return from_double(sum_to_odd(to_double(a), to_double(b)));
    }
    /* a b + c. The product is exact: its factors have 11 bits at most. */
    static unsigned short fma(unsigned short a, unsigned short b, unsigned short c)
    {
        return from_double(sum_to_odd(to_double(a) * to_double(b), to_double(c)));
    }
    static unsigned short mul(unsigned short a, unsigned short b)
    {
        return from_double(to_double(a) * to_double(b));
    }
    /* 53 bits are more than twice those of the format, so rounding twice rounds as once. */
    static unsigned short div(unsigned short a, unsigned short b)
    {
        return from_double(to_double(a) / to_double(b));
    }

    /* a + b, rounded to odd: a later rounding to fewer bits then rounds as once. */
    static double sum_to_odd(double a, double b)
    {
        const double sum = a + b;
        if (!(fabs(sum) <= 1.7976931348623157e308))
            return sum;
        const double part = sum - a;
        const double error = (a - (sum - part)) + (b - part);
        const unsigned long long bits = double_bits(sum);
        if (error == 0 || (bits & 1))
            return sum;
        /* Even, so a neighbour is odd: the one towards the exact sum. */
        return double_of_bits((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
    }
};

/* x, an integer, saturated; NaN gives `nan`. */
template <class Integer> static inline Integer saturate(double x, Integer nan)
{
    const bool has_sign = Integer(-1) < Integer(0);
    const int bits = (int)sizeof(Integer) * 8 - has_sign;
    const double end = (double)(1ull << (bits - 1)) * 2;
    const Integer maximum = Integer((unsigned long long)~0ull >> (64 - bits));
    if (x != x)
        return nan;
    if (x >= end)
        return maximum;
    if (x < (has_sign ? -end : 0.0))
        return has_sign ? Integer(-maximum - 1) : Integer(0);
    return Integer(x);
}
static inline double round_to_integer(double x, rounding mode)
{
    switch (mode) {
    case to_nearest: return rint(x);
    case toward_zero: return trunc(x);
    case upward: return ceil(x);
    default: return floor(x);
    }
}
} // namespace small
} // namespace portable_cuda

#endif
