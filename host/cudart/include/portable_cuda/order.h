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

/* Before a message, and before all that a function does which has volatile accesses. With a check,
 * or with warps in lockstep, one OS thread runs all blocks. */
static __forceinline__ void in_order()
{
#if defined(PORTABLE_PLAIN_)
    if (__builtin_expect(portable_emulate_unordered_, 0))
        portable_emulate_order_(nullptr);
#endif
}
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
#if defined(PORTABLE_PLAIN_)
    if (scope == device_scope && __builtin_expect(portable_emulate_unordered_, 0))
        portable_emulate_order_(const_cast<const void *>(address));
#else
    (void)address;
    portable_emulate_atomic_(scope);
#endif
}
/* Before an access of an object that threads of several blocks may use. */
static __forceinline__ void object_in_order([[maybe_unused]] const void *object)
{
#if defined(PORTABLE_PLAIN_)
    if (__builtin_expect(portable_emulate_unordered_, 0))
        portable_emulate_order_(object);
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
