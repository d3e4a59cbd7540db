/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two types of 16 bits, of one element and of two, and the functions whose names they share.
 * cuda_fp16.h and cuda_bf16.h include this once each, with these macros:
 *
 *     PORTABLE_CUDA_T_, _T2_       the types
 *     PORTABLE_CUDA_RAW_, _RAW2_   their bits
 *     PORTABLE_CUDA_OTHER_         the other header's type, maybe incomplete
 *     PORTABLE_CUDA_FORMAT_        their small_float
 *     PORTABLE_CUDA_FROM_(type, rounding), PORTABLE_CUDA_TO_(type, rounding): the name of a
 *                                  conversion from and to an integer
 *     PORTABLE_CUDA_CONVERSIONS_, _OPERATORS_, _OPERATORS2_: 1 with implicit conversions, operators
 */

struct __align__(2) PORTABLE_CUDA_RAW_
{
    unsigned short x;
};
struct __align__(4) PORTABLE_CUDA_RAW2_
{
    unsigned short x, y;
};

struct PORTABLE_CUDA_OTHER_;

struct __align__(2) PORTABLE_CUDA_T_
{
  protected:
    unsigned short __x;

  public:
    PORTABLE_CUDA_T_() = default;
    constexpr PORTABLE_CUDA_T_(const PORTABLE_CUDA_RAW_ &raw) : __x(raw.x)
    {
    }
    PORTABLE_CUDA_T_ &operator=(const PORTABLE_CUDA_RAW_ &raw)
    {
        __x = raw.x;
        return *this;
    }
    volatile PORTABLE_CUDA_T_ &operator=(const PORTABLE_CUDA_RAW_ &raw) volatile
    {
        __x = raw.x;
        return *this;
    }
    volatile PORTABLE_CUDA_T_ &operator=(const volatile PORTABLE_CUDA_RAW_ &raw) volatile
    {
        __x = raw.x;
        return *this;
    }
    constexpr operator PORTABLE_CUDA_RAW_() const
    {
        return PORTABLE_CUDA_RAW_{__x};
    }
    operator PORTABLE_CUDA_RAW_() const volatile
    {
        return PORTABLE_CUDA_RAW_{__x};
    }
#if PORTABLE_CUDA_CONVERSIONS_
    explicit PORTABLE_CUDA_T_(PORTABLE_CUDA_OTHER_ other);
#define PORTABLE_CUDA_CONVERT_(type, from)                                                         \
    PORTABLE_CUDA_T_(type value) : __x(portable_cuda::PORTABLE_CUDA_FORMAT_::from)                 \
    {                                                                                              \
    }                                                                                              \
    PORTABLE_CUDA_T_ &operator=(type value)                                                        \
    {                                                                                              \
        __x = portable_cuda::PORTABLE_CUDA_FORMAT_::from;                                          \
        return *this;                                                                              \
    }
    PORTABLE_CUDA_CONVERT_(float, from_double((double)value))
    PORTABLE_CUDA_CONVERT_(double, convert(value))
    PORTABLE_CUDA_CONVERT_(short, from_integer(value, portable_cuda::small::to_nearest))
    PORTABLE_CUDA_CONVERT_(unsigned short, from_integer(value, portable_cuda::small::to_nearest))
    PORTABLE_CUDA_CONVERT_(int, from_integer(value, portable_cuda::small::to_nearest))
    PORTABLE_CUDA_CONVERT_(unsigned int, from_integer(value, portable_cuda::small::to_nearest))
    PORTABLE_CUDA_CONVERT_(long, from_integer(value, portable_cuda::small::to_nearest))
    PORTABLE_CUDA_CONVERT_(unsigned long, from_integer(value, portable_cuda::small::to_nearest))
    PORTABLE_CUDA_CONVERT_(long long, from_integer(value, portable_cuda::small::to_nearest))
    PORTABLE_CUDA_CONVERT_(unsigned long long,
                           from_integer(value, portable_cuda::small::to_nearest))
#undef PORTABLE_CUDA_CONVERT_
    operator float() const
    {
        return portable_cuda::PORTABLE_CUDA_FORMAT_::to_float(__x);
    }
#define PORTABLE_CUDA_CONVERT_(type, nan)                                                          \
    operator type() const                                                                          \
    {                                                                                              \
        return portable_cuda::small::saturate<type>(                                               \
            trunc(portable_cuda::PORTABLE_CUDA_FORMAT_::to_double(__x)), nan);                     \
    }
    PORTABLE_CUDA_CONVERT_(signed char, 0)
    PORTABLE_CUDA_CONVERT_(unsigned char, 0)
    PORTABLE_CUDA_CONVERT_(char, 0)
    PORTABLE_CUDA_CONVERT_(short, 0)
    PORTABLE_CUDA_CONVERT_(unsigned short, 0)
    PORTABLE_CUDA_CONVERT_(int, 0)
    PORTABLE_CUDA_CONVERT_(unsigned int, 0)
    PORTABLE_CUDA_CONVERT_(long, (long)(1ul << 63))
    PORTABLE_CUDA_CONVERT_(unsigned long, 1ul << 63)
    PORTABLE_CUDA_CONVERT_(long long, (long long)(1ull << 63))
    PORTABLE_CUDA_CONVERT_(unsigned long long, 1ull << 63)
#undef PORTABLE_CUDA_CONVERT_
    constexpr operator bool() const
    {
        return (__x & 0x7fff) != 0;
    }
#endif
};

