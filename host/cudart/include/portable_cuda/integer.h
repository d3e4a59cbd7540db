/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer and bit functions, conversions, and SIMD within a word. All of them give the GPU's bits:
 * conversions saturate, and a NaN becomes the integer that PTX's cvt defines.
 */
#ifndef PORTABLE_CUDA_INTEGER_H
#define PORTABLE_CUDA_INTEGER_H

#include <limits.h> /* INT_MIN, LLONG_MAX, ... */
#include <math.h>   /* nextafterf */

#include "../vector_types.h"

namespace portable_cuda
{
enum class rounding { rn, rz, ru, rd };

template <class To, class From> static inline To bits_of(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

template <class T> static inline T smaller(T a, T b)
{
    return b < a ? b : a;
}
template <class T> static inline T larger(T a, T b)
{
    return a < b ? b : a;
}

/* cvt.rounding.T.Float: a NaN becomes 0 if both types have at most 32 bits, else the top bit. */
template <rounding Mode, class T, class Float> static inline T to_integer(Float x)
{
    constexpr bool is_signed = T(-1) < T(0);
    constexpr int width = (int)sizeof(T) * CHAR_BIT;
    constexpr T highest = (T)(is_signed ? ~0ull >> (65 - width) : ~0ull >> (64 - width));
    constexpr T lowest = is_signed ? (T)(-highest - 1) : (T)0;
    constexpr T of_nan =
        sizeof(T) == 4 && sizeof(Float) == 4 ? (T)0 : (T)((unsigned long long)1 << (width - 1));
    const Float beyond = __builtin_ldexp(1, is_signed ? width - 1 : width);
    if (x != x)
        return of_nan;
    if constexpr (sizeof(Float) == 4)
        x = Mode == rounding::rn   ? __builtin_rintf(x)
            : Mode == rounding::rz ? __builtin_truncf(x)
            : Mode == rounding::ru ? __builtin_ceilf(x)
                                   : __builtin_floorf(x);
    else
        x = Mode == rounding::rn   ? __builtin_rint(x)
            : Mode == rounding::rz ? __builtin_trunc(x)
            : Mode == rounding::ru ? __builtin_ceil(x)
                                   : __builtin_floor(x);
    if (x >= beyond)
        return highest;
    if (x < (is_signed ? -beyond : 0))
        return lowest;
    return (T)x;
}

/* The nearest Float of the integer in the direction, from its leading bits. */
template <rounding Mode, class Float>
static inline Float from_magnitude(bool negative, unsigned long long size)
{
    constexpr int precision = sizeof(Float) == 4 ? 24 : 53;
    const int drop = size ? 64 - __builtin_clzll(size) - precision : 0;
    if (drop > 0) {
        const unsigned long long rest = size & ((1ull << drop) - 1), half = 1ull << (drop - 1);
        const bool up = Mode == rounding::rn   ? rest > half || (rest == half && (size >> drop & 1))
                        : Mode == rounding::rz ? false
                        : Mode == rounding::ru ? rest && !negative
                                               : rest && negative;
        const Float leading = (Float)((size >> drop) + up); /* exact */
        const Float magnitude = leading * (Float)(1ull << drop);
        return negative ? -magnitude : magnitude;
    }
    return negative ? -(Float)size : (Float)size;
}
template <rounding Mode, class Float, class T> static inline Float from_integer(T x)
{
    return from_magnitude<Mode, Float>(x < 0,
                                       x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x);
}

template <rounding Mode> static inline float to_float(double x)
{
    const float nearest = (float)x; /* of a NaN, its sign and leading bits */
    if (x != x || Mode == rounding::rn || (double)nearest == x)
        return nearest;
    const bool down = Mode == rounding::rd || (Mode == rounding::rz && x > 0);
    if (down)
        return (double)nearest < x ? nearest : nextafterf(nearest, -__builtin_inff());
    return (double)nearest > x ? nearest : nextafterf(nearest, __builtin_inff());
}
} // namespace portable_cuda

/* ---- bits ---- */

static inline int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
static inline int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
/* Sums of neighbouring bits, pairs, nibbles and bytes: without an instruction for it, the built-in
 * function is a call of the compiler's library. */
static inline int __popcll(unsigned long long x)
{
#if defined(__POPCNT__) || defined(__aarch64__)
    return __builtin_popcountll(x);
#else
    x -= x >> 1 & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return (int)(x * 0x0101010101010101ull >> 56);
#endif
}
static inline int __popc(unsigned x)
{
    return __popcll(x);
}
static inline unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
static inline unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
static inline unsigned short __nv_bswap16(unsigned short x)
{
    return __builtin_bswap16(x);
}
static inline unsigned __nv_bswap32(unsigned x)
{
    return __builtin_bswap32(x);
}
static inline unsigned long long __nv_bswap64(unsigned long long x)
{
    return __builtin_bswap64(x);
}
/* Byte i of the result is the byte of y:x that the low three bits of nibble i of the selector
 * number. */
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++)
        result |= (unsigned)(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    const unsigned long long both = (unsigned long long)high << 32 | low;
    return (unsigned)(both << (shift & 31) >> 32);
}
static inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    const unsigned long long both = (unsigned long long)high << 32 | low;
    return (unsigned)(both >> (shift & 31));
}
static inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
/* The offset-th set bit of the mask, counted from bit base, upwards or, if it is negative,
 * downwards; all ones if there is none. */
