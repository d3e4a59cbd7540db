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
    if (__builtin_expect(portable_emulate_unordered_, 0))
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

/* Around an atomic at the scope. */
static __forceinline__ void begin_atomic(int scope, const volatile void *address)
{
    if (scope == device_scope)
        in_order(address);
#if defined(PORTABLE_SPLIT_)
    else /* host/nvcc/split.cpp finds atomics by this */
        __asm__ volatile("# portable_atomic");
#endif
#if !defined(PORTABLE_PLAIN_)
    portable_emulate_atomic_(scope);
#endif
}
static __forceinline__ void end_atomic()
{
#if !defined(PORTABLE_PLAIN_)
    portable_emulate_atomic_(0);
#endif
}
} // namespace portable_cuda

#endif
