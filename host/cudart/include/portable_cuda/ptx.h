/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions of inline PTX, as functions that the statements of host/nvcc/ptx.c call. The
 * forms are in host/nvcc/ptx_table.h. Memory is accessed in functions that are inlined, so that the
 * checks see an access of the user's line.
 *
 * The compiler sees what lies between the two pragmas only in files with PTX.
 */
#ifndef PORTABLE_CUDA_PTX_H
#define PORTABLE_CUDA_PTX_H

#include <math.h>

#include <type_traits>

#include "../../../emulate/calls.h"
#include "atomic_builtins.h"
#include "barrier.h"
#include "device.h"
#include "integer.h"
#include "lanes.h"
#include "math.h"
#include "order.h"
#include "small_float.h"
#include "synchronisation.h"

#pragma portable_ptx begin
namespace portable_cuda
{
namespace ptx
{
/* ---- types, modifiers, registers ---- */

typedef bool pred, b1;
typedef unsigned char b8, u8;
typedef signed char s8;
typedef unsigned short b16, u16;
typedef short s16;
typedef unsigned b32, u32;
typedef int s32;
typedef unsigned long long b64, u64;
typedef long long s64;
__extension__ typedef unsigned __int128 b128;
__extension__ typedef __int128 s128;
typedef float f32;
typedef double f64;
struct f16 {
    b16 bits;
    typedef small::small_float<5, 10> format;
};
struct bf16 {
    b16 bits;
    typedef small::small_float<8, 7> format;
};
struct f16x2 {
    b32 bits;
    typedef f16 element;
};
struct bf16x2 {
    b32 bits;
    typedef bf16 element;
};
struct u16x2 {
    b32 bits;
    typedef u16 element;
};
struct s16x2 {
    b32 bits;
    typedef s16 element;
};
struct tf32 {
    b32 bits;
};
/* 8 bits each. The first has no infinity, and one NaN in the place of a ninth number of 480. */
struct e4m3x2 {
    b16 bits;
    typedef small::small_float<4, 3> format;
    static constexpr unsigned largest = 0x7e;
};
struct e5m2x2 {
    b16 bits;
    typedef small::small_float<5, 2> format;
    static constexpr unsigned largest = 0x7b;
};

/* clang-format off */
#define PORTABLE_PTX_TAGS_(X)                                                                      \
    X(none) X(cc) X(lo) X(hi) X(relu) X(shiftamt) X(clamp) X(wrap) X(f4e) X(b4e) X(rc8) X(ecl)     \
    X(ecr) X(rc16) X(and) X(or) X(xor) X(l) X(r) X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(ls) X(hs)   \
    X(equ) X(neu) X(ltu) X(leu) X(gtu) X(geu) X(num) X(nan) X(ftz) X(sat) X(rn) X(rz) X(rm) X(rp)  \
    X(rni) X(rzi) X(rmi) X(rpi) X(rna) X(approx) X(full) X(NaN) X(xorsign) X(finite) X(infinite)   \
    X(number) X(notanumber) X(normal) X(subnormal) X(weak) X(volatile) X(relaxed) X(acquire)       \
    X(release) X(acq_rel) X(cta) X(cluster) X(gpu) X(sys) X(gl) X(global) X(shared) X(shared__cta) \
    X(shared__cluster) X(local) X(const) X(param) X(param__entry) X(add) X(min) X(max) X(inc)      \
    X(dec) X(all) X(any) X(uni) X(up) X(down) X(bfly) X(idx) X(L1) X(L2) X(L2__evict_last)         \
    X(L2__evict_normal) X(ca) X(cg) X(alias) X(async) X(noinc) X(noComplete) X(wait)               \
    X(launch_dependents) X(x1) X(x2) X(x4) X(trans) X(satfinite)
/* clang-format on */
#define PORTABLE_PTX_TAG_(name)                                                                    \
    struct name##_ {                                                                               \
    };
PORTABLE_PTX_TAGS_(PORTABLE_PTX_TAG_)
#undef PORTABLE_PTX_TAG_
#undef PORTABLE_PTX_TAGS_
template <int m_, int n_, int k_> struct shape {
    static constexpr int m = m_, n = n_, k = k_;
};
typedef shape<8, 8, 4> m8n8k4_;
typedef shape<8, 8, 16> m8n8k16_;
typedef shape<16, 8, 4> m16n8k4_;
typedef shape<16, 8, 8> m16n8k8_;
typedef shape<16, 8, 16> m16n8k16_;
typedef shape<16, 8, 32> m16n8k32_;

template <class A, class B> constexpr bool is = std::is_same<A, B>::value;
template <class A> constexpr bool given = !is<A, none_>;

/* An unsigned integer as wide as T. */
template <size_t Bytes> struct bits_of_size;
template <> struct bits_of_size<1> {
    typedef b8 type;
};
template <> struct bits_of_size<2> {
    typedef b16 type;
};
template <> struct bits_of_size<4> {
    typedef b32 type;
};
template <> struct bits_of_size<8> {
    typedef b64 type;
};
template <> struct bits_of_size<16> {
    typedef b128 type;
};
template <class T> using bits_for = typename bits_of_size<sizeof(T)>::type;
/* 128 bits are integers, too, and wraps are of unsigned numbers. */
template <class T> constexpr bool is_integer = std::is_integral<T>::value || is<T, b128>;
template <class T> constexpr bool is_real = is<T, f32> || is<T, f64>;
template <class T> constexpr bool is_small = is<T, f16> || is<T, bf16>;

/* The bits of a register as T. */
template <class T, class B> static __forceinline__ T get(B bits)
{
    if constexpr (is_integer<T>)
        return static_cast<T>(bits);
    else
        return bits_of<T>(static_cast<bits_for<T>>(bits));
}

/* Where nothing is kept. */
static struct sink {
} nowhere;
template <class T> static __forceinline__ void put(sink &, T)
{
}
/* A wider register gets a number extended by its sign or zeroes. */
template <class B, class T> static __forceinline__ void put(B &place, T value)
{
    if constexpr (is_integer<T>)
        place = static_cast<B>(value);
    else
        place = static_cast<B>(bits_of<bits_for<T>>(value));
}

/* {a, b}: the first is the lowest. */
template <class T, class... B> static __forceinline__ T pack(B... parts)
{
    typedef bits_for<T> bits;
    constexpr int width = sizeof(T) * 8 / sizeof...(B);
    const bits values[] = {static_cast<bits>(parts)...};
    bits result = 0;
    for (size_t k = 0; k < sizeof...(B); k++)
        result |=
            static_cast<bits>(values[k] & static_cast<bits>(~bits(0)) >> (sizeof(T) * 8 - width))
            << width * k;
    return get<T>(result);
}
template <class T, class... B> static __forceinline__ void unpack(T value, B &...places)
{
    typedef bits_for<T> bits;
    constexpr int width = sizeof(T) * 8 / sizeof...(B);
    bits rest = bits_of<bits>(value);
    const auto next = [&] {
        const bits low = rest & static_cast<bits>(~bits(0)) >> (sizeof(T) * 8 - width);
        rest = static_cast<bits>(rest >> width);
        return low;
    };
    (put(places, next()), ...);
}

/* The operands of the statement. */
template <class B, class T> static __forceinline__ B from(T value)
{
    if constexpr (std::is_integral<T>::value || std::is_enum<T>::value || is<T, b128> ||
                  is<T, s128>)
        return static_cast<B>(value);
    else if constexpr (std::is_pointer<T>::value)
        return static_cast<B>(reinterpret_cast<size_t>(value));
    else if constexpr (std::is_null_pointer<T>::value)
        return 0;
    else
        return static_cast<B>(bits_of<bits_for<T>>(value));
}
template <class B, class T> static __forceinline__ B from_real(T value)
{
    typedef std::conditional_t<sizeof(B) == 4, f32, f64> real;
    if constexpr (std::is_arithmetic<T>::value)
        return bits_of<B>(static_cast<real>(value));
    else
        return from<B>(value);
}
template <class T, class B> static __forceinline__ void to(T &place, B bits)
{
    typedef std::remove_cv_t<T> type;
    if constexpr (std::is_integral<type>::value || std::is_enum<type>::value || is<type, b128> ||
                  is<type, s128>)
        place = static_cast<type>(bits);
    else if constexpr (std::is_pointer<type>::value)
        place = reinterpret_cast<type>(static_cast<size_t>(bits));
    else
        place = bits_of<type>(static_cast<bits_for<type>>(bits));
}

/* The carry flag, which a later statement may read. */
struct carry {
    unsigned value = portable_cuda_carry_(0);
    ~carry()
    {
        portable_cuda_carry_(value);
    }
};

/* ---- integers ---- */

using portable_cuda::larger;
using portable_cuda::smaller;
template <class T> using unsigned_of = bits_for<T>;
template <class T> constexpr bool is_signed = T(-1) < T(0);
/* Twice as wide, with T's sign. */
template <class T>
using wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<is_signed<T>, s32, u32>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<is_signed<T>, s64, u64>,
                       std::conditional_t<is_signed<T>, s128, b128>>>;

template <class T> static inline T wrapped(b128 value)
{
    return static_cast<T>(static_cast<unsigned_of<T>>(value));
}
static inline s32 clamped(s64 value)
{
    return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : static_cast<s32>(value);
}
template <class T> static inline T add(T a, T b)
{
    return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
}
template <class T> static inline T subtract(T a, T b)
{
    return static_cast<T>(static_cast<u64>(a) - static_cast<u64>(b));
}
template <class T> static inline T add_saturated(T a, T b)
{
    return clamped(static_cast<s64>(a) + b);
}
template <class T> static inline T subtract_saturated(T a, T b)
{
    return clamped(static_cast<s64>(a) - b);
}
/* a + b + the carry if Reads; sets the carry if Writes. */
template <bool Reads, bool Writes, class T> static inline T sum_with(T a, T b, carry &flag)
{
    const b128 sum = static_cast<b128>(static_cast<unsigned_of<T>>(a)) +
                     static_cast<unsigned_of<T>>(b) + (Reads ? flag.value : 0);
    if (Writes)
        flag.value = sum >> sizeof(T) * 8 != 0;
    return wrapped<T>(sum);
}
template <bool Reads, bool Writes, class T> static inline T difference_with(T a, T b, carry &flag)
{
    const b128 difference = static_cast<b128>(static_cast<unsigned_of<T>>(a)) -
                            static_cast<unsigned_of<T>>(b) - (Reads ? flag.value : 0);
    if (Writes)
        flag.value = difference >> sizeof(T) * 8 != 0;
    return wrapped<T>(difference);
}
template <class T> static inline T add_carrying(T a, T b, carry &flag)
{
    return sum_with<false, true>(a, b, flag);
}
template <class CC, class T> static inline T add_with_carry(T a, T b, carry &flag)
{
    return sum_with<true, given<CC>>(a, b, flag);
}
template <class T> static inline T subtract_carrying(T a, T b, carry &flag)
{
    return difference_with<false, true>(a, b, flag);
}
template <class CC, class T> static inline T subtract_with_carry(T a, T b, carry &flag)
{
    return difference_with<true, given<CC>>(a, b, flag);
}
template <class T> static inline wide<T> product(T a, T b)
{
    return static_cast<wide<T>>(static_cast<wide<T>>(a) * static_cast<wide<T>>(b));
}
template <class T> static inline T multiply_low(T a, T b, T c = 0)
{
    return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b) + static_cast<u64>(c));
}
template <class T> static inline T multiply_high(T a, T b, T c = 0)
{
    return add(static_cast<T>(product(a, b) >> sizeof(T) * 8), c);
}
template <class T> static inline wide<T> multiply_wide(T a, T b, wide<T> c = 0)
{
    return add(product(a, b), c);
}
template <class T> static inline T multiply_high_saturated(T a, T b, T c)
{
    return clamped((product(a, b) >> 32) + c);
}
template <class Half, class T> static inline T half_product(T a, T b)
{
    return is<Half, lo_> ? multiply_low(a, b) : multiply_high(a, b);
}
template <class Half, class T> static inline T multiply_carrying(T a, T b, T c, carry &flag)
{
    return sum_with<false, true>(half_product<Half>(a, b), c, flag);
}
template <class Half, class CC, class T>
static inline T multiply_with_carry(T a, T b, T c, carry &flag)
{
    return sum_with<true, given<CC>>(half_product<Half>(a, b), c, flag);
}
template <class T> static inline s64 product_24(T a, T b)
{
    if (is_signed<T>)
        return static_cast<s64>(static_cast<s32>(static_cast<u32>(a) << 8) >> 8) *
               (static_cast<s32>(static_cast<u32>(b) << 8) >> 8);
    return static_cast<s64>(static_cast<u64>(a & 0xffffff) * static_cast<u64>(b & 0xffffff));
}
template <class Half, class T> static inline T multiply_24(T a, T b, T c = 0)
{
    return add(static_cast<T>(product_24(a, b) >> (is<Half, lo_> ? 0 : 16)), c);
}
template <class T> static inline T multiply_24_saturated(T a, T b, T c)
{
    return clamped((product_24(a, b) >> 16) + c);
}
template <class T> static inline T sum_of_difference(T a, T b, T c)
{
    return add(c, a < b ? subtract(b, a) : subtract(a, b));
}
template <class T> static __forceinline__ T divide(T a, T b)
{
    if (is_signed<T> && b == static_cast<T>(-1))
        return subtract(T(0), a);
    return static_cast<T>(a / b);
}
template <class T> static __forceinline__ T remainder(T a, T b)
{
    if (is_signed<T> && b == static_cast<T>(-1))
        return 0;
    return static_cast<T>(a % b);
}
template <class T> static inline T negative(T a)
{
    return subtract(T(0), a);
}
template <class T> static inline T absolute(T a)
{
    return a < 0 ? negative(a) : a;
}
template <class T> static inline T smaller_relu(T a, T b)
{
    return larger(smaller(a, b), T(0));
}
template <class T> static inline T larger_relu(T a, T b)
{
    return larger(larger(a, b), T(0));
}
/* Of both halves. */
template <class T, class Op> static inline T pairwise(T a, T b, Op op)
{
    typedef typename T::element element;
    typedef bits_for<element> half;
    const auto part = [&](int shift) {
        return static_cast<b32>(bits_of<half>(
                   static_cast<element>(op(bits_of<element>(static_cast<half>(a.bits >> shift)),
                                           bits_of<element>(static_cast<half>(b.bits >> shift))))))
               << shift;
    };
    return T{part(0) | part(16)};
}
template <class T> static inline T add_pairs(T a, T b)
{
    typedef typename T::element element;
    return pairwise(a, b, [](element x, element y) { return add(x, y); });
}
template <class Relu, class T> static inline T smaller_pairs(T a, T b)
{
    typedef typename T::element element;
    return pairwise(a, b, [](element x, element y) {
        return given<Relu> ? smaller_relu(x, y) : smaller(x, y);
    });
}
template <class Relu, class T> static inline T larger_pairs(T a, T b)
{
    typedef typename T::element element;
    return pairwise(
        a, b, [](element x, element y) { return given<Relu> ? larger_relu(x, y) : larger(x, y); });
}
template <class T> static inline u32 count_ones(T a)
{
    return static_cast<u32>(__popcll(a));
}
template <class T> static inline u32 count_leading_zeros(T a)
{
    return a ? static_cast<u32>(__builtin_clzll(a)) - (64 - sizeof(T) * 8) : sizeof(T) * 8;
}
template <class Shift, class T> static inline u32 find_bit(T a)
{
    typedef unsigned_of<T> word;
    const word bits = static_cast<word>(a < 0 ? ~a : a);
    if (bits == 0)
        return ~0u;
    const u32 zeros = count_leading_zeros(bits);
    return given<Shift> ? zeros : static_cast<u32>(sizeof(T) * 8) - 1 - zeros;
}
template <class T> static inline b32 find_nth_set(T mask, b32 base, s32 offset)
{
    return __fns(mask, base, offset);
}
template <class T> static inline T reverse_bits(T a)
{
    if constexpr (sizeof(T) == 4)
        return __brev(a);
    else
        return __brevll(a);
}
/* The instruction of 32 bits reads the low bytes of position and length, that of 64 all of both. */
template <class T> constexpr u32 field_mask = sizeof(T) == 4 ? 255 : ~0u;
template <class T> static inline T extract_bits(T a, u32 position, u32 length)
{
    typedef unsigned_of<T> word;
    constexpr u32 top = sizeof(T) * 8 - 1;
    const u32 first = position & field_mask<T>, count = length & field_mask<T>;
    const u64 last = smaller<u64>(static_cast<u64>(first) + count - 1, top);
    const word sign = is_signed<T> && count > 0 && (static_cast<word>(a) >> last & 1)
                          ? static_cast<word>(~word(0))
                          : word(0);
    const word bits = first <= top ? static_cast<word>(static_cast<word>(a) >> first) : word(0);
    const u32 kept = first <= top ? smaller(count, top + 1 - first) : 0;
    const word mask = kept > top ? ~word(0) : (word(1) << kept) - 1;
    return static_cast<T>((bits & mask) | (sign & ~mask));
}
template <class T> static inline T insert_bits(T a, T b, u32 position, u32 length)
{
    constexpr u32 top = sizeof(T) * 8 - 1;
    const u32 first = position & field_mask<T>, count = length & field_mask<T>;
    if (first > top)
        return b;
    const T ones = count > top ? ~T(0) : (T(1) << count) - 1, mask = ones << first;
    return (b & ~mask) | (a << first & mask);
}
template <class Mode, class T> static inline b32 mask_bits(T a, b32 b)
{
    const u32 first = a & 31, count = b & 31, end = first + count;
    const bool clamps = is<Mode, clamp_>;
    const u32 from = clamps && a >= 32 ? 0 : ~0u << first;
    const u32 beyond = end >= 32 || (clamps && (a >= 32 || b >= 32)) ? 0 : ~0u << end;
    return from & ~beyond;
}
template <class Mode, class T> static inline T extend_bits(T a, u32 b)
{
    const u32 count = b & 31, value = static_cast<u32>(a);
    const bool whole = is<Mode, clamp_> && b >= 32;
    const u32 mask = whole ? 0 : ~0u << count;
    const bool sign = is_signed<T> && count > 0 && !whole && (value >> (count - 1) & 1);
    return static_cast<T>((value & ~mask) | (sign ? mask : 0));
}
template <class A> static inline s32 part_of(b32 a, int index)
{
    return static_cast<s32>(static_cast<A>(a >> index * static_cast<int>(sizeof(A)) * 8));
}
template <class A, class B> static inline b32 dot_4(b32 a, b32 b, b32 c)
{
    typedef std::conditional_t<is<A, s32>, s8, u8> of_a;
    typedef std::conditional_t<is<B, s32>, s8, u8> of_b;
    for (int k = 0; k < 4; k++)
        c += static_cast<b32>(part_of<of_a>(a, k) * part_of<of_b>(b, k));
    return c;
}
template <class Half, class A, class B> static inline b32 dot_2(b32 a, b32 b, b32 c)
{
    typedef std::conditional_t<is<A, s32>, s16, u16> of_a;
    typedef std::conditional_t<is<B, s32>, s8, u8> of_b;
    for (int k = 0; k < 2; k++)
        c += static_cast<b32>(part_of<of_a>(a, k) * part_of<of_b>(b, k + (is<Half, hi_> ? 2 : 0)));
    return c;
}
template <class T, class Mode> static inline b32 permute_bytes(b32 a, b32 b, u32 selector)
{
    const u64 bytes = static_cast<u64>(b) << 32 | a;
    const u32 by = selector & 3;
    b32 result = 0;
    for (u32 k = 0; k < 4; k++) {
        const u32 nibble = selector >> 4 * k & 15;
        const u32 from = is<Mode, f4e_>    ? by + k
                         : is<Mode, b4e_>  ? (by - k) & 7
                         : is<Mode, rc8_>  ? by
                         : is<Mode, ecl_>  ? larger(k, by)
                         : is<Mode, ecr_>  ? smaller(k, by)
                         : is<Mode, rc16_> ? 2 * (by & 1) + (k & 1)
                                           : nibble & 7;
        u32 byte = static_cast<u32>(bytes >> 8 * from & 255);
        if (!given<Mode> && (nibble & 8))
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * k;
    }
    return result;
}

