/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel cut at its waits: its regions, and what a thread keeps from one to the next.
 */
#pragma once
#include "host/emulate/thread_loop.h"
#include "host/nvcc/split/thread.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>

#include <map>

namespace portable_split
{
struct wait {
    BasicBlock *head, *next;      /* the block that ends at it; the one behind it */
    AllocaInst *result = nullptr; /* of a barrier that counts, or an exchange */
    Constant *name, *file, *line;
    /* Of an operation of a warp; without a result, it only waits. */
    bool of_warp = false;
    unsigned kind = PORTABLE_EXCHANGE_SYNC_, width = WARP;
    AllocaInst *value = nullptr;
    AllocaInst *operand = nullptr; /* of each lane, or: */
    Constant *operand_of_all = nullptr;
    /* Of the end of an iteration, for those threads that stay in the loop: how many they all have
     * made. Threads that have left the loop go no further than to the next barrier. */
    AllocaInst *passes = nullptr;
    bool is_pass() const
    {
        return passes != nullptr;
    }
};

struct region {
    BasicBlock *entry;
    SetVector<BasicBlock *> blocks;
    std::map<BasicBlock *, std::set<unsigned>> exits; /* of each block; 0: the thread's end */
    bool diverges = false;       /* the threads may leave it by different exits, */
    bool is_mixed = false;       /* or others are in passes of loops while they do */
    size_t size = 0;             /* in instructions */
    BasicBlock *loops = nullptr; /* begins here; that of a warp, in the present phase */
    const std::set<unsigned> &ways_out() const
    {
        return exits.at(entry);
    }
};

class thread_regions : public thread_code
{
  public:
    size_t loops() const
    {
        return regions_.size();
    }
    /* What the threads of a block keep across waits. */
    size_t arena_bytes() const
    {
        return arena_bytes_;
    }

  protected:
    using thread_code::thread_code;

    /* regions.cpp */
    bool find_waits();
    void find_regions();
    bool check_regions();
    /* The number of the wait at the block's end, or 0. */
    unsigned wait_at(const BasicBlock *block) const;
    std::set<unsigned> exits_of(const std::vector<unsigned> &within) const;
    /* That behind a wait of the block, and those that a warp, or threads in loops whose iterations
     * they make together, can reach from there before the next one. */
    std::vector<unsigned> regions_within(unsigned number, bool of_warp) const;

    /* values.cpp */
    /* What differs between threads, in blocks or in warps. */
    void find_divergent(std::set<Value *> &divergent, bool in_warps);
    void keep_values();
    bool lay_out();
    uint64_t stride_of(AllocaInst *slot) const;

    std::vector<wait> waits_;
    std::vector<region> regions_;       /* at the entry, and behind each wait */
    std::set<Value *> divergent_;       /* not the same in all threads of the block, */
    std::set<Value *> divergent_lanes_; /* or in all of a warp */
    bool has_warps_ = false;            /* operations of warps */
    SetVector<AllocaInst *> uniform_slots_, thread_slots_;
    AllocaInst *count_ = nullptr; /* of threads that gave a barrier a predicate of 1 */
    AllocaInst *votes_ = nullptr; /* those of the running warp */
    AllocaInst *lane_ = nullptr;  /* the running thread's, where it votes */
    std::map<AllocaInst *, uint64_t> offsets_;
    uint64_t states_offset_ = 0;
    size_t arena_bytes_ = 0;
    bool has_states_ = false; /* where each thread waits is noted, or that it has ended */

  private:
    /* regions.cpp */
    bool take_operands(CallInst *call, wait &w);
    bool check_passes();
    bool check_warps();
    const wait *barrier_in_two_copies(const std::set<unsigned> &exits) const;

    /* values.cpp */
    bool waits_in(const Loop *loop) const;
    bool is_warp_number(const Instruction *i) const;
    template <class Add>
    void diverge(Instruction *branch, PostDominatorTree &post, LoopInfo &loops, Add add);
    Value *compute_again(Value *v, Instruction *before, std::map<Value *, Value *> &done);
    bool is_of_some(BasicBlock *block) const;
    std::set<BasicBlock *> reached_without(BasicBlock *block) const;
    bool is_result(const AllocaInst *variable) const;
    bool lives_across(AllocaInst *variable) const;
    bool comes_again(const region *r) const;
};
} // namespace portable_split
