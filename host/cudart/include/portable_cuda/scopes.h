/* SPDX-License-Identifier: BSD-3-Clause */
/* What the headers of namespace cuda share: scopes and memory orders, and the C++ library as
 * cuda::std, unless CCCL has them. */
#ifndef PORTABLE_CUDA_SCOPES_H
#define PORTABLE_CUDA_SCOPES_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "launch.h"
#include "synchronisation.h"

#if defined(PORTABLE_CUDA_CCCL) && __has_include(<cuda/std/__atomic/scopes.h>)
#include <cuda/std/detail/__config>

#include <cuda/std/__atomic/order.h>
#include <cuda/std/__atomic/scopes.h>
#if __has_include(<cuda/__memory/aligned_size.h>)
#include <cuda/__memory/aligned_size.h>
#else
#include <cuda/__barrier/aligned_size.h>
#endif
#else
namespace cuda
{
enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread = 10
};
enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};

namespace std
{
#if !defined(PORTABLE_CUDA_CCCL)
using namespace ::std;
#endif
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
} // namespace std

/* A count of bytes that are aligned. */
template <::std::size_t Alignment> struct aligned_size_t {
    static_assert((Alignment & (Alignment - 1)) == 0, "an alignment is a power of two");
    static constexpr ::std::size_t align = Alignment;
    ::std::size_t value;
    explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes)
    {
    }
    constexpr operator ::std::size_t() const
    {
        return value;
    }
};
} // namespace cuda
#endif

namespace cuda
{
static constexpr bool portable_releases_(memory_order order)
{
    return order >= memory_order_release;
}
} // namespace cuda

namespace portable_cuda
{
/* The bytes of a copy, whose addresses must be as aligned as aligned_size_t says. */
static inline ::std::size_t bytes_of(::std::size_t bytes, const void *, const void *)
{
    return bytes;
}
template <::std::size_t Alignment>
static inline ::std::size_t bytes_of(cuda::aligned_size_t<Alignment> bytes, const void *to,
                                     const void *from)
{
    const ::std::size_t any =
        reinterpret_cast<::std::size_t>(to) | reinterpret_cast<::std::size_t>(from) | bytes.value;
    if (any % Alignment != 0)
        portable_cuda_fail_(cudaErrorMisalignedAddress,
                            "memcpy_async: an address or the size is not as aligned as its "
                            "aligned_size_t says",
                            "cuda/barrier", 0);
    return bytes.value;
}
} // namespace portable_cuda

#endif