static inline unsigned __fns(unsigned mask, unsigned base, int offset)
{
    const int step = offset < 0 ? -1 : 1;
    unsigned remaining = offset < 0 ? 0u - (unsigned)offset : (unsigned)offset;
    if (offset == 0)
        return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
    for (int position = (int)base; position >= 0 && position < 32; position += step)
        if ((mask >> position & 1) && --remaining == 0)
            return (unsigned)position;
    return 0xffffffffu;
}

/* ---- arithmetic ---- */

static inline int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}
static inline unsigned __umulhi(unsigned x, unsigned y)
{
    return (unsigned)((unsigned long long)x * y >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((__extension__(unsigned __int128) x) * y >> 64);
}
static inline long long __mul64hi(long long x, long long y)
{
    return (long long)((__extension__(__int128) x) * y >> 64);
}
/* The low 32 bits of the product of the low 24. */
static inline unsigned __umul24(unsigned x, unsigned y)
{
    return (x & 0xffffffu) * (y & 0xffffffu);
}
static inline int __mul24(int x, int y)
{
    const int a = (int)((unsigned)x << 8) >> 8, b = (int)((unsigned)y << 8) >> 8;
    return (int)((unsigned)a * (unsigned)b);
}
static inline unsigned __sad(int x, int y, unsigned z)
{
    return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
static inline unsigned __usad(unsigned x, unsigned y, unsigned z)
{
    return z + (x > y ? x - y : y - x);
}
static inline int __hadd(int x, int y)
{
    return (int)(((long long)x + y) >> 1);
}
static inline int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}
static inline unsigned __uhadd(unsigned x, unsigned y)
{
    return (unsigned)(((unsigned long long)x + y) >> 1);
}
static inline unsigned __urhadd(unsigned x, unsigned y)
{
    return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}

/* Dot products: of four bytes; of two halfwords and two bytes, the low or the high two. */
static inline int __dp4a(int a, int b, int c)
{
    unsigned sum = (unsigned)c;
    for (int i = 0; i < 32; i += 8)
        sum += (unsigned)((signed char)(a >> i) * (signed char)(b >> i));
    return (int)sum;
}
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 0xff) * (b >> i & 0xff);
    return c;
}
static inline int __dp2a_lo(int a, int b, int c)
{
    return (int)((unsigned)c + (unsigned)((short)a * (signed char)b) +
                 (unsigned)((short)(a >> 16) * (signed char)(b >> 8)));
}
static inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
static inline int __dp2a_hi(int a, int b, int c)
{
    return __dp2a_lo(a, b >> 16, c);
}
static inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return __dp2a_lo(a, b >> 16, c);
}
static inline int __dp4a(char4 a, char4 b, int c)
{
    return __dp4a(portable_cuda::bits_of<int>(a), portable_cuda::bits_of<int>(b), c);
}
static inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return __dp4a(portable_cuda::bits_of<unsigned>(a), portable_cuda::bits_of<unsigned>(b), c);
}
static inline int __dp2a_lo(short2 a, char4 b, int c)
{
    return __dp2a_lo(portable_cuda::bits_of<int>(a), portable_cuda::bits_of<int>(b), c);
}
static inline unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c)
{
    return __dp2a_lo(portable_cuda::bits_of<unsigned>(a), portable_cuda::bits_of<unsigned>(b), c);
}
static inline int __dp2a_hi(short2 a, char4 b, int c)
{
    return __dp2a_hi(portable_cuda::bits_of<int>(a), portable_cuda::bits_of<int>(b), c);
}
static inline unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c)
{
    return __dp2a_hi(portable_cuda::bits_of<unsigned>(a), portable_cuda::bits_of<unsigned>(b), c);
}

