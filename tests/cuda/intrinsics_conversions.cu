// SPDX-License-Identifier: BSD-3-Clause
// Conversions with each rounding mode: a hash of each function's results for many operands,
// edge cases and NaN among them.
#include <cstdio>
#include <cuda_runtime.h>

enum { FUNCTIONS = 62 };

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
        const unsigned k = (i + j) % 64;
        const float f = a_float(k);
        const double d = a_double(k);
        const unsigned x = i < 2 ? 0u - i - j : random_word(64 * i + j) >> (j / 2);
        const unsigned long long xy =
            j == 0 ? 0u - i : ((unsigned long long)random_word(x) << 32 | x) >> (i % 48);
        add(&h[0], (unsigned long long)__float2int_rn(f));
        add(&h[1], (unsigned long long)__float2int_rz(f));
        add(&h[2], (unsigned long long)__float2int_ru(f));
        add(&h[3], (unsigned long long)__float2int_rd(f));
        add(&h[4], (unsigned long long)__float2uint_rn(f));
        add(&h[5], (unsigned long long)__float2uint_rz(f));
        add(&h[6], (unsigned long long)__float2uint_ru(f));
        add(&h[7], (unsigned long long)__float2uint_rd(f));
        add(&h[8], (unsigned long long)__float2ll_rn(f));
        add(&h[9], (unsigned long long)__float2ll_rz(f));
        add(&h[10], (unsigned long long)__float2ll_ru(f));
        add(&h[11], (unsigned long long)__float2ll_rd(f));
        add(&h[12], (unsigned long long)__float2ull_rn(f));
        add(&h[13], (unsigned long long)__float2ull_rz(f));
        add(&h[14], (unsigned long long)__float2ull_ru(f));
        add(&h[15], (unsigned long long)__float2ull_rd(f));
        add(&h[16], (unsigned long long)__double2int_rn(d));
        add(&h[17], (unsigned long long)__double2int_rz(d));
        add(&h[18], (unsigned long long)__double2int_ru(d));
        add(&h[19], (unsigned long long)__double2int_rd(d));
        add(&h[20], (unsigned long long)__double2uint_rn(d));
        add(&h[21], (unsigned long long)__double2uint_rz(d));
        add(&h[22], (unsigned long long)__double2uint_ru(d));
        add(&h[23], (unsigned long long)__double2uint_rd(d));
        add(&h[24], (unsigned long long)__double2ll_rn(d));
        add(&h[25], (unsigned long long)__double2ll_rz(d));
        add(&h[26], (unsigned long long)__double2ll_ru(d));
        add(&h[27], (unsigned long long)__double2ll_rd(d));
        add(&h[28], (unsigned long long)__double2ull_rn(d));
        add(&h[29], (unsigned long long)__double2ull_rz(d));
        add(&h[30], (unsigned long long)__double2ull_ru(d));
        add(&h[31], (unsigned long long)__double2ull_rd(d));
        add(&h[32], __float_as_uint(__double2float_rn(d)));
        add(&h[33], __float_as_uint(__double2float_rz(d)));
        add(&h[34], __float_as_uint(__double2float_ru(d)));
        add(&h[35], __float_as_uint(__double2float_rd(d)));
        add(&h[36], __float_as_uint(__int2float_rn((int)x)));
        add(&h[37], __float_as_uint(__int2float_rz((int)x)));
        add(&h[38], __float_as_uint(__int2float_ru((int)x)));
        add(&h[39], __float_as_uint(__int2float_rd((int)x)));
        add(&h[40], __float_as_uint(__uint2float_rn(x)));
        add(&h[41], __float_as_uint(__uint2float_rz(x)));
        add(&h[42], __float_as_uint(__uint2float_ru(x)));
        add(&h[43], __float_as_uint(__uint2float_rd(x)));
        add(&h[44], __float_as_uint(__ll2float_rn((long long)xy)));
        add(&h[45], __float_as_uint(__ll2float_rz((long long)xy)));
        add(&h[46], __float_as_uint(__ll2float_ru((long long)xy)));
        add(&h[47], __float_as_uint(__ll2float_rd((long long)xy)));
        add(&h[48], __float_as_uint(__ull2float_rn(xy)));
        add(&h[49], __float_as_uint(__ull2float_rz(xy)));
        add(&h[50], __float_as_uint(__ull2float_ru(xy)));
        add(&h[51], __float_as_uint(__ull2float_rd(xy)));
        add(&h[52], bits(__ll2double_rn((long long)xy)));
        add(&h[53], bits(__ll2double_rz((long long)xy)));
        add(&h[54], bits(__ll2double_ru((long long)xy)));
        add(&h[55], bits(__ll2double_rd((long long)xy)));
        add(&h[56], bits(__ull2double_rn(xy)));
        add(&h[57], bits(__ull2double_rz(xy)));
        add(&h[58], bits(__ull2double_ru(xy)));
        add(&h[59], bits(__ull2double_rd(xy)));
        add(&h[60], bits(__int2double_rn((int)x)));
        add(&h[61], bits(__uint2double_rn(x)));
    }
    for (int k = 0; k < FUNCTIONS; k++)
        out[i * FUNCTIONS + k] = h[k];
}

int main()
{
    static const char *const names[FUNCTIONS] = {
        "__float2int_rn",    "__float2int_rz",    "__float2int_ru",    "__float2int_rd",
        "__float2uint_rn",   "__float2uint_rz",   "__float2uint_ru",   "__float2uint_rd",
        "__float2ll_rn",     "__float2ll_rz",     "__float2ll_ru",     "__float2ll_rd",
        "__float2ull_rn",    "__float2ull_rz",    "__float2ull_ru",    "__float2ull_rd",
        "__double2int_rn",   "__double2int_rz",   "__double2int_ru",   "__double2int_rd",
        "__double2uint_rn",  "__double2uint_rz",  "__double2uint_ru",  "__double2uint_rd",
        "__double2ll_rn",    "__double2ll_rz",    "__double2ll_ru",    "__double2ll_rd",
        "__double2ull_rn",   "__double2ull_rz",   "__double2ull_ru",   "__double2ull_rd",
        "__double2float_rn", "__double2float_rz", "__double2float_ru", "__double2float_rd",
        "__int2float_rn",    "__int2float_rz",    "__int2float_ru",    "__int2float_rd",
        "__uint2float_rn",   "__uint2float_rz",   "__uint2float_ru",   "__uint2float_rd",
        "__ll2float_rn",     "__ll2float_rz",     "__ll2float_ru",     "__ll2float_rd",
        "__ull2float_rn",    "__ull2float_rz",    "__ull2float_ru",    "__ull2float_rd",
        "__ll2double_rn",    "__ll2double_rz",    "__ll2double_ru",    "__ll2double_rd",
        "__ull2double_rn",   "__ull2double_rz",   "__ull2double_ru",   "__ull2double_rd",
        "__int2double_rn",   "__uint2double_rn"};
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