struct __align__(4) PORTABLE_CUDA_T2_
{
    PORTABLE_CUDA_T_ x, y;

    PORTABLE_CUDA_T2_() = default;
    constexpr PORTABLE_CUDA_T2_(const PORTABLE_CUDA_T_ &low, const PORTABLE_CUDA_T_ &high)
        : x(low), y(high)
    {
    }
    PORTABLE_CUDA_T2_(const PORTABLE_CUDA_RAW2_ &raw)
        : x(PORTABLE_CUDA_RAW_{raw.x}), y(PORTABLE_CUDA_RAW_{raw.y})
    {
    }
    /* Of that type alone: {} stands for the default of the other assignments. */
    template <class Raw,
              typename std::enable_if<std::is_same<Raw, PORTABLE_CUDA_RAW2_>::value, int>::type = 0>
    PORTABLE_CUDA_T2_ &operator=(const Raw &raw)
    {
        x = PORTABLE_CUDA_RAW_{raw.x};
        y = PORTABLE_CUDA_RAW_{raw.y};
        return *this;
    }
    operator PORTABLE_CUDA_RAW2_() const
    {
        return PORTABLE_CUDA_RAW2_{((PORTABLE_CUDA_RAW_)x).x, ((PORTABLE_CUDA_RAW_)y).x};
    }
};

namespace portable_cuda
{
static inline unsigned short half_bits(PORTABLE_CUDA_T_ a)
{
    return ((PORTABLE_CUDA_RAW_)a).x;
}
static inline double half_value(PORTABLE_CUDA_T_ a)
{
    return PORTABLE_CUDA_FORMAT_::to_double(half_bits(a));
}
} // namespace portable_cuda

#define PORTABLE_CUDA_BITS_(expression)                                                            \
    PORTABLE_CUDA_T_(PORTABLE_CUDA_RAW_{(unsigned short)(expression)})
#define PORTABLE_CUDA_ROUND_(expression)                                                           \
    PORTABLE_CUDA_BITS_(portable_cuda::PORTABLE_CUDA_FORMAT_::from_double(expression))

/* Conversions from and to integers. */
#define PORTABLE_CUDA_CONVERT_(type, name, mode, rounding, nan)                                    \
    static inline PORTABLE_CUDA_T_ PORTABLE_CUDA_FROM_(name, mode)(type i)                         \
    {                                                                                              \
        return PORTABLE_CUDA_BITS_(portable_cuda::PORTABLE_CUDA_FORMAT_::from_integer(             \
            i, portable_cuda::small::rounding));                                                   \
    }                                                                                              \
    static inline type PORTABLE_CUDA_TO_(name, mode)(PORTABLE_CUDA_T_ h)                           \
    {                                                                                              \
        return portable_cuda::small::saturate<type>(                                               \
            portable_cuda::small::round_to_integer(portable_cuda::half_value(h),                   \
                                                   portable_cuda::small::rounding),                \
            nan);                                                                                  \
    }