/* ---- conversions ---- */

#define PORTABLE_CUDA_TO_INTEGER_(from, suffix, type, mode)                                        \
    static inline type __##from##2##suffix##_##mode(from x)                                        \
    {                                                                                              \
        return portable_cuda::to_integer<portable_cuda::rounding::mode, type>(x);                  \
    }
#define PORTABLE_CUDA_FROM_INTEGER_(to, suffix, type, mode)                                        \
    static inline to __##suffix##2##to##_##mode(type x)                                            \
    {                                                                                              \
        return portable_cuda::from_integer<portable_cuda::rounding::mode, to>(x);                  \
    }
#define PORTABLE_CUDA_CONVERSIONS_(mode)                                                           \
    PORTABLE_CUDA_TO_INTEGER_(float, int, int, mode)                                               \
    PORTABLE_CUDA_TO_INTEGER_(float, uint, unsigned, mode)                                         \
    PORTABLE_CUDA_TO_INTEGER_(float, ll, long long, mode)                                          \
    PORTABLE_CUDA_TO_INTEGER_(float, ull, unsigned long long, mode)                                \
    PORTABLE_CUDA_TO_INTEGER_(double, int, int, mode)                                              \
    PORTABLE_CUDA_TO_INTEGER_(double, uint, unsigned, mode)                                        \
    PORTABLE_CUDA_TO_INTEGER_(double, ll, long long, mode)                                         \
    PORTABLE_CUDA_TO_INTEGER_(double, ull, unsigned long long, mode)                               \
    PORTABLE_CUDA_FROM_INTEGER_(float, int, int, mode)                                             \
    PORTABLE_CUDA_FROM_INTEGER_(float, uint, unsigned, mode)                                       \
    PORTABLE_CUDA_FROM_INTEGER_(float, ll, long long, mode)                                        \
    PORTABLE_CUDA_FROM_INTEGER_(float, ull, unsigned long long, mode)                              \
    PORTABLE_CUDA_FROM_INTEGER_(double, ll, long long, mode)                                       \
    PORTABLE_CUDA_FROM_INTEGER_(double, ull, unsigned long long, mode)                             \
    static inline float __double2float_##mode(double x)                                            \
    {                                                                                              \
        return portable_cuda::to_float<portable_cuda::rounding::mode>(x);                          \
    }
PORTABLE_CUDA_CONVERSIONS_(rn)
PORTABLE_CUDA_CONVERSIONS_(rz)
PORTABLE_CUDA_CONVERSIONS_(ru)
PORTABLE_CUDA_CONVERSIONS_(rd)
#undef PORTABLE_CUDA_CONVERSIONS_
#undef PORTABLE_CUDA_TO_INTEGER_
#undef PORTABLE_CUDA_FROM_INTEGER_
static inline double __int2double_rn(int x)
{
    return x;
}
static inline double __uint2double_rn(unsigned x)
{
    return x;
}

