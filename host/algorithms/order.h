/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms for kernels that count in order, and of loops that a GPU unrolls. Each warp has separate
 * counters; the result is that of a loop over its elements in ascending order, on every target.
 *
 *     FOR_EACH_IN_ORDER(i, warp, n) {
 *         const unsigned place = INCREMENT_IN_ORDER(&counters[warp * 256], x[i] % 256, 8);
 *         sorted[place] = x[i];
 *     }
 */
#ifndef PORTABLE_HOST_ALGORITHMS_ORDER_H
#define PORTABLE_HOST_ALGORITHMS_ORDER_H

#include "portable.h"

/* clang-format off */
#define FOR_EACH_IN_ORDER(i, warp, n)                                                              \
    /* At block scope: thread scope for each i below n, a multiple of the block's threads, which   \
     * are whole warps. Each warp takes one part without gaps, its lanes 32 neighbours at a time;  \
     * `warp` is its index in the block. Every thread must run the whole body. */                  \
    PORTABLE_CUDA_(PORTABLE_UNROLL_ALL_ PORTABLE_PARTS_(i, warp, n, PORTABLE_CUDA_RANK_,           \
                                                        PORTABLE_CUDA_THREADS_))                   \
    PORTABLE_LOOPS_(PORTABLE_LOOPS_PARTS_(i, warp, n))                                             \
    PORTABLE_EMULATE_(                                                                             \
        PORTABLE_PARTS_(i, warp, portable_order_count_(n), portable_rank_(), portable_size_()))
#define INCREMENT_IN_ORDER(counters, index, bits)                                                  \
    /* In FOR_EACH_IN_ORDER: returns counters[index]++, lane after lane. counters point to         \
     * unsigned, the same for all lanes of a warp and for no other; index < 2^bits, which emulate  \
     * checks. A SYNC_WARP separates it from other accesses to them. */                            \
    PORTABLE_CUDA_(                                                                                \
        portable_increment_<(bits)>((counters), (index), PORTABLE_CUDA_RANK_ % WARP_SIZE))         \
    PORTABLE_LOOPS_(portable_increment_(                                                           \
        (counters) + PORTABLE_NOT_AT_BLOCK_SCOPE_("INCREMENT_IN_ORDER"), (index)))                 \
    PORTABLE_EMULATE_(portable_increment_((counters), (index), (bits), __FILE__, __LINE__))
#define UNROLL_ON_GPU(n)                                                                           \
    /* At block scope, before a for loop around thread scopes: unrolls it n times on the GPU alone,\
     * where each thread runs the loop. On a CPU n loops over all threads would gain nothing, and  \
     * take long to compile. */                                                                    \
    PORTABLE_CUDA_(UNROLL(n))
/* clang-format on */

/* Where each thread runs the whole kernel: its elements are WARP_SIZE apart. */
#define PORTABLE_PARTS_(i, warp, n, rank, threads)                                                 \
    for (unsigned portable_k_ = 0, portable_turns_ = (n) / (threads), warp = (rank) / WARP_SIZE,   \
                  i = warp * portable_turns_ * WARP_SIZE + (rank) % WARP_SIZE;                     \
         portable_k_ < portable_turns_; portable_k_++, i += WARP_SIZE)

#if PORTABLE_KERNELS_CUDA_
#define PORTABLE_CUDA_RANK_ (decltype(portable_scope_)::rank())
#define PORTABLE_CUDA_THREADS_ (decltype(portable_scope_)::size())
#define PORTABLE_UNROLL_ALL_ _Pragma("unroll")

/* The lanes find those with the same index by one ballot for each bit: S. Ashkiani and others, "GPU
 * Multisplit", 2016. From C++ the compiler turns the predicate into arithmetic: three more
 * instructions per bit. */