#define PORTABLE_CUDA_CONVERTS_(type, name, nan)                                                   \
    PORTABLE_CUDA_CONVERT_(type, name, rn, to_nearest, nan)                                        \
    PORTABLE_CUDA_CONVERT_(type, name, rz, toward_zero, nan)                                       \
    PORTABLE_CUDA_CONVERT_(type, name, ru, upward, nan)                                            \
    PORTABLE_CUDA_CONVERT_(type, name, rd, downward, nan)
PORTABLE_CUDA_CONVERTS_(short, short, 0)
PORTABLE_CUDA_CONVERTS_(unsigned short, ushort, 0)
PORTABLE_CUDA_CONVERTS_(int, int, 0)
PORTABLE_CUDA_CONVERTS_(unsigned int, uint, 0)
PORTABLE_CUDA_CONVERTS_(long long, ll, (long long)(1ull << 63))
PORTABLE_CUDA_CONVERTS_(unsigned long long, ull, 1ull << 63)
#undef PORTABLE_CUDA_CONVERTS_
#undef PORTABLE_CUDA_CONVERT_
static inline signed char PORTABLE_CUDA_TO_(char, rz)(PORTABLE_CUDA_T_ h)
{
    return portable_cuda::small::saturate<signed char>(trunc(portable_cuda::half_value(h)), 0);
}
static inline unsigned char PORTABLE_CUDA_TO_(uchar, rz)(PORTABLE_CUDA_T_ h)
{
    return portable_cuda::small::saturate<unsigned char>(trunc(portable_cuda::half_value(h)), 0);
}

/* Classes, signs, minima and maxima. */
static inline bool __hisnan(PORTABLE_CUDA_T_ a)
{
    return portable_cuda::PORTABLE_CUDA_FORMAT_::is_nan(portable_cuda::half_bits(a));
}
static inline int __hisinf(PORTABLE_CUDA_T_ a)
{
    const unsigned short bits = portable_cuda::half_bits(a);
    if ((bits & 0x7fff) != portable_cuda::PORTABLE_CUDA_FORMAT_::infinity)
        return 0;
    return bits & 0x8000 ? -1 : 1;
}
static inline PORTABLE_CUDA_T_ __hneg(PORTABLE_CUDA_T_ a)
{
    return PORTABLE_CUDA_BITS_(__hisnan(a) ? portable_cuda::PORTABLE_CUDA_FORMAT_::nan
                                           : portable_cuda::half_bits(a) ^ 0x8000u);
}
static inline PORTABLE_CUDA_T_ __habs(PORTABLE_CUDA_T_ a)
{
    return PORTABLE_CUDA_BITS_(__hisnan(a) ? portable_cuda::PORTABLE_CUDA_FORMAT_::nan
                                           : portable_cuda::half_bits(a) & 0x7fffu);
}
namespace portable_cuda
{
/* -0 is less than +0. */
static inline bool half_less(PORTABLE_CUDA_T_ a, PORTABLE_CUDA_T_ b)
{
    const double x = half_value(a), y = half_value(b);
    return x < y || (x == y && half_bits(a) > half_bits(b));
}
static inline PORTABLE_CUDA_T_ half_choose(PORTABLE_CUDA_T_ a, PORTABLE_CUDA_T_ b, bool greater)
{
    if (__hisnan(a))
        return __hisnan(b) ? PORTABLE_CUDA_BITS_(PORTABLE_CUDA_FORMAT_::nan) : b;
    if (__hisnan(b))
        return a;
    return half_less(a, b) == greater ? b : a;
}
static inline PORTABLE_CUDA_T_ half_choose_nan(PORTABLE_CUDA_T_ a, PORTABLE_CUDA_T_ b, bool greater)
{
    if (__hisnan(a) || __hisnan(b))
        return PORTABLE_CUDA_BITS_(PORTABLE_CUDA_FORMAT_::nan);
    return half_less(a, b) == greater ? b : a;
}
/* To [0, 1]; NaN is 0. */
static inline PORTABLE_CUDA_T_ half_saturated(PORTABLE_CUDA_T_ a)
{
    const double x = half_value(a);
    return x > 0 ? (x < 1 ? a : PORTABLE_CUDA_ROUND_(1.0)) : PORTABLE_CUDA_BITS_(0);
}
static inline PORTABLE_CUDA_T_ half_without_negatives(PORTABLE_CUDA_T_ a)
{
    return __hisnan(a) || half_value(a) > 0 ? a : PORTABLE_CUDA_BITS_(0);
}
} // namespace portable_cuda

