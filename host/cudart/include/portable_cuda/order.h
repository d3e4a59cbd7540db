/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What other blocks, or the host, can see: a thread that is about to do it may have to wait for
 * earlier blocks, which run on other OS threads.
 */
#ifndef PORTABLE_CUDA_ORDER_H
#define PORTABLE_CUDA_ORDER_H

#include "../host_defines.h"

extern "C" {
#include "../../../emulate/protocol.h"
}

namespace portable_cuda
{
enum scope { device_scope = 1, block_scope = 2 };

/* Before a message, or an access that other blocks may see, of the object if it has one. With a
 * check, or with warps in lockstep, one OS thread runs all blocks. */
static __forceinline__ void in_order([[maybe_unused]] const volatile void *object = nullptr)
{
#if defined(PORTABLE_PLAIN_)
    if (__builtin_expect(portable_emulate_unordered_, 0) &&
        reinterpret_cast<size_t>(object) - reinterpret_cast<size_t>(portable_emulate_own_) >=
            portable_emulate_own_bytes_)
        portable_emulate_order_(const_cast<const void *>(object));
#endif
}
/* Before all that a function does which has volatile accesses. */
static __forceinline__ constexpr void volatile_in_order()
{
#if defined(PORTABLE_PLAIN_)
    if (!__builtin_is_constant_evaluated() && __builtin_expect(portable_emulate_unordered_, 0))
        portable_emulate_order_volatile_();
#endif
}

/* Around an atomic at the scope. host/nvcc/split/turn.cpp knows that its accesses come next. */
static __forceinline__ void begin_atomic(int scope, const volatile void *address)
{
    if (scope == device_scope)
        in_order(address);
#if defined(PORTABLE_SPLIT_)
    else /* host/nvcc/split/turn.cpp finds atomics by this */
        __asm__ volatile("# portable_atomic");
#endif
#if !defined(PORTABLE_PLAIN_)
    portable_emulate_atomic_(scope);
#endif
}
/* The same for one that calls `tell` between its read and its write, and returns its result by
 * `result`: what it does, for ordercheck. */
static __forceinline__ void begin_told_atomic(int scope, const volatile void *address)
{
#if defined(PORTABLE_ORDERCHECK_)
    scope = scope ? scope | 4 : scope;
#endif
    begin_atomic(scope, address);
}
static __forceinline__ void end_atomic()
{
#if !defined(PORTABLE_PLAIN_)
    portable_emulate_atomic_(0);
#endif
}

/* Whether an atomic works on what is at the address as on floats. */
static constexpr bool is_floating(const void *)
{
    return false;
}
static constexpr bool is_floating(const float *)
{
    return true;
}
static constexpr bool is_floating(const double *)
{
    return true;
}
static constexpr bool is_floating(const float2 *)
{
    return true;
}
static constexpr bool is_floating(const float4 *)
{
    return true;
}

#if defined(PORTABLE_ORDERCHECK_)
/* Of another type, only for a compare-and-swap: any other operation never commutes. */
template <class T> static __forceinline__ unsigned tell(int does, const T *address, T, T)
{
    return portable_emulate_operation_(does == portable_operation_cas_ ? portable_operation_cas_
                                                                       : portable_operation_other_,
                                       address, sizeof(T), 0, 0, 0);
}
template <class T> static __forceinline__ T result(T old, unsigned)
{
    return old;
}
#define PORTABLE_CUDA_TELL_AS_(type, as, suffix)                                                   \
    static __forceinline__ unsigned tell(int does, const type *address, type value, type old)      \
    {                                                                                              \
        return portable_tell_##suffix##_(does, address, static_cast<as>(value),                    \
                                         static_cast<as>(old));                                    \
    }                                                                                              \
    static __forceinline__ type result(type old, unsigned number)                                  \
    {                                                                                              \
        return static_cast<type>(                                                                  \
            portable_emulate_result_##suffix##_(static_cast<as>(old), number));                    \
    }
PORTABLE_CUDA_TELL_AS_(int, int, int)
PORTABLE_CUDA_TELL_AS_(unsigned, unsigned, uint)
PORTABLE_CUDA_TELL_AS_(long, long long, ll)
PORTABLE_CUDA_TELL_AS_(unsigned long, unsigned long long, ull)
PORTABLE_CUDA_TELL_AS_(long long, long long, ll)
PORTABLE_CUDA_TELL_AS_(unsigned long long, unsigned long long, ull)
PORTABLE_CUDA_TELL_AS_(float, float, float)
PORTABLE_CUDA_TELL_AS_(double, double, double)
#undef PORTABLE_CUDA_TELL_AS_
#else
template <class T> static __forceinline__ unsigned tell(int, const T *, T, T)
{
    return 0;
}
template <class T> static __forceinline__ T result(T old, unsigned)
{
    return old;
}
#endif
} // namespace portable_cuda

#endif
