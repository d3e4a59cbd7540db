/* SPDX-License-Identifier: BSD-3-Clause */
/* nvcc's built-in atomics, whose order and scope are arguments. All are inlined, so that a report
 * shows the line that calls them. */
#ifndef PORTABLE_CUDA_ATOMIC_BUILTINS_H
#define PORTABLE_CUDA_ATOMIC_BUILTINS_H

#include "atomics.h"

#include <type_traits>

#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1
enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

namespace portable_cuda
{
/* A cluster is one block. At thread scope an access is not atomic for any other thread. */
static constexpr scope scope_of(int given)
{
    return given == __NV_THREAD_SCOPE_THREAD    ? scope(0)
           : given <= __NV_THREAD_SCOPE_CLUSTER ? block_scope
                                                : device_scope;
}
static __forceinline__ void release(int order, int scope)
{
    if (order >= __NV_ATOMIC_RELEASE && scope != __NV_THREAD_SCOPE_THREAD)
        portable_emulate_fence_(scope_of(scope) == block_scope);
}
template <class T, class Op>
static __forceinline__ T ordered_atomic(int order, int scope, portable_operation_ does, T *address,
                                        T by, Op op)
{
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 16,
                  "an atomic is of a type of up to 16 bytes that is copied bit by bit");
    release(order, scope);
    return atomic(scope_of(scope), does, address, by, op);
}
/* A value of type T, whose argument is converted to it. */
template <class T> struct given {
    typedef T type;
};
} // namespace portable_cuda

template <class T>
static __forceinline__ T __nv_atomic_load_n(T *address, int, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    portable_cuda::begin_atomic(portable_cuda::scope_of(scope), address);
    const T value = *address;
    portable_cuda::end_atomic();
    portable_emulate_spin_(address);
    return value;
}
template <class T>
static __forceinline__ void __nv_atomic_load(T *address, T *result, int order,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *result = __nv_atomic_load_n(address, order, scope);
}
template <class T>
static __forceinline__ void __nv_atomic_store_n(T *address,
                                                typename portable_cuda::given<T>::type value,
                                                int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    portable_cuda::release(order, scope);
    portable_cuda::begin_told_atomic(portable_cuda::scope_of(scope), address);
    portable_cuda::tell(portable_operation_exchange_, address, value, value);
    *address = value;
    portable_cuda::end_atomic();
}
template <class T>
static __forceinline__ void __nv_atomic_store(T *address, T *value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __nv_atomic_store_n(address, *value, order, scope);
}
template <class T>
static __forceinline__ T __nv_atomic_exchange_n(T *address,
                                                typename portable_cuda::given<T>::type value,
                                                int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return portable_cuda::ordered_atomic(order, scope, portable_operation_exchange_, address, value,
                                         [&](const T &) { return value; });
}
template <class T>
static __forceinline__ void __nv_atomic_exchange(T *address, T *value, T *result, int order,
                                                 int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    *result = __nv_atomic_exchange_n(address, *value, order, scope);
}
template <class T>
static __forceinline__ bool
__nv_atomic_compare_exchange_n(T *address, T *expected,
                               typename portable_cuda::given<T>::type value, bool, int order, int,
                               int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    portable_cuda::release(order, scope);
    const T old =
        portable_cuda::compare_and_swap(portable_cuda::scope_of(scope), address, *expected, value);
    const bool same = !__builtin_memcmp(&old, expected, sizeof old);
    if (!same)
        *expected = old;
    return same;
}
template <class T>
static __forceinline__ bool __nv_atomic_compare_exchange(T *address, T *expected, T *value,
                                                         bool weak, int order, int failure,
                                                         int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    return __nv_atomic_compare_exchange_n(address, expected, *value, weak, order, failure, scope);
}

#define PORTABLE_CUDA_FETCH_(op, does, condition, expression)                                      \
    template <class T>                                                                             \
    static __forceinline__ T __nv_atomic_fetch_##op(                                               \
        T *address, typename portable_cuda::given<T>::type by, int order,                          \
        int scope = __NV_THREAD_SCOPE_SYSTEM)                                                      \
    {                                                                                              \
        static_assert((sizeof(T) == 4 || sizeof(T) == 8) && condition<T>::value,                   \
                      "__nv_atomic_fetch_" #op " is not for this type");                           \
        return portable_cuda::ordered_atomic(order, scope, portable_operation_##does##_, address,  \
                                             by,                                                   \
                                             [by](T old) { return static_cast<T>(expression); });  \
    }                                                                                              \
    template <class T>                                                                             \
    static __forceinline__ void __nv_atomic_##op(T *address,                                       \
                                                 typename portable_cuda::given<T>::type by,        \
                                                 int order, int scope = __NV_THREAD_SCOPE_SYSTEM)  \
    {                                                                                              \
        __nv_atomic_fetch_##op(address, by, order, scope);                                         \
    }
namespace portable_cuda
{
/* As atomicAdd has none of long long. */
template <class T>
using is_summed =
    std::bool_constant<std::is_floating_point<T>::value || std::is_unsigned<T>::value ||
                       (std::is_integral<T>::value && sizeof(T) == 4)>;
/* Sums of integers modulo 2^bits; those of floats as atomicAdd's. */
template <class T> static __forceinline__ T sum_of(T a, T b)
{
    if constexpr (std::is_integral<T>::value)
        return static_cast<T>(static_cast<unsigned long long>(a) +
                              static_cast<unsigned long long>(b));
    else
        return sum(a, b);
}
template <class T> static __forceinline__ T negated(T a)
{
    if constexpr (std::is_integral<T>::value)
        return static_cast<T>(0 - static_cast<unsigned long long>(a));
    else
        return -a;
}
} // namespace portable_cuda
PORTABLE_CUDA_FETCH_(add, add, portable_cuda::is_summed, portable_cuda::sum_of(old, by))
PORTABLE_CUDA_FETCH_(sub, sub, portable_cuda::is_summed,
                     portable_cuda::sum_of(old, portable_cuda::negated(by)))
PORTABLE_CUDA_FETCH_(and, bit_and, std::is_integral, old &by)
PORTABLE_CUDA_FETCH_(or, bit_or, std::is_integral, old | by)
PORTABLE_CUDA_FETCH_(xor, bit_xor, std::is_integral, old ^ by)
PORTABLE_CUDA_FETCH_(min, min, std::is_integral, by < old ? by : old)
PORTABLE_CUDA_FETCH_(max, max, std::is_integral, old < by ? by : old)
#undef PORTABLE_CUDA_FETCH_

static __forceinline__ void __nv_atomic_thread_fence(int order,
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order != __NV_ATOMIC_RELAXED && scope != __NV_THREAD_SCOPE_THREAD)
        portable_emulate_fence_(portable_cuda::scope_of(scope) == portable_cuda::block_scope);
}

#endif
