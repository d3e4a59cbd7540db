/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of CUDA's math API beyond those of C++: the C library has sin, pow and the like,
 * and <math.h> overloads them for float. Arithmetic with a rounding mode gives the GPU's bits; the
 * other functions are within the errors that CUDA documents.
 */
#ifndef PORTABLE_CUDA_MATH_H
#define PORTABLE_CUDA_MATH_H

#include <fenv.h> /* fesetround */
#include <math.h>

#include "../host_defines.h"
#include "integer.h"

/* ---- minimum and maximum ---- */

#define PORTABLE_CUDA_MIN_MAX_(a, b, result)                                                       \
    static inline result min(const a x, const b y)                                                 \
    {                                                                                              \
        return (result)y < (result)x ? (result)y : (result)x;                                      \
    }                                                                                              \
    static inline result max(const a x, const b y)                                                 \
    {                                                                                              \
        return (result)x < (result)y ? (result)y : (result)x;                                      \
    }
PORTABLE_CUDA_MIN_MAX_(int, int, int)
PORTABLE_CUDA_MIN_MAX_(unsigned, unsigned, unsigned)
PORTABLE_CUDA_MIN_MAX_(int, unsigned, unsigned)
PORTABLE_CUDA_MIN_MAX_(unsigned, int, unsigned)
PORTABLE_CUDA_MIN_MAX_(long, long, long)
PORTABLE_CUDA_MIN_MAX_(unsigned long, unsigned long, unsigned long)
PORTABLE_CUDA_MIN_MAX_(long, unsigned long, unsigned long)
PORTABLE_CUDA_MIN_MAX_(unsigned long, long, unsigned long)
PORTABLE_CUDA_MIN_MAX_(long long, long long, long long)
PORTABLE_CUDA_MIN_MAX_(unsigned long long, unsigned long long, unsigned long long)
PORTABLE_CUDA_MIN_MAX_(long long, unsigned long long, unsigned long long)
PORTABLE_CUDA_MIN_MAX_(unsigned long long, long long, unsigned long long)
#undef PORTABLE_CUDA_MIN_MAX_

static inline unsigned umin(const unsigned x, const unsigned y)
{
    return min(x, y);
}
static inline unsigned umax(const unsigned x, const unsigned y)
{
    return max(x, y);
}
static inline long long llmin(const long long x, const long long y)
{
    return min(x, y);
}
static inline long long llmax(const long long x, const long long y)
{
    return max(x, y);
}
static inline unsigned long long ullmin(const unsigned long long x, const unsigned long long y)
{
    return min(x, y);
}
static inline unsigned long long ullmax(const unsigned long long x, const unsigned long long y)
{
    return max(x, y);
}

namespace portable_cuda
{
/* Of a number and a NaN the number; -0 is less than +0. */
template <class T> static inline T lesser(T x, T y)
{
    if (x != x)
        return y;
    if (x == y)
        return __builtin_signbit(x) ? x : y;
    return y < x ? y : x;
}
template <class T> static inline T greater(T x, T y)
{
    if (x != x)
        return y;
    if (x == y)
        return __builtin_signbit(x) ? y : x;
    return x < y ? y : x;
}
} // namespace portable_cuda
static inline float min(const float x, const float y)
{
    return portable_cuda::lesser(x, y);
}
static inline float max(const float x, const float y)
{
    return portable_cuda::greater(x, y);
}
static inline double min(const double x, const double y)
{
    return portable_cuda::lesser(x, y);
}
static inline double max(const double x, const double y)
{
    return portable_cuda::greater(x, y);
}
static inline double min(const float x, const double y)
{
    return portable_cuda::lesser((double)x, y);
}
static inline double max(const float x, const double y)
{
    return portable_cuda::greater((double)x, y);
}
static inline double min(const double x, const float y)
{
    return portable_cuda::lesser(x, (double)y);
}
static inline double max(const double x, const float y)
{
    return portable_cuda::greater(x, (double)y);
}

/* ---- arithmetic with a rounding mode ---- */

