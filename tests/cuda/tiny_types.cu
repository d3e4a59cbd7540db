// SPDX-License-Identifier: BSD-3-Clause
// The types of floating point of 8, 6 and 4 bits: constructors, conversions to all types, vectors of
// two and four, in kernels and on the host: a hash of the results of each.
#include <cstdio>
#include <cstring>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#define HD __host__ __device__

template <class T> HD unsigned long long bits_of(T x)
{
    unsigned long long bits = 0;
    memcpy(&bits, &x, sizeof x);
    return bits;
}
HD unsigned long long bits_of(double x)
{
    unsigned long long bits = 0;
    memcpy(&bits, &x, sizeof x);
    return x == x ? bits : 1; /* one NaN */
}
HD unsigned long long bits_of(float4 v)
{
    return (bits_of(v.x) * 3 + bits_of(v.y)) * 5 + bits_of(v.z) * 7 + bits_of(v.w) * 11;
}

/* To another type, from each code. */
template <class From, class To> struct widen {
    static constexpr unsigned count = 1u << 8 * (sizeof(From) < 2 ? sizeof(From) : 2);
    static HD unsigned long long of(unsigned k)
    {
        From x;
        x.__x = (decltype(x.__x))(sizeof(From) == 4 ? k * 0x9e3779b1u : k);
        return bits_of(static_cast<To>(x));
    }
};
/* From an integer: small ones, those next to a power of two, and the largest. */
template <class From, class To> struct narrow {
    static constexpr unsigned count = 1024 + 64 * 8;
    static HD unsigned long long of(unsigned k)
    {
        const unsigned long long near = k < 1024 ? k - 512ull : 1ull << (k - 1024) / 8;
        const unsigned long long value =
            k < 1024 ? near : near + (k % 8 < 5 ? k % 8 - 2ull : 0 - near - near);
        return To(static_cast<From>(value)).__x;
    }
};
/* From a float, a double, a half, a bfloat16, and their vectors. */
HD float sample(unsigned k)
{
    const unsigned bits = (k * 0x9e3779b1u & 0x8fffffff) + (k % 7 ? 0x38000000 : 0x70000000);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
template <class To> struct from_float {
    static constexpr unsigned count = 4096;
    static HD unsigned long long of(unsigned k)
    {
        const float x = sample(k);
        return To(x).__x | To((double)x).__x << 8 | (unsigned)To(__float2half(x)).__x << 16 |
               (unsigned)To(__float2bfloat16(x)).__x << 24;
    }
};
template <class To> struct from_two {
    static constexpr unsigned count = 4096;
    static HD unsigned long long of(unsigned k)
    {
        const float2 v = make_float2(sample(k), sample(k + 1));
        return To(v).__x + To(make_double2(v.x, v.y)).__x * 3ull +
               To(__float22half2_rn(v)).__x * 5ull + To(__float22bfloat162_rn(v)).__x * 7ull;
    }
};
template <class To> struct from_four {
    static constexpr unsigned count = 4096;
    static HD unsigned long long of(unsigned k)
    {
        const float2 a = make_float2(sample(k), sample(k + 1));
        const float2 b = make_float2(sample(k + 2), sample(k + 3));
        return To(make_float4(a.x, a.y, b.x, b.y)).__x +
               To(make_double4_16a(a.x, a.y, b.x, b.y)).__x * 3ull +
               To(make_double4_32a(a.x, a.y, b.x, b.y)).__x * 5ull +
               To(__float22half2_rn(a), __float22half2_rn(b)).__x * 7ull +
               To(__float22bfloat162_rn(a), __float22bfloat162_rn(b)).__x * 11ull;
    }
};

HD unsigned long long mixed(unsigned k, unsigned long long value)
{
    unsigned long long h = (value + 1) * 0x9e3779b97f4a7c15ull ^ k * 0xc2b2ae3d27d4eb4full;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ull;
    return h ^ h >> 32;
}
template <class C> __noinline__ HD unsigned long long sum_of(unsigned first, unsigned stride)
{
    unsigned long long sum = 0;
    for (unsigned k = first; k < C::count; k += stride)
        sum += mixed(k, C::of(k));
    return sum;
}
template <class... C> __global__ void hash(unsigned long long *totals)
{
    unsigned n = 0;
    (atomicAdd(&totals[n++], sum_of<C>(threadIdx.x, blockDim.x)), ...);
}
template <class... C> void print(const char *const (&names)[sizeof...(C)])
{
    const unsigned long long on_host[] = {sum_of<C>(0, 1)...};
    unsigned long long *totals, on_device[sizeof...(C)];
    cudaMalloc(&totals, sizeof on_device);
    cudaMemset(totals, 0, sizeof on_device);
    hash<C...><<<1, 128>>>(totals);
    cudaMemcpy(on_device, totals, sizeof on_device, cudaMemcpyDeviceToHost);
    cudaFree(totals);
    for (unsigned n = 0; n < sizeof...(C); n++) {
        printf("  %016llx", on_device[n]);
        if (on_host[n] != on_device[n])
            printf(", host %016llx", on_host[n]);
        printf(" %s\n", names[n]);
    }
}

template <class T> void one(const char *name)
{
    typedef unsigned short ushort;
    typedef unsigned int uint;
    typedef unsigned long ulong;
    typedef long long longlong;
    typedef unsigned long long ulonglong;
    printf("%s: %d bytes, alignment %d\n", name, (int)sizeof(T), (int)alignof(T));
    print<widen<T, float>, widen<T, double>, widen<T, __half>, widen<T, __nv_bfloat16>,
          widen<T, bool>, widen<T, signed char>, widen<T, unsigned char>, widen<T, char>,
          widen<T, short>, widen<T, ushort>, widen<T, int>, widen<T, uint>, widen<T, long>,
          widen<T, ulong>, widen<T, longlong>, widen<T, ulonglong>>(
        {"to float", "to double", "to half", "to bfloat16", "to bool", "to signed char",
         "to unsigned char", "to char", "to short", "to ushort", "to int", "to uint", "to long",
         "to ulong", "to longlong", "to ulonglong"});
    print<narrow<short, T>, narrow<ushort, T>, narrow<int, T>, narrow<uint, T>, narrow<long, T>,
          narrow<ulong, T>, narrow<longlong, T>, narrow<ulonglong, T>, from_float<T>>(
        {"from short", "from ushort", "from int", "from uint", "from long", "from ulong",
         "from longlong", "from ulonglong", "from float, double, half, bfloat16"});
}
template <class T> void two(const char *name)
{
    printf("%s: %d bytes, alignment %d\n", name, (int)sizeof(T), (int)alignof(T));
    print<widen<T, float2>, widen<T, __half2>, from_two<T>>(
        {"to float2", "to half2", "from float2, double2, half2, bfloat162"});
}
template <class T> void four(const char *name)
{
    printf("%s: %d bytes, alignment %d\n", name, (int)sizeof(T), (int)alignof(T));
    print<widen<T, float4>, from_four<T>>(
        {"to float4", "from float4, double4, two half2, two bfloat162"});
}

/* A weighted sum of quantised rows, scaled by powers of two: as programs use these types. */
__global__ void scaled_sums(const float *in, const __nv_fp8_e8m0 *scales, float *out)
{
    __shared__ __nv_fp8_e4m3 row[128];
    __shared__ __nv_fp8x4_e5m2 quads[32];
    const int t = threadIdx.x;
    row[t] = __nv_fp8_e4m3(in[blockIdx.x * 128 + t]);
    __syncthreads();
    if (t < 32) {
        const float4 v = make_float4(float(row[4 * t]), float(row[4 * t + 1]),
                                     float(row[4 * t + 2]), float(row[4 * t + 3]));
        quads[t] = __nv_fp8x4_e5m2(v);
    }
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (int k = 0; k < 32; k++) {
            const float4 v = static_cast<float4>(quads[k]);
            sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
        }
        out[blockIdx.x] = sum * float(scales[blockIdx.x]);
    }
}
static void use_in_shared_memory()
{
    float *in, *out;
    __nv_fp8_e8m0 *scales;
    cudaMallocManaged(&in, 4 * 128 * sizeof *in);
    cudaMallocManaged(&out, 4 * sizeof *out);
    cudaMallocManaged(&scales, 4 * sizeof *scales);
    for (int k = 0; k < 4 * 128; k++)
        in[k] = (float)(k * 37 % 101 - 50) / 16;
    for (int k = 0; k < 4; k++)
        scales[k] = __nv_fp8_e8m0(3.0f * (float)(1 << 4 * k));
    scaled_sums<<<4, 128>>>(in, scales, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int k = 0; k < 4; k++)
        printf("%g\n", out[k]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(scales);
}

int main()
{
#define FORMAT(bits, format)                                                                       \
    one<__nv_fp##bits##_##format>(#format);                                                        \
    two<__nv_fp##bits##x2_##format>(#format ", two");                                              \
    four<__nv_fp##bits##x4_##format>(#format ", four")
    FORMAT(8, e4m3);
    FORMAT(8, e5m2);
    FORMAT(8, e8m0);
    print<widen<__nv_fp8x2_e8m0, __nv_bfloat162>>({"to bfloat162"});
    FORMAT(6, e2m3);
    FORMAT(6, e3m2);
    FORMAT(4, e2m1);
    use_in_shared_memory();
    return 0;
}
