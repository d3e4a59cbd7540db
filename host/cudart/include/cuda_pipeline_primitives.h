/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies from global to shared memory by one thread. They arrive in __pipeline_wait_prior; until
 * then there are all-ones bytes, which initcheck calls uninitialised. */
#ifndef PORTABLE_CUDA_PIPELINE_PRIMITIVES_H
#define PORTABLE_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"
#include "portable_cuda/lanes.h"
#include "../../emulate/calls.h"

/* Copies size_and_align - zfill bytes, and writes zeroes after them. */
static inline void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                                           size_t size_and_align, size_t zfill = 0,
                                           PORTABLE_CUDA_HERE_)
{
    const size_t addresses = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from);
    if ((size_and_align != 4 && size_and_align != 8 && size_and_align != 16) ||
        zfill > size_and_align)
        portable_cuda_fail_(cudaErrorInvalidValue,
                            "__pipeline_memcpy_async copies 4, 8 or 16 bytes", file, line);
    if (addresses % size_and_align != 0)
        portable_cuda_fail_(cudaErrorMisalignedAddress,
                            "__pipeline_memcpy_async: an address is not a multiple of the size",
                            file, line);
    unsigned char value[16] = {0};
    portable_cuda::copy_part(value, from, size_and_align - zfill, 0, 1);
    portable_copy_value_later_(to, value, size_and_align);
}
static inline void __pipeline_commit()
{
    portable_emulate_copy_commit_();
}
static inline void __pipeline_wait_prior(size_t groups)
{
    portable_copy_wait_(static_cast<unsigned>(groups));
}
/* All copies of this thread arrive, and do not count. */
static inline void __pipeline_arrive_on(__mbarrier_t *)
{
    portable_emulate_copy_commit_();
    portable_copy_wait_(0);
}

#endif