static inline float __int_as_float(int x)
{
    return portable_cuda::bits_of<float>(x);
}
static inline float __uint_as_float(unsigned x)
{
    return portable_cuda::bits_of<float>(x);
}
static inline int __float_as_int(float x)
{
    return portable_cuda::bits_of<int>(x);
}
static inline unsigned __float_as_uint(float x)
{
    return portable_cuda::bits_of<unsigned>(x);
}
static inline double __longlong_as_double(long long x)
{
    return portable_cuda::bits_of<double>(x);
}
static inline long long __double_as_longlong(double x)
{
    return portable_cuda::bits_of<long long>(x);
}
static inline int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
static inline int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}
static inline double __hiloint2double(int high, int low)
{
    return portable_cuda::bits_of<double>((unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

/* ---- SIMD within a word ---- */

namespace portable_cuda
{
/* The numbers that a word holds: two halfwords or four bytes, of either signedness. */
template <class Lane> struct lanes {
    static constexpr int bits = (int)sizeof(Lane) * CHAR_BIT;
    static constexpr unsigned ones = (1u << bits) - 1;
    static constexpr int highest = Lane(-1) < 0 ? (int)(ones >> 1) : (int)ones;
    static constexpr int lowest = Lane(-1) < 0 ? -highest - 1 : 0;
    static int saturate(int x)
    {
        return x > highest ? highest : x < lowest ? lowest : x;
    }
    /* op on each pair of lanes, modulo 2^bits */
    template <class Op> static unsigned map(unsigned a, unsigned b, Op op)
    {
        unsigned result = 0;
        for (int at = 0; at < 32; at += bits)
            result |= ((unsigned)op((int)(Lane)(a >> at), (int)(Lane)(b >> at)) & ones) << at;
        return result;
    }
    template <class Op> static unsigned map(unsigned a, unsigned b, unsigned c, Op op)
    {
        unsigned result = 0;
        for (int at = 0; at < 32; at += bits)
            result |=
                ((unsigned)op((int)(Lane)(a >> at), (int)(Lane)(b >> at), (int)(Lane)(c >> at)) &
                 ones)
                << at;
        return result;
    }
    static int wrap(int x)
    {
        return (int)(Lane)x;
    }
    static unsigned sum_of_differences(unsigned a, unsigned b)
    {
        unsigned sum = 0;
        for (int at = 0; at < 32; at += bits) {
            const int difference = (int)(Lane)(a >> at) - (int)(Lane)(b >> at);
            sum += (unsigned)(difference < 0 ? -difference : difference);
        }
        return sum;
    }
};
} // namespace portable_cuda

/* x and y are the lanes of a and b; L is their type's lanes. */
#define PORTABLE_CUDA_SIMD_1_(name, type, expression)                                              \
    static inline unsigned name(unsigned a)                                                        \
    {                                                                                              \
        using L = portable_cuda::lanes<type>;                                                      \
        return L::map(a, 0u, [](int x, int) { return (expression); });                             \
    }
#define PORTABLE_CUDA_SIMD_2_(name, type, expression)                                              \
    static inline unsigned name(unsigned a, unsigned b)                                            \
    {                                                                                              \
        using L = portable_cuda::lanes<type>;                                                      \
        return L::map(a, b, [](int x, int y) { return (expression); });                            \
    }
#define PORTABLE_CUDA_SIMD_COMPARE_(name, n, letter, type, op)                                     \
    PORTABLE_CUDA_SIMD_2_(__vcmp##name##letter##n, type, x op y ? -1 : 0)                          \
    PORTABLE_CUDA_SIMD_2_(__vset##name##letter##n, type, x op y ? 1 : 0)
#define PORTABLE_CUDA_SIMD_(n, S, U)                                                               \
    PORTABLE_CUDA_SIMD_1_(__vabs##n, S, x < 0 ? -x : x)                                            \
    PORTABLE_CUDA_SIMD_1_(__vabsss##n, S, L::saturate(x < 0 ? -x : x))                             \
    PORTABLE_CUDA_SIMD_1_(__vneg##n, S, -x)                                                        \
    PORTABLE_CUDA_SIMD_1_(__vnegss##n, S, L::saturate(-x))                                         \
    PORTABLE_CUDA_SIMD_2_(__vadd##n, U, x + y)                                                     \
    PORTABLE_CUDA_SIMD_2_(__vaddss##n, S, L::saturate(x + y))                                      \
    PORTABLE_CUDA_SIMD_2_(__vaddus##n, U, L::saturate(x + y))                                      \
    PORTABLE_CUDA_SIMD_2_(__vsub##n, U, x - y)                                                     \
    PORTABLE_CUDA_SIMD_2_(__vsubss##n, S, L::saturate(x - y))                                      \
    PORTABLE_CUDA_SIMD_2_(__vsubus##n, U, L::saturate(x - y))                                      \
    /* a half is rounded up, but of a negative sum down */                                         \
    PORTABLE_CUDA_SIMD_2_(__vavgs##n, S, (x + y + (x + y >= 0)) >> 1)                              \
    PORTABLE_CUDA_SIMD_2_(__vavgu##n, U, (x + y + 1) >> 1)                                         \
    PORTABLE_CUDA_SIMD_2_(__vhaddu##n, U, (x + y) >> 1)                                            \
    PORTABLE_CUDA_SIMD_2_(__vabsdiffs##n, S, x < y ? y - x : x - y)                                \
    PORTABLE_CUDA_SIMD_2_(__vabsdiffu##n, U, x < y ? y - x : x - y)                                \
    PORTABLE_CUDA_SIMD_2_(__vmaxs##n, S, x < y ? y : x)                                            \
    PORTABLE_CUDA_SIMD_2_(__vmaxu##n, U, x < y ? y : x)                                            \
    PORTABLE_CUDA_SIMD_2_(__vmins##n, S, x < y ? x : y)                                            \
    PORTABLE_CUDA_SIMD_2_(__vminu##n, U, x < y ? x : y)                                            \
    PORTABLE_CUDA_SIMD_COMPARE_(eq, n, , U, ==)                                                    \
    PORTABLE_CUDA_SIMD_COMPARE_(ne, n, , U, !=)                                                    \
    PORTABLE_CUDA_SIMD_COMPARE_(ge, n, s, S, >=)                                                   \
    PORTABLE_CUDA_SIMD_COMPARE_(ge, n, u, U, >=)                                                   \
    PORTABLE_CUDA_SIMD_COMPARE_(gt, n, s, S, >)                                                    \
    PORTABLE_CUDA_SIMD_COMPARE_(gt, n, u, U, >)                                                    \
    PORTABLE_CUDA_SIMD_COMPARE_(le, n, s, S, <=)                                                   \
    PORTABLE_CUDA_SIMD_COMPARE_(le, n, u, U, <=)                                                   \
    PORTABLE_CUDA_SIMD_COMPARE_(lt, n, s, S, <)                                                    \
    PORTABLE_CUDA_SIMD_COMPARE_(lt, n, u, U, <)                                                    \
    static inline unsigned __vsads##n(unsigned a, unsigned b)                                      \
    {                                                                                              \
        return portable_cuda::lanes<S>::sum_of_differences(a, b);                                  \
    }                                                                                              \
    static inline unsigned __vsadu##n(unsigned a, unsigned b)                                      \
    {                                                                                              \
        return portable_cuda::lanes<U>::sum_of_differences(a, b);                                  \
    }
PORTABLE_CUDA_SIMD_(2, short, unsigned short)
PORTABLE_CUDA_SIMD_(4, signed char, unsigned char)
#undef PORTABLE_CUDA_SIMD_
#undef PORTABLE_CUDA_SIMD_COMPARE_
#undef PORTABLE_CUDA_SIMD_1_
#undef PORTABLE_CUDA_SIMD_2_

/* ---- DPX: minima and maxima of sums and of three numbers ---- */

#define PORTABLE_CUDA_DPX_(op, best)                                                               \
    static inline int __vi##op##_s32_relu(int a, int b)                                            \
    {                                                                                              \
        return portable_cuda::larger(best(a, b), 0);                                               \
    }                                                                                              \
    static inline unsigned __vi##op##_s16x2_relu(unsigned a, unsigned b)                           \
    {                                                                                              \
        return portable_cuda::lanes<short>::map(                                                   \
            a, b, [](int x, int y) { return portable_cuda::larger(best(x, y), 0); });              \
    }                                                                                              \
    static inline int __vi##op##3_s32(int a, int b, int c)                                         \
    {                                                                                              \
        return best(best(a, b), c);                                                                \
    }                                                                                              \
    static inline unsigned __vi##op##3_u32(unsigned a, unsigned b, unsigned c)                     \
    {                                                                                              \
        return best(best(a, b), c);                                                                \
    }                                                                                              \
    static inline int __vi##op##3_s32_relu(int a, int b, int c)                                    \
    {                                                                                              \
        return portable_cuda::larger(best(best(a, b), c), 0);                                      \
    }                                                                                              \
    static inline unsigned __vi##op##3_s16x2(unsigned a, unsigned b, unsigned c)                   \
    {                                                                                              \
        return portable_cuda::lanes<short>::map(                                                   \
            a, b, c, [](int x, int y, int z) { return best(best(x, y), z); });                     \
    }                                                                                              \
    static inline unsigned __vi##op##3_u16x2(unsigned a, unsigned b, unsigned c)                   \
    {                                                                                              \
        return portable_cuda::lanes<unsigned short>::map(                                          \
            a, b, c, [](int x, int y, int z) { return best(best(x, y), z); });                     \
    }                                                                                              \
    static inline unsigned __vi##op##3_s16x2_relu(unsigned a, unsigned b, unsigned c)              \
    {                                                                                              \
        return portable_cuda::lanes<short>::map(a, b, c, [](int x, int y, int z) {                 \
            return portable_cuda::larger(best(best(x, y), z), 0);                                  \
        });                                                                                        \
    }                                                                                              \
    static inline int __viadd##op##_s32(int a, int b, int c)                                       \
    {                                                                                              \
        return best((int)((unsigned)a + (unsigned)b), c);                                          \
    }                                                                                              \
    static inline unsigned __viadd##op##_u32(unsigned a, unsigned b, unsigned c)                   \
    {                                                                                              \
        return best(a + b, c);                                                                     \
    }                                                                                              \
    static inline int __viadd##op##_s32_relu(int a, int b, int c)                                  \
    {                                                                                              \
        return portable_cuda::larger(__viadd##op##_s32(a, b, c), 0);                               \
    }                                                                                              \
    static inline unsigned __viadd##op##_s16x2(unsigned a, unsigned b, unsigned c)                 \
    {                                                                                              \
        using L = portable_cuda::lanes<short>;                                                     \
        return L::map(a, b, c, [](int x, int y, int z) { return best(L::wrap(x + y), z); });       \
    }                                                                                              \
    static inline unsigned __viadd##op##_u16x2(unsigned a, unsigned b, unsigned c)                 \
    {                                                                                              \
        using L = portable_cuda::lanes<unsigned short>;                                            \
        return L::map(a, b, c, [](int x, int y, int z) { return best(L::wrap(x + y), z); });       \
    }                                                                                              \
    static inline unsigned __viadd##op##_s16x2_relu(unsigned a, unsigned b, unsigned c)            \
    {                                                                                              \
        using L = portable_cuda::lanes<short>;                                                     \
        return L::map(a, b, c, [](int x, int y, int z) {                                           \
            return portable_cuda::larger(best(L::wrap(x + y), z), 0);                              \
        });                                                                                        \
    }                                                                                              \
    /* is_first: whether a is the result, also of a tie */                                         \
    static inline int __vib##op##_s32(int a, int b, bool *is_first)                                \
    {                                                                                              \
        *is_first = best(a, b) == a;                                                               \
        return best(a, b);                                                                         \
    }                                                                                              \
    static inline unsigned __vib##op##_u32(unsigned a, unsigned b, bool *is_first)                 \
    {                                                                                              \
        *is_first = best(a, b) == a;                                                               \
        return best(a, b);                                                                         \
    }                                                                                              \
    static inline unsigned __vib##op##_s16x2(unsigned a, unsigned b, bool *high, bool *low)        \
    {                                                                                              \
        using L = portable_cuda::lanes<short>;                                                     \
        const unsigned result = L::map(a, b, [](int x, int y) { return best(x, y); });             \
        *high = result >> 16 == a >> 16;                                                           \
        *low = (result & 0xffff) == (a & 0xffff);                                                  \
        return result;                                                                             \
    }                                                                                              \
    static inline unsigned __vib##op##_u16x2(unsigned a, unsigned b, bool *high, bool *low)        \
    {                                                                                              \
        using L = portable_cuda::lanes<unsigned short>;                                            \
        const unsigned result = L::map(a, b, [](int x, int y) { return best(x, y); });             \
        *high = result >> 16 == a >> 16;                                                           \
        *low = (result & 0xffff) == (a & 0xffff);                                                  \
        return result;                                                                             \
    }
PORTABLE_CUDA_DPX_(max, portable_cuda::larger)
PORTABLE_CUDA_DPX_(min, portable_cuda::smaller)
#undef PORTABLE_CUDA_DPX_

#endif