/* ---- bytes and halves ---- */

/* A part of a word, signed if T is. */
template <int Parts, class T> static inline s32 part(b32 word, int k)
{
    typedef std::conditional_t<Parts == 4, std::conditional_t<is_signed<T>, s8, u8>,
                               std::conditional_t<is_signed<T>, s16, u16>>
        part_type;
    return static_cast<s32>(static_cast<part_type>(word >> k * (32 / Parts)));
}
/* op of each part, packed; or c and their sum. */
template <int Parts, class D, class A, class B, class Sat, class Add, class Op>
static inline b32 parts(b32 a, b32 b, b32 c, Op op)
{
    constexpr int width = 32 / Parts;
    constexpr s32 most = (1 << (width - is_signed<D>)) - 1, least = is_signed<D> ? -most - 1 : 0;
    b32 packed = 0;
    for (int k = 0; k < Parts; k++) {
        s32 result = op(part<Parts, A>(a, k), part<Parts, B>(b, k));
        if (given<Sat>)
            result = larger(smaller(result, most), least);
        packed |= (static_cast<b32>(result) & ((1u << width) - 1)) << k * width;
        c += static_cast<b32>(result);
    }
    return given<Add> ? c : packed;
}
#define PORTABLE_PTX_VIDEO_(name, expression)                                                      \
    PORTABLE_PTX_VIDEO_OF_(name##_4, 4, expression)                                                \
    PORTABLE_PTX_VIDEO_OF_(name##_2, 2, expression)
#define PORTABLE_PTX_VIDEO_OF_(name, count, expression)                                            \
    template <class D, class A, class B, class Sat, class Add>                                     \
    static inline b32 name(b32 a, b32 b, b32 c)                                                    \
    {                                                                                              \
        return parts<count, D, A, B, Sat, Add>(a, b, c,                                            \
                                               [](s32 x, s32 y) { return (expression); });         \
    }
PORTABLE_PTX_VIDEO_(video_add, x + y)
PORTABLE_PTX_VIDEO_(video_subtract, x - y)
PORTABLE_PTX_VIDEO_(video_average, (x + y + (x + y >= 0)) >> 1)
PORTABLE_PTX_VIDEO_(video_difference, x < y ? y - x : x - y)
PORTABLE_PTX_VIDEO_(video_smaller, smaller(x, y))
PORTABLE_PTX_VIDEO_(video_larger, larger(x, y))
#undef PORTABLE_PTX_VIDEO_
#undef PORTABLE_PTX_VIDEO_OF_

/* ---- logic, shifts, comparisons ---- */

template <class T> static inline T bits_and(T a, T b)
{
    return static_cast<T>(a & b);
}
template <class T> static inline T bits_or(T a, T b)
{
    return static_cast<T>(a | b);
}
template <class T> static inline T bits_xor(T a, T b)
{
    return static_cast<T>(a ^ b);
}
template <class T> static inline T bits_not(T a)
{
    if constexpr (is<T, bool>)
        return !a;
    else
        return static_cast<T>(~a);
}
template <class T> static inline T logical_not(T a)
{
    return a == 0;
}
template <class T> static inline b32 logic_3(T a, b32 b, b32 c, u32 table)
{
    b32 result = 0;
    for (u32 k = 0; k < 8; k++)
        if (table >> k & 1)
            result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return result;
}
template <class Op, class T, class D, class P>
static inline void logic_3_test(D &d, P &p, b32 a, b32 b, b32 c, u32 table, bool q)
{
    const b32 result = logic_3<b32>(a, b, c, table);
    put(d, result);
    put(p, is<Op, or_> ? result != 0 || q : result != 0 && q);
}
template <class Way, class Mode, class T> static inline b32 funnel_shift(T a, b32 b, u32 c)
{
    if (is<Mode, clamp_>)
        return is<Way, l_> ? __funnelshift_lc(a, b, c) : __funnelshift_rc(a, b, c);
    return is<Way, l_> ? __funnelshift_l(a, b, c) : __funnelshift_r(a, b, c);
}
template <class T> static inline T shift_left(T a, u32 by)
{
    return by < sizeof(T) * 8 ? static_cast<T>(static_cast<u64>(a) << by) : T(0);
}
template <class T> static inline T shift_right(T a, u32 by)
{
    return static_cast<T>(by < sizeof(T) * 8 ? a >> by : a < 0 ? -1 : 0);
}

template <class T> static inline T flushed(T a)
{
    return a;
}
static inline f32 flushed(f32 a)
{
    return __builtin_fabsf(a) < 1.17549435e-38f ? __builtin_copysignf(0, a) : a;
}
static inline f16 flushed(f16 a)
{
    return f16{static_cast<b16>(a.bits & 0x7c00 ? a.bits : a.bits & 0x8000)};
}
template <class Ftz, class T> static inline T flushed_if(T a)
{
    return given<Ftz> ? flushed(a) : a;
}
template <class T> static inline auto value_of(T a)
{
    if constexpr (is_small<T>)
        return T::format::to_double(a.bits);
    else
        return a;
}
template <class Op, class T> static inline bool compares(T a, T b)
{
    const auto x = value_of(a), y = value_of(b);
    const bool ordered = x == x && y == y;
    if constexpr (is<Op, num_>)
        return ordered;
    if constexpr (is<Op, nan_>)
        return !ordered;
    if constexpr (is<Op, equ_> || is<Op, neu_> || is<Op, ltu_> || is<Op, leu_> || is<Op, gtu_> ||
                  is<Op, geu_>) {
        if (!ordered)
            return true;
    } else if (!ordered) {
        return false;
    }
    if constexpr (is<Op, eq_> || is<Op, equ_>)
        return x == y;
    if constexpr (is<Op, ne_> || is<Op, neu_>)
        return x != y;
    if constexpr (is<Op, lt_> || is<Op, ltu_> || is<Op, lo_>)
        return x < y;
    if constexpr (is<Op, le_> || is<Op, leu_> || is<Op, ls_>)
        return x <= y;
    if constexpr (is<Op, gt_> || is<Op, gtu_> || is<Op, hi_>)
        return x > y;
    return x >= y;
}
template <class A, class B, class Op, class Add>
static inline b32 video_compare_4(b32 a, b32 b, b32 c)
{
    return parts<4, u32, A, B, none_, Add>(a, b, c,
                                           [](s32 x, s32 y) { return compares<Op>(x, y); });
}
template <class A, class B, class Op, class Add>
static inline b32 video_compare_2(b32 a, b32 b, b32 c)
{
    return parts<2, u32, A, B, none_, Add>(a, b, c,
                                           [](s32 x, s32 y) { return compares<Op>(x, y); });
}
template <class Op> static inline bool combined(bool a, bool c)
{
    return is<Op, and_> ? a && c : is<Op, or_> ? a || c : is<Op, xor_> ? a != c : a;
}
template <class Op, class With, class Ftz, class T, class P, class Q>
static inline void compare(P &p, Q &q, T a, T b, bool c = false)
{
    const bool result = compares<Op>(flushed_if<Ftz>(a), flushed_if<Ftz>(b));
    put(p, combined<With>(result, c));
    put(q, combined<With>(!result, c));
}
template <class Op, class With, class Ftz, class T, class P, class Q>
static inline void compare_pairs(P &p, Q &q, T a, T b, bool c = false)
{
    typedef typename T::element element;
    const auto part = [&](int shift) {
        return compares<Op>(flushed_if<Ftz>(element{static_cast<b16>(a.bits >> shift)}),
                            flushed_if<Ftz>(element{static_cast<b16>(b.bits >> shift)}));
    };
    put(p, combined<With>(part(0), c));
    put(q, combined<With>(part(16), c));
}
template <class Op, class With, class Ftz, class D, class T>
static inline D compare_to_value(T a, T b, bool c = false)
{
    const bool result = combined<With>(compares<Op>(flushed_if<Ftz>(a), flushed_if<Ftz>(b)), c);
    if constexpr (is<D, f32>)
        return result;
    else if constexpr (is_small<D>)
        return D{static_cast<b16>(result ? D::format::from_double(1) : 0)};
    else
        return result ? static_cast<D>(-1) : D(0);
}
template <class T> static inline T select(T a, T b, bool c)
{
    return c ? a : b;
}
template <class Ftz, class D, class T> static inline D select_by_sign(D a, D b, T c)
{
    return flushed_if<Ftz>(c) >= 0 ? a : b;
}

/* ---- moves and conversions ---- */

template <class T> static __forceinline__ T move(T a, u32 = 0)
{
    return a;
}
template <class Space> static inline bool is_in_space(u64 a)
{
    const enum portable_cuda_space_ space = portable_cuda_space_(reinterpret_cast<void *>(a));
    return space == (is<Space, global_>  ? PORTABLE_CUDA_GLOBAL_
                     : is<Space, local_> ? PORTABLE_CUDA_STACK_
                     : is<Space, const_> ? PORTABLE_CUDA_CONSTANT_
                     : is<Space, param_> ? static_cast<enum portable_cuda_space_>(-1)
                                         : PORTABLE_CUDA_SHARED_);
}

template <class Mode>
constexpr rounding rounding_of = is<Mode, rz_> || is<Mode, rzi_>   ? rounding::rz
                                 : is<Mode, rm_> || is<Mode, rmi_> ? rounding::rd
                                 : is<Mode, rp_> || is<Mode, rpi_> ? rounding::ru
                                                                   : rounding::rn;
template <class Mode>
constexpr small::rounding small_rounding_of =
    rounding_of<Mode> == rounding::rz   ? small::toward_zero
    : rounding_of<Mode> == rounding::rd ? small::downward
    : rounding_of<Mode> == rounding::ru ? small::upward
                                        : small::to_nearest;
template <class Mode>
constexpr bool to_integral = is<Mode, rni_> || is<Mode, rzi_> || is<Mode, rmi_> || is<Mode, rpi_>;

/* To [0, 1]; NaN is 0. */
template <class T> static inline T saturated(T x)
{
    return x > 0 ? x < 1 ? x : T(1) : T(0);
}
template <class D, class A> static inline D clamped_to(A a)
{
    constexpr s128 most = is_signed<D> ? static_cast<s128>(~b128(0) >> (129 - sizeof(D) * 8))
                                       : static_cast<s128>(~b128(0) >> (128 - sizeof(D) * 8));
    constexpr s128 least = is_signed<D> ? -most - 1 : 0;
    const s128 value = a;
    return static_cast<D>(value > most ? most : value < least ? least : value);
}
/* Beyond the range: the nearest integer. A NaN becomes 0, or the top bit if either has 64 bits. */
template <class D, class Mode, class A> static inline D real_to_integer(A a)
{
    if constexpr (sizeof(D) >= 4 && is_real<A>)
        return to_integer<rounding_of<Mode>, D>(a);
    else
        return small::saturate<D>(
            small::round_to_integer(static_cast<f64>(value_of(a)), small_rounding_of<Mode>),
            sizeof(D) == 8 || sizeof(A) == 8 ? static_cast<D>(1ull << (sizeof(D) * 8 - 1)) : D(0));
}
template <class Mode, class Ftz, class Sat, class D, class A> static inline D convert(A given_value)
{
    A a = given_value;
    if constexpr (is_real<A>) /* of halves, no input is flushed */
        a = flushed_if<Ftz>(a);
    if constexpr (std::is_integral<D>::value && std::is_integral<A>::value) {
        return given<Sat> ? clamped_to<D>(a) : static_cast<D>(a);
    } else if constexpr (std::is_integral<D>::value) {
        return real_to_integer<D, Mode>(a);
    } else if constexpr (is_small<D>) {
        b16 bits;
        if constexpr (std::is_integral<A>::value) {
            bits = D::format::from_integer(a, small_rounding_of<Mode>);
        } else if constexpr (is<A, D>) {
            bits = to_integral<Mode> ? D::format::from_double(small::round_to_integer(
                                           value_of(a), small_rounding_of<Mode>))
                                     : a.bits;
        } else if constexpr (is<A, f64>) {
            bits =
                a != a ? D::format::convert(a) : D::format::from_double(a, small_rounding_of<Mode>);
        } else {
            bits = D::format::from_double(static_cast<f64>(value_of(a)), small_rounding_of<Mode>);
        }
        if (given<Sat>)
            bits = D::format::from_double(saturated(D::format::to_double(bits)));
        return D{bits};
    } else {
        D result;
        if constexpr (std::is_integral<A>::value)
            result = from_integer<rounding_of<Mode>, D>(a);
        else if constexpr (is<D, f32> && is_small<A>)
            result = A::format::to_float(a.bits);
        else if constexpr (is<D, f32> && is<A, f64>)
            result = to_float<rounding_of<Mode>>(a);
        else
            result = static_cast<D>(value_of(a));
        if constexpr (to_integral<Mode>)
            result = static_cast<D>(
                small::round_to_integer(static_cast<f64>(result), small_rounding_of<Mode>));
        return flushed_if<Ftz>(given<Sat> ? saturated(result) : result);
    }
}
template <class Mode, class D, class A> static inline D convert_relu(A a)
{
    return convert<Mode, none_, none_, D>(a > 0 || a != a ? a : A(0));
}
template <class Mode, class Relu, class D, class A> static inline D convert_pair(A high, A low)
{
    const auto part = [](A a) {
        return static_cast<b32>(convert<Mode, none_, none_, typename D::element>(
                                    given<Relu> && !(a > 0 || a != a) ? A(0) : a)
                                    .bits);
    };
    return D{part(high) << 16 | part(low)};
}
template <class Mode, class Relu, class T, class A> static inline b32 convert_to_tf32(A a)
{
    b32 bits = bits_of<b32>(given<Relu> && !(a > 0 || a != a) ? A(0) : a);
    if (a != a)
        return 0x7fffe000;
    if ((bits & 0x7f800000) == 0x7f800000)
        return bits;
    if (is<Mode, rna_>)
        bits += 0x1000;
    else if (is<Mode, rn_>)
        bits += 0xfff + (bits >> 13 & 1);
    return bits & ~0x1fffu;
}
template <class D> static inline b32 to_eight_bits(f64 x, bool relu)
{
    const f64 size = __builtin_fabs(x);
    const bool is_wide = is<D, e4m3x2> && size >= 256;
    if (x != x)
        return 0x7f;
    if (relu && !(x > 0))
        return 0;
    const unsigned bits =
        is_wide ? 0x70 + static_cast<unsigned>(__builtin_rint(smaller(size, 1e3) / 32))
                : D::format::from_double(size);
    return (bits > D::largest ? D::largest : bits) | (__builtin_signbit(x) ? 0x80 : 0);
}
template <class Relu, class D, class A> static inline D convert_to_eight_bits(A high, A low)
{
    return D{static_cast<b16>(to_eight_bits<D>(high, given<Relu>) << 8 |
                              to_eight_bits<D>(low, given<Relu>))};
}
template <class Relu, class D, class A> static inline D convert_to_eight_bits(A both)
{
    return convert_to_eight_bits<Relu, D>(f16::format::to_double(static_cast<b16>(both.bits >> 16)),
                                          f16::format::to_double(static_cast<b16>(both.bits)));
}
template <class Relu, class D, class A> static inline D convert_from_eight_bits(A both)
{
    const auto part = [&](int shift) -> b32 {
        const unsigned byte = both.bits >> shift & 0xff, size = byte & 0x7f;
        const bool is_wide = is<A, e4m3x2> && size >= 0x78;
        if (size == 0x7f || (!is_wide && A::format::is_nan(static_cast<b16>(size))))
            return 0x7fff;
        if (given<Relu> && (byte & 0x80))
            return 0;
        const f64 value =
            is_wide ? (size - 0x70) * 32.0 : A::format::to_double(static_cast<b16>(size));
        return f16::format::from_double(value) | (byte & 0x80) << 8;
    };
    return D{part(8) << 16 | part(0)};
}
template <class D, class A> static inline b32 convert_and_pack(A a, A b)
{
    return static_cast<b32>(static_cast<u16>(clamped_to<D>(a))) << 16 |
           static_cast<u16>(clamped_to<D>(b));
}
template <class D, class A, class C> static inline b32 convert_and_pack(A a, A b, C c)
{
    return c << 16 | static_cast<b32>(static_cast<u8>(clamped_to<D>(a))) << 8 |
           static_cast<u8>(clamped_to<D>(b));
}

/* ---- floating point ---- */

template <class Op, class Mode, class Ftz, class Sat, class T>
static inline T real_result(T a, T b = 0, T c = 0)
{
    const T result = flushed_if<Ftz>(
        rounded<rounding_of<Mode>, Op>(flushed_if<Ftz>(a), flushed_if<Ftz>(b), flushed_if<Ftz>(c)));
    return given<Sat> ? saturated(result) : result;
}
template <class Mode, class Ftz, class Sat, class T> static inline T real_add(T a, T b)
{
    return real_result<addition, Mode, Ftz, Sat>(a, b);
}
template <class Mode, class Ftz, class Sat, class T> static inline T real_subtract(T a, T b)
{
    return real_result<subtraction, Mode, Ftz, Sat>(a, b);
}
template <class Mode, class Ftz, class Sat, class T> static inline T real_multiply(T a, T b)
{
    return real_result<multiplication, Mode, Ftz, Sat>(a, b);
}
template <class Mode, class Ftz, class Sat, class T> static inline T real_fma(T a, T b, T c)
{
    return real_result<multiply_add, Mode, Ftz, Sat>(a, b, c);
}
template <class Mode, class Ftz, class T> static inline T real_divide(T a, T b)
{
    if constexpr (is<Mode, approx_>)
        return flushed_if<Ftz>(canonical(__fdividef(flushed_if<Ftz>(a), flushed_if<Ftz>(b))));
    return real_result<division, Mode, Ftz, none_>(a, b);
}
template <class Ftz, class T> static inline T real_absolute(T a)
{
    return bits_of<T>(static_cast<bits_for<T>>(bits_of<bits_for<T>>(flushed_if<Ftz>(a)) &
                                               static_cast<bits_for<T>>(~bits_for<T>(0)) >> 1));
}
template <class Ftz, class T> static inline T real_negative(T a)
{
    return -flushed_if<Ftz>(a);
}
template <class T> static inline T real_nan()
{
    return bits_of<T>(static_cast<bits_for<T>>(~bits_for<T>(0) >> 1));
}
template <class Ftz, class Nan, class Sign, class T, class Op>
static inline T real_chosen(T a, T b, Op op)
{
    a = flushed_if<Ftz>(a);
    b = flushed_if<Ftz>(b);
    const bool negative = given<Sign> && __builtin_signbit(a) != __builtin_signbit(b);
    if ((a != a && b != b) || (given<Nan> && (a != a || b != b)))
        return real_nan<T>();
    if (given<Sign>) {
        a = real_absolute<none_>(a);
        b = real_absolute<none_>(b);
    }
    const T result = op(a, b);
    return negative ? -result : result;
}
template <class Ftz, class Nan, class Sign, class T> static inline T real_smaller(T a, T b)
{
    return real_chosen<Ftz, Nan, Sign>(a, b, [](T x, T y) { return lesser(x, y); });
}
template <class Ftz, class Nan, class Sign, class T> static inline T real_larger(T a, T b)
{
    return real_chosen<Ftz, Nan, Sign>(a, b, [](T x, T y) { return greater(x, y); });
}
/* The approximations of f64 read and write the upper half alone. */
static inline f64 upper_half(f64 a)
{
    const f64 result = bits_of<f64>(bits_of<b64>(a) & ~0xffffffffull);
    return __builtin_fabs(result) < 2.2250738585072014e-308 ? __builtin_copysign(0, result)
                                                            : result;
}
template <class Mode, class Ftz, class T> static inline T reciprocal(T a)
{
    if constexpr (is<T, f64> && is<Mode, approx_>)
        return upper_half(1 / upper_half(a));
    return real_result<division, Mode, Ftz, none_>(T(1), a);
}
template <class Mode, class Ftz, class T> static inline T square_root(T a)
{
    return real_result<root, Mode, Ftz, none_>(a);
}
template <class Ftz, class T> static inline T reciprocal_root(T a)
{
    if constexpr (is<T, f64>)
        return given<Ftz> ? upper_half(1 / __builtin_sqrt(upper_half(a))) : 1 / __builtin_sqrt(a);
    return flushed_if<Ftz>(
        canonical(static_cast<T>(1 / __builtin_sqrt(static_cast<f64>(flushed_if<Ftz>(a))))));
}
#define PORTABLE_PTX_APPROXIMATION_(name, function)                                                \
    template <class Ftz, class T> static inline T name(T a)                                        \
    {                                                                                              \
        return flushed_if<Ftz>(canonical(function(flushed_if<Ftz>(a))));                           \
    }
PORTABLE_PTX_APPROXIMATION_(sine, __builtin_sinf)
PORTABLE_PTX_APPROXIMATION_(cosine, __builtin_cosf)
PORTABLE_PTX_APPROXIMATION_(logarithm, __builtin_log2f)
PORTABLE_PTX_APPROXIMATION_(exponential, __builtin_exp2f)
#undef PORTABLE_PTX_APPROXIMATION_
template <class T> static inline T hyperbolic_tangent(T a)
{
    return canonical(__builtin_tanhf(a));
}
template <class Class, class T> static inline bool test_class(T a)
{
    constexpr T least =
        is<T, f32> ? static_cast<T>(1.17549435e-38f) : static_cast<T>(2.2250738585072014e-308);
    const T size = real_absolute<none_>(a);
    const bool finite = size < static_cast<T>(__builtin_inf());
    const bool tiny = size > 0 && size < least;
    return is<Class, finite_>       ? finite
           : is<Class, infinite_>   ? size == static_cast<T>(__builtin_inf())
           : is<Class, number_>     ? a == a
           : is<Class, notanumber_> ? a != a
           : is<Class, normal_>     ? finite && !tiny
                                    : tiny;
}
template <class T> static inline T copy_sign(T a, T b)
{
    const bits_for<T> sign = bits_for<T>(1) << (sizeof(T) * 8 - 1);
    return bits_of<T>((bits_of<bits_for<T>>(a) & sign) | (bits_of<bits_for<T>>(b) & ~sign));
}

/* ---- floating point of 16 bits ---- */

/* op of the elements, which may be pairs. */
template <class T, class Op, class... U> static inline T each(Op op, U... values)
{
    if constexpr (sizeof(T) == 2)
        return op(values...);
    else {
        typedef typename T::element element;
        const auto part = [&](int shift) {
            return static_cast<b32>(op(element{static_cast<b16>(values.bits >> shift)}...).bits)
                   << shift;
        };
        return T{part(0) | part(16)};
    }
}
template <class Ftz, class Then, class H> static inline H small_result(unsigned bits)
{
    H result = flushed_if<Ftz>(H{static_cast<b16>(bits)});
    const f64 value = value_of(result);
    if (is<Then, sat_>)
        result = H{H::format::from_double(saturated(value))};
    if (is<Then, relu_> && !(value > 0 || value != value))
        result = H{0};
    return result;
}
template <class Mode, class Ftz, class Then, class T> static inline T small_add(T a, T b)
{
    return each<T>(
        [](auto x, auto y) {
            return small_result<Ftz, Then, decltype(x)>(
                decltype(x)::format::add(flushed_if<Ftz>(x).bits, flushed_if<Ftz>(y).bits));
        },
        a, b);
}
template <class Mode, class Ftz, class Then, class T> static inline T small_subtract(T a, T b)
{
    return each<T>(
        [](auto x, auto y) {
            return small_result<Ftz, Then, decltype(x)>(decltype(x)::format::add(
                flushed_if<Ftz>(x).bits, static_cast<b16>(flushed_if<Ftz>(y).bits ^ 0x8000)));
        },
        a, b);
}
template <class Mode, class Ftz, class Then, class T> static inline T small_multiply(T a, T b)
{
    return each<T>(
        [](auto x, auto y) {
            return small_result<Ftz, Then, decltype(x)>(
                decltype(x)::format::mul(flushed_if<Ftz>(x).bits, flushed_if<Ftz>(y).bits));
        },
        a, b);
}
template <class Ftz, class Then, class T> static inline T small_fma(T a, T b, T c)
{
    return each<T>(
        [](auto x, auto y, auto z) {
            return small_result<Ftz, Then, decltype(x)>(decltype(x)::format::fma(
                flushed_if<Ftz>(x).bits, flushed_if<Ftz>(y).bits, flushed_if<Ftz>(z).bits));
        },
        a, b, c);
}
template <class H> static inline H small_number(H x, unsigned bits)
{
    return H{static_cast<b16>(H::format::is_nan(x.bits) ? unsigned(H::format::nan) : bits)};
}
template <class Ftz, class T> static inline T small_absolute(T a)
{
    return each<T>([](auto x) { return small_number(x, flushed_if<Ftz>(x).bits & 0x7fffu); }, a);
}
template <class Ftz, class T> static inline T small_negative(T a)
{
    return each<T>([](auto x) { return small_number(x, flushed_if<Ftz>(x).bits ^ 0x8000u); }, a);
}
template <class Ftz, class Nan, class Sign, bool Most, class H>
static inline H small_chosen(H a, H b)
{
    a = flushed_if<Ftz>(a);
    b = flushed_if<Ftz>(b);
    const bool nan_a = H::format::is_nan(a.bits), nan_b = H::format::is_nan(b.bits);
    const unsigned sign = given<Sign> ? (a.bits ^ b.bits) & 0x8000u : 0;
    if ((nan_a && nan_b) || (given<Nan> && (nan_a || nan_b)))
        return H{static_cast<b16>(H::format::nan)};
    if (given<Sign>) {
        a.bits &= 0x7fff;
        b.bits &= 0x7fff;
    }
    const f64 x = value_of(a), y = value_of(b);
    const bool less = x < y || (x == y && a.bits > b.bits);
    const H result = nan_a ? b : nan_b || less != Most ? a : b;
    return H{static_cast<b16>(result.bits ^ sign)};
}
template <class Ftz, class Nan, class Sign, class T> static inline T small_smaller(T a, T b)
{
    return each<T>([](auto x, auto y) { return small_chosen<Ftz, Nan, Sign, false>(x, y); }, a, b);
}
template <class Ftz, class Nan, class Sign, class T> static inline T small_larger(T a, T b)
{
    return each<T>([](auto x, auto y) { return small_chosen<Ftz, Nan, Sign, true>(x, y); }, a, b);
}
template <class T> static inline T small_exponential(T a)
{
    return each<T>(
        [](auto x) {
            return decltype(x){decltype(x)::format::from_double(__builtin_exp2(value_of(x)))};
        },
        a);
}
template <class T> static inline T small_hyperbolic_tangent(T a)
{
    return each<T>(
        [](auto x) {
            return decltype(x){decltype(x)::format::from_double(__builtin_tanh(value_of(x)))};
        },
        a);
}

/* ---- memory ---- */

/* A shared address may be the lower half of a pointer, which is what a window of it is here. */
template <class Space> static __forceinline__ char *address(b64 base, b64 offset)
{
    return reinterpret_cast<char *>(base + offset);
}
template <class Space> static __forceinline__ char *address(b32 base, b64 offset)
{
    return portable_cuda_shared_address_(base + static_cast<b32>(offset));
}
static __forceinline__ void needs_alignment(const void *at, size_t bytes, const char *file,
                                            int line)
{
    if (reinterpret_cast<size_t>(at) % bytes != 0)
        portable_cuda_fail_(cudaErrorMisalignedAddress, "misaligned address in inline PTX", file,
                            line);
}
template <class Scope>
constexpr scope scope_of_tag = is<Scope, cta_> || is<Scope, cluster_> ? block_scope : device_scope;
template <class Order, class Scope> static __forceinline__ void order_before()
{
    if (is<Order, release_> || is<Order, acq_rel_>)
        portable_emulate_fence_(scope_of_tag<Scope> == block_scope);
}
template <class Order>
constexpr bool is_atomic = is<Order, relaxed_> || is<Order, acquire_> || is<Order, release_>;

template <class Order, class Scope, class T>
static __forceinline__ void load_each(const char *at, T *values, int count, const char *file,
                                      int line)
{
    needs_alignment(at, sizeof(T) * static_cast<size_t>(count), file, line);
    if (is_atomic<Order>)
        begin_atomic(scope_of_tag<Scope>, at);
    if (is<Order, volatile_>)
        in_order();
    if (is<Order, volatile_>)
        __asm__ volatile("" : : : "memory"); /* a polling loop reads it each time */
    for (int k = 0; k < count; k++)
        values[k] = reinterpret_cast<const T *>(at)[k];
    if (is_atomic<Order>) {
        end_atomic();
        portable_emulate_spin_(at);
    }
}
template <class Order, class Scope, class T, class R>
static __forceinline__ void load(R &r, const char *at, PORTABLE_CUDA_HERE_)
{
    T values[1];
    load_each<Order, Scope>(at, values, 1, file, line);
    put(r, values[0]);
}
template <class Order, class Scope, class T, class R, class S>
static __forceinline__ void load(R &r, S &s, const char *at, PORTABLE_CUDA_HERE_)
{
    T values[2];
    load_each<Order, Scope>(at, values, 2, file, line);
    put(r, values[0]);
    put(s, values[1]);
}
template <class Order, class Scope, class T, class R, class S, class U, class V>
static __forceinline__ void load(R &r, S &s, U &u, V &v, const char *at, PORTABLE_CUDA_HERE_)
{
    T values[4];
    load_each<Order, Scope>(at, values, 4, file, line);
    put(r, values[0]);
    put(s, values[1]);
    put(u, values[2]);
    put(v, values[3]);
}
template <class T, class R>
static __forceinline__ void load_uniform(R &r, const char *at, PORTABLE_CUDA_HERE_)
{
    load<none_, none_, T>(r, at, file, line);
}
template <class T, class R, class S>
static __forceinline__ void load_uniform(R &r, S &s, const char *at, PORTABLE_CUDA_HERE_)
{
    load<none_, none_, T>(r, s, at, file, line);
}
template <class T, class R, class S, class U, class V>
static __forceinline__ void load_uniform(R &r, S &s, U &u, V &v, const char *at,
                                         PORTABLE_CUDA_HERE_)
{
    load<none_, none_, T>(r, s, u, v, at, file, line);
}

template <class Order, class Scope, class T>
static __forceinline__ void store_each(char *at, const T *values, int count, const char *file,
                                       int line)
{
    needs_alignment(at, sizeof(T) * static_cast<size_t>(count), file, line);
    order_before<Order, Scope>();
    if (is_atomic<Order>)
        begin_atomic(scope_of_tag<Scope>, at);
    if (is<Order, volatile_>)
        in_order();
    for (int k = 0; k < count; k++)
        reinterpret_cast<T *>(at)[k] = values[k];
    if (is_atomic<Order>)
        end_atomic();
    if (is<Order, volatile_>)
        __asm__ volatile("" : : : "memory");
}
template <class Order, class Scope, class T>
static __forceinline__ void store(char *at, T a, PORTABLE_CUDA_HERE_)
{
    store_each<Order, Scope>(at, &a, 1, file, line);
}
template <class Order, class Scope, class T>
static __forceinline__ void store(char *at, T a, T b, PORTABLE_CUDA_HERE_)
{
    const T values[] = {a, b};
    store_each<Order, Scope>(at, values, 2, file, line);
}
template <class Order, class Scope, class T>
static __forceinline__ void store(char *at, T a, T b, T c, T d, PORTABLE_CUDA_HERE_)
{
    const T values[] = {a, b, c, d};
    store_each<Order, Scope>(at, values, 4, file, line);
}

template <class Op, class T> static inline T changed(T old, T by)
{
    if constexpr (is<Op, add_> && is_small<T>)
        return T{T::format::add(old.bits, by.bits)};
    else if constexpr (is<Op, add_> && (is<T, f16x2> || is<T, bf16x2>))
        return small_add<rn_, none_, none_>(old, by);
    else if constexpr (is<Op, add_> && is_real<T>)
        return sum(old, by);
    else if constexpr (is<Op, add_>)
        return ptx::add(old, by);
    else if constexpr (is<Op, min_>)
        return by < old ? by : old;
    else if constexpr (is<Op, max_>)
        return old < by ? by : old;
    else if constexpr (is<Op, inc_>)
        return old >= by ? 0 : old + 1;
    else if constexpr (is<Op, dec_>)
        return old == 0 || old > by ? by : old - 1;
    else if constexpr (is<Op, and_>)
        return old & by;
    else if constexpr (is<Op, or_>)
        return old | by;
    else
        return old ^ by;
}
template <class Op>
constexpr portable_operation_ operation_of = is<Op, add_>   ? portable_operation_add_
                                             : is<Op, min_> ? portable_operation_min_
                                             : is<Op, max_> ? portable_operation_max_
                                             : is<Op, inc_> ? portable_operation_inc_
                                             : is<Op, dec_> ? portable_operation_dec_
                                             : is<Op, and_> ? portable_operation_bit_and_
                                             : is<Op, or_>  ? portable_operation_bit_or_
                                                            : portable_operation_bit_xor_;
template <class Order, class Scope, class Op, class T>
static __forceinline__ T atomic(char *at, T by, PORTABLE_CUDA_HERE_)
{
    needs_alignment(at, sizeof(T), file, line);
    order_before<Order, Scope>();
    return portable_cuda::atomic(scope_of_tag<Scope>, operation_of<Op>, reinterpret_cast<T *>(at),
                                 by, [by](T old) { return changed<Op>(old, by); });
}
template <class Order, class Scope, class T>
static __forceinline__ T atomic_exchange(char *at, T value, PORTABLE_CUDA_HERE_)
{
    needs_alignment(at, sizeof(T), file, line);
    order_before<Order, Scope>();
    return portable_cuda::atomic(scope_of_tag<Scope>, portable_operation_exchange_,
                                 reinterpret_cast<T *>(at), value, [value](T) { return value; });
}
template <class Order, class Scope, class T>
static __forceinline__ T atomic_swap(char *at, T expected, T value, PORTABLE_CUDA_HERE_)
{
    needs_alignment(at, sizeof(T), file, line);
    order_before<Order, Scope>();
    return compare_and_swap(scope_of_tag<Scope>, reinterpret_cast<T *>(at), expected, value);
}
/* An atomic for each element of a vector. */
template <class Order, class Scope, class T, class... V>
static __forceinline__ void atomic_add_each(const char *file, int line, char *at, V... by)
{
    needs_alignment(at, sizeof(T) * sizeof...(V), file, line);
    size_t k = 0;
    (atomic<Order, Scope, add_>(at + k++ * sizeof(T), by, file, line), ...);
}
template <class...> static inline void no_effect(const void * = nullptr, u32 = 0)
{
}
template <class...> static inline void no_effect(u32)
{
}
template <class...> static inline b64 no_policy(f32 = 0)
{
    return 0;
}

template <class Cache, class Space>
static __forceinline__ void copy_later(void *to, const void *from, u32 bytes, u32 kept,
                                       PORTABLE_CUDA_HERE_)
{
    if ((bytes != 16 && (is<Cache, cg_> || (bytes != 4 && bytes != 8))) || kept > bytes)
        portable_cuda_fail_(cudaErrorInvalidPtx,
                            "cp.async copies 4, 8 or 16 bytes, and 16 with .cg", file, line);
    needs_alignment(to, bytes, file, line);
    needs_alignment(from, bytes, file, line);
    unsigned char value[16] = {0};
    copy_part(value, from, kept, 0, 1);
    portable_copy_value_later_(to, value, bytes);
}
template <class Cache, class Space>
static __forceinline__ void copy_later(void *to, const void *from, u32 bytes, PORTABLE_CUDA_HERE_)
{
    copy_later<Cache, Space>(to, from, bytes, bytes, file, line);
}
template <class Cache, class Space>
static __forceinline__ void copy_later_unless(void *to, const void *from, u32 bytes, bool ignored,
                                              PORTABLE_CUDA_HERE_)
{
    copy_later<Cache, Space>(to, from, bytes, ignored ? 0 : bytes, file, line);
}
static __forceinline__ void commit_copies()
{
    portable_emulate_copy_commit_();
}
static __forceinline__ void wait_for_copies(u32 groups)
{
    portable_copy_wait_(groups);
}
static __forceinline__ void wait_for_all_copies()
{
    portable_emulate_copy_commit_();
    portable_copy_wait_(0);
}

/* ---- barriers, fences, warps ---- */

template <class Scope> static inline void fence()
{
    portable_emulate_fence_(scope_of_tag<Scope> == block_scope);
}
/* Barrier 0 of all threads is __syncthreads(). */
static inline bool is_whole(u32 barrier, u32 threads)
{
    return barrier == 0 && threads >= (threads_of_block() + 31) / 32 * 32;
}
static inline void barrier(u32 number, u32 threads, PORTABLE_CUDA_HERE_)
{
    if (is_whole(number, threads))
        portable_emulate_sync_threads_("bar.sync", file, line);
    else
        portable_emulate_sync_named_(number, threads, 1, "bar.sync", file, line);
}
static inline void barrier(u32 number, PORTABLE_CUDA_HERE_)
{
    barrier(number, (threads_of_block() + 31) / 32 * 32, file, line);
}
static inline void barrier_arrive(u32 number, u32 threads, PORTABLE_CUDA_HERE_)
{
    portable_emulate_sync_named_(number, threads, 0, "bar.arrive", file, line);
}
static inline void needs_barrier_0(u32 number, const char *file, int line)
{
    if (number != 0)
        portable_cuda_fail_(cudaErrorUnsupportedPtxVersion, "bar.red of another barrier than 0",
                            file, line);
}
template <class T> static inline u32 barrier_count(u32 number, bool predicate, PORTABLE_CUDA_HERE_)
{
    needs_barrier_0(number, file, line);
    return static_cast<u32>(portable_emulate_sync_count_(predicate, "bar.red", file, line));
}
template <class Op, class T>
static inline bool barrier_vote(u32 number, bool predicate, PORTABLE_CUDA_HERE_)
{
    needs_barrier_0(number, file, line);
    const int count = portable_emulate_sync_count_(predicate == is<Op, or_>, "bar.red", file, line);
    return is<Op, or_> ? count > 0 : count == 0;
}
static inline void cluster_barrier(PORTABLE_CUDA_HERE_)
{
    portable_emulate_sync_threads_("barrier.cluster.wait", file, line);
}
static inline void warp_barrier(b32 mask, PORTABLE_CUDA_HERE_)
{
    portable_emulate_sync_warp_(mask, "bar.warp.sync", file, line);
}

/* clamp: the last lane in its lower byte, the bits of the segment in its upper. */
template <class Way, class T, class D, class P>
static inline void shuffle(D &d, P &p, T value, b32 by, b32 clamp, b32 mask, PORTABLE_CUDA_HERE_)
{
    const u32 lane = lane_number(), segment = clamp >> 8 & 31, distance = by & 31;
    const u32 last = (lane & segment) | (clamp & 31 & ~segment);
    u32 from = is<Way, up_>     ? lane - distance
               : is<Way, down_> ? lane + distance
               : is<Way, bfly_> ? lane ^ distance
                                : (lane & segment) | (distance & ~segment);
    const bool in_range =
        is<Way, up_> ? static_cast<s32>(from) >= static_cast<s32>(last) : from <= last;
    if (!in_range)
        from = lane;
    put(d, exchange(PORTABLE_EXCHANGE_SHUFFLE_, mask, 32, value, from, "shfl.sync", file, line));
    put(p, in_range);
}
template <class Way, class T, class D, class P>
static inline void shuffle(D &d, P &p, T value, b32 by, b32 clamp, PORTABLE_CUDA_HERE_)
{
    shuffle<Way, T>(d, p, value, by, clamp, ~0u, file, line);
}
template <class Op, class T> static inline bool vote(bool predicate, b32 mask, PORTABLE_CUDA_HERE_)
{
    const u64 votes = portable_cuda::vote(mask, predicate, "vote.sync", file, line);
    const b32 yes = static_cast<b32>(votes), all = static_cast<b32>(votes >> 32);
    return is<Op, any_> ? yes != 0 : yes == all || (is<Op, uni_> && yes == 0);
}
template <class Op, class T> static inline bool vote(bool predicate, PORTABLE_CUDA_HERE_)
{
    return vote<Op, T>(predicate, ~0u, file, line);
}
template <class T> static inline b32 ballot(bool predicate, b32 mask, PORTABLE_CUDA_HERE_)
{
    return static_cast<b32>(portable_cuda::vote(mask, predicate, "vote.sync", file, line));
}
template <class T> static inline b32 ballot(bool predicate, PORTABLE_CUDA_HERE_)
{
    return ballot<T>(predicate, ~0u, file, line);
}
template <class T> static inline b32 match(T value, b32 mask, PORTABLE_CUDA_HERE_)
{
    return match_any(mask, value, file, line);
}
template <class T, class D, class P>
static inline void match_all(D &d, P &p, T value, b32 mask, PORTABLE_CUDA_HERE_)
{
    int alike = 0;
    put(d, portable_cuda::match_all(mask, value, &alike, file, line));
    put(p, alike != 0);
}
template <class T> static inline b32 active_lanes(PORTABLE_CUDA_HERE_)
{
    return portable_emulate_active_("activemask", file, line);
}
template <class Op, class T> static inline T reduce(T value, b32 mask, PORTABLE_CUDA_HERE_)
{
    return portable_cuda::reduce(
        mask, value, [](T a, T b) { return changed<Op>(a, b); }, "redux.sync", file, line);
}
template <class D, class P> static inline void elect(D &d, P &p, b32 mask, PORTABLE_CUDA_HERE_)
{
    const u32 leader = static_cast<u32>(__builtin_ctz(lanes_here(mask, "elect.sync", file, line)));
    put(d, leader);
    put(p, leader == lane_number());
}

static inline phases::word *barrier_object(void *at)
{
    return static_cast<phases::word *>(at);
}
template <class T> static inline void barrier_init(void *at, u32 count)
{
    phases::init(barrier_object(at), count);
}
template <class Mode, class T>
static inline b64 barrier_object_arrive(void *at, u32 count, PORTABLE_CUDA_HERE_)
{
    return phases::arrive(barrier_object(at), count, false, file, line);
}
template <class Mode, class T>
static inline b64 barrier_object_arrive(void *at, PORTABLE_CUDA_HERE_)
{
    return phases::arrive(barrier_object(at), 1, false, file, line);
}
template <class Mode, class T>
static inline b64 barrier_object_drop(void *at, u32 count, PORTABLE_CUDA_HERE_)
{
    return phases::arrive(barrier_object(at), count, true, file, line);
}
template <class Mode, class T> static inline b64 barrier_object_drop(void *at, PORTABLE_CUDA_HERE_)
{
    return phases::arrive(barrier_object(at), 1, true, file, line);
}
template <class T> static inline bool barrier_object_test(void *at, b64 token)
{
    return phases::passed(barrier_object(at), token);
}
template <class T> static inline bool barrier_object_test_parity(void *at, u32 parity)
{
    return phases::parity_passed(barrier_object(at), parity & 1);
}
template <class T> static inline bool barrier_object_try(void *at, b64 token, PORTABLE_CUDA_HERE_)
{
    return phases::try_wait([=] { return phases::passed(barrier_object(at), token); },
                            "mbarrier.try_wait", file, line);
}
template <class T>
static inline bool barrier_object_try(void *at, b64 token, u32, PORTABLE_CUDA_HERE_)
{
    return barrier_object_try<T>(at, token, file, line);
}
template <class T>
static inline bool barrier_object_try_parity(void *at, u32 parity, PORTABLE_CUDA_HERE_)
{
    return phases::try_wait([=] { return phases::parity_passed(barrier_object(at), parity & 1); },
                            "mbarrier.try_wait", file, line);
}
template <class T>
static inline bool barrier_object_try_parity(void *at, u32 parity, u32, PORTABLE_CUDA_HERE_)
{
    return barrier_object_try_parity<T>(at, parity, file, line);
}
template <class T> static inline u32 barrier_object_pending(b64 token)
{
    return static_cast<u32>(token & phases::count_mask);
}
/* Bulk copies are made at once; the barrier object counts their bytes. */
static __forceinline__ void needs_units(const void *to, const void *from, u32 bytes,
                                        const char *file, int line)
{
    needs_alignment(to, 16, file, line);
    needs_alignment(from, 16, file, line);
    if (bytes % 16 != 0)
        portable_cuda_fail_(cudaErrorInvalidValue, "cp.async.bulk copies a multiple of 16 bytes",
                            file, line);
}
static __forceinline__ void copy_bulk(void *to, const void *from, u32 bytes, PORTABLE_CUDA_HERE_)
{
    needs_units(to, from, bytes, file, line);
    copy_part(to, from, bytes, 0, 1);
}
static __forceinline__ void copy_bulk_to_shared(void *to, const void *from, u32 bytes, void *object,
                                                PORTABLE_CUDA_HERE_)
{
    copy_bulk(to, from, bytes, file, line);
    phases::expect_bytes(barrier_object(object), -static_cast<s64>(bytes));
}
template <class T> static inline void barrier_object_expect(void *at, u32 bytes)
{
    phases::expect_bytes(barrier_object(at), bytes);
}
template <class T>
static inline b64 barrier_object_arrive_expecting(void *at, u32 bytes, PORTABLE_CUDA_HERE_)
{
    phases::expect_bytes(barrier_object(at), bytes);
    return phases::arrive(barrier_object(at), 1, false, file, line);
}
template <class Mode, class T> static inline void copies_arrive(void *at, PORTABLE_CUDA_HERE_)
{
    wait_for_all_copies();
    if (given<Mode>)
        phases::arrive(barrier_object(at), 1, false, file, line);
}

/* ---- control ---- */

template <class T> static inline void sleep(T nanoseconds, PORTABLE_CUDA_HERE_)
{
    __nanosleep(nanoseconds, file, line);
}
static inline void trap(PORTABLE_CUDA_HERE_)
{
    __trap(file, line);
}
static inline void breakpoint(PORTABLE_CUDA_HERE_)
{
    __brkpt(file, line);
}
static inline void exit()
{
    portable_emulate_exit_();
}

/* ---- matrices ---- */

static inline u64 of_lane(u64 value, u32 lane, const char *name, const char *file, int line)
{
    return exchange(PORTABLE_EXCHANGE_SHUFFLE_, ~0u, 32, value, lane, name, file, line);
}
/* This lane's two elements of matrix number k, whose rows are at the addresses of 8 lanes. */
template <class Trans>
static __forceinline__ b32 matrix_part(const char *row, u32 k, const char *file, int line)
{
    const u32 lane = lane_number();
    const auto row_of = [&](u32 r) {
        return reinterpret_cast<const char *>(
            of_lane(reinterpret_cast<u64>(row), 8 * k + r, "ldmatrix", file, line));
    };
    if (!given<Trans>)
        return reinterpret_cast<const b32 *>(row_of(lane / 4))[lane % 4];
    const char *const first = row_of(lane % 4 * 2), *const second = row_of(lane % 4 * 2 + 1);
    return static_cast<b32>(reinterpret_cast<const b16 *>(first)[lane / 4]) |
           static_cast<b32>(reinterpret_cast<const b16 *>(second)[lane / 4]) << 16;
}
template <class Count, class Trans, class T, class R>
static __forceinline__ void load_matrix(R &r, const char *row, PORTABLE_CUDA_HERE_)
{
    needs_alignment(lane_number() < 8 ? row : nullptr, 16, file, line);
    put(r, matrix_part<Trans>(row, 0, file, line));
}
template <class Count, class Trans, class T, class R, class S>
static __forceinline__ void load_matrix(R &r, S &s, const char *row, PORTABLE_CUDA_HERE_)
{
    needs_alignment(lane_number() < 16 ? row : nullptr, 16, file, line);
    put(r, matrix_part<Trans>(row, 0, file, line));
    put(s, matrix_part<Trans>(row, 1, file, line));
}
template <class Count, class Trans, class T, class R, class S, class U, class V>
static __forceinline__ void load_matrix(R &r, S &s, U &u, V &v, const char *row,
                                        PORTABLE_CUDA_HERE_)
{
    needs_alignment(row, 16, file, line);
    put(r, matrix_part<Trans>(row, 0, file, line));
    put(s, matrix_part<Trans>(row, 1, file, line));
    put(u, matrix_part<Trans>(row, 2, file, line));
    put(v, matrix_part<Trans>(row, 3, file, line));
}
template <class Count, class Trans, class T, class... R>
static __forceinline__ void store_parts(char *row, const char *file, int line, R... values)
{
    const b32 parts[] = {values...};
    const u32 lane = lane_number();
    needs_alignment(lane < 8 * sizeof...(R) ? row : nullptr, 16, file, line);
    for (u32 k = 0; k < sizeof...(R); k++) {
        const auto row_of = [&](u32 r) {
            return reinterpret_cast<char *>(
                of_lane(reinterpret_cast<u64>(row), 8 * k + r, "stmatrix", file, line));
        };
        if (!given<Trans>) {
            reinterpret_cast<b32 *>(row_of(lane / 4))[lane % 4] = parts[k];
        } else {
            char *const first = row_of(lane % 4 * 2), *const second = row_of(lane % 4 * 2 + 1);
            reinterpret_cast<b16 *>(first)[lane / 4] = static_cast<b16>(parts[k]);
            reinterpret_cast<b16 *>(second)[lane / 4] = static_cast<b16>(parts[k] >> 16);
        }
    }
}
template <class Count, class Trans, class T>
static __forceinline__ void store_matrix(char *row, b32 a, PORTABLE_CUDA_HERE_)
{
    store_parts<Count, Trans, T>(row, file, line, a);
}
template <class Count, class Trans, class T>
static __forceinline__ void store_matrix(char *row, b32 a, b32 b, PORTABLE_CUDA_HERE_)
{
    store_parts<Count, Trans, T>(row, file, line, a, b);
}
template <class Count, class Trans, class T>
static __forceinline__ void store_matrix(char *row, b32 a, b32 b, b32 c, b32 d, PORTABLE_CUDA_HERE_)
{
    store_parts<Count, Trans, T>(row, file, line, a, b, c, d);
}
template <class T> static inline b32 transpose_matrix(b32 value, PORTABLE_CUDA_HERE_)
{
    const u32 lane = lane_number(), row = lane / 4, column = lane % 4 * 2;
    b32 result = 0;
    for (u32 k = 0; k < 2; k++) {
        const b32 from =
            static_cast<b32>(of_lane(value, (column + k) * 4 + row / 2, "movmatrix", file, line));
        result |= (from >> row % 2 * 16 & 0xffff) << 16 * k;
    }
    return result;
}

/* Element number k of a register. */
template <class T> struct in_register {
    static constexpr int count = sizeof(T) >= 4 ? 1 : 4 / sizeof(T);
    static auto element(u64 bits, int k)
    {
        if constexpr (is<T, tf32>)
            return bits_of<f32>(static_cast<b32>(bits) & ~0x1fffu);
        else if constexpr (is_small<T>)
            return static_cast<f32>(T::format::to_double(static_cast<b16>(bits >> 16 * k)));
        else if constexpr (is<T, f64>)
            return bits_of<f64>(bits);
        else
            return static_cast<s64>(static_cast<T>(bits >> 8 * k));
    }
};
template <class T> static inline u64 raw(T value)
{
    if constexpr (is<T, sink>)
        return 0;
    else if constexpr (is_integer<T>)
        return static_cast<u64>(value);
    else
        return bits_of<bits_for<T>>(value);
}
/* d = a b + c. Row r of a is in lanes 4 (r % 8) on, column c of b in lanes 4 c on; each has groups
 * of consecutive elements. The registers are those of d, a, b and c. */
template <class Shape, class Sat, class D, class A, class B, class... R>
static inline void matrix_product(const char *file, int line, R &...registers)
{
    constexpr int m = Shape::m, k = Shape::k, per = in_register<A>::count;
    constexpr int of_d = is<D, f16> ? m / 8 : m / 4, of_a = m / 8 * (k / (4 * per)),
                  of_b = k / (4 * per);
    static_assert(sizeof...(R) == 2 * of_d + of_a + of_b, "registers of the shape");
    typedef std::conditional_t<is<A, f64>, f64, std::conditional_t<is<D, s32>, s64, f32>> sum_type;
    const u64 mine[] = {raw(registers)...};
    struct list {
        const u64 *of[32];
    } shares, *const all =
                  exchange(PORTABLE_EXCHANGE_SHUFFLE_, ~0u, 32, &shares, 0, "mma.sync", file, line);
    const int lane = static_cast<int>(lane_number());
    all->of[lane] = mine + of_d;
    portable_emulate_sync_warp_(~0u, "mma.sync", file, line);
    u64 results[of_d] = {};
    for (int e = 0; e < m / 4; e++) {
        const int row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
        const u64 *const c = mine + of_d + of_a + of_b;
        sum_type sum;
        if constexpr (is<D, f16>)
            sum = in_register<f16>::element(c[e / 2], e % 2);
        else if constexpr (is<D, s32>)
            sum = static_cast<s32>(c[e]);
        else
            sum = get<D>(c[e]);
        for (int l = 0; l < k; l++) {
            const int group = l % (4 * per) / per, part = l / (4 * per);
            sum += static_cast<sum_type>(in_register<A>::element(
                       all->of[row % 8 * 4 + group][row / 8 + part * (m / 8)], l % per)) *
                   static_cast<sum_type>(
                       in_register<B>::element(all->of[column * 4 + group][of_a + part], l % per));
        }
        if constexpr (is<D, f16>)
            results[e / 2] |= static_cast<u64>(f16::format::from_double(static_cast<f64>(sum)))
                              << e % 2 * 16;
        else if constexpr (is<D, s32>)
            results[e] = static_cast<b32>(given<Sat> ? clamped(sum) : static_cast<s32>(sum));
        else
            results[e] = raw(static_cast<D>(sum));
    }
    /* Until all have read. */
    portable_emulate_sync_warp_(~0u, "mma.sync", file, line);
    int next = 0;
    const auto keep = [&](auto &&place) {
        typedef std::remove_reference_t<decltype(place)> type;
        if constexpr (std::is_same<type, b32>::value || std::is_same<type, b64>::value)
            if (next < of_d)
                place = static_cast<type>(results[next]);
        next++;
    };
    (keep(registers), ...);
}
template <class Shape, class D, class A, class B, class C, class... R>
static inline void multiply(const char *file, int line, R &&...registers)
{
    matrix_product<Shape, none_, D, A, B>(file, line, registers...);
}
template <class Shape, class Sat, class D, class A, class B, class C, class... R>
static inline void multiply_integers(const char *file, int line, R &&...registers)
{
    matrix_product<Shape, Sat, D, A, B>(file, line, registers...);
}
} // namespace ptx
} // namespace portable_cuda
#pragma portable_ptx end

#endif