/* Arithmetic: f(a, b) and f2, of each element. */
#define PORTABLE_CUDA_BINARY_(name, name2, expression)                                             \
    static inline PORTABLE_CUDA_T_ name(PORTABLE_CUDA_T_ a, PORTABLE_CUDA_T_ b)                    \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    static inline PORTABLE_CUDA_T2_ name2(PORTABLE_CUDA_T2_ a, PORTABLE_CUDA_T2_ b)                \
    {                                                                                              \
        return PORTABLE_CUDA_T2_(name(a.x, b.x), name(a.y, b.y));                                  \
    }
#define PORTABLE_CUDA_FORMAT_CALL_(function)                                                       \
    PORTABLE_CUDA_BITS_(portable_cuda::PORTABLE_CUDA_FORMAT_::function(                            \
        portable_cuda::half_bits(a), portable_cuda::half_bits(b)))
PORTABLE_CUDA_BINARY_(__hadd, __hadd2, PORTABLE_CUDA_FORMAT_CALL_(add))
PORTABLE_CUDA_BINARY_(__hmul, __hmul2, PORTABLE_CUDA_FORMAT_CALL_(mul))
PORTABLE_CUDA_BINARY_(__hdiv, __h2div, PORTABLE_CUDA_FORMAT_CALL_(div))
PORTABLE_CUDA_BINARY_(__hsub, __hsub2,
                      PORTABLE_CUDA_BITS_(portable_cuda::PORTABLE_CUDA_FORMAT_::add(
                          portable_cuda::half_bits(a),
                          (unsigned short)(portable_cuda::half_bits(b) ^ 0x8000))))
PORTABLE_CUDA_BINARY_(__hadd_rn, __hadd2_rn, __hadd(a, b))
PORTABLE_CUDA_BINARY_(__hsub_rn, __hsub2_rn, __hsub(a, b))
PORTABLE_CUDA_BINARY_(__hmul_rn, __hmul2_rn, __hmul(a, b))
PORTABLE_CUDA_BINARY_(__hadd_sat, __hadd2_sat, portable_cuda::half_saturated(__hadd(a, b)))
PORTABLE_CUDA_BINARY_(__hsub_sat, __hsub2_sat, portable_cuda::half_saturated(__hsub(a, b)))
PORTABLE_CUDA_BINARY_(__hmul_sat, __hmul2_sat, portable_cuda::half_saturated(__hmul(a, b)))
PORTABLE_CUDA_BINARY_(__hmax, __hmax2, portable_cuda::half_choose(a, b, true))
PORTABLE_CUDA_BINARY_(__hmin, __hmin2, portable_cuda::half_choose(a, b, false))
PORTABLE_CUDA_BINARY_(__hmax_nan, __hmax2_nan, portable_cuda::half_choose_nan(a, b, true))
PORTABLE_CUDA_BINARY_(__hmin_nan, __hmin2_nan, portable_cuda::half_choose_nan(a, b, false))
#undef PORTABLE_CUDA_FORMAT_CALL_
#undef PORTABLE_CUDA_BINARY_

