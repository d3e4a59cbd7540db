/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops over the threads of a block, or the lanes of its warps: one for each region.
 */
#pragma once
#include "host/nvcc/split/regions.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace portable_split
{
/* A value that grows by one from thread to thread of a row, and must not wrap there. */
struct growth {
    Value *index;
    BinaryOperator *sum; /* that is x and something, or NULL */
    bool is_signed;
};
/* A condition that changes at most once along a row of threads, if its values do not wrap; or is
 * an (in)equality, which one thread decides otherwise; or is the same for a row, and not for all
 * rows. Or without a condition, that values do not wrap. */
struct guard {
    BasicBlock *block = nullptr;
    ICmpInst *compare = nullptr; /* or NULL */
    bool is_of_row = false;
    unsigned side = 0; /* its operand that grows */
    bool likely = true;
    std::vector<growth> grows;
};

/* A value that is the same in all threads: before the region, in the running thread, and behind
 * it. In a phase of warps, the first and the last also of the running warp. */
struct versions {
    AllocaInst *committed, *current, *next, *of_warp, *of_warp_next;
};

/* Where a region's loop is, and what is known of the running thread. */
struct thread {
    BasicBlock *begin, *latch; /* the body is between them */
    Value *x, *y, *z, *number; /* in its block */
    Value *wide_x;             /* x in 64 bits */
    bool of_warp = false, skips_ended = false;
    const std::vector<guard> *guards = nullptr; /* whose values are known: the likely ones or */
    bool likely = true;                         /* the others; or NULL */
};

class block_loops : public thread_regions
{
  public:
    /* one: runs one thread of the kernel. It stays as it is. */
    block_loops(Module &module, Function *one, functions &all) : thread_regions(module, one, all)
    {
    }
    /* Makes the loops: a function of the arguments' address, the arena and the indices of the
     * block; or returns NULL. */
    Function *split(const Twine &name);

  private:
    /* loops.cpp */
    Value *argument(unsigned k) const;
    Value *arena() const;
    BasicBlock *block(const Twine &name) const;
    void declare(const Twine &name);
    Function *build(const Twine &name);
    void build_phase(unsigned number);
    PHINode *begin_loop(BasicBlock *from, BasicBlock *head, Type *type);
    void end_loop(PHINode *counter, Value *end, BasicBlock *latch, BasicBlock *out);
    Value *begin_phase(IRBuilder<> &b, unsigned number);
    static void copy(IRBuilder<> &b, AllocaInst *of, AllocaInst *from, AllocaInst *to);
    void build_region(unsigned number);
    void build_row(IRBuilder<> &b, unsigned number, Value *y, Value *z, Value *row,
                   Value *some_ended, BasicBlock *out);
    void build_thread(unsigned number, IRBuilder<> &b, const thread &of_loop);
    void set_apart(Instruction &i);
    void hoist_dynamic_shared(const std::vector<BasicBlock *> &blocks);
    Value *element(IRBuilder<> &b, AllocaInst *a, Value *t);
    void leave_thread(unsigned number, BasicBlock *at, unsigned exit, Value *state,
                      const thread &of_loop);
    void note_ended(IRBuilder<> &b, Value *seen);
    void go_on_after(IRBuilder<> &b, unsigned number);
    void go_on(IRBuilder<> &b, const std::set<unsigned> &exits, bool diverges);
    BasicBlock *region_behind(unsigned exit) const;
    GlobalVariable *places();
    void report_divergence(IRBuilder<> &b);

    /* warps.cpp */
    void build_warps(unsigned number);
    void build_lanes(unsigned number, std::map<unsigned, BasicBlock *> &entries,
                     BasicBlock *warp_next);
    BasicBlock *build_exchange(unsigned number, BasicBlock *to);
    void build_exchange_loop(IRBuilder<> &b, const wait &w, unsigned number, Value *values,
                             Value *results, Value *operands, Value *end, Value *mask,
                             BasicBlock *out);
    Value *lanes_alive(IRBuilder<> &b, Value *some_ended);
    void report_absence(IRBuilder<> &b, unsigned number, Value *lane, Value *source);

    /* guards.cpp */
    int times_x_in(Value *v, bool is_signed, std::vector<growth> &grows) const;
    BinaryOperator *sum_with_x(Value *v) const;
    bool depends_on_row(const Value *v) const;
    bool is_guard(const region &of, BranchInst *branch, std::vector<guard> &guards) const;
    std::vector<guard> find_guards(const region &of) const;
    Value *at_x(IRBuilder<> &b, Value *v, Value *x, Value *y, Value *z);
    Value *is_likely(IRBuilder<> &b, const guard &g, Value *x, Value *y, Value *z);
    Value *is_regular(IRBuilder<> &b, const guard &g, Value *last, Value *y, Value *z);
    std::pair<Value *, Value *> likely_range(IRBuilder<> &b, const guard &g, Value *first,
                                             Value *count, Value *y, Value *z);
    static bool is_extension(const Instruction *i, const Value *of);
    void take_known(const guard &g, const thread &of_loop, ValueToValueMapTy &map);

    Function *h_ = nullptr; /* the loops */
    MapVector<AllocaInst *, versions> slots_;
    MapVector<AllocaInst *, AllocaInst *> variables_;
    std::map<AllocaInst *, Value *> arrays_;
    AllocaInst *seen_ = nullptr;  /* a bit for each way on which a thread has left the region */
    AllocaInst *ended_ = nullptr; /* some threads have */
    AllocaInst *of_warp_seen_ = nullptr;
    Value *states_ = nullptr, *nx_ = nullptr, *nx64_ = nullptr, *threads_ = nullptr;
    Value *warps_ = nullptr; /* how many */
    /* Of the running warp: its first thread, how many lanes exist, and its first lane's indices. */
    Value *first_ = nullptr, *lanes_ = nullptr;
    Value *warp_x_ = nullptr, *warp_y_ = nullptr, *warp_z_ = nullptr;
    Instruction *dynamic_shared_ = nullptr;
    MDNode *in_shared_ = nullptr; /* the scope of accesses to shared memory */
    GlobalVariable *places_ = nullptr;
    BasicBlock *end_ = nullptr;
};
} // namespace portable_split
