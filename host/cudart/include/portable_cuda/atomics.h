/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics. One OS thread at a time runs threads that see each other's atomics, so each is a plain
 * read and write; the calls around them see to that, and tell the checks that the accesses are
 * atomic, and at which scope. All are inlined, so that a report shows the line that calls them.
 */
#ifndef PORTABLE_CUDA_ATOMICS_H
#define PORTABLE_CUDA_ATOMICS_H

#include "../host_defines.h"
#include "../vector_types.h"
#include "math.h"
#include "order.h"

namespace portable_cuda
{
/* Vectors, whose elements are told one by one. */
static __forceinline__ unsigned tell(int does, const float2 *address, float2 by, float2 old)
{
    tell(does, &address->x, by.x, old.x);
    return tell(does, &address->y, by.y, old.y);
}
static __forceinline__ float2 result(float2 old, unsigned number)
{
    return float2{result(old.x, number - 1), result(old.y, number)};
}
static __forceinline__ unsigned tell(int does, const float4 *address, float4 by, float4 old)
{
    tell(does, &address->x, by.x, old.x);
    tell(does, &address->y, by.y, old.y);
    tell(does, &address->z, by.z, old.z);
    return tell(does, &address->w, by.w, old.w);
}
static __forceinline__ float4 result(float4 old, unsigned number)
{
    return float4{result(old.x, number - 3), result(old.y, number - 2), result(old.z, number - 1),
                  result(old.w, number)};
}

/* Replaces the value by op of it, which does that operation with `by`; returns the old one. An
 * atomic on an integer that changes nothing may be that of a loop that waits for another thread;
 * one on floats only adds data, of which some are zero. */
template <class T, class Op>
static __forceinline__ T atomic(enum scope scope, portable_operation_ does, T *address, T by, Op op)
{
    begin_told_atomic(scope, address);
    const T old = *address, value = op(old);
    const unsigned number = tell(does, address, by, old);
    *address = value;
    end_atomic();
    if (!is_floating(address) && !__builtin_memcmp(&old, &value, sizeof old))
        portable_emulate_spin_(address);
    return result(old, number);
}
/* A comparison of bits, which writes only if they are equal. */
template <class T>
static __forceinline__ T compare_and_swap(enum scope scope, T *address, T expected, T value)
{
    begin_told_atomic(scope, address);
    const T old = *address;
    tell(portable_operation_cas_, address, old, old);
    const bool same = !__builtin_memcmp(&old, &expected, sizeof old);
    if (same)
        *address = value;
    end_atomic();
    if (!same)
        portable_emulate_spin_(address);
    return old;
}

/* Sums modulo 2^bits; and the GPU's sums of floats, which flush no denormal numbers. */
static inline int sum(int a, int b)
{
    return (int)((unsigned)a + (unsigned)b);
}
static inline unsigned sum(unsigned a, unsigned b)
{
    return a + b;
}
static inline unsigned long long sum(unsigned long long a, unsigned long long b)
{
    return a + b;
}
static inline float sum(float a, float b)
{
    return canonical(a + b);
}
static inline double sum(double a, double b)
{
    return a + b;
}
static inline float2 sum(float2 a, float2 b)
{
    return float2{sum(a.x, b.x), sum(a.y, b.y)};
}
static inline float4 sum(float4 a, float4 b)
{
    return float4{sum(a.x, b.x), sum(a.y, b.y), sum(a.z, b.z), sum(a.w, b.w)};
}

template <bool> struct only_if {
};
template <> struct only_if<true> {
    typedef int type;
};
/* A type of 16 aligned bytes, as the 128-bit atomics take it. */
template <class T>
using if_128_bits =
    typename only_if<sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T)>::type;
} // namespace portable_cuda