#define PORTABLE_CUDA_FMA_(name, name2, then)                                                      \
    static inline PORTABLE_CUDA_T_ name(PORTABLE_CUDA_T_ a, PORTABLE_CUDA_T_ b,                    \
                                        PORTABLE_CUDA_T_ c)                                        \
    {                                                                                              \
        return then(PORTABLE_CUDA_BITS_(portable_cuda::PORTABLE_CUDA_FORMAT_::fma(                 \
            portable_cuda::half_bits(a), portable_cuda::half_bits(b),                              \
            portable_cuda::half_bits(c))));                                                        \
    }                                                                                              \
    static inline PORTABLE_CUDA_T2_ name2(PORTABLE_CUDA_T2_ a, PORTABLE_CUDA_T2_ b,                \
                                          PORTABLE_CUDA_T2_ c)                                     \
    {                                                                                              \
        return PORTABLE_CUDA_T2_(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                        \
    }
PORTABLE_CUDA_FMA_(__hfma, __hfma2, )
PORTABLE_CUDA_FMA_(__hfma_sat, __hfma2_sat, portable_cuda::half_saturated)
PORTABLE_CUDA_FMA_(__hfma_relu, __hfma2_relu, portable_cuda::half_without_negatives)
#undef PORTABLE_CUDA_FMA_

/* a b + c, of complex numbers. */
static inline PORTABLE_CUDA_T2_ __hcmadd(PORTABLE_CUDA_T2_ a, PORTABLE_CUDA_T2_ b,
                                         PORTABLE_CUDA_T2_ c)
{
    const PORTABLE_CUDA_T_ real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
    return PORTABLE_CUDA_T2_(
        __hfma(PORTABLE_CUDA_BITS_(portable_cuda::half_bits(a.y) ^ 0x8000u), b.y, real),
        __hfma(a.y, b.x, imaginary));
}

/* Functions of one argument: f and h2f. */
#define PORTABLE_CUDA_UNARY_(name, name2, expression)                                              \
    static inline PORTABLE_CUDA_T_ name(PORTABLE_CUDA_T_ a)                                        \
    {                                                                                              \
        const double x = portable_cuda::half_value(a);                                             \
        return PORTABLE_CUDA_ROUND_(expression);                                                   \
    }                                                                                              \
    static inline PORTABLE_CUDA_T2_ name2(PORTABLE_CUDA_T2_ a)                                     \
    {                                                                                              \
        return PORTABLE_CUDA_T2_(name(a.x), name(a.y));                                            \
    }
PORTABLE_CUDA_UNARY_(hsqrt, h2sqrt, sqrt(x))
PORTABLE_CUDA_UNARY_(hrsqrt, h2rsqrt, 1 / sqrt(x))
PORTABLE_CUDA_UNARY_(hrcp, h2rcp, 1 / x)
PORTABLE_CUDA_UNARY_(hlog, h2log, log(x))
PORTABLE_CUDA_UNARY_(hlog2, h2log2, log2(x))
PORTABLE_CUDA_UNARY_(hlog10, h2log10, log10(x))
PORTABLE_CUDA_UNARY_(hexp, h2exp, exp(x))
PORTABLE_CUDA_UNARY_(hexp2, h2exp2, exp2(x))
PORTABLE_CUDA_UNARY_(hexp10, h2exp10, pow(10, x))
PORTABLE_CUDA_UNARY_(hsin, h2sin, sin(x))
PORTABLE_CUDA_UNARY_(hcos, h2cos, cos(x))
PORTABLE_CUDA_UNARY_(htanh, h2tanh, tanh(x))
PORTABLE_CUDA_UNARY_(htanh_approx, h2tanh_approx, tanh(x))
PORTABLE_CUDA_UNARY_(hceil, h2ceil, ceil(x))
PORTABLE_CUDA_UNARY_(hfloor, h2floor, floor(x))
PORTABLE_CUDA_UNARY_(htrunc, h2trunc, trunc(x))
PORTABLE_CUDA_UNARY_(hrint, h2rint, rint(x))
#undef PORTABLE_CUDA_UNARY_
static inline PORTABLE_CUDA_T2_ __hneg2(PORTABLE_CUDA_T2_ a)
{
    return PORTABLE_CUDA_T2_(__hneg(a.x), __hneg(a.y));
}
static inline PORTABLE_CUDA_T2_ __habs2(PORTABLE_CUDA_T2_ a)
{
    return PORTABLE_CUDA_T2_(__habs(a.x), __habs(a.y));
}

/* Comparisons: __hlt is false for a NaN and __hltu true. Of two elements: 1 and 0, masks, and
 * whether it holds for both. */
#define PORTABLE_CUDA_ONE_(condition) PORTABLE_CUDA_ROUND_((condition) ? 1.0 : 0.0)
#define PORTABLE_CUDA_COMPARE_(name, name2, both, condition)                                       \
    static inline bool name(PORTABLE_CUDA_T_ left, PORTABLE_CUDA_T_ right)                         \
    {                                                                                              \
        const double a = portable_cuda::half_value(left), b = portable_cuda::half_value(right);    \
        return condition;                                                                          \
    }                                                                                              \
    static inline PORTABLE_CUDA_T2_ name2(PORTABLE_CUDA_T2_ a, PORTABLE_CUDA_T2_ b)                \
    {                                                                                              \
        return PORTABLE_CUDA_T2_(PORTABLE_CUDA_ONE_(name(a.x, b.x)),                               \
                                 PORTABLE_CUDA_ONE_(name(a.y, b.y)));                              \
    }                                                                                              \
    static inline unsigned name2##_mask(PORTABLE_CUDA_T2_ a, PORTABLE_CUDA_T2_ b)                  \
    {                                                                                              \
        return (name(a.x, b.x) ? 0xffffu : 0) | (name(a.y, b.y) ? 0xffff0000u : 0);                \
    }                                                                                              \
    static inline bool both(PORTABLE_CUDA_T2_ a, PORTABLE_CUDA_T2_ b)                              \
    {                                                                                              \
        return name(a.x, b.x) && name(a.y, b.y);                                                   \
    }
PORTABLE_CUDA_COMPARE_(__heq, __heq2, __hbeq2, a == b)
PORTABLE_CUDA_COMPARE_(__hne, __hne2, __hbne2, a<b || a> b)
PORTABLE_CUDA_COMPARE_(__hle, __hle2, __hble2, a <= b)
PORTABLE_CUDA_COMPARE_(__hge, __hge2, __hbge2, a >= b)
PORTABLE_CUDA_COMPARE_(__hlt, __hlt2, __hblt2, a < b)
PORTABLE_CUDA_COMPARE_(__hgt, __hgt2, __hbgt2, a > b)
PORTABLE_CUDA_COMPARE_(__hequ, __hequ2, __hbequ2, !(a < b || a > b))
PORTABLE_CUDA_COMPARE_(__hneu, __hneu2, __hbneu2, !(a == b))
PORTABLE_CUDA_COMPARE_(__hleu, __hleu2, __hbleu2, !(a > b))
PORTABLE_CUDA_COMPARE_(__hgeu, __hgeu2, __hbgeu2, !(a < b))
PORTABLE_CUDA_COMPARE_(__hltu, __hltu2, __hbltu2, !(a >= b))
PORTABLE_CUDA_COMPARE_(__hgtu, __hgtu2, __hbgtu2, !(a <= b))
#undef PORTABLE_CUDA_COMPARE_
static inline PORTABLE_CUDA_T2_ __hisnan2(PORTABLE_CUDA_T2_ a)
{
    return PORTABLE_CUDA_T2_(PORTABLE_CUDA_ONE_(__hisnan(a.x)), PORTABLE_CUDA_ONE_(__hisnan(a.y)));
}

static inline float __low2float(PORTABLE_CUDA_T2_ a)
{
    return portable_cuda::PORTABLE_CUDA_FORMAT_::to_float(portable_cuda::half_bits(a.x));
}
static inline float __high2float(PORTABLE_CUDA_T2_ a)
{
    return portable_cuda::PORTABLE_CUDA_FORMAT_::to_float(portable_cuda::half_bits(a.y));
}
static inline PORTABLE_CUDA_T2_ __lowhigh2highlow(PORTABLE_CUDA_T2_ a)
{
    return PORTABLE_CUDA_T2_(a.y, a.x);
}

#if defined(__CUDACC__)
/* Loads and stores with a cache hint, as in device.h. */
PORTABLE_CUDA_HINTED_(PORTABLE_CUDA_T_)
PORTABLE_CUDA_HINTED_(PORTABLE_CUDA_T2_)

namespace portable_cuda
{
/* For ordercheck: see order.h. */
static __forceinline__ unsigned tell(int does, const PORTABLE_CUDA_T_ *address,
                                     PORTABLE_CUDA_T_ value, PORTABLE_CUDA_T_ old)
{
#if defined(PORTABLE_ORDERCHECK_)
    return portable_emulate_operation_(
        does |
            (PORTABLE_CUDA_FORMAT_::infinity == 0x7c00 ? portable_of_half_ : portable_of_bfloat16_),
        address, sizeof *address, 0, half_value(value), half_value(old));
#else
    return (void)does, (void)address, (void)value, (void)old, 0;
#endif
}
static __forceinline__ PORTABLE_CUDA_T_ result(PORTABLE_CUDA_T_ old, unsigned number)
{
#if defined(PORTABLE_ORDERCHECK_)
    return PORTABLE_CUDA_BITS_(
        (unsigned short)portable_emulate_result_uint_(half_bits(old), number));
#else
    return (void)number, old;
#endif
}
} // namespace portable_cuda

static __forceinline__ PORTABLE_CUDA_T_ atomicAdd(PORTABLE_CUDA_T_ *address, PORTABLE_CUDA_T_ value)
{
    portable_cuda::begin_told_atomic(portable_cuda::device_scope, address);
    const PORTABLE_CUDA_T_ old = *address;
    const unsigned number = portable_cuda::tell(portable_operation_add_, address, value, old);
    *address = __hadd(old, value);
    portable_cuda::end_atomic();
    return portable_cuda::result(old, number);
}
static __forceinline__ PORTABLE_CUDA_T2_ atomicAdd(PORTABLE_CUDA_T2_ *address,
                                                   PORTABLE_CUDA_T2_ value)
{
    portable_cuda::begin_told_atomic(portable_cuda::device_scope, address);
    const PORTABLE_CUDA_T2_ old = *address;
    const unsigned first =
        portable_cuda::tell(portable_operation_add_, &address->x, value.x, old.x);
    const unsigned second =
        portable_cuda::tell(portable_operation_add_, &address->y, value.y, old.y);
    *address = __hadd2(old, value);
    portable_cuda::end_atomic();
    return PORTABLE_CUDA_T2_(portable_cuda::result(old.x, first),
                             portable_cuda::result(old.y, second));
}
#endif

#if PORTABLE_CUDA_OPERATORS_
#define PORTABLE_CUDA_OPERATOR_(sign, function)                                                    \
    static inline PORTABLE_CUDA_T_ operator sign(const PORTABLE_CUDA_T_ &a,                        \
                                                 const PORTABLE_CUDA_T_ &b)                        \
    {                                                                                              \
        return function(a, b);                                                                     \
    }                                                                                              \
    static inline PORTABLE_CUDA_T_ &operator sign##=(PORTABLE_CUDA_T_ &a,                          \
                                                     const PORTABLE_CUDA_T_ &b)                    \
    {                                                                                              \
        a = function(a, b);                                                                        \
        return a;                                                                                  \
    }
