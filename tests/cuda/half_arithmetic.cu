/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic, minima and comparisons of __half and of pairs: a hash of the results for special and
 * pseudo-random values. */
#include <cuda_fp16.h>
#include <stdio.h>

/* clang-format off */
#define BINARY(X)                                                                                  \
    X(__hadd) X(__hsub) X(__hmul) X(__hdiv) X(__hadd_rn) X(__hsub_rn) X(__hmul_rn) X(__hadd_sat)   \
    X(__hsub_sat) X(__hmul_sat) X(__hmax) X(__hmin) X(__hmax_nan) X(__hmin_nan)
/* clang-format on */
#define TERNARY(X) X(__hfma) X(__hfma_sat) X(__hfma_relu)
/* clang-format off */
#define PAIRS(X)                                                                                   \
    X(__hadd2) X(__hsub2) X(__hmul2) X(__h2div) X(__hadd2_sat) X(__hmax2) X(__hmin2)               \
    X(__hmax2_nan) X(__heq2) X(__hne2) X(__hlt2) X(__hle2) X(__hgt2) X(__hge2) X(__hequ2)          \
    X(__hneu2) X(__hltu2) X(__hleu2) X(__hgtu2) X(__hgeu2)
/* clang-format on */
#define MASKS(X) X(__heq2_mask) X(__hltu2_mask) X(__hge2_mask)
/* clang-format off */
#define CONDITIONS(X)                                                                              \
    X(__heq) X(__hne) X(__hlt) X(__hle) X(__hgt) X(__hge) X(__hequ) X(__hneu) X(__hltu) X(__hleu)  \
    X(__hgtu) X(__hgeu)
/* clang-format on */

static __device__ __half value(const unsigned short *in, unsigned i)
{
    return __ushort_as_half(in[i]);
}
static __device__ __half2 pair(const unsigned short *in, unsigned i)
{
    return __half2(value(in, i), value(in, i + 3));
}

#define DEFINE_BINARY(f)                                                                           \
    __global__ void kernel_##f(const unsigned short *in, unsigned *out)                            \
    {                                                                                              \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        out[i] = __half_as_ushort(f(value(in, i), value(in, i + 1)));                              \
    }
#define DEFINE_TERNARY(f)                                                                          \
    __global__ void kernel_##f(const unsigned short *in, unsigned *out)                            \
    {                                                                                              \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        out[i] = __half_as_ushort(f(value(in, i), value(in, i + 1), value(in, i + 2)));            \
    }
#define DEFINE_PAIR(f)                                                                             \
    __global__ void kernel_##f(const unsigned short *in, unsigned *out)                            \
    {                                                                                              \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        const __half2 result = f(pair(in, i), pair(in, i + 1));                                    \
        out[i] = __half_as_ushort(result.x) | (unsigned)__half_as_ushort(result.y) << 16;          \
    }
#define DEFINE_CONDITION(f)                                                                        \
    __global__ void kernel_##f(const unsigned short *in, unsigned *out)                            \
    {                                                                                              \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        out[i] = f(value(in, i), value(in, i + 1));                                                \
    }
#define DEFINE_MASK(f)                                                                             \
    __global__ void kernel_##f(const unsigned short *in, unsigned *out)                            \
    {                                                                                              \
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                  \
        out[i] = f(pair(in, i), pair(in, i + 1));                                                  \
    }
BINARY(DEFINE_BINARY)
TERNARY(DEFINE_TERNARY)
PAIRS(DEFINE_PAIR)
MASKS(DEFINE_MASK)
CONDITIONS(DEFINE_CONDITION)

enum { COUNT = 4096 };
static unsigned short inputs[COUNT + 8];
static unsigned results[COUNT];

static void show(const char *name)
{
    unsigned hash = 2166136261u;
    for (int i = 0; i < COUNT; i++)
        hash = (hash ^ results[i]) * 16777619u;
    printf("%-14s %08x\n", name, hash);
}

int main()
{
    static const unsigned short special[] = {
        0,     0x8000, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x3c00, 0xbc00, 1,      0x8001, 0x3ff,
        0x400, 0x7bff, 0xfbff, 0x7f80, 0xff80, 0x7fc0, 0x3f80, 0xbf80, 0x7f7f, 0x7f,   0x80};
    unsigned random = 1;
    for (int i = 0; i < COUNT + 8; i++) {
        random = random * 1664525u + 1013904223u;
        if (i < 1000)
            inputs[i] = special[(random >> 8) % 22];
        else if (i < 2500)
            inputs[i] = (unsigned short)(random >> 16);
        else /* around 1, so that sums cancel */
            inputs[i] = (unsigned short)(0x3c00 - 512 + (random >> 8) % 1024) ^
                        (unsigned short)((random & 0x80000000u) >> 16);
    }
    unsigned short *in;
    unsigned *out;
    cudaMalloc(&in, sizeof inputs);
    cudaMalloc(&out, sizeof results);
    cudaMemcpy(in, inputs, sizeof inputs, cudaMemcpyHostToDevice);
#define RUN(f)                                                                                     \
    kernel_##f<<<COUNT / 128, 128>>>(in, out);                                                     \
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);                              \
    show(#f);
    BINARY(RUN) TERNARY(RUN) PAIRS(RUN) MASKS(RUN) CONDITIONS(RUN) cudaFree(in);
    cudaFree(out);
    return cudaGetLastError() != cudaSuccess;
}
