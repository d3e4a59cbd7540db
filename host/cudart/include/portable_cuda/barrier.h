/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barrier objects in memory, as one word of 64 bits: what cuda::barrier, __mbarrier_t and pipelines
 * are made of. From the lowest bit: 20 bits of threads that have not arrived, 20 bits of threads
 * that the next phase expects, 21 bits of bytes that copies still bring, as a signed number, and
 * the number of the phase modulo 8.
 */
#ifndef PORTABLE_CUDA_BARRIER_H
#define PORTABLE_CUDA_BARRIER_H

#include "launch.h"
#include "synchronisation.h"

namespace portable_cuda
{
namespace phases
{
typedef unsigned long long word;
constexpr unsigned bits = 20, phase_bits = 3, byte_bits = 64 - 2 * bits - phase_bits;
constexpr word one = 1, count_mask = (one << bits) - 1;

static inline word load(const word *barrier)
{
    in_order(barrier);
    portable_emulate_atomic_(2 | 4);
    const word value = *static_cast<const volatile word *>(barrier);
    portable_emulate_atomic_(0);
    return value;
}
static inline void store(word *barrier, word value)
{
    in_order(barrier);
    portable_emulate_atomic_(2 | 4);
    *static_cast<volatile word *>(barrier) = value;
    portable_emulate_atomic_(0);
}
static inline word phase(word value)
{
    return value >> (64 - phase_bits);
}
static inline long long bytes(word value)
{
    return static_cast<long long>(value << phase_bits) >> (64 - byte_bits);
}
static inline word packed(word phase, long long bytes, word expected, word pending)
{
    return phase << (64 - phase_bits) | static_cast<word>(bytes) << (64 - byte_bits) >> phase_bits |
           expected << bits | pending;
}
static inline void init(word *barrier, word expected)
{
    store(barrier, expected << bits | expected);
}
/* Arrives `count` times. The completion runs when all have arrived. Returns the word before, which
 * is the token to wait with. */
template <class Completion>
static inline word arrive(word *barrier, word count, bool drop, Completion completion,
                          const char *file, int line)
{
    const word before = load(barrier);
    word pending = before & count_mask, expected = before >> bits & count_mask;
    if (count > pending)
        portable_cuda_fail_(cudaErrorLaunchFailure,
                            "more threads arrive at a barrier object than it expects", file, line);
    pending -= count;
    expected -= drop ? count : 0;
    if (pending > 0 || bytes(before) != 0) {
        store(barrier, packed(phase(before), bytes(before), expected, pending));
        return before;
    }
    portable_emulate_phase_();
    completion();
    store(barrier, packed(phase(before) + 1, 0, expected, expected));
    return before;
}
/* Expects so many more bytes of copies, or fewer if they have arrived, which may be before. */
static inline void expect_bytes(word *barrier, long long change)
{
    const word before = load(barrier), pending = before & count_mask;
    const word expected = before >> bits & count_mask;
    const long long rest = bytes(before) + change;
    if (pending > 0 || rest != 0 || change > 0) {
        store(barrier, packed(phase(before), rest, expected, pending));
        return;
    }
    portable_emulate_phase_();
    store(barrier, packed(phase(before) + 1, 0, expected, expected));
}
static inline word arrive(word *barrier, word count, bool drop, const char *file, int line)
{
    return arrive(
        barrier, count, drop, [] {}, file, line);
}
static inline bool passed(const word *barrier, word token)
{
    return phase(load(barrier)) != phase(token);
}
static inline bool parity_passed(const word *barrier, bool parity)
{
    return (phase(load(barrier)) & 1) != static_cast<word>(parity);
}
template <class Passed>
static inline void wait_until(const word *barrier, Passed passed, const char *name,
                              const char *file, int line)
{
    for (;;) {
        const word before = load(barrier);
        if (passed())
            return;
        portable_emulate_wait_(barrier, before, name, file, line);
    }
}
static inline void wait(const word *barrier, word token, const char *name, const char *file,
                        int line)
{
    wait_until(
        barrier, [=] { return passed(barrier, token); }, name, file, line);
}
static inline void wait_parity(const word *barrier, bool parity, const char *name, const char *file,
                               int line)
{
    wait_until(
        barrier, [=] { return parity_passed(barrier, parity); }, name, file, line);
}
/* A test that gives way to other threads before it fails. */
template <class Passed>
static inline bool try_wait(Passed passed, const char *name, const char *file, int line)
{
    if (!passed())
        portable_emulate_wait_(nullptr, 0, name, file, line);
    return passed();
}
} // namespace phases
} // namespace portable_cuda

#endif
