/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of some lanes of a warp, given by a mask, and copies by all threads of a group: what
 * cooperative groups and their collectives are made of.
 */
#ifndef PORTABLE_CUDA_LANES_H
#define PORTABLE_CUDA_LANES_H

#include <type_traits>

#include "integer.h"
#include "launch.h"
#include "synchronisation.h"

/* The lanes of the warp that run this together. */
static inline unsigned __activemask(PORTABLE_CUDA_HERE_)
{
    return portable_emulate_active_("__activemask", file, line);
}

namespace portable_cuda
{
/* The running thread's number in its block, and in its warp. */
static inline unsigned thread_number()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static inline unsigned threads_of_block()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
static inline unsigned lane_number()
{
    return thread_number() % 32;
}

static inline unsigned count_of(unsigned mask)
{
    return static_cast<unsigned>(__popc(mask));
}
static inline unsigned lanes_below(unsigned lane)
{
    return (1u << lane) - 1;
}
/* The lane's rank among those of the mask, and the lane of a rank: 32 if there is none. */
static inline unsigned rank_in(unsigned mask, unsigned lane)
{
    return count_of(mask & lanes_below(lane));
}
static inline unsigned lane_of_rank(unsigned mask, unsigned rank)
{
    for (; rank > 0 && mask; rank--)
        mask &= mask - 1;
    return mask ? static_cast<unsigned>(__builtin_ctz(mask)) : 32;
}
/* The bits at the places of the mask, moved together. */
static inline unsigned packed(unsigned mask, unsigned bits)
{
    unsigned result = 0;
    for (unsigned rank = 0; mask; mask &= mask - 1, rank++)
        result |= (bits >> __builtin_ctz(mask) & 1) << rank;
    return result;
}

template <class T> using bare = std::remove_cv_t<std::remove_reference_t<T>>;

/* The value of another lane of the mask. */
template <class T>
static inline T value_of_lane(unsigned mask, T value, unsigned lane, const char *name,
                              const char *file, int line)
{
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                  "a group shuffles values of at most 32 bytes that can be copied byte by byte");
    alignas(8) unsigned char from[(sizeof(T) + 7) / 8 * 8] = {}, to[sizeof from];
    __builtin_memcpy(from, &value, sizeof value);
    for (size_t k = 0; k < sizeof from; k += 8) {
        unsigned long long bits;
        __builtin_memcpy(&bits, from + k, 8);
        bits = portable_emulate_exchange_(PORTABLE_EXCHANGE_SHUFFLE_, mask, 32, bits, lane, name,
                                          file, line);
        __builtin_memcpy(to + k, &bits, 8);
    }
    T result = value;
    __builtin_memcpy(static_cast<void *>(&result), to, sizeof result);
    return result;
}

/* The lanes of the mask that have the same value. */
template <class T>
static inline unsigned lanes_alike(unsigned mask, const T &value, const char *name,
                                   const char *file, int line)
{
    unsigned alike = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        if (mask >> lane & 1) {
            const T other = value_of_lane(mask, value, lane, name, file, line);
            alike |= static_cast<unsigned>(__builtin_memcmp(&other, &value, sizeof(T)) == 0)
                     << lane;
        }
    return alike;
}

/* The lanes of the mask whose predicate is true. */
static inline unsigned lanes_true(unsigned mask, int predicate, const char *name, const char *file,
                                  int line)
{
    return static_cast<unsigned>(vote(mask, predicate != 0, name, file, line));
}

/* One thread's part of a copy by several, in the largest units that suit both addresses. */
template <class Unit>
static inline void copy_units(void *to, const void *from, size_t bytes, size_t rank, size_t size)
{
    typedef Unit __attribute__((may_alias)) unit;
    for (size_t k = rank; k < bytes / sizeof(Unit); k += size)
        static_cast<unit *>(to)[k] = static_cast<const unit *>(from)[k];
}
static inline void copy_part(void *to, const void *from, size_t bytes, size_t rank, size_t size)
{
    const size_t any = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
    if (any % 8 == 0)
        copy_units<unsigned long long>(to, from, bytes, rank, size);
    else if (any % 4 == 0)
        copy_units<unsigned>(to, from, bytes, rank, size);
    else
        copy_units<unsigned char>(to, from, bytes, rank, size);
}
} // namespace portable_cuda

#endif
