// SPDX-License-Identifier: BSD-3-Clause
// A program's own overloads of CUDA's names, and those that CUDA has no more.
#include <cstdio>
#include <cuda_fp16.h>

/* CUDA's own, in functions that nothing calls. */
template <int DELTA> __device__ int uncalled_template(int x)
{
    return __shfl_down(x, DELTA) + (__all(1) ? 1 : (int)__ballot(0));
}
struct uncalled {
    static __device__ int any(int x)
    {
        return __any(x > 0);
    }
};

/* What CUDA had until version 8. */
__device__ float2 __shfl_down(float2 v, unsigned by)
{
    return make_float2(__shfl_down_sync(~0u, v.x, by), __shfl_down_sync(~0u, v.y, by));
}
template <typename T> __device__ T __shfl_xor(T v, int mask, int width = 32)
{
    return T{__shfl_xor_sync(~0u, v.x, mask, width), 0};
}
__device__ double __shfl(float2 v, int lane)
{
    return __shfl_sync(~0u, v.x, lane);
}
__device__ int __shfl_up(float2 v, unsigned by)
{
    return (int)__shfl_up_sync(~0u, v.x, by);
}
__device__ unsigned __ballot(bool predicate)
{
    return __ballot_sync(~0u, predicate);
}
__device__ int __any(bool predicate)
{
    return __any_sync(~0u, predicate);
}
__device__ int __all(bool predicate)
{
    return __all_sync(~0u, predicate);
}

/* Atomics of types for which CUDA has none. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600 || defined(PORTABLE_CUDA_LAUNCH_H)
__device__ double atomicAdd(double *address, double value)
{
    unsigned long long *const bits = (unsigned long long *)address, old = atomicCAS(bits, 0, 0),
                              assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
#endif
__device__ float atomicMax(float *address, float value)
{
    int *const bits = (int *)address, old = atomicCAS(bits, 0, 0);
    while (value > __int_as_float(old)) {
        const int was = atomicCAS(bits, old, __float_as_int(value));
        if (was == old)
            break;
        old = was;
    }
    return __int_as_float(old);
}
__device__ double atomicMin(double *address, double value)
{
    unsigned long long *const bits = (unsigned long long *)address, old = atomicCAS(bits, 0, 0),
                              was;
    do {
        was = old;
        old = atomicCAS(bits, was, __double_as_longlong(fmin(value, __longlong_as_double(was))));
    } while (was != old);
    return __longlong_as_double(old);
}
__device__ long long atomicAdd(long long *address, long long value)
{
    return (long long)atomicAdd((unsigned long long *)address, (unsigned long long)value);
}
__device__ unsigned char atomicAdd(unsigned char *address, unsigned char value)
{
    unsigned *const word = (unsigned *)((size_t)address & ~(size_t)3);
    const unsigned shift = 8 * ((size_t)address & 3);
    unsigned old = atomicCAS(word, 0, 0), was;
    do {
        was = old;
        const unsigned sum = ((was >> shift) + value) & 0xff;
        old = atomicCAS(word, was, (was & ~(0xffu << shift)) | sum << shift);
    } while (was != old);
    return (unsigned char)(old >> shift);
}
__device__ unsigned long atomicMax(unsigned long *address, unsigned long value)
{
    return atomicMax((unsigned long long *)address, (unsigned long long)value);
}
__device__ float3 atomicAdd(float3 *address, float3 value)
{
    return make_float3(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                       atomicAdd(&address->z, value.z));
}

/* As CUDA's samples have them. */
__host__ __device__ inline float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__host__ __device__ inline float4 operator*(float s, float4 a)
{
    return make_float4(s * a.x, s * a.y, s * a.z, s * a.w);
}
__host__ __device__ inline void operator+=(float4 &a, float4 b)
{
    a = a + b;
}
__host__ __device__ inline int3 operator-(const int3 &a)
{
    return make_int3(-a.x, -a.y, -a.z);
}
__host__ __device__ inline bool operator==(const dim3 &a, const dim3 &b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
inline __device__ __host__ float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}
inline __device__ __host__ float4 lerp(float4 a, float4 b, float t)
{
    return a + t * (b + (-1.f) * a);
}
inline __device__ __host__ float clamp(float f, float a, float b)
{
    return fmaxf(a, fminf(f, b));
}
inline __device__ __host__ int clamp(int f, int a, int b)
{
    return max(a, min(f, b));
}
inline __host__ __device__ float4 fminf(float4 a, float4 b)
{
    return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w));
}
inline __host__ __device__ float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
inline __host__ __device__ float4 make_float4(float s)
{
    return make_float4(s, s, s, s);
}
inline __host__ __device__ float4 make_float4(float3 a)
{
    return make_float4(a.x, a.y, a.z, 0.0f);
}
struct Pair {
    int first, second;
};
__device__ Pair __ldg(const Pair *p)
{
    return Pair{__ldg(&p->first), __ldg(&p->second)};
}
__device__ Pair min(Pair a, Pair b)
{
    return a.first < b.first ? a : b;
}
template <class T> __device__ T max(const T &a, const T &b, const T &c)
{
    return max(a, max(b, c));
}
__device__ Pair __shfl_sync(unsigned mask, Pair p, int lane)
{
    return Pair{__shfl_sync(mask, p.first, lane), __shfl_sync(mask, p.second, lane)};
}