PORTABLE_CUDA_OPERATOR_(+, __hadd)
PORTABLE_CUDA_OPERATOR_(-, __hsub)
PORTABLE_CUDA_OPERATOR_(*, __hmul)
PORTABLE_CUDA_OPERATOR_(/, __hdiv)
#undef PORTABLE_CUDA_OPERATOR_
#define PORTABLE_CUDA_OPERATOR_(sign, function)                                                    \
    static inline bool operator sign(const PORTABLE_CUDA_T_ &a, const PORTABLE_CUDA_T_ &b)         \
    {                                                                                              \
        return function(a, b);                                                                     \
    }
PORTABLE_CUDA_OPERATOR_(==, __heq)
PORTABLE_CUDA_OPERATOR_(!=, __hneu)
PORTABLE_CUDA_OPERATOR_(>, __hgt)
PORTABLE_CUDA_OPERATOR_(<, __hlt)
PORTABLE_CUDA_OPERATOR_(>=, __hge)
PORTABLE_CUDA_OPERATOR_(<=, __hle)
#undef PORTABLE_CUDA_OPERATOR_
static inline PORTABLE_CUDA_T_ operator+(const PORTABLE_CUDA_T_ &a)
{
    return a;
}
static inline PORTABLE_CUDA_T_ operator-(const PORTABLE_CUDA_T_ &a)
{
    return __hneg(a);
}
static inline PORTABLE_CUDA_T_ &operator++(PORTABLE_CUDA_T_ &a)
{
    a = __hadd(a, PORTABLE_CUDA_ROUND_(1.0));
    return a;
}
static inline PORTABLE_CUDA_T_ &operator--(PORTABLE_CUDA_T_ &a)
{
    a = __hsub(a, PORTABLE_CUDA_ROUND_(1.0));
    return a;
}
static inline PORTABLE_CUDA_T_ operator++(PORTABLE_CUDA_T_ &a, int)
{
    const PORTABLE_CUDA_T_ old = a;
    ++a;
    return old;
}
static inline PORTABLE_CUDA_T_ operator--(PORTABLE_CUDA_T_ &a, int)
{
    const PORTABLE_CUDA_T_ old = a;
    --a;
    return old;
}
#endif