template <unsigned Bits>
PORTABLE_DEVICE_ unsigned portable_increment_(unsigned *counters, unsigned index, unsigned lane)
{
    unsigned peers = ~0u;
#pragma unroll
    for (unsigned bit = 0; bit < Bits; bit++) {
        unsigned same;
        asm volatile("{\n\t.reg .pred p;\n\tand.b32 %0, %1, %2;\n\tsetp.ne.u32 p, %0, 0;\n\t"
                     "vote.sync.ballot.b32 %0, p, 0xffffffff;\n\t@!p not.b32 %0, %0;\n\t}"
                     : "=r"(same)
                     : "r"(index), "r"(1u << bit));
        peers &= same;
    }
    const unsigned first = counters[index], below = (unsigned)POPCOUNT(peers & ((1u << lane) - 1));
    __syncwarp();
    if (below == 0)
        counters[index] = first + (unsigned)POPCOUNT(peers);
    __syncwarp();
    return first + below;
}
#elif PORTABLE_KERNELS_EMULATE_
static inline unsigned portable_order_count_(unsigned n)
{
    const unsigned threads = portable_size_();
    if (n % threads != 0 || threads % WARP_SIZE != 0)
        portable_broken_(PORTABLE_ERROR_INVALID_VALUE,
                         "FOR_EACH_IN_ORDER with n = %u in a block of %u threads: n must be a "
                         "multiple of the threads, and they a multiple of %d",
                         n, threads, WARP_SIZE);
    return n;
}

static inline unsigned portable_increment_(unsigned *counters, unsigned index, unsigned bits,
                                           const char *file, int line)
{
    const char *const name = "INCREMENT_IN_ORDER";
    const unsigned lane = portable_rank_() % WARP_SIZE;
    unsigned peers = PORTABLE_ALL_LANES_;
    if (index >> bits != 0) {
        portable_broken_(PORTABLE_ERROR_INVALID_VALUE, "%s with index %u of more than %u bits",
                         name, index, bits);
        index &= (1u << bits) - 1;
    }
    for (unsigned bit = 0; bit < bits; bit++) {
        const unsigned set = index >> bit & 1;
        peers &=
            (unsigned)portable_votes_(PORTABLE_ALL_LANES_, (int)set, name, file, line) ^ (set - 1);
    }
    const unsigned first = counters[index], below = (unsigned)POPCOUNT(peers & ((1u << lane) - 1));
    portable_emulate_sync_warp_(PORTABLE_ALL_LANES_, name, file, line);
    if (below == 0)
        counters[index] = first + (unsigned)POPCOUNT(peers);
    portable_emulate_sync_warp_(PORTABLE_ALL_LANES_, name, file, line);
    return first + below;
}
#else
/* Four parts side by side if that divides the warps: increments of one counter wait for each other.
 * Consecutive parts run one after the other, so memory is read in four streams. */
#define PORTABLE_LOOPS_PARTS_(i, warp, n)                                                          \
    PORTABLE_UNROLL_(8)                                                                            \
    for (unsigned portable_warps_ = blockDim.x * blockDim.y * blockDim.z / WARP_SIZE,              \
                  portable_part_ = (n) / portable_warps_,                                          \
                  portable_streams_ = portable_warps_ % 4 == 0 ? 4 : 1,                            \
                  portable_step_ = portable_warps_ / portable_streams_, portable_at_ = 0;          \
         portable_at_ < portable_step_; portable_at_++)                                            \
        for (unsigned portable_k_ = 0; portable_k_ < portable_part_; portable_k_++)                \
            PORTABLE_UNROLL_(4)                                                                    \
    for (unsigned portable_stream_ = 0; portable_stream_ < portable_streams_; portable_stream_++)  \
        for (unsigned portable_go_ = 1, warp = portable_at_ + portable_stream_ * portable_step_,   \
                      portable_t_ = warp * WARP_SIZE + portable_k_ % WARP_SIZE,                    \
                      i = warp * portable_part_ + portable_k_;                                     \
             portable_go_; portable_go_ = 0)                                                       \
            PORTABLE_THREAD_SCOPE_(portable_t_ % blockDim.x,                                       \
                                   portable_t_ / blockDim.x % blockDim.y,                          \
                                   portable_t_ / blockDim.x / blockDim.y)

PORTABLE_INLINE_ unsigned portable_increment_(unsigned *counters, unsigned index)
{
    return counters[index]++;
}
#endif

#endif