/* The function and its forms at block and at system scope. */
#define PORTABLE_CUDA_ATOMIC_(name, does, type, expression)                                        \
    PORTABLE_CUDA_ATOMIC_AT_(name, device_scope, does, type, expression)                           \
    PORTABLE_CUDA_ATOMIC_AT_(name##_block, block_scope, does, type, expression)                    \
    PORTABLE_CUDA_ATOMIC_AT_(name##_system, device_scope, does, type, expression)
/* One that only newer GPUs have: a template, beside which a program may define the same. */
#define PORTABLE_CUDA_NEW_ATOMIC_(name, does, type, expression)                                    \
    template <class = void>                                                                        \
    PORTABLE_CUDA_ATOMIC_AT_(name, device_scope, does, type, expression)                           \
    template <class = void>                                                                        \
    PORTABLE_CUDA_ATOMIC_AT_(name##_block, block_scope, does, type, expression)                    \
    template <class = void>                                                                        \
    PORTABLE_CUDA_ATOMIC_AT_(name##_system, device_scope, does, type, expression)
#define PORTABLE_CUDA_ATOMIC_AT_(name, scope, does, type, expression)                              \
    static __forceinline__ type name(type *address, type value)                                    \
    {                                                                                              \
        return portable_cuda::atomic(portable_cuda::scope, portable_operation_##does##_, address,  \
                                     value, [value](type old) -> type { return (expression); });   \
    }
#define PORTABLE_CUDA_CAS_(type)                                                                   \
    PORTABLE_CUDA_CAS_AT_(atomicCAS, device_scope, type)                                           \
    PORTABLE_CUDA_CAS_AT_(atomicCAS_block, block_scope, type)                                      \
    PORTABLE_CUDA_CAS_AT_(atomicCAS_system, device_scope, type)
#define PORTABLE_CUDA_CAS_AT_(name, scope, type)                                                   \
    static __forceinline__ type name(type *address, type compare, type value)                      \
    {                                                                                              \
        return portable_cuda::compare_and_swap(portable_cuda::scope, address, compare, value);     \
    }
#define PORTABLE_CUDA_BITWISE_(type)                                                               \
    PORTABLE_CUDA_ATOMIC_(atomicAnd, bit_and, type, old &value)                                    \
    PORTABLE_CUDA_ATOMIC_(atomicOr, bit_or, type, old | value)                                     \
    PORTABLE_CUDA_ATOMIC_(atomicXor, bit_xor, type, old ^ value)                                   \
    PORTABLE_CUDA_ATOMIC_(atomicMin, min, type, min(old, value))                                   \
    PORTABLE_CUDA_ATOMIC_(atomicMax, max, type, max(old, value))

PORTABLE_CUDA_BITWISE_(int)
PORTABLE_CUDA_BITWISE_(unsigned)
PORTABLE_CUDA_BITWISE_(long long)
PORTABLE_CUDA_BITWISE_(unsigned long long)

PORTABLE_CUDA_ATOMIC_(atomicAdd, add, int, portable_cuda::sum(old, value))
PORTABLE_CUDA_ATOMIC_(atomicAdd, add, unsigned, portable_cuda::sum(old, value))
PORTABLE_CUDA_ATOMIC_(atomicAdd, add, unsigned long long, portable_cuda::sum(old, value))
PORTABLE_CUDA_ATOMIC_(atomicAdd, add, float, portable_cuda::sum(old, value))
PORTABLE_CUDA_NEW_ATOMIC_(atomicAdd, add, double, portable_cuda::sum(old, value))
PORTABLE_CUDA_NEW_ATOMIC_(atomicAdd, add, float2, portable_cuda::sum(old, value))
PORTABLE_CUDA_NEW_ATOMIC_(atomicAdd, add, float4, portable_cuda::sum(old, value))
PORTABLE_CUDA_ATOMIC_(atomicSub, sub, int, (int)((unsigned)old - (unsigned)value))
PORTABLE_CUDA_ATOMIC_(atomicSub, sub, unsigned, old - value)

PORTABLE_CUDA_ATOMIC_(atomicExch, exchange, int, ((void)old, value))
PORTABLE_CUDA_ATOMIC_(atomicExch, exchange, unsigned, ((void)old, value))
PORTABLE_CUDA_ATOMIC_(atomicExch, exchange, unsigned long long, ((void)old, value))
PORTABLE_CUDA_ATOMIC_(atomicExch, exchange, float, ((void)old, value))

PORTABLE_CUDA_ATOMIC_(atomicInc, inc, unsigned, old >= value ? 0 : old + 1)
PORTABLE_CUDA_ATOMIC_(atomicDec, dec, unsigned, old == 0 || old > value ? value : old - 1)

PORTABLE_CUDA_CAS_(unsigned short)
PORTABLE_CUDA_CAS_(int)
PORTABLE_CUDA_CAS_(unsigned)
PORTABLE_CUDA_CAS_(unsigned long long)

#define PORTABLE_CUDA_128_(suffix, scope)                                                          \
    template <class T, portable_cuda::if_128_bits<T> = 0>                                          \
    static __forceinline__ T atomicCAS##suffix(T *address, T compare, T value)                     \
    {                                                                                              \
        return portable_cuda::compare_and_swap(portable_cuda::scope, address, compare, value);     \
    }                                                                                              \
    template <class T, portable_cuda::if_128_bits<T> = 0>                                          \
    static __forceinline__ T atomicExch##suffix(T *address, T value)                               \
    {                                                                                              \
        return portable_cuda::atomic(portable_cuda::scope, portable_operation_other_, address,     \
                                     value, [&](const T &) { return value; });                     \
    }
PORTABLE_CUDA_128_(, device_scope)
PORTABLE_CUDA_128_(_block, block_scope)
PORTABLE_CUDA_128_(_system, device_scope)
#undef PORTABLE_CUDA_128_
#undef PORTABLE_CUDA_ATOMIC_
#undef PORTABLE_CUDA_NEW_ATOMIC_
#undef PORTABLE_CUDA_ATOMIC_AT_
#undef PORTABLE_CUDA_CAS_
#undef PORTABLE_CUDA_CAS_AT_
#undef PORTABLE_CUDA_BITWISE_

#endif
