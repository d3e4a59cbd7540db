/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions over a cooperative group, in the order in which CUDA's combine the threads' values. */
#ifndef PORTABLE_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define PORTABLE_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"
#include "../portable_cuda/group_operators.h"

namespace portable_cuda
{
/* Over lanes 0 to size - 1 of an array, in pairs whose ranks differ by one bit: the result of lane
 * 0, and of any other if the operator is commutative. */
template <class T, class Operator>
static inline T reduce_array(T *values, unsigned size, Operator &op)
{
    for (unsigned bit = size / 2; bit > 0; bit /= 2)
        for (unsigned k = 0; k < bit; k++)
            values[k] = op(values[k], values[k ^ bit]);
    return values[0];
}

template <class T, class Operator, class Tile, unsigned Size>
static inline T reduce_lanes(const group_tile<Tile, Size, true> &group, T value, Operator &op,
                             const char *file, int line)
{
    for (unsigned bit = Size / 2; bit > 0; bit /= 2)
        value = op(value, group.shfl_xor(value, bit, file, line));
    return value;
}

/* In each warp, then over the warps. */
template <class T, class Operator, class Tile, unsigned Size>
static inline T reduce_lanes(const group_tile<Tile, Size, false> &group, T value, Operator &op,
                             const char *file, int line)
{
    T of_warp[Size / 32];
    group.portable_pass_(&value, "reduce", file, line);
    for (unsigned warp = 0; warp < Size / 32; warp++) {
        T values[32];
        for (unsigned k = 0; k < 32; k++) {
            const T *const other = group.template portable_passed_<T>(warp * 32 + k);
            values[k] = other ? *other : value;
        }
        of_warp[warp] = reduce_array(values, 32, op);
    }
    group.portable_pass_(&value, "reduce", file, line);
    return reduce_array(of_warp, Size / 32, op);
}

template <class T, class Operator>
static inline T reduce_lanes(const cooperative_groups::coalesced_group &group, T value,
                             Operator &op, const char *file, int line)
{
    const unsigned size = group.num_threads(), rank = group.thread_rank();
    if (size == 32) {
        for (unsigned bit = 16; bit > 0; bit /= 2)
            value = op(value, group.template from<T>(value, rank ^ bit, "reduce", file, line));
        return value;
    }
    for (unsigned by = 1; by < size; by *= 2) {
        const T other = group.template from<T>(value, rank - by, "reduce", file, line);
        if (rank >= by)
            value = op(value, other);
    }
    return group.template from<T>(value, size - 1, "reduce", file, line);
}
} // namespace portable_cuda

namespace cooperative_groups
{
template <class Group, class T, class Operator>
inline auto reduce(const Group &group, T &&value, Operator &&op, PORTABLE_CUDA_HERE_)
    -> portable_cuda::bare<decltype(op(value, value))>
{
    typedef portable_cuda::bare<T> type;
    static_assert(std::is_same<portable_cuda::bare<decltype(op(value, value))>, type>::value,
                  "reduce: the operator's result must have the type of the value");
    static_assert(portable_cuda::collective<Group>::value,
                  "reduce takes a thread_block_tile or a coalesced_group");
    return portable_cuda::reduce_lanes<type>(group, value, op, file, line);
}

/* The reduction goes to memory: *destination becomes it, or is combined with it in an atomic. */
template <class Group, class T, class Value, class Operator>
inline void reduce_store_async(const Group &group, T *destination, Value &&value, Operator &&op,
                               PORTABLE_CUDA_HERE_)
{
    const T result = reduce(group, static_cast<T>(value), op, file, line);
    if (group.thread_rank() == 0)
        *destination = result;
}
template <class Group, class Atomic, class Value, class Operator,
          class T = typename portable_cuda::bare<Atomic>::value_type>
inline void reduce_store_async(const Group &group, Atomic &&destination, Value &&value,
                               Operator &&op, PORTABLE_CUDA_HERE_)
{
    const T result = reduce(group, static_cast<T>(value), op, file, line);
    if (group.thread_rank() == 0)
        destination.store(result);
}
template <class Group, class Atomic, class Value, class Operator,
          class T = typename portable_cuda::bare<Atomic>::value_type>
inline void reduce_update_async(const Group &group, Atomic &&destination, Value &&value,
                                Operator &&op, PORTABLE_CUDA_HERE_)
{
    const T result = reduce(group, static_cast<T>(value), op, file, line);
    if (group.thread_rank() == 0)
        portable_cuda::update_atomic(destination, result, op);
}
} // namespace cooperative_groups

#endif
