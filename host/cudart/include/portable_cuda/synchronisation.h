/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers, warp operations and fences. Each call passes the name, file and line of its place in
 * the source, which reports of deadlocks show.
 */
#ifndef PORTABLE_CUDA_SYNCHRONISATION_H
#define PORTABLE_CUDA_SYNCHRONISATION_H

#include "../device_launch_parameters.h"

extern "C" {
#include "../../../emulate/protocol.h"
}

/* The call's place, as the last parameters of a function that waits. */
#define PORTABLE_CUDA_HERE_ const char *file = __builtin_FILE(), int line = __builtin_LINE()

static inline void __syncthreads(PORTABLE_CUDA_HERE_)
{
    portable_emulate_sync_threads_("__syncthreads", file, line);
}
static inline int __syncthreads_count(int predicate, PORTABLE_CUDA_HERE_)
{
    return portable_emulate_sync_count_(predicate != 0, "__syncthreads_count", file, line);
}
static inline int __syncthreads_or(int predicate, PORTABLE_CUDA_HERE_)
{
    return portable_emulate_sync_count_(predicate != 0, "__syncthreads_or", file, line) > 0;
}
static inline int __syncthreads_and(int predicate, PORTABLE_CUDA_HERE_)
{
    return portable_emulate_sync_count_(predicate == 0, "__syncthreads_and", file, line) == 0;
}
/* Barriers by number. That of number 0 for all threads is __syncthreads(). */
static inline void __barrier_sync_count(unsigned number, unsigned threads, PORTABLE_CUDA_HERE_)
{
    const unsigned all = (blockDim.x * blockDim.y * blockDim.z + 31) / 32 * 32;
    if (number == 0 && threads >= all)
        portable_emulate_sync_threads_("__barrier_sync", file, line);
    else
        portable_emulate_sync_named_(number, threads, 1, "__barrier_sync", file, line);
}
static inline void __barrier_sync(unsigned number, PORTABLE_CUDA_HERE_)
{
    __barrier_sync_count(number, (blockDim.x * blockDim.y * blockDim.z + 31) / 32 * 32, file, line);
}
static inline void __syncwarp(unsigned mask = 0xffffffffu, PORTABLE_CUDA_HERE_)
{
    portable_emulate_sync_warp_(mask, "__syncwarp", file, line);
}

namespace portable_cuda
{
/* One warp operation on a value of up to eight bytes. */
template <class T>
static inline T exchange(enum portable_exchange_ kind, unsigned mask, unsigned width, T value,
                         unsigned operand, const char *name, const char *file, int line)
{
    static_assert(sizeof(T) <= 8, "a warp operation takes a value of at most 8 bytes");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = portable_emulate_exchange_(kind, mask, width, bits, operand, name, file, line);
    __builtin_memcpy(static_cast<void *>(&value), &bits, sizeof value);
    return value;
}
/* The lanes whose predicate is true; the upper half has the lanes that voted. */
static inline unsigned long long vote(unsigned mask, int predicate, const char *name,
                                      const char *file, int line)
{
    return portable_emulate_exchange_(PORTABLE_EXCHANGE_BALLOT_, mask, 32,
                                      (unsigned long long)(predicate != 0), 0, name, file, line);
}
} // namespace portable_cuda

template <class T>
static inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32, PORTABLE_CUDA_HERE_)
{
    return portable_cuda::exchange(PORTABLE_EXCHANGE_SHUFFLE_, mask, (unsigned)width, value,
                                   (unsigned)lane, "__shfl_sync", file, line);
}
template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                               PORTABLE_CUDA_HERE_)
{
    return portable_cuda::exchange(PORTABLE_EXCHANGE_UP_, mask, (unsigned)width, value, delta,
                                   "__shfl_up_sync", file, line);
}
template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                 PORTABLE_CUDA_HERE_)
{
    return portable_cuda::exchange(PORTABLE_EXCHANGE_DOWN_, mask, (unsigned)width, value, delta,
                                   "__shfl_down_sync", file, line);
}
template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                                PORTABLE_CUDA_HERE_)
{
    return portable_cuda::exchange(PORTABLE_EXCHANGE_XOR_, mask, (unsigned)width, value,
                                   (unsigned)lane_mask, "__shfl_xor_sync", file, line);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate, PORTABLE_CUDA_HERE_)
{
    return (unsigned)portable_cuda::vote(mask, predicate, "__ballot_sync", file, line);
}
static inline int __any_sync(unsigned mask, int predicate, PORTABLE_CUDA_HERE_)
{
    return (unsigned)portable_cuda::vote(mask, predicate, "__any_sync", file, line) != 0;
}
static inline int __all_sync(unsigned mask, int predicate, PORTABLE_CUDA_HERE_)
{
    const unsigned long long votes = portable_cuda::vote(mask, predicate, "__all_sync", file, line);
    return (unsigned)votes == (unsigned)(votes >> 32);
}

/* One OS thread runs all blocks, so memory is always consistent; racecheck is told. */
static inline void __threadfence(void)
{
    portable_emulate_fence_(0);
}
static inline void __threadfence_block(void)
{
    portable_emulate_fence_(1);
}
static inline void __threadfence_system(void)
{
    portable_emulate_fence_(0);
}

#endif
