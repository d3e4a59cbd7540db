/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cooperative groups: CUDA's cooperative_groups.h. A group of at most a warp is a mask of lanes, a
 * larger tile is a range of the block's threads. A cluster is one block.
 */
#ifndef PORTABLE_CUDA_COOPERATIVE_GROUPS_H
#define PORTABLE_CUDA_COOPERATIVE_GROUPS_H

#if defined(__CUDACC__) /* as in CUDA: nothing for host compilers */
#include "portable_cuda/lanes.h"

namespace cooperative_groups
{
class thread_block;
class coalesced_group;
template <unsigned Size, class Parent = void> class thread_block_tile;

/* ---- any group ---- */

class thread_group
{
  public:
    unsigned long long num_threads() const
    {
        switch (kind_) {
        case block_: return portable_cuda::threads_of_block();
        case grid_:
            return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z *
                   portable_cuda::threads_of_block();
        default: return count_;
        }
    }
    unsigned long long size() const
    {
        return num_threads();
    }
    unsigned long long thread_rank() const
    {
        const unsigned thread = portable_cuda::thread_number();
        switch (kind_) {
        case lanes_: return portable_cuda::rank_in(mask_, thread % 32);
        case part_: return thread % count_;
        case grid_:
            return (blockIdx.x +
                    static_cast<unsigned long long>(gridDim.x) *
                        (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z)) *
                       portable_cuda::threads_of_block() +
                   thread;
        default: return thread;
        }
    }
    void sync(PORTABLE_CUDA_HERE_) const
    {
        const unsigned thread = portable_cuda::thread_number();
        switch (kind_) {
        case lanes_: portable_emulate_sync_warp_(mask_, "sync", file, line); break;
        case part_:
            portable_emulate_sync_part_(thread / count_ * count_, count_, nullptr, "sync", file,
                                        line);
            break;
        case block_: portable_emulate_sync_threads_("sync", file, line); break;
        case grid_:
            if (!portable_emulate_cooperative_())
                portable_cuda_fail_(cudaErrorLaunchFailure,
                                    "a grid's sync needs cudaLaunchCooperativeKernel", file, line);
            portable_emulate_sync_grid_("sync", file, line);
        }
    }

  protected:
    enum kind { lanes_, part_, block_, grid_ };
    thread_group(kind kind, unsigned mask, unsigned count, unsigned meta_rank = 0,
                 unsigned meta_size = 1)
        : kind_(kind), mask_(mask), count_(count), meta_rank_(meta_rank), meta_size_(meta_size)
    {
    }
    friend thread_group tiled_partition(const thread_group &parent, unsigned size);
    kind kind_;
    unsigned mask_;  /* of lanes_ */
    unsigned count_; /* of the threads of lanes_ and part_ */
    unsigned meta_rank_, meta_size_;
};

/* ---- the block ---- */

/* Scratch memory that GPUs need for tiles of several warps. */
template <unsigned MaxBlockSize = 1024, unsigned MaxTileSize = 0> struct block_tile_memory {
    unsigned char portable_unused_;
};

class thread_block : public thread_group
{
  public:
    struct arrival_token {
    };
    static void sync(PORTABLE_CUDA_HERE_)
    {
        portable_emulate_sync_threads_("sync", file, line);
    }
    arrival_token barrier_arrive() const
    {
        return arrival_token();
    }
    void barrier_wait(arrival_token &&, PORTABLE_CUDA_HERE_) const
    {
        portable_emulate_sync_threads_("barrier_wait", file, line);
    }
    static unsigned num_threads()
    {
        return portable_cuda::threads_of_block();
    }
    static unsigned size()
    {
        return num_threads();
    }
    static unsigned thread_rank()
    {
        return portable_cuda::thread_number();
    }
    static dim3 group_index()
    {
        return dim3(blockIdx);
    }
    static dim3 thread_index()
    {
        return dim3(threadIdx);
    }
    static dim3 dim_threads()
    {
        return blockDim;
    }
    static dim3 group_dim()
    {
        return blockDim;
    }

