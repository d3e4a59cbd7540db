/* SPDX-License-Identifier: BSD-3-Clause */
/* CUDA's vector types and dim3, for C and C++, with the alignment that CUDA gives them. */
#ifndef PORTABLE_CUDA_VECTOR_TYPES_H
#define PORTABLE_CUDA_VECTOR_TYPES_H
/* CUDA's own guard, which other code asks for. */
#define __VECTOR_TYPES_H__

#define PORTABLE_CUDA_VECTORS_(type, base, align2, align4)                                         \
    struct type##1                                                                                 \
    {                                                                                              \
        base x;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(align2))) type##2                                                \
    {                                                                                              \
        base x, y;                                                                                 \
    };                                                                                             \
    struct type##3                                                                                 \
    {                                                                                              \
        base x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned(align4))) type##4                                                \
    {                                                                                              \
        base x, y, z, w;                                                                           \
    };                                                                                             \
    typedef struct type##1 type##1;                                                                \
    typedef struct type##2 type##2;                                                                \
    typedef struct type##3 type##3;                                                                \
    typedef struct type##4 type##4;
/* X(type, base type, alignment of two, of four) */
#define PORTABLE_CUDA_FOR_VECTORS_(X)                                                              \
    X(char, signed char, 2, 4)                                                                     \
    X(uchar, unsigned char, 2, 4)                                                                  \
    X(short, short, 4, 8)                                                                          \
    X(ushort, unsigned short, 4, 8)                                                                \
    X(int, int, 8, 16)                                                                             \
    X(uint, unsigned int, 8, 16)                                                                   \
    X(long, long, 16, 16)                                                                          \
    X(ulong, unsigned long, 16, 16)                                                                \
    X(longlong, long long, 16, 16)                                                                 \
    X(ulonglong, unsigned long long, 16, 16)                                                       \
    X(float, float, 8, 16)                                                                         \
    X(double, double, 16, 16)
PORTABLE_CUDA_FOR_VECTORS_(PORTABLE_CUDA_VECTORS_)
#undef PORTABLE_CUDA_VECTORS_

/* Four elements of 64 bits, with the alignment in the name: CUDA 13's. */
#define PORTABLE_CUDA_ALIGNED_(type, base, align)                                                  \
    struct __attribute__((aligned(align))) type##4_##align##a                                      \
    {                                                                                              \
        base x, y, z, w;                                                                           \
    };                                                                                             \
    typedef struct type##4_##align##a type##4_##align##a;
#define PORTABLE_CUDA_FOR_ALIGNED_(X)                                                              \
    X(long, long, 16)                                                                              \
    X(long, long, 32)                                                                              \
    X(ulong, unsigned long, 16)                                                                    \
    X(ulong, unsigned long, 32)                                                                    \
    X(longlong, long long, 16)                                                                     \
    X(longlong, long long, 32)                                                                     \
    X(ulonglong, unsigned long long, 16)                                                           \
    X(ulonglong, unsigned long long, 32)                                                           \
    X(double, double, 16)                                                                          \
    X(double, double, 32)
PORTABLE_CUDA_FOR_ALIGNED_(PORTABLE_CUDA_ALIGNED_)
#undef PORTABLE_CUDA_ALIGNED_

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
