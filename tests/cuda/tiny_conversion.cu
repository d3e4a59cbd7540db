// SPDX-License-Identifier: BSD-3-Clause
// Conversions to and from floating point of 8, 6 and 4 bits: a hash for each, of every half and
// bfloat16, and of the floats and doubles next to each of them, among which are all boundaries.
#include <cstdio>
#include <cstring>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#define HD __host__ __device__

/* The inputs, by number. */
enum : unsigned { HALVES = 1 << 16, FLOATS = 1 << 18, DOUBLES = 1 << 18 };
HD float float_of(unsigned bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
template <class T> struct input;
template <> struct input<__half_raw> {
    static constexpr unsigned count = HALVES;
    static HD __half_raw get(unsigned k)
    {
        __half_raw x;
        x.x = (unsigned short)k;
        return x;
    }
};
template <> struct input<__nv_bfloat16_raw> {
    static constexpr unsigned count = HALVES;
    static HD __nv_bfloat16_raw get(unsigned k)
    {
        __nv_bfloat16_raw x;
        x.x = (unsigned short)k;
        return x;
    }
};
template <> struct input<float> {
    static constexpr unsigned count = FLOATS;
    /* A bfloat16, its neighbours, and the middle between two. */
    static HD float get(unsigned k)
    {
        const unsigned low = k % 4 < 2 ? k % 4 : k % 4 == 2 ? 0x8000 : 0xffff;
        return float_of(k / 4 << 16 | low);
    }
};
template <> struct input<double> {
    static constexpr unsigned count = DOUBLES;
    /* The same, of doubles, and of exponents beyond those of a float. */
    static HD double get(unsigned k)
    {
        const unsigned long long low[] = {0, 1, 1ull << 28, (1ull << 45) - 1};
        const unsigned long long top = k / 4, sign = top >> 15, exponent = top >> 7 & 255;
        const unsigned long long bits = sign << 63 |
                                        (exponent == 255 ? 2047 : exponent + 892) << 52 |
                                        (top & 127) << 45 | low[k % 4];
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
};
/* A sixteenth of the inputs, each with another one. */
#define PAIR(type2, type)                                                                          \
    template <> struct input<type2> {                                                              \
        static constexpr unsigned count = input<type>::count / 16;                                 \
        static HD type2 get(unsigned k)                                                            \
        {                                                                                          \
            type2 v;                                                                               \
            v.x = PART(input<type>::get((k * 17) % input<type>::count));                           \
            v.y = PART(input<type>::get((k * 85 + 77) % input<type>::count));                      \
            return v;                                                                              \
        }                                                                                          \
    };
#define PART(x) x
PAIR(float2, float)
PAIR(double2, double)
#undef PART
#define PART(raw) raw.x
PAIR(__half2_raw, __half_raw)
PAIR(__nv_bfloat162_raw, __nv_bfloat16_raw)

HD unsigned long long mixed(unsigned k, unsigned long long value)
{
    unsigned long long h = (value + 1) * 0x9e3779b97f4a7c15ull ^ k * 0xc2b2ae3d27d4eb4full;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ull;
    return h ^ h >> 32;
}
template <class T, class F>
__noinline__ HD unsigned long long sum_of(F convert, unsigned first, unsigned stride)
{
    unsigned long long sum = 0;
    for (unsigned k = first; k < input<T>::count; k += stride)
        sum += mixed(k, convert(input<T>::get(k)));
    return sum;
}
template <class T, class F> __global__ void hash(F convert, unsigned long long *total)
{
    atomicAdd(total, sum_of<T>(convert, threadIdx.x, blockDim.x));
}
template <class T, class F> void print(const char *name, F convert)
{
    const unsigned long long on_host = sum_of<T>(convert, 0, 1);
    unsigned long long *total, on_device = 0;
    cudaMalloc(&total, sizeof *total);
    cudaMemset(total, 0, sizeof *total);
    hash<T><<<1, 128>>>(convert, total);
    cudaMemcpy(&on_device, total, sizeof on_device, cudaMemcpyDeviceToHost);
    cudaFree(total);
    printf("%016llx", on_device);
    if (on_host != on_device)
        printf(", host %016llx", on_host);
    printf(" %s\n", name);
}
#define CONVERT(type, ...)                                                                         \
    print<type>(#type " " #__VA_ARGS__,                                                            \
                [] HD(const type x) { return (unsigned long long)(__VA_ARGS__); })

/* The whole format, as halves or bfloat16s. */
#define TABLE(codes, per_line, ...)                                                                \
    printf("%s\n", #__VA_ARGS__);                                                                  \
    for (unsigned x = 0; x < codes; x++)                                                           \
    printf("%04x%c", (unsigned)(__VA_ARGS__), x % per_line == per_line - 1 ? '\n' : ' ')

HD unsigned both(__half2_raw x)
{
    return x.x | (unsigned)x.y << 16;
}
HD unsigned both(__nv_bfloat162_raw x)
{
    return x.x | (unsigned)x.y << 16;
}

static void fp8()
{
    TABLE(256, 16, __nv_cvt_fp8_to_halfraw(x, __NV_E4M3).x);
    TABLE(256, 16, __nv_cvt_fp8_to_halfraw(x, __NV_E5M2).x);
    CONVERT(__half_raw, __nv_cvt_fp8_to_halfraw((unsigned char)x.x, __NV_E4M3).x);
    CONVERT(__half_raw, __nv_cvt_fp8_to_halfraw((unsigned char)x.x, __NV_E5M2).x);
    CONVERT(__half_raw, both(__nv_cvt_fp8x2_to_halfraw2(x.x, __NV_E4M3)));
    CONVERT(__half_raw, both(__nv_cvt_fp8x2_to_halfraw2(x.x, __NV_E5M2)));
#define OF(saturate, format)                                                                       \
    CONVERT(float, __nv_cvt_float_to_fp8(x, saturate, format));                                    \
    CONVERT(double, __nv_cvt_double_to_fp8(x, saturate, format));                                  \
    CONVERT(__half_raw, __nv_cvt_halfraw_to_fp8(x, saturate, format));                             \
    CONVERT(__nv_bfloat16_raw, __nv_cvt_bfloat16raw_to_fp8(x, saturate, format))
    OF(__NV_NOSAT, __NV_E4M3);
    OF(__NV_SATFINITE, __NV_E4M3);
    OF(__NV_NOSAT, __NV_E5M2);
    OF(__NV_SATFINITE, __NV_E5M2);
#undef OF
#define OF(saturate, format)                                                                       \
    CONVERT(float2, __nv_cvt_float2_to_fp8x2(x, saturate, format));                                \
    CONVERT(double2, __nv_cvt_double2_to_fp8x2(x, saturate, format));                              \
    CONVERT(__half2_raw, __nv_cvt_halfraw2_to_fp8x2(x, saturate, format));                         \
    CONVERT(__nv_bfloat162_raw, __nv_cvt_bfloat16raw2_to_fp8x2(x, saturate, format))
    OF(__NV_NOSAT, __NV_E4M3);
    OF(__NV_SATFINITE, __NV_E4M3);
    OF(__NV_NOSAT, __NV_E5M2);
    OF(__NV_SATFINITE, __NV_E5M2);
#undef OF
}

static void e8m0()
{
    TABLE(256, 16, __nv_cvt_e8m0_to_bf16raw(x).x);
    CONVERT(__half_raw, __nv_cvt_e8m0_to_bf16raw((unsigned char)x.x).x);
    CONVERT(__half_raw, both(__nv_cvt_e8m0x2_to_bf162raw(x.x)));
#define OF(saturate, rounding)                                                                     \
    CONVERT(float, __nv_cvt_float_to_e8m0(x, saturate, rounding));                                 \
    CONVERT(double, __nv_cvt_double_to_e8m0(x, saturate, rounding));                               \
    CONVERT(__nv_bfloat16_raw, __nv_cvt_bfloat16raw_to_e8m0(x, saturate, rounding));               \
    CONVERT(float2, __nv_cvt_float2_to_e8m0x2(x, saturate, rounding));                             \
    CONVERT(double2, __nv_cvt_double2_to_e8m0x2(x, saturate, rounding));                           \
    CONVERT(__nv_bfloat162_raw, __nv_cvt_bfloat162raw_to_e8m0x2(x, saturate, rounding))
    OF(__NV_NOSAT, cudaRoundZero);
    OF(__NV_NOSAT, cudaRoundPosInf);
    OF(__NV_SATFINITE, cudaRoundZero);
    OF(__NV_SATFINITE, cudaRoundPosInf);
#undef OF
}

static void fp6()
{
    TABLE(64, 16, __nv_cvt_fp6_to_halfraw(x, __NV_E2M3).x);
    TABLE(64, 16, __nv_cvt_fp6_to_halfraw(x, __NV_E3M2).x);
    CONVERT(__half_raw, both(__nv_cvt_fp6x2_to_halfraw2(x.x, __NV_E2M3)));
    CONVERT(__half_raw, both(__nv_cvt_fp6x2_to_halfraw2(x.x, __NV_E3M2)));
#define OF(format, rounding)                                                                       \
    CONVERT(float, __nv_cvt_float_to_fp6(x, format, rounding));                                    \
    CONVERT(double, __nv_cvt_double_to_fp6(x, format, rounding));                                  \
    CONVERT(__half_raw, __nv_cvt_halfraw_to_fp6(x, format, rounding));                             \
    CONVERT(__nv_bfloat16_raw, __nv_cvt_bfloat16raw_to_fp6(x, format, rounding));                  \
    CONVERT(float2, __nv_cvt_float2_to_fp6x2(x, format, rounding));                                \
    CONVERT(double2, __nv_cvt_double2_to_fp6x2(x, format, rounding));                              \
    CONVERT(__half2_raw, __nv_cvt_halfraw2_to_fp6x2(x, format, rounding));                         \
    CONVERT(__nv_bfloat162_raw, __nv_cvt_bfloat16raw2_to_fp6x2(x, format, rounding))
    OF(__NV_E2M3, cudaRoundNearest);
    OF(__NV_E2M3, cudaRoundZero);
    OF(__NV_E3M2, cudaRoundNearest);
    OF(__NV_E3M2, cudaRoundZero);
#undef OF
}

static void fp4()
{
    TABLE(16, 16, __nv_cvt_fp4_to_halfraw(x, __NV_E2M1).x);
    CONVERT(__half_raw, __nv_cvt_fp4_to_halfraw((unsigned char)x.x, __NV_E2M1).x);
    CONVERT(__half_raw, both(__nv_cvt_fp4x2_to_halfraw2((unsigned char)x.x, __NV_E2M1)));
#define OF(rounding)                                                                               \
    CONVERT(float, __nv_cvt_float_to_fp4(x, __NV_E2M1, rounding));                                 \
    CONVERT(double, __nv_cvt_double_to_fp4(x, __NV_E2M1, rounding));                               \
    CONVERT(__half_raw, __nv_cvt_halfraw_to_fp4(x, __NV_E2M1, rounding));                          \
    CONVERT(__nv_bfloat16_raw, __nv_cvt_bfloat16raw_to_fp4(x, __NV_E2M1, rounding));               \
    CONVERT(float2, __nv_cvt_float2_to_fp4x2(x, __NV_E2M1, rounding));                             \
    CONVERT(double2, __nv_cvt_double2_to_fp4x2(x, __NV_E2M1, rounding));                           \
    CONVERT(__half2_raw, __nv_cvt_halfraw2_to_fp4x2(x, __NV_E2M1, rounding));                      \
    CONVERT(__nv_bfloat162_raw, __nv_cvt_bfloat16raw2_to_fp4x2(x, __NV_E2M1, rounding))
    OF(cudaRoundNearest);
    OF(cudaRoundZero);
#undef OF
}

int main()
{
    fp8();
    e8m0();
    fp6();
    fp4();
    return 0;
}