#if PORTABLE_CUDA_OPERATORS2_
#define PORTABLE_CUDA_OPERATOR_(sign, function)                                                    \
    static inline PORTABLE_CUDA_T2_ operator sign(const PORTABLE_CUDA_T2_ &a,                      \
                                                  const PORTABLE_CUDA_T2_ &b)                      \
    {                                                                                              \
        return function(a, b);                                                                     \
    }                                                                                              \
    static inline PORTABLE_CUDA_T2_ &operator sign##=(PORTABLE_CUDA_T2_ &a,                        \
                                                      const PORTABLE_CUDA_T2_ &b)                  \
    {                                                                                              \
        a = function(a, b);                                                                        \
        return a;                                                                                  \
    }
PORTABLE_CUDA_OPERATOR_(+, __hadd2)
PORTABLE_CUDA_OPERATOR_(-, __hsub2)
PORTABLE_CUDA_OPERATOR_(*, __hmul2)
PORTABLE_CUDA_OPERATOR_(/, __h2div)
#undef PORTABLE_CUDA_OPERATOR_
#define PORTABLE_CUDA_OPERATOR_(sign, function)                                                    \
    static inline bool operator sign(const PORTABLE_CUDA_T2_ &a, const PORTABLE_CUDA_T2_ &b)       \
    {                                                                                              \
        return function(a, b);                                                                     \
    }
