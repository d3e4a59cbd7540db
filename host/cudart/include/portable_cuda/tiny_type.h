/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The types of one, two and four numbers of 8 bits or less. cuda_fp8.h, cuda_fp6.h and cuda_fp4.h
 * include this once for each format, with these macros:
 *
 *     PORTABLE_CUDA_T_, _T2_, _T4_           the types
 *     PORTABLE_CUDA_STORAGE2_, _STORAGE4_    the integers that hold two and four
 *     PORTABLE_CUDA_FORMAT_                  their format, in tiny_float.h
 *     PORTABLE_CUDA_CONVERSIONS_: 1 with constructors; _OPERATORS_: 1 with conversions to others
 */

struct PORTABLE_CUDA_T_ {
    typedef portable_cuda::tiny::PORTABLE_CUDA_FORMAT_ portable_format_;
    unsigned char __x;

    PORTABLE_CUDA_T_() = default;
#if PORTABLE_CUDA_CONVERSIONS_
#define PORTABLE_CUDA_CONVERT_(type, from)                                                         \
    explicit PORTABLE_CUDA_T_(type value)                                                          \
    {                                                                                              \
        __x = portable_format_::from;                                                              \
    }
    PORTABLE_CUDA_CONVERT_(__half, from((__half_raw)value))
    PORTABLE_CUDA_CONVERT_(__nv_bfloat16, from((__nv_bfloat16_raw)value))
    PORTABLE_CUDA_CONVERT_(float, from(value))
    PORTABLE_CUDA_CONVERT_(double, from(value))
    PORTABLE_CUDA_CONVERT_(short, from_integer(value))
    PORTABLE_CUDA_CONVERT_(unsigned short, from_integer(value))
    PORTABLE_CUDA_CONVERT_(int, from_integer(value))
    PORTABLE_CUDA_CONVERT_(unsigned int, from_integer(value))
    PORTABLE_CUDA_CONVERT_(long, from_integer(value))
    PORTABLE_CUDA_CONVERT_(unsigned long, from_integer(value))
    PORTABLE_CUDA_CONVERT_(long long, from_integer(value))
    PORTABLE_CUDA_CONVERT_(unsigned long long, from_integer(value))
#undef PORTABLE_CUDA_CONVERT_
#endif
#if PORTABLE_CUDA_OPERATORS_
    explicit operator __half() const
    {
        return portable_format_::to_half(__x);
    }
    explicit operator __nv_bfloat16() const
    {
        return portable_format_::to_bfloat16(__x);
    }
    explicit operator float() const
    {
        return portable_format_::to_float(__x);
    }
    explicit operator double() const
    {
        return (double)portable_format_::to_float(__x);
    }
#define PORTABLE_CUDA_CONVERT_(type, nan)                                                          \
    explicit operator type() const                                                                 \
    {                                                                                              \
        return portable_cuda::small::saturate<type>(                                               \
            trunc((double)portable_format_::to_float(__x)), nan);                                  \
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
    explicit operator bool() const
    {
        return portable_format_::is_true(__x);
    }
#endif
};

struct __align__(sizeof(PORTABLE_CUDA_STORAGE2_)) PORTABLE_CUDA_T2_
{
    typedef portable_cuda::tiny::PORTABLE_CUDA_FORMAT_ portable_format_;
    PORTABLE_CUDA_STORAGE2_ __x;

