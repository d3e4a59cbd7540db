// SPDX-License-Identifier: BSD-3-Clause
// Conversions, arithmetic and comparisons of half and bfloat16: a hash for each, of all values, of
// the floats, doubles and integers next to them, and of pairs and triples of them.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum : unsigned { HALVES = 1 << 16, MIDDLES = 1 << 18 };
template <class T> struct pair {
    T a, b;
};
template <class T> struct triple {
    T a, b, c;
};

__device__ unsigned long long mixed(unsigned k, unsigned long long value)
{
    unsigned long long h = (value + 1) * 0x9e3779b97f4a7c15ull ^ k * 0xc2b2ae3d27d4eb4full;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ull;
    return h ^ h >> 32;
}
template <class T> __device__ T from_bits(unsigned long long bits)
{
    T x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
template <class T> __device__ unsigned long long bits_of(T x)
{
    unsigned long long bits = 0;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

/* The inputs, by number: of a type of two bytes all, of an integer small, near a power of two, and
 * any. */
template <class T> struct input {
    static constexpr unsigned count = HALVES;
    static __device__ T get(unsigned k)
    {
        const int shift = k % 64;
        const unsigned long long near = (1ull << shift) + (k >> 6) % 16 - 8;
        return sizeof(T) == 2 ? from_bits<T>(k)
               : k % 3 == 0   ? from_bits<T>(k / 3 - HALVES / 6)
               : k % 3 == 1   ? from_bits<T>(near * (k & 2048 ? 1 : ~0ull))
                              : from_bits<T>(mixed(k, 5) >> shift);
    }
};
/* A bfloat16 or a half, its neighbours, and the middle between two. */
template <> struct input<float> {
    static constexpr unsigned count = 2 * MIDDLES;
    static __device__ float get(unsigned k)
    {
        const unsigned low = k % 4 < 2 ? k % 4 : k % 4 == 2 ? 0x8000 : 0xffff;
        const unsigned bits = k / 4 % HALVES << 16 | low;
        /* The exponents of half, and its fraction. */
        const unsigned narrow = (bits & 0x80000000) | ((bits >> 3 & 0x0fffffff) + 0x32000000);
        return from_bits<float>(k < MIDDLES ? bits : narrow);
    }
};
template <> struct input<double> {
    static constexpr unsigned count = 2 * MIDDLES;
    /* As floats, but for a NaN, and next to them. */
    static __device__ double get(unsigned k)
    {
        const float x = input<float>::get(k);
        return from_bits<double>(bits_of((double)(x == x ? x : 1)) + k % 7 % 3 - 1);
    }
};
template <class T> struct input<pair<T>> {
    static constexpr unsigned count = HALVES;
    static __device__ pair<T> get(unsigned k)
    {
        /* Every other one within a few powers of two. */
        const unsigned other = (unsigned)mixed(k, 1);
        const pair<T> v = {from_bits<T>(k), from_bits<T>(k % 2 ? other : (k ^ (other & 0x8fff)))};
        return v;
    }
};
template <class T> struct input<triple<T>> {
    static constexpr unsigned count = HALVES;
    static __device__ triple<T> get(unsigned k)
    {
        const pair<T> v = input<pair<T>>::get(k);
        const triple<T> result = {v.a, v.b, input<pair<T>>::get(k * 5 % HALVES).b};
        return result;
    }
};

template <class T, class F> __noinline__ __device__ unsigned long long sum_of(F function)
{
    unsigned long long sum = 0;
    for (unsigned k = threadIdx.x; k < input<T>::count; k += blockDim.x)
        sum += mixed(k, bits_of(function(input<T>::get(k))));
    return sum;
}
template <class T, class F> __global__ void hash(F function, unsigned long long *total)
{
    atomicAdd(total, sum_of<T>(function));
}
template <class T, class F> void print(const char *name, F function)
{
    unsigned long long *total, sum = 0;
    cudaMalloc(&total, sizeof *total);
    cudaMemset(total, 0, sizeof *total);
    hash<T><<<1, 128>>>(function, total);
    cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(total);
    printf("%016llx %s\n", sum, name);
}
#define OF(T, function) print<T>(#function, [] __device__(const T x) { return function(x); })
#define OF2(T, function)                                                                           \
    print<pair<T>>(#T " " #function, [] __device__(const pair<T> x) { return function(x.a, x.b); })
#define OF3(T, function)                                                                           \
    print<triple<T>>(#T " " #function,                                                             \
                     [] __device__(const triple<T> x) { return function(x.a, x.b, x.c); })
#define MODES(X, T, function)                                                                      \
    X(T, function##_rn);                                                                           \
    X(T, function##_rz);                                                                           \
    X(T, function##_ru);                                                                           \
    X(T, function##_rd)
#define INTEGERS(T, name)                                                                          \
    MODES(OF, int, __int2##name);                                                                  \
    MODES(OF, unsigned, __uint2##name);                                                            \
    MODES(OF, long long, __ll2##name);                                                             \
    MODES(OF, unsigned long long, __ull2##name);                                                   \
    MODES(OF, T, __##name##2int);                                                                  \
    MODES(OF, T, __##name##2uint);                                                                 \
    MODES(OF, T, __##name##2ll);                                                                   \
    MODES(OF, T, __##name##2ull);                                                                  \
    OF(T, __##name##2char_rz);                                                                     \
    OF(T, __##name##2uchar_rz)

static void conversions()
{
    OF(float, __float2half);
    MODES(OF, float, __float2half);
    OF(double, __double2half);
    OF(__half, __half2float);
    INTEGERS(__half, half);
    OF(float, __float2bfloat16);
    MODES(OF, float, __float2bfloat16);
    OF(double, __double2bfloat16);
    OF(__nv_bfloat16, __bfloat162float);
    INTEGERS(__nv_bfloat16, bfloat16);
}
#define ARITHMETIC(T)                                                                              \
    OF2(T, __hadd);                                                                                \
    OF2(T, __hsub);                                                                                \
    OF2(T, __hmul);                                                                                \
    OF2(T, __hmul_sat);                                                                            \
    OF2(T, __hdiv);                                                                                \
    OF3(T, __hfma);                                                                                \
    OF3(T, __hfma_sat);                                                                            \
    OF3(T, __hfma_relu);                                                                           \
    OF2(T, __hmin);                                                                                \
    OF2(T, __hmin_nan);                                                                            \
    OF2(T, __hmax);                                                                                \
    OF2(T, __hmax_nan);                                                                            \
    OF2(T, __heq);                                                                                 \
    OF2(T, __hlt);                                                                                 \
    OF2(T, __hltu);                                                                                \
    OF2(T, __hleu)
#define ARITHMETIC2(T)                                                                             \
    OF2(T, __hadd2);                                                                               \
    OF2(T, __hsub2_sat);                                                                           \
    OF2(T, __hmul2);                                                                               \
    OF2(T, __h2div);                                                                               \
    OF3(T, __hfma2);                                                                               \
    OF3(T, __hfma2_relu);                                                                          \
    OF3(T, __hcmadd);                                                                              \
    OF2(T, __hmin2_nan);                                                                           \
    OF2(T, __hgt2);                                                                                \
    OF2(T, __hgeu2_mask);                                                                          \
    OF2(T, __hbne2)

int main()
{
    conversions();
    ARITHMETIC(__half);
    ARITHMETIC(__nv_bfloat16);
    ARITHMETIC2(__half2);
    ARITHMETIC2(__nv_bfloat162);
    return 0;
}