namespace portable_cuda
{
#if defined(__x86_64__)
#define PORTABLE_CUDA_REAL_ "+x" /* a register of floating-point numbers */
#elif defined(__aarch64__)
#define PORTABLE_CUDA_REAL_ "+w"
#else
#define PORTABLE_CUDA_REAL_ "+m"
#endif
/* Hides from the compiler where a number comes from and goes to. */
template <class T> static inline T apart(T x)
{
    __asm__("" : PORTABLE_CUDA_REAL_(x));
    return x;
}
/* The same, on its side of calls. */
template <class T> static inline T opaque(T x)
{
    __asm__ volatile("" : PORTABLE_CUDA_REAL_(x) : : "memory");
    return x;
}
#undef PORTABLE_CUDA_REAL_

/* The GPU's float arithmetic has one NaN. */
static inline float canonical(float x)
{
    return x != x ? bits_of<float>(0x7fffffffu) : x;
}
static inline double canonical(double x)
{
    return x;
}

/* By the processor's mode, which is not that of rn. Not inline: the compiler would move other
 * operations in between. */
template <rounding Mode, class Op, class T>
__attribute__((noinline)) static T in_mode(T x, T y, T z)
{
    fesetround(Mode == rounding::rz   ? FE_TOWARDZERO
               : Mode == rounding::ru ? FE_UPWARD
                                      : FE_DOWNWARD);
    const T result = opaque(Op::of(opaque(x), opaque(y), opaque(z)));
    fesetround(FE_TONEAREST);
    return result;
}

/* For floats without it, as it takes ten times as long: the float in the mode's direction from a
 * number x of which `near` is a neighbour; `above` is x - near, or has its sign. */
template <rounding Mode> static inline float directed(float near, double above)
{
    const unsigned bits = bits_of<unsigned>(near), negative = bits >> 31;
    const bool up = Mode == rounding::ru || (Mode == rounding::rz && negative);
    if (up ? !(above > 0) : !(above < 0))
        return near;
    return bits_of<float>(up == (negative != 0) ? bits - 1 : bits + 1);
}
/* x and y are floats, or products of floats: x + y is a sum in double precision and its error
 * (Knuth's TwoSum), which is less than the difference of two such sums. */
template <rounding Mode> static inline float directed_sum(double x, double y)
{
    const double sum = apart(x + y);
    const float near = apart((float)sum);
    if (!__builtin_isfinite(sum))
        return near;
    if (sum == 0) /* +0 and +0 alone are +0 downward */
        return Mode != rounding::rd || (x == 0 && !__builtin_signbit(x) && !__builtin_signbit(y))
                   ? near
                   : -0.0f;
    const double of_y = apart(sum - x), error = (x - (sum - of_y)) + (y - of_y), above = sum - near;
    return directed<Mode>(near, above == 0 ? error : above);
}

/* Quotients and roots that -prec-div=false and -prec-sqrt=false leave alone. */
template <class T> static __forceinline__ T exact_quotient(T x, T y)
{
    return x / y;
}
#if defined(PORTABLE_APPROXIMATES_)
static __forceinline__ float exact_quotient(float x, float y)
{
    __asm__("%{load%} divss %1, %0" : "+x"(x) : "x"(y));
    return x;
}
static __forceinline__ float exact_root(float x)
{
    __asm__("%{load%} sqrtss %0, %0" : "+x"(x));
    return x;
}
#else
static __forceinline__ float exact_root(float x)
{
    return __builtin_sqrtf(x);
}
#endif

/* The operations. A product of floats has no error in double precision. */
struct addition {
    template <class T> static inline T of(T x, T y, T)
    {
        return x + y;
    }
    template <rounding Mode> static inline float directed_of(float x, float y, float)
    {
        return directed_sum<Mode>(x, y);
    }
};
struct subtraction {
    template <class T> static inline T of(T x, T y, T)
    {
        return x - y;
    }
    template <rounding Mode> static inline float directed_of(float x, float y, float)
    {
        return directed_sum<Mode>(x, -y);
    }
};
struct multiplication {
    template <class T> static inline T of(T x, T y, T)
    {
        return x * y;
    }
    template <rounding Mode> static inline float directed_of(float x, float y, float)
    {
        const double product = (double)x * y;
        const float near = apart((float)product);
        return __builtin_isfinite(product) ? directed<Mode>(near, product - near) : near;
    }
};
struct multiply_add {
    static inline float of(float x, float y, float z)
    {
        return __builtin_fmaf(x, y, z);
    }
    static inline double of(double x, double y, double z)
    {
        return __builtin_fma(x, y, z);
    }
    template <rounding Mode> static inline float directed_of(float x, float y, float z)
    {
        return directed_sum<Mode>((double)x * y, z);
    }
};
struct division {
    template <class T> static inline T of(T x, T y, T)
    {
        return exact_quotient(x, y);
    }
    template <rounding Mode> static inline float directed_of(float x, float y, float)
    {
        const double quotient = (double)x / y;
        const float near = apart((float)quotient);
        if (!__builtin_isfinite(quotient) || !__builtin_isfinite(y))
            return near;
        const double rest = x - (double)near * y;
        return directed<Mode>(near, y < 0 ? -rest : rest);
    }
};
struct root {
    static inline float of(float x, float, float)
    {
        return exact_root(x);
    }
    static inline double of(double x, double, double)
    {
        return __builtin_sqrt(x);
    }
    template <rounding Mode> static inline float directed_of(float x, float, float)
    {
        const float near = apart(exact_root(x));
        return x > 0 && __builtin_isfinite(x) ? directed<Mode>(near, x - (double)near * near)
                                              : near;
    }
};

template <rounding Mode, class Op> static inline double towards(double x, double y, double z)
{
    return in_mode<Mode, Op>(x, y, z);
}
template <rounding Mode, class Op> static inline float towards(float x, float y, float z)
{
/* With such options comparisons need not find a NaN, nor the sign of 0; they and a check may flush
 * small floats, and fpcheck sees each operation. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__) ||     \
    __FINITE_MATH_ONLY__ || !defined(PORTABLE_PLAIN_)
    return in_mode<Mode, Op>(x, y, z);
#else
    return Op::template directed_of<Mode>(x, y, z);
#endif
}
/* Apart from other operations, as options like -ffast-math allow to contract and to regroup them;
 * and a double has the NaN of its first operand. */
template <class Op, class T> static inline T nearest(T x, T y, T z)
{
    return apart(Op::of(apart(x), apart(y), apart(z)));
}
/* The result of Op, rounded by the mode: its bits on the GPU. */
template <rounding Mode, class Op, class T> static inline T rounded(T x, T y = T(0), T z = T(0))
{
    return canonical(Mode == rounding::rn ? nearest<Op>(x, y, z) : towards<Mode, Op>(x, y, z));
}
} // namespace portable_cuda

#define PORTABLE_CUDA_ROUNDED_2_(name, type, mode, operation)                                      \
    static inline type name##_##mode(type a, type b)                                               \
    {                                                                                              \
        return portable_cuda::rounded<portable_cuda::rounding::mode, portable_cuda::operation>(a,  \
                                                                                               b); \
    }
#define PORTABLE_CUDA_ROUNDED_(mode, type, t, fma_name)                                            \
    PORTABLE_CUDA_ROUNDED_2_(__##t##add, type, mode, addition)                                     \
    PORTABLE_CUDA_ROUNDED_2_(__##t##sub, type, mode, subtraction)                                  \
    PORTABLE_CUDA_ROUNDED_2_(__##t##mul, type, mode, multiplication)                               \
    PORTABLE_CUDA_ROUNDED_2_(__##t##div, type, mode, division)                                     \
    static inline type fma_name##_##mode(type a, type b, type c)                                   \
    {                                                                                              \
        using namespace portable_cuda;                                                             \
        return rounded<rounding::mode, multiply_add>(a, b, c);                                     \
    }                                                                                              \
    static inline type __##t##sqrt_##mode(type a)                                                  \
    {                                                                                              \
        return portable_cuda::rounded<portable_cuda::rounding::mode, portable_cuda::root>(a);      \
    }                                                                                              \
    static inline type __##t##rcp_##mode(type a)                                                   \
    {                                                                                              \
        return __##t##div_##mode(1, a);                                                            \
    }
#define PORTABLE_CUDA_ROUNDINGS_(mode)                                                             \
    PORTABLE_CUDA_ROUNDED_(mode, float, f, __fmaf)                                                 \
    PORTABLE_CUDA_ROUNDED_(mode, double, d, __fma)                                                 \
    /* without -ftz, the same */                                                                   \
    static inline float __fmaf_ieee_##mode(float a, float b, float c)                              \
    {                                                                                              \
        return __fmaf_##mode(a, b, c);                                                             \
    }
PORTABLE_CUDA_ROUNDINGS_(rn)
PORTABLE_CUDA_ROUNDINGS_(rz)
PORTABLE_CUDA_ROUNDINGS_(ru)
PORTABLE_CUDA_ROUNDINGS_(rd)
#undef PORTABLE_CUDA_ROUNDINGS_
#undef PORTABLE_CUDA_ROUNDED_
#undef PORTABLE_CUDA_ROUNDED_2_

/* The nearest float of 1 / sqrt(x): compares x m^2 with 1, exactly, for the numbers m halfway to
 * the neighbours of a result that is off by one unit at most. */
static inline float __frsqrt_rn(float x)
{
    const double exact = x;
    float nearest = (float)(1 / __builtin_sqrt(exact));
    if (!(x > 0) || x > 3.402823466e38f)
        return portable_cuda::canonical(nearest);
    const float up = nextafterf(nearest, 3e38f), down = nextafterf(nearest, 0);
    const double above = ((double)nearest + up) / 2, below = ((double)nearest + down) / 2;
    if (__builtin_fma(exact, above * above, -1) < 0)
        nearest = up;
    else if (__builtin_fma(exact, below * below, -1) > 0)
        nearest = down;
    return nearest;
}

static inline float __saturatef(float x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

/* ---- fast approximations ---- */

/* The C library declares functions of most of these names that it does not offer. */
#define __sinf portable_cuda_sinf_
#define __cosf portable_cuda_cosf_
#define __tanf portable_cuda_tanf_
#define __tanhf portable_cuda_tanhf_
#define __sincosf portable_cuda_sincosf_
#define __expf portable_cuda_expf_
#define __exp10f portable_cuda_exp10f_
#define __logf portable_cuda_logf_
#define __log2f portable_cuda_log2f_
#define __log10f portable_cuda_log10f_
#define __powf portable_cuda_powf_
/* In the place of the C library's functions fpcheck has others, for -use_fast_math: these are the
 * same in any build. */
#if defined(PORTABLE_MATH_)
#define PORTABLE_CUDA_LIBRARY_(name) __real_##name
extern "C" float __real_sinf(float), __real_cosf(float), __real_expf(float), __real_exp10f(float),
    __real_logf(float), __real_log10f(float);
#else
#define PORTABLE_CUDA_LIBRARY_(name) ::name
#endif
static inline float __sinf(float x)
{
    return PORTABLE_CUDA_LIBRARY_(sinf)(x);
}
static inline float __cosf(float x)
{
    return PORTABLE_CUDA_LIBRARY_(cosf)(x);
}
static __forceinline__ void __sincosf(float x, float *sine, float *cosine)
{
    *sine = PORTABLE_CUDA_LIBRARY_(sinf)(x);
    *cosine = PORTABLE_CUDA_LIBRARY_(cosf)(x);
}
static inline float __tanf(float x)
{
    return portable_cuda::exact_quotient(PORTABLE_CUDA_LIBRARY_(sinf)(x),
                                         PORTABLE_CUDA_LIBRARY_(cosf)(x));
}
static inline float __tanhf(float x)
{
    return __builtin_tanhf(x);
}
static inline float __expf(float x)
{
    return PORTABLE_CUDA_LIBRARY_(expf)(x);
}
static inline float __exp10f(float x)
{
    return PORTABLE_CUDA_LIBRARY_(exp10f)(x);
}
static inline float __logf(float x)
{
    return PORTABLE_CUDA_LIBRARY_(logf)(x);
}
static inline float __log2f(float x)
{
    return __builtin_log2f(x);
}
static inline float __log10f(float x)
{
    return PORTABLE_CUDA_LIBRARY_(log10f)(x);
}
#undef PORTABLE_CUDA_LIBRARY_
/* By its definition a NaN for x < 0, whatever y is. */
static inline float __powf(float x, float y)
{
    return __builtin_exp2f(y * __builtin_log2f(x));
}
/* 0, or a NaN for an infinite x, if |y| is above 2^126 */
static inline float __fdividef(float x, float y)
{
    return __builtin_fabsf(y) > 8.507059173e37f ? x * __builtin_copysignf(0, y)
                                                : portable_cuda::exact_quotient(x, y);
}
static inline float fdividef(float x, float y)
{
    return x / y;
}
static inline double fdivide(double x, double y)
{
    return x / y;
}

/* ---- powers, roots and norms ---- */

/* The float functions are computed in double and the double ones in long double, which has more
 * bits and a wider range on x86-64 and aarch64: one rounding, no overflow on the way. */
namespace portable_cuda
{
static inline long double norm_of(const double *values, int count)
{
    long double sum = 0;
    bool infinite = false;
    for (int i = 0; i < count; i++) {
        infinite |= __builtin_isinf(values[i]) != 0;
        sum += (long double)values[i] * values[i];
    }
    return infinite ? __builtin_infl() : sqrtl(sum);
}
static inline long double norm_of(const float *values, int count)
{
    double sum = 0;
    bool infinite = false;
    for (int i = 0; i < count; i++) {
        infinite |= __builtin_isinf(values[i]) != 0;
        sum += (double)values[i] * values[i];
    }
    return infinite ? __builtin_infl() : __builtin_sqrt(sum);
}
} // namespace portable_cuda

static inline double rsqrt(double x)
{
#if defined(PORTABLE_FPCHECK_) /* sees no long doubles */
    (void)portable_cuda::opaque(1 / __builtin_sqrt(portable_cuda::opaque(x)));
#endif
    return (double)(1 / sqrtl(x));
}
static inline float rsqrtf(float x)
{
    return (float)(1 / __builtin_sqrt(x));
}
static inline float rsqrt(const float x)
{
    return rsqrtf(x);
}
static inline double rcbrt(double x)
{
    return (double)(1 / cbrtl(x));
}
static inline float rcbrtf(float x)
{
    return (float)(1 / __builtin_cbrt(x));
}
static inline float rcbrt(const float x)
{
    return rcbrtf(x);
}
static inline float exp10(const float x)
{
    return exp10f(x);
}
static inline double rhypot(double x, double y)
{
    return (double)(1 / hypotl(x, y));
}
static inline float rhypotf(float x, float y)
{
    return (float)(1 / __builtin_hypot(x, y));
}
static inline float rhypot(const float x, const float y)
{
    return rhypotf(x, y);
}
#define PORTABLE_CUDA_NORMS_(type, f)                                                              \
    static inline type norm##f(int count, const type *values)                                      \
    {                                                                                              \
        return (type)portable_cuda::norm_of(values, count);                                        \
    }                                                                                              \
    static inline type rnorm##f(int count, const type *values)                                     \
    {                                                                                              \
        return (type)(1 / portable_cuda::norm_of(values, count));                                  \
    }                                                                                              \
    static inline type norm3d##f(type a, type b, type c)                                           \
    {                                                                                              \
        const type values[] = {a, b, c};                                                           \
        return norm##f(3, values);                                                                 \
    }                                                                                              \
    static inline type rnorm3d##f(type a, type b, type c)                                          \
    {                                                                                              \
        const type values[] = {a, b, c};                                                           \
        return rnorm##f(3, values);                                                                \
    }                                                                                              \
    static inline type norm4d##f(type a, type b, type c, type d)                                   \
    {                                                                                              \
        const type values[] = {a, b, c, d};                                                        \
        return norm##f(4, values);                                                                 \
    }                                                                                              \
    static inline type rnorm4d##f(type a, type b, type c, type d)                                  \
    {                                                                                              \
        const type values[] = {a, b, c, d};                                                        \
        return rnorm##f(4, values);                                                                \
    }
PORTABLE_CUDA_NORMS_(double, )
PORTABLE_CUDA_NORMS_(float, f)
#undef PORTABLE_CUDA_NORMS_

/* ---- trigonometric functions ---- */

static __forceinline__ void sincos(const float x, float *const sine, float *const cosine)
{
    *sine = __builtin_sinf(x); /* not in the C library, where the checks see no store */
    *cosine = __builtin_cosf(x);
}

namespace portable_cuda
{
constexpr long double pi = 3.14159265358979323846264338327950288L;
/* x = 2 k + quadrant / 2 + rest, exactly, with |rest| <= 1/4 */
struct turn {
    explicit turn(double x)
    {
        const double within = x - 2 * __builtin_rint(x / 2);
        const double halves = __builtin_rint(2 * within);
        quadrant = (int)halves & 3;
        rest = within - halves / 2;
    }
    int quadrant;
    double rest;
};
static inline long double sine_of_turn(double x)
{
    if (!__builtin_isfinite(x))
        return x - x;
    const turn t(x);
    const long double angle = pi * t.rest;
    const long double magnitude = t.quadrant & 1 ? cosl(angle) : sinl(angle);
    const long double result = t.quadrant & 2 ? -magnitude : magnitude;
    return result == 0 ? copysignl(0, x) : result;
}
static inline long double cosine_of_turn(double x)
{
    if (!__builtin_isfinite(x))
        return x - x;
    const turn t(x);
    const long double angle = pi * t.rest;
    const long double magnitude = t.quadrant & 1 ? sinl(angle) : cosl(angle);
    const long double result = (t.quadrant + 1) & 2 ? -magnitude : magnitude;
    return result == 0 ? 0 : result;
}
} // namespace portable_cuda

static inline double sinpi(double x)
{
    return (double)portable_cuda::sine_of_turn(x);
}
static inline float sinpif(float x)
{
    return portable_cuda::canonical((float)portable_cuda::sine_of_turn(x));
}
static inline float sinpi(const float x)
{
    return sinpif(x);
}
static inline double cospi(double x)
{
    return (double)portable_cuda::cosine_of_turn(x);
}
static inline float cospif(float x)
{
    return portable_cuda::canonical((float)portable_cuda::cosine_of_turn(x));
}
static inline float cospi(const float x)
{
    return cospif(x);
}
static __forceinline__ void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}
static __forceinline__ void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}
static __forceinline__ void sincospi(const float x, float *const sine, float *const cosine)
{
    sincospif(x, sine, cosine);
}

/* ---- error functions ---- */

namespace portable_cuda
{
constexpr long double two_over_sqrt_pi = 1.12837916709551257389615890312154517L;
constexpr long double sqrt_two = 1.41421356237309504880168872420969808L;

/* y with erf(y) = x, for |x| <= 1/2; Newton's method, which doubles the digits in each step. */
static inline long double inverse_erf(long double x)
{
    long double y = x / two_over_sqrt_pi;
    for (int i = 0; i < 6; i++)
        y -= (erfl(y) - x) / (two_over_sqrt_pi * expl(-y * y));
    return x == 0 ? x : y;
}
/* y with erfc(y) = q, for 0 < q <= 1/2: Newton's method for log(erfc(y)), which is concave, from a
 * bound above the root. */
static inline long double inverse_erfc(long double q)
{
    const long double log_q = logl(q);
    long double y = sqrtl(-log_q);
    for (int i = 0; i < 9; i++) {
        const long double tail = erfcl(y);
        y += (logl(tail) - log_q) * tail / (two_over_sqrt_pi * expl(-y * y));
    }
    return y;
}
static inline long double erfcinv_of(double q)
{
    if (!(q >= 0 && q <= 2))
        return __builtin_nanl("");
    if (q == 0 || q == 2)
        return q == 0 ? __builtin_infl() : -__builtin_infl();
    if (q < 0.5)
        return inverse_erfc(q);
    return q > 1.5 ? -inverse_erfc(2 - q) : inverse_erf(1 - q);
}
static inline long double erfinv_of(double x)
{
    if (!(x >= -1 && x <= 1))
        return __builtin_nanl("");
    if (x >= -0.5 && x <= 0.5)
        return inverse_erf(x);
    if (x == 1 || x == -1)
        return x * __builtin_infl();
    return x > 0 ? inverse_erfc(1 - (long double)x) : -inverse_erfc(1 + (long double)x);
}
static inline long double normcdfinv_of(double p)
{
    return p == 0.5 ? 0 : -sqrt_two * erfcinv_of(2 * p);
}
static inline long double normcdf_of(double x)
{
    return erfcl(-x / sqrt_two) / 2;
}
/* exp(x^2) erfc(x); beyond 26 by the asymptotic series. */
static inline long double erfcx_of(double x)
{
    if (x < 26)
        return x < -27 ? __builtin_infl() : expl((long double)x * x) * erfcl(x);
    const long double half = 1 / (2 * (long double)x * x);
    long double sum = 1, term = 1;
    for (int k = 1; k < 12; k++)
        sum += term *= -(2 * k - 1) * half;
    return x != x ? (long double)x : sum * two_over_sqrt_pi / (2 * (long double)x);
}

/* The modified Bessel functions I0 and I1: power series, beyond 50 Hankel's asymptotic series
 * (Abramowitz and Stegun, 9.6.10 and 9.7.1). */
static inline long double bessel_i(int order, double x)
{
    const long double size = __builtin_fabs(x);
    const long double sign = order == 1 && x < 0 ? -1 : 1;
    long double sum, term;
    if (!(size < 50)) {
        if (!(size < 11000)) /* beyond long double, too */
            return size == size ? sign * __builtin_infl() : size;
        sum = term = 1;
        for (int k = 1; k < 40; k++) {
            term *= -(4.0L * order - (2.0L * k - 1) * (2 * k - 1)) / (8 * k * size);
            sum += term;
        }
        return sign * sum * expl(size) / sqrtl(2 * pi * size);
    }
    sum = term = order == 1 ? (long double)x / 2 : 1;
    for (int k = 1; k < 100; k++)
        sum += term *= size * size / 4 / ((long double)k * (k + order));
    return sum;
}
} // namespace portable_cuda

#define PORTABLE_CUDA_FUNCTION_(name, expression)                                                  \
    static inline double name(double x)                                                            \
    {                                                                                              \
        return (double)(expression);                                                               \
    }                                                                                              \
    static inline float name##f(float x)                                                           \
    {                                                                                              \
        return portable_cuda::canonical((float)(expression));                                      \
    }                                                                                              \
    static inline float name(const float x)                                                        \
    {                                                                                              \
        return name##f(x);                                                                         \
    }
PORTABLE_CUDA_FUNCTION_(erfinv, portable_cuda::erfinv_of(x))
PORTABLE_CUDA_FUNCTION_(erfcinv, portable_cuda::erfcinv_of(x))
PORTABLE_CUDA_FUNCTION_(normcdf, portable_cuda::normcdf_of(x))
PORTABLE_CUDA_FUNCTION_(normcdfinv, portable_cuda::normcdfinv_of(x))
PORTABLE_CUDA_FUNCTION_(erfcx, portable_cuda::erfcx_of(x))
PORTABLE_CUDA_FUNCTION_(cyl_bessel_i0, portable_cuda::bessel_i(0, x))
PORTABLE_CUDA_FUNCTION_(cyl_bessel_i1, portable_cuda::bessel_i(1, x))
#undef PORTABLE_CUDA_FUNCTION_

/* ---- Bessel functions ---- */

static inline float j0(const float x)
{
    return (float)j0((double)x);
}
static inline float j1(const float x)
{
    return (float)j1((double)x);
}
static inline float jn(const int n, const float x)
{
    return (float)jn(n, (double)x);
}
static inline float y0(const float x)
{
    return (float)y0((double)x);
}
static inline float y1(const float x)
{
    return (float)y1((double)x);
}
static inline float yn(const int n, const float x)
{
    return (float)yn(n, (double)x);
}

static inline double copysign(const double x, const float y)
{
    return __builtin_copysign(x, (double)y);
}
static inline double copysign(const float x, const double y)
{
    return __builtin_copysign((double)x, y);
}

#endif
