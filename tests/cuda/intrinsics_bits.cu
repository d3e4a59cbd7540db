// SPDX-License-Identifier: BSD-3-Clause
// Integer and bit functions: a few values, and a hash of each function's results for many operands.
#include <cstdio>
#include <cuda_runtime.h>

enum { FUNCTIONS = 40 };

__device__ void add(unsigned long long *hash, unsigned long long value)
{
    *hash = (*hash ^ value) * 0x100000001b3ull;
}

// Operands: edge cases, then pseudo-random numbers.
__device__ unsigned operand(unsigned i, unsigned salt)
{
    const unsigned edges[] = {0u,          1u,      2u,      0x7fffffffu, 0x80000000u, 0x80000001u,
                              0xffffffffu, 0xffffu, 0x8000u, 0x7f80ff01u, 0x00800000u, 0xff7fffffu,
                              0x01010101u, 31u,     32u,     33u};
    if (i < 256)
        return edges[salt % 2 ? i / 16 : i % 16];
    unsigned x = i * 2654435761u + salt * 40503u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

__global__ void hashes(unsigned long long *out)
{
    unsigned long long h[FUNCTIONS];
    for (int f = 0; f < FUNCTIONS; f++)
        h[f] = 0xcbf29ce484222325ull;
    for (unsigned i = 0; i < 1024; i++) {
        const unsigned x = operand(i, 0), y = operand(i, 1), z = operand(i, 2);
        const unsigned long long xy = (unsigned long long)x << 32 | y;
        const unsigned long long yz = (unsigned long long)y << 32 | z;
        unsigned long long *next = h;
        add(next++, (unsigned)__clz((int)x));
        add(next++, (unsigned)__clzll((long long)xy));
        add(next++, (unsigned)__ffs((int)x));
        add(next++, (unsigned)__ffsll((long long)xy));
        add(next++, (unsigned)__popc(x));
        add(next++, (unsigned)__popcll(xy));
        add(next++, __brev(x));
        add(next++, __brevll(xy));
        add(next++, __byte_perm(x, y, z));
        add(next++, __funnelshift_l(x, y, z));
        add(next++, __funnelshift_lc(x, y, z));
        add(next++, __funnelshift_r(x, y, z));
        add(next++, __funnelshift_rc(x, y, z));
        add(next++, __funnelshift_lc(x, y, z % 40));
        add(next++, __funnelshift_rc(x, y, z % 40));
        add(next++, __fns(x, y % 32, (int)(z % 70) - 35));
        add(next++, (unsigned)__mulhi((int)x, (int)y));
        add(next++, __umulhi(x, y));
        add(next++, (unsigned long long)__mul64hi((long long)xy, (long long)yz));
        add(next++, __umul64hi(xy, yz));
        add(next++, (unsigned)__mul24((int)x, (int)y));
        add(next++, __umul24(x, y));
        add(next++, __sad((int)x, (int)y, z));
        add(next++, __usad(x, y, z));
        add(next++, (unsigned)__hadd((int)x, (int)y));
        add(next++, (unsigned)__rhadd((int)x, (int)y));
        add(next++, __uhadd(x, y));
        add(next++, __urhadd(x, y));
        add(next++, (unsigned)__dp4a((int)x, (int)y, (int)z));
        add(next++, __dp4a(x, y, z));
        add(next++, (unsigned)__dp2a_lo((int)x, (int)y, (int)z));
        add(next++, __dp2a_lo(x, y, z));
        add(next++, (unsigned)__dp2a_hi((int)x, (int)y, (int)z));
        add(next++, __dp2a_hi(x, y, z));
        add(next++, (unsigned)__float_as_int(__int_as_float((int)(x & 0x7f7fffffu))));
        add(next++, __float_as_uint(__uint_as_float(x & 0x7f7fffffu)));
        add(next++, (unsigned)__double2hiint(__hiloint2double((int)x, (int)y)));
        add(next++, (unsigned)__double2loint(__hiloint2double((int)x, (int)y)));
        add(next++, (unsigned long long)__double_as_longlong(__longlong_as_double((long long)xy)));
        add(next++, (unsigned)min((int)x, (int)y) + max(x, y) + min(xy, yz) * 3);
    }
    for (int f = 0; f < FUNCTIONS; f++)
        out[f] = h[f];
}

__global__ void values(unsigned *out)
{
    const char4 a = make_char4(-1, 2, -128, 127), b = make_char4(3, -4, 5, -6);
    const uchar4 c = make_uchar4(255, 2, 128, 1), d = make_uchar4(255, 3, 2, 1);
    const short2 e = make_short2(-300, 400);
    const ushort2 f = make_ushort2(65535, 2);
    out[0] = (unsigned)__dp4a(a, b, 1000);
    out[1] = __dp4a(c, d, 7u);
    out[2] = (unsigned)__dp2a_lo(e, b, 5);
    out[3] = (unsigned)__dp2a_hi(e, b, 5);
    out[4] = __dp2a_lo(f, d, 5u);
    out[5] = __dp2a_hi(f, d, 5u);
    out[6] = (unsigned)__clz(0);
    out[7] = (unsigned)__ffs(0);
    out[8] = __byte_perm(0x33221100u, 0x77665544u, 0x0716u);
    out[9] = __fns(0xf0f0u, 4, 5);
    out[10] = __fns(0xf0f0u, 7, -2);
    out[11] = __fns(0xf0f0u, 0, 0);
}

int main()
{
    static const char *const names[FUNCTIONS] = {"__clz",
                                                 "__clzll",
                                                 "__ffs",
                                                 "__ffsll",
                                                 "__popc",
                                                 "__popcll",
                                                 "__brev",
                                                 "__brevll",
                                                 "__byte_perm",
                                                 "__funnelshift_l",
                                                 "__funnelshift_lc",
                                                 "__funnelshift_r",
                                                 "__funnelshift_rc",
                                                 "__funnelshift_lc",
                                                 "__funnelshift_rc",
                                                 "__fns",
                                                 "__mulhi",
                                                 "__umulhi",
                                                 "__mul64hi",
                                                 "__umul64hi",
                                                 "__mul24",
                                                 "__umul24",
                                                 "__sad",
                                                 "__usad",
                                                 "__hadd",
                                                 "__rhadd",
                                                 "__uhadd",
                                                 "__urhadd",
                                                 "__dp4a",
                                                 "__dp4a",
                                                 "__dp2a_lo",
                                                 "__dp2a_lo",
                                                 "__dp2a_hi",
                                                 "__dp2a_hi",
                                                 "__float_as_int",
                                                 "__float_as_uint",
                                                 "__double2hiint",
                                                 "__double2loint",
                                                 "__double_as_longlong",
                                                 "min, max"};
    unsigned long long hash[FUNCTIONS], *device_hash;
    unsigned value[12], *device_value;
    cudaMalloc(&device_hash, sizeof hash);
    cudaMalloc(&device_value, sizeof value);
    hashes<<<1, 1>>>(device_hash);
    values<<<1, 1>>>(device_value);
    cudaMemcpy(hash, device_hash, sizeof hash, cudaMemcpyDeviceToHost);
    cudaMemcpy(value, device_value, sizeof value, cudaMemcpyDeviceToHost);
    for (int f = 0; f < FUNCTIONS; f++)
        printf("%-22s %016llx\n", names[f], hash[f]);
    for (int i = 0; i < 12; i++)
        printf("%d: %08x\n", i, value[i]);
    cudaFree(device_hash);
    cudaFree(device_value);
    return cudaDeviceSynchronize() != cudaSuccess;
}