    PORTABLE_CUDA_T2_() = default;
#if PORTABLE_CUDA_CONVERSIONS_
#define PORTABLE_CUDA_CONVERT_(type, raw, element)                                                 \
    explicit PORTABLE_CUDA_T2_(type value)                                                         \
    {                                                                                              \
        const raw v = value;                                                                       \
        __x = (PORTABLE_CUDA_STORAGE2_)portable_cuda::tiny::packed<portable_format_>(              \
            portable_format_::from(element{v.x}), portable_format_::from(element{v.y}));           \
    }
    PORTABLE_CUDA_CONVERT_(__half2, __half2_raw, __half_raw)
    PORTABLE_CUDA_CONVERT_(__nv_bfloat162, __nv_bfloat162_raw, __nv_bfloat16_raw)
    PORTABLE_CUDA_CONVERT_(float2, float2, float)
    PORTABLE_CUDA_CONVERT_(double2, double2, double)
#undef PORTABLE_CUDA_CONVERT_
#endif
#if PORTABLE_CUDA_OPERATORS_
    explicit operator __half2() const
    {
        return __half2(
            portable_format_::to_half(portable_cuda::tiny::place<portable_format_>(__x, 0)),
            portable_format_::to_half(portable_cuda::tiny::place<portable_format_>(__x, 1)));
    }
#if PORTABLE_CUDA_TO_BFLOAT162_
    explicit operator __nv_bfloat162() const
    {
        return __nv_bfloat162(
            portable_format_::to_bfloat16(portable_cuda::tiny::place<portable_format_>(__x, 0)),
            portable_format_::to_bfloat16(portable_cuda::tiny::place<portable_format_>(__x, 1)));
    }
#endif
    explicit operator float2() const
    {
        const float2 result = {
            portable_format_::to_float(portable_cuda::tiny::place<portable_format_>(__x, 0)),
            portable_format_::to_float(portable_cuda::tiny::place<portable_format_>(__x, 1))};
        return result;
    }
#endif
};

struct __align__(sizeof(PORTABLE_CUDA_STORAGE4_)) PORTABLE_CUDA_T4_
{
    typedef portable_cuda::tiny::PORTABLE_CUDA_FORMAT_ portable_format_;
    PORTABLE_CUDA_STORAGE4_ __x;

    PORTABLE_CUDA_T4_() = default;
#if PORTABLE_CUDA_CONVERSIONS_
#define PORTABLE_CUDA_CONVERT_(type, raw, element)                                                 \
    explicit PORTABLE_CUDA_T4_(type low, type high)                                                \
    {                                                                                              \
        const raw a = low, b = high;                                                               \
        __x = (PORTABLE_CUDA_STORAGE4_)portable_cuda::tiny::packed<portable_format_>(              \
            portable_format_::from(element{a.x}), portable_format_::from(element{a.y}),            \
            portable_format_::from(element{b.x}), portable_format_::from(element{b.y}));           \
    }
    PORTABLE_CUDA_CONVERT_(__half2, __half2_raw, __half_raw)
    PORTABLE_CUDA_CONVERT_(__nv_bfloat162, __nv_bfloat162_raw, __nv_bfloat16_raw)
#undef PORTABLE_CUDA_CONVERT_
#define PORTABLE_CUDA_CONVERT_(type)                                                               \
    explicit PORTABLE_CUDA_T4_(type v)                                                             \
    {                                                                                              \
        __x = (PORTABLE_CUDA_STORAGE4_)portable_cuda::tiny::packed<portable_format_>(              \
            portable_format_::from(v.x), portable_format_::from(v.y), portable_format_::from(v.z), \
            portable_format_::from(v.w));                                                          \
    }
    PORTABLE_CUDA_CONVERT_(float4)
    PORTABLE_CUDA_CONVERT_(double4)
    PORTABLE_CUDA_CONVERT_(double4_16a)
    PORTABLE_CUDA_CONVERT_(double4_32a)
#undef PORTABLE_CUDA_CONVERT_
#endif
#if PORTABLE_CUDA_OPERATORS_
    explicit operator float4() const
    {
        const float4 result = {
            portable_format_::to_float(portable_cuda::tiny::place<portable_format_>(__x, 0)),
            portable_format_::to_float(portable_cuda::tiny::place<portable_format_>(__x, 1)),
            portable_format_::to_float(portable_cuda::tiny::place<portable_format_>(__x, 2)),
            portable_format_::to_float(portable_cuda::tiny::place<portable_format_>(__x, 3))};
        return result;
    }
#endif
};

#undef PORTABLE_CUDA_T_
#undef PORTABLE_CUDA_T2_
#undef PORTABLE_CUDA_T4_
#undef PORTABLE_CUDA_FORMAT_
