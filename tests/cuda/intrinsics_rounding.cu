// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic with each rounding mode, on all pairs of 64 numbers, infinities and NaN among them: a
// hash of each function's results.
#include <cstdio>
#include <cuda_runtime.h>

enum { FUNCTIONS = 64 };

__device__ void add(unsigned long long *hash, unsigned long long value)
{
    *hash = (*hash ^ value) * 0x100000001b3ull;
}

__device__ unsigned random_word(unsigned x)
{
    x *= 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

// Number k of 64: edge cases, then numbers of every magnitude.
__device__ float a_float(unsigned k)
{
    const unsigned edges[] = {0x00000000u, 0x80000000u, 0x00000001u, 0x80000001u, 0x007fffffu,
                              0x00800000u, 0x3f800000u, 0xbf800000u, 0x3f000000u, 0xbf000000u,
                              0x3fc00000u, 0xc0200000u, 0x4b000001u, 0x4effffffu, 0x4f000000u,
                              0xcf000000u, 0xcf000001u, 0x4f7fffffu, 0x4f800000u, 0x5effffffu,
                              0x5f000000u, 0xdf000000u, 0x5f7fffffu, 0x5f800000u, 0x7f7fffffu,
                              0xff7fffffu, 0x7f800000u, 0xff800000u, 0x7fffffffu, 0x7e967699u};
    const unsigned word = random_word(k + 100);
    if (k < sizeof edges / sizeof *edges)
        return __uint_as_float(edges[k]);
    return __uint_as_float((word & 0x807fffffu) | (100 + random_word(k) % 70) << 23);
}
__device__ double a_double(unsigned k)
{
    const unsigned long long edges[] = {
        0x0000000000000000ull, 0x8000000000000000ull, 0x0000000000000001ull, 0x8000000000000001ull,
        0x000fffffffffffffull, 0x0010000000000000ull, 0x3ff0000000000000ull, 0xbff0000000000000ull,
        0x3fe0000000000000ull, 0xbfe0000000000000ull, 0x4004000000000000ull, 0xc004000000000000ull,
        0x41dfffffffc00000ull, 0x41dfffffffe00000ull, 0xc1e0000000000000ull, 0xc1e0000000100000ull,
        0x41efffffffe00000ull, 0x41effffffff00000ull, 0x43dfffffffffffffull, 0x43e0000000000000ull,
        0xc3e0000000000000ull, 0x43efffffffffffffull, 0x43f0000000000000ull, 0x7fefffffffffffffull,
        0xffefffffffffffffull, 0x7ff0000000000000ull, 0xfff0000000000000ull, 0xfff8000000000000ull,
        0x47efffffe0000000ull, 0x47effffff0000000ull, 0x36a0000000000000ull, 0x3690000000000000ull,
        0x380fffffffffffffull};
    const unsigned long long word =
        (unsigned long long)random_word(k + 300) << 32 | random_word(k + 700);
    if (k < sizeof edges / sizeof *edges)
        return __longlong_as_double((long long)edges[k]);
    return __longlong_as_double(
        (long long)((word & 0x800fffffffffffffull) |
                    (unsigned long long)(970 + random_word(k) % 110) << 52));
}
__device__ unsigned bits(float x)
{
    return __float_as_uint(x);
}
__device__ unsigned long long bits(double x)
{
    return (unsigned long long)__double_as_longlong(x);
}

__global__ void hashes(unsigned long long *out)
{
    const unsigned i = threadIdx.x;
    unsigned long long h[FUNCTIONS];
    for (int k = 0; k < FUNCTIONS; k++)
        h[k] = 0xcbf29ce484222325ull;
    for (unsigned j = 0; j < 64; j++) {
        const float f = a_float(i), g = a_float(j), e = a_float(random_word(i) % 64);
        const double d = a_double(i), b = a_double(j), c = a_double(random_word(i) % 64);
        add(&h[0], bits(__fadd_rn(f, g)));
        add(&h[1], bits(__fsub_rn(f, g)));
        add(&h[2], bits(__fmul_rn(f, g)));
        add(&h[3], bits(__fdiv_rn(f, g)));
        add(&h[4], bits(__fmaf_rn(f, g, e)));
        add(&h[5], bits(__frcp_rn(f)));
        add(&h[6], bits(__fsqrt_rn(f)));
        add(&h[7], bits(__fmaf_ieee_rn(f, g, e)));
        add(&h[8], bits(__fadd_rz(f, g)));
        add(&h[9], bits(__fsub_rz(f, g)));
        add(&h[10], bits(__fmul_rz(f, g)));
        add(&h[11], bits(__fdiv_rz(f, g)));
        add(&h[12], bits(__fmaf_rz(f, g, e)));
        add(&h[13], bits(__frcp_rz(f)));
        add(&h[14], bits(__fsqrt_rz(f)));
        add(&h[15], bits(__fmaf_ieee_rz(f, g, e)));
        add(&h[16], bits(__fadd_ru(f, g)));
        add(&h[17], bits(__fsub_ru(f, g)));
        add(&h[18], bits(__fmul_ru(f, g)));
        add(&h[19], bits(__fdiv_ru(f, g)));
        add(&h[20], bits(__fmaf_ru(f, g, e)));
        add(&h[21], bits(__frcp_ru(f)));
        add(&h[22], bits(__fsqrt_ru(f)));
        add(&h[23], bits(__fmaf_ieee_ru(f, g, e)));
        add(&h[24], bits(__fadd_rd(f, g)));
        add(&h[25], bits(__fsub_rd(f, g)));
        add(&h[26], bits(__fmul_rd(f, g)));
        add(&h[27], bits(__fdiv_rd(f, g)));
        add(&h[28], bits(__fmaf_rd(f, g, e)));
        add(&h[29], bits(__frcp_rd(f)));
        add(&h[30], bits(__fsqrt_rd(f)));
        add(&h[31], bits(__fmaf_ieee_rd(f, g, e)));
        add(&h[32], bits(__frsqrt_rn(f)));
        add(&h[33], bits(__saturatef(f)));
        add(&h[34], bits(min(f, g)));
        add(&h[35], bits(max(f, g)));
        add(&h[36], bits(__dadd_rn(d, b)));
        add(&h[37], bits(__dsub_rn(d, b)));
        add(&h[38], bits(__dmul_rn(d, b)));
        add(&h[39], bits(__ddiv_rn(d, b)));
        add(&h[40], bits(__fma_rn(d, b, c)));
        add(&h[41], bits(__drcp_rn(d)));
        add(&h[42], bits(__dsqrt_rn(d)));
        add(&h[43], bits(__dadd_rz(d, b)));
        add(&h[44], bits(__dsub_rz(d, b)));
        add(&h[45], bits(__dmul_rz(d, b)));
        add(&h[46], bits(__ddiv_rz(d, b)));
        add(&h[47], bits(__fma_rz(d, b, c)));
        add(&h[48], bits(__drcp_rz(d)));
        add(&h[49], bits(__dsqrt_rz(d)));
        add(&h[50], bits(__dadd_ru(d, b)));
        add(&h[51], bits(__dsub_ru(d, b)));
        add(&h[52], bits(__dmul_ru(d, b)));
        add(&h[53], bits(__ddiv_ru(d, b)));
        add(&h[54], bits(__fma_ru(d, b, c)));
        add(&h[55], bits(__drcp_ru(d)));
        add(&h[56], bits(__dsqrt_ru(d)));
        add(&h[57], bits(__dadd_rd(d, b)));
        add(&h[58], bits(__dsub_rd(d, b)));
        add(&h[59], bits(__dmul_rd(d, b)));
        add(&h[60], bits(__ddiv_rd(d, b)));
        add(&h[61], bits(__fma_rd(d, b, c)));
        add(&h[62], bits(__drcp_rd(d)));
        add(&h[63], bits(__dsqrt_rd(d)));
    }
    for (int k = 0; k < FUNCTIONS; k++)
        out[i * FUNCTIONS + k] = h[k];
}

int main()
{
    static const char *const names[FUNCTIONS] = {
        "__fadd_rn",      "__fsub_rn",      "__fmul_rn",      "__fdiv_rn",      "__fmaf_rn",
        "__frcp_rn",      "__fsqrt_rn",     "__fmaf_ieee_rn", "__fadd_rz",      "__fsub_rz",
        "__fmul_rz",      "__fdiv_rz",      "__fmaf_rz",      "__frcp_rz",      "__fsqrt_rz",
        "__fmaf_ieee_rz", "__fadd_ru",      "__fsub_ru",      "__fmul_ru",      "__fdiv_ru",
        "__fmaf_ru",      "__frcp_ru",      "__fsqrt_ru",     "__fmaf_ieee_ru", "__fadd_rd",
        "__fsub_rd",      "__fmul_rd",      "__fdiv_rd",      "__fmaf_rd",      "__frcp_rd",
        "__fsqrt_rd",     "__fmaf_ieee_rd", "__frsqrt_rn",    "__saturatef",    "fminf",
        "fmaxf",          "__dadd_rn",      "__dsub_rn",      "__dmul_rn",      "__ddiv_rn",
        "__fma_rn",       "__drcp_rn",      "__dsqrt_rn",     "__dadd_rz",      "__dsub_rz",
        "__dmul_rz",      "__ddiv_rz",      "__fma_rz",       "__drcp_rz",      "__dsqrt_rz",
        "__dadd_ru",      "__dsub_ru",      "__dmul_ru",      "__ddiv_ru",      "__fma_ru",
        "__drcp_ru",      "__dsqrt_ru",     "__dadd_rd",      "__dsub_rd",      "__dmul_rd",
        "__ddiv_rd",      "__fma_rd",       "__drcp_rd",      "__dsqrt_rd"};
    enum { THREADS = 64 };
    static unsigned long long hash[THREADS][FUNCTIONS];
    unsigned long long *device;
    cudaMalloc(&device, sizeof hash);
    hashes<<<1, THREADS>>>(device);
    cudaMemcpy(hash, device, sizeof hash, cudaMemcpyDeviceToHost);
    for (int k = 0; k < FUNCTIONS; k++) {
        unsigned long long all = 0;
        for (int i = 0; i < THREADS; i++)
            all = (all ^ hash[i][k]) * 0x100000001b3ull;
        printf("%-22s %016llx\n", names[k], all);
    }
    cudaFree(device);
    return cudaDeviceSynchronize() != cudaSuccess;
}