  private:
    friend thread_block this_thread_block();
    thread_block() : thread_group(block_, 0, 0)
    {
    }
};

inline thread_block this_thread_block()
{
    return thread_block();
}
template <unsigned MaxBlockSize, unsigned MaxTileSize>
inline thread_block this_thread_block(block_tile_memory<MaxBlockSize, MaxTileSize> &)
{
    return this_thread_block();
}

/* ---- the grid, and the cluster of one block ---- */

class grid_group : public thread_group
{
  public:
    struct arrival_token {
    };
    bool is_valid() const
    {
        return portable_emulate_cooperative_() != 0;
    }
    arrival_token barrier_arrive() const
    {
        return arrival_token();
    }
    void barrier_wait(arrival_token &&, PORTABLE_CUDA_HERE_) const
    {
        sync(file, line);
    }
    static dim3 group_dim()
    {
        return gridDim;
    }
    static dim3 dim_blocks()
    {
        return gridDim;
    }
    static unsigned long long num_blocks()
    {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static dim3 block_index()
    {
        return dim3(blockIdx);
    }
    static unsigned long long block_rank()
    {
        return blockIdx.x +
               static_cast<unsigned long long>(gridDim.x) *
                   (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    }
    static dim3 dim_threads()
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static dim3 thread_index()
    {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    static dim3 dim_clusters()
    {
        return gridDim;
    }
    static unsigned long long num_clusters()
    {
        return num_blocks();
    }
    static dim3 cluster_index()
    {
        return dim3(blockIdx);
    }
    static unsigned long long cluster_rank()
    {
        return block_rank();
    }

  private:
    friend grid_group this_grid();
    grid_group() : thread_group(grid_, 0, 0)
    {
    }
};

inline grid_group this_grid()
{
    return grid_group();
}

class cluster_group : public thread_group
{
  public:
    struct arrival_token {
    };
    static void sync(PORTABLE_CUDA_HERE_)
    {
        portable_emulate_sync_threads_("sync", file, line);
    }
    static arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    static void barrier_wait(PORTABLE_CUDA_HERE_)
    {
        portable_emulate_sync_threads_("barrier_wait", file, line);
    }
    static void barrier_wait(arrival_token &&, PORTABLE_CUDA_HERE_)
    {
        portable_emulate_sync_threads_("barrier_wait", file, line);
    }
    static unsigned query_shared_rank(const void *)
    {
        return 0;
    }
    template <class T> static T *map_shared_rank(T *address, int rank, PORTABLE_CUDA_HERE_)
    {
        if (rank != 0)
            portable_cuda_fail_(cudaErrorInvalidValue,
                                "map_shared_rank: a cluster has one block here, of rank 0", file,
                                line);
        return address;
    }
    static dim3 block_index()
    {
        return dim3(0, 0, 0);
    }
    static unsigned block_rank()
    {
        return 0;
    }
    static dim3 dim_blocks()
    {
        return dim3(1, 1, 1);
    }
    static unsigned num_blocks()
    {
        return 1;
    }
    static dim3 thread_index()
    {
        return dim3(threadIdx);
    }
    static unsigned thread_rank()
    {
        return portable_cuda::thread_number();
    }
    static dim3 dim_threads()
    {
        return blockDim;
    }
    static unsigned num_threads()
    {
        return portable_cuda::threads_of_block();
    }
    static unsigned size()
    {
        return num_threads();
    }

  private:
    friend cluster_group this_cluster();
    cluster_group() : thread_group(block_, 0, 0)
    {
    }
};

inline cluster_group this_cluster()
{
    return cluster_group();
}

class multi_grid_group : public thread_group
{
};
template <class Group = multi_grid_group> inline Group this_multi_grid()
{
    static_assert(sizeof(Group *) == 0, "this_multi_grid: there is one device: use this_grid");
}

} // namespace cooperative_groups

namespace portable_cuda
{
/* ---- some lanes of a warp ---- */

/* What coalesced groups and tiles of at most a warp have in common, given portable_mask_(). */
template <class Group> class group_lanes
{
  public:
    template <class T> bare<T> shfl(T &&value, int rank, PORTABLE_CUDA_HERE_) const
    {
        const unsigned mask = of().portable_mask_();
        return value_of_lane<bare<T>>(mask, value, of().portable_lane_(static_cast<unsigned>(rank)),
                                      "shfl", file, line);
    }
    template <class T> bare<T> shfl_down(T &&value, unsigned delta, PORTABLE_CUDA_HERE_) const
    {
        return from<bare<T>>(value, of().thread_rank() + delta, "shfl_down", file, line);
    }
    template <class T> bare<T> shfl_up(T &&value, unsigned delta, PORTABLE_CUDA_HERE_) const
    {
        return from<bare<T>>(value, of().thread_rank() - delta, "shfl_up", file, line);
    }
    int any(int predicate, PORTABLE_CUDA_HERE_) const
    {
        return lanes_true(of().portable_mask_(), predicate, "any", file, line) != 0;
    }
    int all(int predicate, PORTABLE_CUDA_HERE_) const
    {
        return lanes_true(of().portable_mask_(), !predicate, "all", file, line) == 0;
    }
    unsigned ballot(int predicate, PORTABLE_CUDA_HERE_) const
    {
        const unsigned mask = of().portable_mask_();
        return packed(mask, lanes_true(mask, predicate, "ballot", file, line));
    }
    template <class T> unsigned match_any(T value, PORTABLE_CUDA_HERE_) const
    {
        const unsigned mask = of().portable_mask_();
        return packed(
            mask, lanes_alike(here(mask, "match_any", file, line), value, "match_any", file, line));
    }
    template <class T> unsigned match_all(T value, int &predicate, PORTABLE_CUDA_HERE_) const
    {
        const unsigned mask = of().portable_mask_();
        const unsigned present = here(mask, "match_all", file, line);
        predicate = lanes_alike(present, value, "match_all", file, line) == present;
        return predicate ? packed(mask, present) : 0;
    }
    /* By rank; a rank that does not exist gives the thread's own. */
    template <class T>
    T from(T value, unsigned rank, const char *name, const char *file, int line) const
    {
        const unsigned mask = of().portable_mask_();
        const unsigned lane = rank < of().num_threads() ? lane_of_rank(mask, rank) : 32;
        return value_of_lane(mask, value, lane < 32 ? lane : lane_number(), name, file, line);
    }

  private:
    /* Without those that have ended, or are beyond the block. */
    static unsigned here(unsigned mask, const char *name, const char *file, int line)
    {
        return static_cast<unsigned>(vote(mask, 1, name, file, line) >> 32);
    }
    const Group &of() const
    {
        return *static_cast<const Group *>(this);
    }
};

/* A tile of at most a warp, or of several. */
template <class Tile, unsigned Size, bool OfLanes = (Size <= 32)> class group_tile;

template <class Tile, unsigned Size> class group_tile<Tile, Size, true> : public group_lanes<Tile>
{
  public:
    static void sync(PORTABLE_CUDA_HERE_)
    {
        portable_emulate_sync_warp_(portable_mask_(), "sync", file, line);
    }
    template <class T> bare<T> shfl_xor(T &&value, unsigned mask, PORTABLE_CUDA_HERE_) const
    {
        const unsigned rank = lane_number() % Size ^ mask;
        return this->template from<bare<T>>(value, rank, "shfl_xor", file, line);
    }
    static unsigned portable_mask_()
    {
        return (Size == 32 ? ~0u : lanes_below(Size % 32)) << lane_number() / Size * Size;
    }
    static unsigned portable_lane_(unsigned rank)
    {
        return lane_number() / Size * Size + rank % Size;
    }
};

template <class Tile, unsigned Size> class group_tile<Tile, Size, false>
{
  public:
    static void sync(PORTABLE_CUDA_HERE_)
    {
        portable_pass_(nullptr, "sync", file, line);
    }
    int any(int predicate, PORTABLE_CUDA_HERE_) const
    {
        portable_pass_(&predicate, "any", file, line);
        int result = 0;
        for (unsigned rank = 0; rank < Size; rank++)
            if (const int *const other = portable_passed_<int>(rank))
                result |= *other != 0;
        portable_pass_(&predicate, "any", file, line);
        return result;
    }
    int all(int predicate, PORTABLE_CUDA_HERE_) const
    {
        return !any(!predicate, file, line);
    }
    template <class T> bare<T> shfl(T &&value, unsigned rank, PORTABLE_CUDA_HERE_) const
    {
        const bare<T> mine = value;
        portable_pass_(&mine, "shfl", file, line);
        const bare<T> *const other = portable_passed_<bare<T>>(rank % Size);
        const bare<T> result = other ? *other : mine;
        portable_pass_(&mine, "shfl", file, line);
        return result;
    }
    /* Waits for the tile; the others then get the pointer, until the thread waits again. So a
     * thread waits a second time with the same pointer, until all have read. */
    static void portable_pass_(const void *pointer, const char *name, const char *file, int line)
    {
        portable_emulate_sync_part_(thread_number() / Size * Size, Size, pointer, name, file, line);
    }
    template <class T> static const T *portable_passed_(unsigned rank)
    {
        return static_cast<const T *>(
            portable_emulate_passed_(thread_number() / Size * Size + rank));
    }
};
} // namespace portable_cuda

namespace cooperative_groups
{
/* ---- lanes that are active together ---- */

class coalesced_group : public thread_group, public portable_cuda::group_lanes<coalesced_group>
{
  public:
    unsigned num_threads() const
    {
        return count_;
    }
    unsigned size() const
    {
        return count_;
    }
    unsigned thread_rank() const
    {
        return portable_cuda::rank_in(mask_, portable_cuda::lane_number());
    }
    unsigned meta_group_rank() const
    {
        return meta_rank_;
    }
    unsigned meta_group_size() const
    {
        return meta_size_;
    }
    void sync(PORTABLE_CUDA_HERE_) const
    {
        portable_emulate_sync_warp_(mask_, "sync", file, line);
    }
    explicit coalesced_group(unsigned portable_mask, unsigned portable_rank = 0,
                             unsigned portable_size = 1)
        : thread_group(lanes_, portable_mask, portable_cuda::count_of(portable_mask), portable_rank,
                       portable_size)
    {
    }
    unsigned portable_mask_() const
    {
        return mask_;
    }
    unsigned portable_lane_(unsigned rank) const
    {
        return count_ == 32 ? rank % 32 : portable_cuda::lane_of_rank(mask_, rank) % 32;
    }
};

inline coalesced_group coalesced_threads(PORTABLE_CUDA_HERE_)
{
    return coalesced_group(portable_emulate_active_("coalesced_threads", file, line));
}

/* ---- tiles ---- */

template <unsigned Size, class Parent>
class thread_block_tile : public thread_group,
                          public portable_cuda::group_tile<thread_block_tile<Size, Parent>, Size>
{
    static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a tile has a power of two of threads, 1 to 1024");
    typedef portable_cuda::group_tile<thread_block_tile<Size, Parent>, Size> base_;

  public:
    using base_::sync;
    /* portable_cuda only: the members of CUDA's are tiled_partition and conversions. */
    thread_block_tile(portable_cuda::bare<decltype(nullptr)>, unsigned meta_rank,
                      unsigned meta_size)
        : thread_group(Size <= 32 ? lanes_ : part_, mask_of_(), Size, meta_rank, meta_size)
    {
    }
    thread_block_tile(const thread_block &)
        : thread_block_tile(nullptr, portable_cuda::thread_number() / Size,
                            (portable_cuda::threads_of_block() + Size - 1) / Size)
    {
    }
    template <unsigned ParentSize, class Grandparent>
    thread_block_tile(const thread_block_tile<ParentSize, Grandparent> &other)
        : thread_block_tile(
              nullptr, ParentSize == Size ? other.meta_group_rank() : other.thread_rank() / Size,
              ParentSize == Size ? other.meta_group_size() : ParentSize / Size)
    {
        static_assert(ParentSize >= Size, "a tile is at most as large as what it is a part of");
    }
    static constexpr unsigned num_threads()
    {
        return Size;
    }
    static constexpr unsigned size()
    {
        return Size;
    }
    static unsigned thread_rank()
    {
        return portable_cuda::thread_number() % Size;
    }
    unsigned meta_group_rank() const
    {
        return meta_rank_;
    }
    unsigned meta_group_size() const
    {
        return meta_size_;
    }

  private:
    static unsigned mask_of_()
    {
        if constexpr (Size <= 32)
            return base_::portable_mask_();
        else
            return 0;
    }
};

template <unsigned Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<Size, Parent>(parent);
}

inline thread_block_tile<1, void> this_thread()
{
    return thread_block_tile<1, void>(nullptr, 0, 1);
}

/* By ranks; of a size that is known when the kernel runs. */
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    const unsigned mask = parent.portable_mask_(), rank = parent.thread_rank();
    unsigned of_tile = 0;
    if (size == 0 || size > 32 || (size & (size - 1)) != 0)
        portable_cuda_fail_(cudaErrorInvalidValue,
                            "tiled_partition: a size must be 1, 2, 4, 8, 16 or 32", "", 0);
    if (parent.num_threads() <= size)
        return parent;
    for (unsigned k = rank / size * size; k < (rank / size + 1) * size; k++) {
        const unsigned lane = portable_cuda::lane_of_rank(mask, k);
        if (lane < 32)
            of_tile |= 1u << lane;
    }
    return coalesced_group(of_tile, rank / size, (parent.num_threads() + size - 1) / size);
}
inline thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    if (size == 0 || size > 32 || (size & (size - 1)) != 0 || parent.kind_ == thread_group::grid_)
        portable_cuda_fail_(cudaErrorInvalidValue,
                            "tiled_partition: a block, a tile or coalesced threads can be divided, "
                            "into tiles of 1, 2, 4, 8, 16 or 32",
                            "", 0);
    if (parent.kind_ == thread_group::lanes_)
        return tiled_partition(coalesced_group(parent.mask_, parent.meta_rank_, parent.meta_size_),
                               size);
    const unsigned thread = portable_cuda::thread_number(), first = thread / size * size;
    const unsigned threads = portable_cuda::threads_of_block();
    const unsigned count = threads - first < size ? threads - first : size;
    const unsigned mask = (count == 32 ? ~0u : portable_cuda::lanes_below(count)) << first % 32;
    return coalesced_group(mask, thread / size, (threads + size - 1) / size);
}

/* ---- parts by a value ---- */

namespace portable_parts_
{
template <class Group>
inline coalesced_group by_predicate(const Group &group, bool predicate, const char *file, int line)
{
    const unsigned mask = group.portable_mask_();
    const unsigned set = portable_cuda::lanes_true(mask, predicate, "binary_partition", file, line);
    if (set == mask || set == 0)
        return coalesced_group(mask);
    return coalesced_group(predicate ? set : mask & ~set, predicate, 2);
}
template <class Group, class Label>
inline coalesced_group by_label(const Group &group, Label label, const char *file, int line)
{
    static_assert(std::is_integral<Label>::value || std::is_pointer<Label>::value,
                  "labeled_partition: a label must be an integer or a pointer");
    if constexpr (std::is_same<Label, bool>::value)
        return by_predicate(group, label, file, line);
    const unsigned mask = group.portable_mask_();
    const unsigned alike = portable_cuda::lanes_alike(mask, label, "labeled_partition", file, line);
    const unsigned leader = static_cast<unsigned>(__builtin_ctz(alike));
    const unsigned leaders = portable_cuda::lanes_true(mask, leader == portable_cuda::lane_number(),
                                                       "labeled_partition", file, line);
    return coalesced_group(alike, portable_cuda::rank_in(leaders, leader),
                           portable_cuda::count_of(leaders));
}
} // namespace portable_parts_

inline coalesced_group binary_partition(const coalesced_group &group, bool predicate,
                                        PORTABLE_CUDA_HERE_)
{
    return portable_parts_::by_predicate(group, predicate, file, line);
}
template <unsigned Size, class Parent>
inline coalesced_group binary_partition(const thread_block_tile<Size, Parent> &group,
                                        bool predicate, PORTABLE_CUDA_HERE_)
{
    static_assert(Size <= 32, "binary_partition takes a tile of at most 32 threads");
    return portable_parts_::by_predicate(group, predicate, file, line);
}
template <class Label>
inline coalesced_group labeled_partition(const coalesced_group &group, Label label,
                                         PORTABLE_CUDA_HERE_)
{
    return portable_parts_::by_label(group, label, file, line);
}
template <class Label, unsigned Size, class Parent>
inline coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &group, Label label,
                                         PORTABLE_CUDA_HERE_)
{
    static_assert(Size <= 32, "labeled_partition takes a tile of at most 32 threads");
    return portable_parts_::by_label(group, label, file, line);
}

/* ---- functions of any group ---- */

template <class Group> inline void sync(const Group &group, PORTABLE_CUDA_HERE_)
{
    group.sync(file, line);
}
template <class Group> inline auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
template <class Group> inline auto group_size(const Group &group) -> decltype(group.num_threads())
{
    return group.num_threads();
}

/* One thread of the group calls the function; the second gives the result to all. */
template <class Group, class Function, class... Arguments>
inline void invoke_one(const Group &group, Function &&function, Arguments &&...arguments)
{
    if (group.thread_rank() == 0)
        static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
inline auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> portable_cuda::bare<decltype(function(static_cast<Arguments &&>(arguments)...))>
{
    typedef portable_cuda::bare<decltype(function(static_cast<Arguments &&>(arguments)...))> type;
    static_assert(!std::is_void<type>::value,
                  "invoke_one_broadcast: a function without a result needs invoke_one");
    type result{};
    if (group.thread_rank() == 0)
        result = static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
    return group.shfl(result, 0);
}

namespace experimental
{
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
template <unsigned Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    return cooperative_groups::tiled_partition<Size>(parent);
}
} // namespace experimental
} // namespace cooperative_groups

#endif

#endif