struct Results {
    double sum, least;
    float most;
    long long wide;
    unsigned long largest;
    unsigned char bytes[4];
    float3 vector;
    float2 pair;
    double shuffled;
    int up, xored, any, all, clamped, least_first, first;
    unsigned ballot;
    float4 blend;
};
__global__ void everything(Results *r, const Pair *pairs)
{
    const int t = threadIdx.x;
    atomicAdd(&r->sum, (double)t);
    atomicMin(&r->least, -t);
    atomicMax(&r->most, (float)t);
    atomicAdd(&r->wide, -(long long)t);
    atomicMax(&r->largest, (unsigned long)t);
    atomicAdd(&r->bytes[t & 3], (unsigned char)1);
    atomicAdd(&r->vector, make_float3(1, 2, t));
    const float2 pair = __shfl_down(make_float2(t, 1), 1);
    const double shuffled = __shfl(make_float2(t + 0.5f, 0), 7);
    const int up = __shfl_up(make_float2(t, 0), 2), xored = (int)__shfl_xor(make_float2(t, 0), 3).x;
    const unsigned ballot = __ballot((t & 1) != 0);
    const int any = __any(t == 40), all = __all(t < 40);
    const Pair first = __shfl_sync(~0u, pairs[t], 5);
    if (t == 4) {
        r->pair = pair;
        r->shuffled = shuffled;
        r->up = up;
        r->xored = xored;
        r->any = any;
        r->all = all;
        r->ballot = ballot;
        r->clamped = clamp(50, 0, 20) + (int)clamp(5.f, 7.f, 8.f);
        r->least_first = min(__ldg(&pairs[3]), pairs[2]).second + max(1, 3, 2);
        r->first = first.second;
        float4 v = make_float4(1.f);
        v += fminf(make_float4(make_float3(1, 2, 3)), make_float4(2));
        r->blend = lerp(v, 2.f * v, lerp(0, 1, 0.5f));
    }
}

int main()
{
    Results *r;
    Pair *pairs;
    cudaMallocManaged(&r, sizeof *r);
    cudaMallocManaged(&pairs, 32 * sizeof *pairs);
    *r = Results{};
    for (int i = 0; i < 32; i++)
        pairs[i] = Pair{i, 100 * i};
    everything<<<1, 32>>>(r, pairs);
    printf("%d\n", cudaDeviceSynchronize());
    printf("%g %g %g %lld %lu\n", r->sum, r->least, r->most, r->wide, r->largest);
    printf("%d %d %g %g %g\n", r->bytes[0], r->bytes[3], r->vector.x, r->vector.y, r->vector.z);
    printf("%g %g %g %d %d\n", r->pair.x, r->pair.y, r->shuffled, r->up, r->xored);
    printf("%d %d %d %d %d %08x\n", r->any, r->all, r->clamped, r->least_first, r->first,
           r->ballot);
    printf("%g %g %g %g %g\n", r->blend.x, r->blend.y, r->blend.z, r->blend.w,
           dot(r->blend, make_float4(1.f)));
    printf("%d %d\n", (-make_int3(1, 2, 3)).z, dim3(1, 2) == dim3(1, 2, 1));
    cudaFree(r);
    cudaFree(pairs);
}
