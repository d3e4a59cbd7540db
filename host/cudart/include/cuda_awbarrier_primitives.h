/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier objects in shared memory, as functions. */
#ifndef PORTABLE_CUDA_AWBARRIER_PRIMITIVES_H
#define PORTABLE_CUDA_AWBARRIER_PRIMITIVES_H

#include <cstdint>

#include "portable_cuda/barrier.h"

typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

namespace portable_cuda
{
namespace phases
{
static inline word *word_of(__mbarrier_t *barrier)
{
    return reinterpret_cast<word *>(barrier);
}
} // namespace phases
} // namespace portable_cuda

static inline std::uint32_t __mbarrier_maximum_count()
{
    return (1u << 20) - 1;
}
static inline void __mbarrier_init(__mbarrier_t *barrier, std::uint32_t expected)
{
    portable_cuda::phases::init(portable_cuda::phases::word_of(barrier), expected);
}
static inline void __mbarrier_inval(__mbarrier_t *)
{
}
static inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier, PORTABLE_CUDA_HERE_)
{
    return portable_cuda::phases::arrive(portable_cuda::phases::word_of(barrier), 1, false, file,
                                         line);
}
static inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier,
                                                            PORTABLE_CUDA_HERE_)
{
    return portable_cuda::phases::arrive(portable_cuda::phases::word_of(barrier), 1, true, file,
                                         line);
}
/* Tests are called in loops: they give way to other threads. */
static inline bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                       std::uint32_t, PORTABLE_CUDA_HERE_)
{
    return portable_cuda::phases::try_wait(
        [=] {
            return portable_cuda::phases::passed(portable_cuda::phases::word_of(barrier), token);
        },
        "__mbarrier_try_wait", file, line);
}
static inline bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, std::uint32_t,
                                              PORTABLE_CUDA_HERE_)
{
    return portable_cuda::phases::try_wait(
        [=] {
            return portable_cuda::phases::parity_passed(portable_cuda::phases::word_of(barrier),
                                                        parity);
        },
        "__mbarrier_try_wait_parity", file, line);
}
static inline bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                        PORTABLE_CUDA_HERE_)
{
    return __mbarrier_try_wait(barrier, token, 0, file, line);
}
static inline bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity,
                                               PORTABLE_CUDA_HERE_)
{
    return __mbarrier_try_wait_parity(barrier, parity, 0, file, line);
}
static inline std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    return static_cast<std::uint32_t>(token & portable_cuda::phases::count_mask);
}

#endif
