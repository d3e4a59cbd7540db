/* SPDX-License-Identifier: BSD-3-Clause */
/* The operators of reduce and scan over a cooperative group. */
#ifndef PORTABLE_CUDA_GROUP_OPERATORS_H
#define PORTABLE_CUDA_GROUP_OPERATORS_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
template <class T> struct plus {
    T operator()(T a, T b) const
    {
        return a + b;
    }
};
template <class T> struct less {
    T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};
template <class T> struct greater {
    T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
template <class T> struct bit_and {
    T operator()(T a, T b) const
    {
        return a & b;
    }
};
template <class T> struct bit_or {
    T operator()(T a, T b) const
    {
        return a | b;
    }
};
template <class T> struct bit_xor {
    T operator()(T a, T b) const
    {
        return a ^ b;
    }
};
} // namespace cooperative_groups

namespace portable_cuda
{
/* The groups that reduce and scan take. */
template <class Group> struct collective : std::false_type {
};
template <> struct collective<cooperative_groups::coalesced_group> : std::true_type {
};
template <unsigned Size, class Parent>
struct collective<cooperative_groups::thread_block_tile<Size, Parent>> : std::true_type {
};

/* Combines an atomic with a value; returns what it was before. */
template <class Atomic, class T, class Operator>
static inline T update_atomic(Atomic &atomic, T value, Operator &op)
{
    T old = atomic.load();
    while (!atomic.compare_exchange_weak(old, op(old, value)))
        ;
    return old;
}
} // namespace portable_cuda

#endif
