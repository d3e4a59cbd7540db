/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies by a cooperative group. Each thread copies its part at once; the others may read it after
 * wait, as on a GPU. */
#ifndef PORTABLE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define PORTABLE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
/* A count of bytes. */
template <class Group, class T, class Size>
inline void memcpy_async(const Group &group, T *to, const T *from, const Size &bytes)
{
    portable_cuda::copy_part(to, from, static_cast<size_t>(bytes),
                             static_cast<size_t>(group.thread_rank()),
                             static_cast<size_t>(group.num_threads()));
}
/* Counts of elements: the smaller one is copied. */
template <class Group, class T, class ToLayout, class FromLayout>
inline void memcpy_async(const Group &group, T *to, const ToLayout &to_layout, const T *from,
                         const FromLayout &from_layout)
{
    const size_t a = static_cast<size_t>(to_layout), b = static_cast<size_t>(from_layout);
    portable_cuda::copy_part(to, from, (a < b ? a : b) * sizeof(T),
                             static_cast<size_t>(group.thread_rank()),
                             static_cast<size_t>(group.num_threads()));
}
template <class Group> inline void wait(const Group &group, PORTABLE_CUDA_HERE_)
{
    group.sync(file, line);
}
template <unsigned Stage, class Group>
inline void wait_prior(const Group &group, PORTABLE_CUDA_HERE_)
{
    group.sync(file, line);
}
} // namespace cooperative_groups

#endif
