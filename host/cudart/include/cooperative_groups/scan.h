/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans over a cooperative group, in the order in which CUDA's combine the threads' values. */
#ifndef PORTABLE_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define PORTABLE_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"
#include "../portable_cuda/group_operators.h"

namespace portable_cuda
{
/* An exclusive scan of integers by plus is a difference, as in CUDA; others are the neighbour's. */
template <class T, class Operator> constexpr bool subtracts()
{
    return std::is_integral<T>::value &&
           std::is_same<bare<Operator>, cooperative_groups::plus<T>>::value;
}

template <class Group, class T, class Operator>
static inline T scan_lanes(const Group &group, T value, Operator &op, const char *file, int line)
{
    const unsigned size = group.num_threads(), rank = group.thread_rank();
    for (unsigned by = 1; by < size; by *= 2) {
        const T other = group.template from<T>(value, rank - by, "scan", file, line);
        if (rank >= by)
            value = op(value, other);
    }
    return value;
}
template <class Group, class T, class Operator>
static inline T scan_before(const Group &group, T inclusive, T value, Operator &, const char *file,
                            int line)
{
    if constexpr (subtracts<T, Operator>()) {
        return static_cast<T>(inclusive - value);
    } else {
        const T other =
            group.template from<T>(inclusive, group.thread_rank() - 1, "scan", file, line);
        return group.thread_rank() == 0 ? T{} : other;
    }
}

/* An array's inclusive scan in the order of scan_lanes. */
template <class T, class Operator>
static inline void scan_array(T *values, unsigned size, Operator &op)
{
    for (unsigned by = 1; by < size; by *= 2)
        for (unsigned k = size; k-- > by;)
            values[k] = op(values[k], values[k - by]);
}

template <class T, class Operator, class Group>
static inline T scan_group(const Group &group, T value, bool inclusive, Operator &op,
                           const char *file, int line)
{
    const T through = scan_lanes(group, value, op, file, line);
    return inclusive ? through : scan_before(group, through, value, op, file, line);
}

/* In each warp, then over the warps. */
template <class T, class Operator, class Tile, unsigned Size>
static inline T scan_tile(const group_tile<Tile, Size, false> &group, T value, bool inclusive,
                          Operator &op, const char *file, int line)
{
    const unsigned rank = thread_number() % Size, my_warp = rank / 32, lane = rank % 32;
    T of_warp[Size / 32], mine[32] = {}, before = T{};
    group.portable_pass_(&value, "scan", file, line);
    for (unsigned warp = 0; warp < Size / 32; warp++) {
        T values[32];
        for (unsigned k = 0; k < 32; k++) {
            const T *const other = group.template portable_passed_<T>(warp * 32 + k);
            values[k] = other ? *other : T{};
        }
        scan_array(values, 32, op);
        of_warp[warp] = values[31];
        for (unsigned k = 0; k < 32 && warp == my_warp; k++)
            mine[k] = values[k];
    }
    group.portable_pass_(&value, "scan", file, line);
    scan_array(of_warp, Size / 32, op);
    if (my_warp > 0)
        before = of_warp[my_warp - 1];
    if (!inclusive && lane == 0)
        return before;
    const T in_warp = inclusive ? mine[lane] : mine[lane - 1];
    return my_warp == 0 ? in_warp : op(in_warp, before);
}
template <class T, class Operator, unsigned Size, class Parent>
static inline T scan_group(const cooperative_groups::thread_block_tile<Size, Parent> &group,
                           T value, bool inclusive, Operator &op, const char *file, int line)
{
    if constexpr (Size > 32) {
        return scan_tile<T>(group, value, inclusive, op, file, line);
    } else {
        const T through = scan_lanes(group, value, op, file, line);
        return inclusive ? through : scan_before(group, through, value, op, file, line);
    }
}

/* The last thread combines the atomic with the total; all begin with what it was before. */
template <class T, class Operator, class Group, class Atomic>
static inline T scan_update(const Group &group, Atomic &atomic, T value, bool inclusive,
                            Operator &op, const char *file, int line)
{
    const unsigned last = group.num_threads() - 1;
    const T through = scan_group<T>(group, value, true, op, file, line);
    T result = through, old = T{};
    if (!inclusive)
        result = scan_group<T>(group, value, false, op, file, line);
    if (group.thread_rank() == last)
        old = update_atomic(atomic, through, op);
    old = group.shfl(old, last, file, line);
    return op(old, result);
}
} // namespace portable_cuda

namespace cooperative_groups
{
template <class Group, class T, class Operator>
inline auto inclusive_scan(const Group &group, T &&value, Operator &&op, PORTABLE_CUDA_HERE_)
    -> portable_cuda::bare<decltype(op(value, value))>
{
    static_assert(portable_cuda::collective<Group>::value,
                  "inclusive_scan takes a thread_block_tile or a coalesced_group");
    return portable_cuda::scan_group<portable_cuda::bare<T>>(group, value, true, op, file, line);
}
template <class Group, class T, class Operator>
inline auto exclusive_scan(const Group &group, T &&value, Operator &&op, PORTABLE_CUDA_HERE_)
    -> portable_cuda::bare<decltype(op(value, value))>
{
    static_assert(portable_cuda::collective<Group>::value,
                  "exclusive_scan takes a thread_block_tile or a coalesced_group");
    return portable_cuda::scan_group<portable_cuda::bare<T>>(group, value, false, op, file, line);
}
template <class Group, class T>
inline portable_cuda::bare<T> inclusive_scan(const Group &group, T &&value, PORTABLE_CUDA_HERE_)
{
    return inclusive_scan(group, value, plus<portable_cuda::bare<T>>(), file, line);
}
template <class Group, class T>
inline portable_cuda::bare<T> exclusive_scan(const Group &group, T &&value, PORTABLE_CUDA_HERE_)
{
    return exclusive_scan(group, value, plus<portable_cuda::bare<T>>(), file, line);
}

/* With an atomic, of cuda/atomic. */
template <class Group, class Atomic, class Value, class Operator,
          class T = typename portable_cuda::bare<Atomic>::value_type>
inline T inclusive_scan_update(const Group &group, Atomic &&atomic, Value &&value, Operator &&op,
                               PORTABLE_CUDA_HERE_)
{
    return portable_cuda::scan_update<T>(group, atomic, value, true, op, file, line);
}
template <class Group, class Atomic, class Value, class Operator,
          class T = typename portable_cuda::bare<Atomic>::value_type>
inline T exclusive_scan_update(const Group &group, Atomic &&atomic, Value &&value, Operator &&op,
                               PORTABLE_CUDA_HERE_)
{
    return portable_cuda::scan_update<T>(group, atomic, value, false, op, file, line);
}
template <class Group, class Atomic, class Value,
          class T = typename portable_cuda::bare<Atomic>::value_type>
inline T inclusive_scan_update(const Group &group, Atomic &&atomic, Value &&value,
                               PORTABLE_CUDA_HERE_)
{
    return inclusive_scan_update(group, atomic, value, plus<T>(), file, line);
}
template <class Group, class Atomic, class Value,
          class T = typename portable_cuda::bare<Atomic>::value_type>
inline T exclusive_scan_update(const Group &group, Atomic &&atomic, Value &&value,
                               PORTABLE_CUDA_HERE_)
{
    return exclusive_scan_update(group, atomic, value, plus<T>(), file, line);
}
} // namespace cooperative_groups

#endif