PORTABLE_CUDA_OPERATOR_(==, __hbeq2)
PORTABLE_CUDA_OPERATOR_(!=, __hbneu2)
PORTABLE_CUDA_OPERATOR_(>, __hbgt2)
PORTABLE_CUDA_OPERATOR_(<, __hblt2)
PORTABLE_CUDA_OPERATOR_(>=, __hbge2)
PORTABLE_CUDA_OPERATOR_(<=, __hble2)
#undef PORTABLE_CUDA_OPERATOR_
static inline PORTABLE_CUDA_T2_ operator+(const PORTABLE_CUDA_T2_ &a)
{
    return a;
}
static inline PORTABLE_CUDA_T2_ operator-(const PORTABLE_CUDA_T2_ &a)
{
    return __hneg2(a);
}
static inline PORTABLE_CUDA_T2_ &operator++(PORTABLE_CUDA_T2_ &a)
{
    const PORTABLE_CUDA_T_ one = PORTABLE_CUDA_ROUND_(1.0);
    a = __hadd2(a, PORTABLE_CUDA_T2_(one, one));
    return a;
}
static inline PORTABLE_CUDA_T2_ &operator--(PORTABLE_CUDA_T2_ &a)
{
    const PORTABLE_CUDA_T_ one = PORTABLE_CUDA_ROUND_(1.0);
    a = __hsub2(a, PORTABLE_CUDA_T2_(one, one));
    return a;
}
static inline PORTABLE_CUDA_T2_ operator++(PORTABLE_CUDA_T2_ &a, int)
{
    const PORTABLE_CUDA_T2_ old = a;
    ++a;
    return old;
}
static inline PORTABLE_CUDA_T2_ operator--(PORTABLE_CUDA_T2_ &a, int)
{
    const PORTABLE_CUDA_T2_ old = a;
    --a;
    return old;
}
#endif
#undef PORTABLE_CUDA_ONE_
