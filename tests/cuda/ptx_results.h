/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs ptx_*.cu share: operands, of which the first 256 are pairs of edges and the
 * others pseudo-random, and a table of results, printed as a hash and eight of them. */
#ifndef PORTABLE_TESTS_CUDA_PTX_RESULTS_H
#define PORTABLE_TESTS_CUDA_PTX_RESULTS_H

#include <cstdio>
#include <cstring>

typedef unsigned char u8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;

enum { VALUES = 512, MOST = 160, NAME = 40 };
struct table {
    char names[MOST][NAME];
    u64 results[MOST][VALUES];
    int count;
};

__device__ inline u64 random_bits(u64 x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Which edge operand k of thread i is, or 16. */
__device__ inline int edge_of(int i, int k)
{
    return i >= 256 ? 16 : k == 0 ? i % 16 : k == 1 ? i / 16 : (i * 7 + i / 16) % 16;
}
__device__ inline u64 integer_of(int i, int k)
{
    const u64 edges[16] = {0,          1,           2,          31,     32,     63,
                           0x7f,       0x80,        0xff,       0x8000, 0xffff, 0x7fffffff,
                           0x80000000, 0xffffffffu, 1ull << 63, ~0ull};
    const int edge = edge_of(i, k);
    return edge < 16 ? edges[edge] : random_bits((u64)(i * 3 + k));
}
__device__ inline double real_of(int i, int k, bool is_float)
{
    const double edges[16] = {0.0,        -0.0, 1.0,   -1.0,    0.5,  1.5,   -2.5,    3.25,
                              16777217.0, 0.1,  1e-40, -1e-310, 1e38, 1e300, 65520.0, 0.0};
    const int edge = edge_of(i, k);
    const u64 bits = random_bits((u64)(i * 3 + k));
    if (edge < 15)
        return edges[edge];
    if (edge == 15)
        return k == 1 ? __longlong_as_double(0x7ff0000000000000ll)
                      : __longlong_as_double(0x7fffffff00000000ll + k);
    if (i % 2) /* any bits */
        return is_float ? (double)__uint_as_float((u32)bits) : __longlong_as_double((s64)bits);
    return ((double)(bits >> 11) / 4503599627370496.0 - 1.0) * (double)(1 << (bits & 7));
}

struct results {
    table *all;
    int i, count;
    __device__ results(table *all)
        : all(all), i((int)(blockIdx.x * blockDim.x + threadIdx.x)), count(0)
    {
    }
    __device__ void bits(const char *name, u64 value)
    {
        if (i == 0) {
            int k = 0;
            for (; name[k] && k < NAME - 1; k++)
                all->names[count][k] = name[k];
            all->names[count][k] = 0;
            all->count = count + 1;
        }
        all->results[count++][i] = value;
    }
    __device__ void keep(const char *name, u64 value)
    {
        bits(name, value);
    }
    __device__ void keep(const char *name, u32 value)
    {
        bits(name, value);
    }
    __device__ void keep(const char *name, u16 value)
    {
        bits(name, value);
    }
    __device__ void keep(const char *name, s64 value)
    {
        bits(name, (u64)value);
    }
    __device__ void keep(const char *name, s32 value)
    {
        bits(name, (u32)value);
    }
    /* There is one NaN here. */
    __device__ void keep(const char *name, float value)
    {
        bits(name, value != value ? 0x7fffffffu : __float_as_uint(value));
    }
    __device__ void keep(const char *name, double value)
    {
        bits(name, value != value ? 0x7fffffffffffffffull : (u64)__double_as_longlong(value));
    }
};

static table *host;
static void print(void (*kernel)(table *))
{
    table *device;
    if (!host)
        host = new table;
    memset(host, 0, sizeof *host);
    cudaMalloc(&device, sizeof *device);
    cudaMemcpy(device, host, sizeof *host, cudaMemcpyHostToDevice);
    kernel<<<VALUES / 128, 128>>>(device);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorString(error));
    cudaMemcpy(host, device, sizeof *host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (int k = 0; k < host->count; k++) {
        u64 hash = 0xcbf29ce484222325ull;
        for (int i = 0; i < VALUES; i++)
            hash = (hash ^ host->results[k][i]) * 0x100000001b3ull;
        printf("%-28s %016llx:", host->names[k], hash);
        for (int i = 0; i < 8; i++)
            printf(" %llx", host->results[k][i < 6 ? 3 + i * 43 : 300 + i]);
        printf("\n");
    }
}

/* An instruction of one to four operands: its name, and the type, constraint and value of each. */
#define PTX_1(op, D, d, A, a, x)                                                                   \
    {                                                                                              \
        D r_;                                                                                      \
        asm(op " %0, %1;" : "=" d(r_) : a((A)(x)));                                                \
        to.keep(op, r_);                                                                           \
    }
#define PTX_2(op, D, d, A, a, x, B, b, y)                                                          \
    {                                                                                              \
        D r_;                                                                                      \
        asm(op " %0, %1, %2;" : "=" d(r_) : a((A)(x)), b((B)(y)));                                 \
        to.keep(op, r_);                                                                           \
    }
#define PTX_3(op, D, d, A, a, x, B, b, y, C, c, z)                                                 \
    {                                                                                              \
        D r_;                                                                                      \
        asm(op " %0, %1, %2, %3;" : "=" d(r_) : a((A)(x)), b((B)(y)), c((C)(z)));                  \
        to.keep(op, r_);                                                                           \
    }
#define PTX_4(op, D, d, A, a, x, B, b, y, C, c, z, E, e, w)                                        \
    {                                                                                              \
        D r_;                                                                                      \
        asm(op " %0, %1, %2, %3, %4;" : "=" d(r_) : a((A)(x)), b((B)(y)), c((C)(z)), e((E)(w)));   \
        to.keep(op, r_);                                                                           \
    }
/* A predicate. */
#define PTX_P(op, A, a, x, B, b, y)                                                                \
    {                                                                                              \
        u32 r_;                                                                                    \
        asm("{ .reg .pred p, q; " op " p|q, %1, %2; selp.u32 %0, 1, 0, p; @q or.b32 %0, %0, 2; }"  \
            : "=r"(r_)                                                                             \
            : a((A)(x)), b((B)(y)));                                                               \
        to.keep(op, r_);                                                                           \
    }

#endif
