/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel as one thread runs it, in a form that can be analysed: all that may wait is inlined, the
 * indices are parameters, and loops whose iterations all threads make together are marked.
 */
#pragma once
#include "host/nvcc/split/functions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include <optional>
#include <vector>

namespace portable_split
{
/* The parameters of run_one. */
enum { GIVEN, X, Y, Z, BLOCK, OF_BLOCK = 7, OF_GRID = 10, PARAMETERS = 13 };
enum {
    MAX_THREADS = 1024, /* of a block */
    WARP = 32,
    MAX_WAITS = 60,
    MAX_INSTRUCTIONS = 40000, /* of all regions of a kernel */
    MAX_VERSIONED = 2000,     /* of a region that is built twice, */
    MAX_IN_PARTS = 500,       /* or thrice */
    MAX_KEPT = 64 << 10,      /* bytes that a thread keeps */
    MAX_UNROLLED = 64,        /* iterations of a loop that stays within the thread, */
    MAX_TURNED = 200,         /* instructions of one that does not, */
    MAX_CARRIED = 4,          /* and values from iteration to iteration */
    ALIGNMENT = 64            /* of the arena */
};
const uint64_t MAX_ITERATIONS = 1 << 20; /* above it they are not told apart */

/* What a variable of the loop has in the first iteration and is increased by in each, or NULL:
 * both are to be computed from the parameters. */
struct induction {
    Value *first, *step;
};

/* An index in a loop: x is in it `of_x` times; the next iteration's is another than the next. */
struct subscript {
    bool is_known;
    int of_x;
    bool is_far;
    subscript operator+(const subscript &other) const
    {
        return {is_known && other.is_known, of_x + other.of_x, is_far || other.is_far};
    }
};

class thread_code
{
  public:
    /* What the kernel has that cannot be split, or "", and its FILE:LINE, or "". */
    const std::string &refusal() const
    {
        return refusal_;
    }
    const std::string &refusal_place() const
    {
        return refusal_place_;
    }

  protected:
    thread_code(Module &module, Function *one, functions &all);
    ~thread_code();
    thread_code(const thread_code &) = delete;

    /* thread.cpp */
    /* Returns false. */
    bool refuse(const Twine &why, const Instruction *at = nullptr, const std::string &place = "");
    AllocaInst *variable(Type *type, const Twine &name);
    Instruction *first() const;
    void inline_calls();
    void use_parameters();
    bool drop_polls();
    bool check_calls();
    /* Whether it loads an argument of the kernel; given: the address of all of them. */
    bool is_argument_load(const Instruction *i, const Value *given) const;
    /* Whether it is computed from the parameters in a few steps, or from the number of a pass. */
    bool is_cheap(const Value *v, bool in_pass = false, int depth = 0) const;
    /* How often x is added in; -1 if it is used otherwise. */
    int times_x(Value *v) const;

    /* forms.cpp */
    void drop_orders();
    void write_extensions();
    void write_sums();
    void write_conditions();
    void write_addresses();

    /* turn.cpp */
    void turn_loops();
    /* An instruction, in the blocks if they are given, by which the order of threads may be
     * seen, or NULL: it is not if all that they do in an order is to add integers, or all the
     * like, and not to ask for the sums. */
    const Instruction *seen_order(const std::set<BasicBlock *> *blocks = nullptr) const;

    Module &module_;
    LLVMContext &context_;
    const DataLayout &layout_;
    functions &functions_;
    Function *g_ = nullptr;         /* one thread */
    std::set<AllocaInst *> passes_; /* of all loops whose iterations threads make together */
    std::set<Instruction *> stops_; /* calls that may end the launch */

  private:
    void store_index_before(Instruction *at);
    bool is_load_of_passes(const Instruction *i) const;

    /* forms.cpp */
    BasicBlock *write_condition(BranchInst *branch);

    /* turn.cpp */
    bool has_warp_operations() const;
    bool may_turn(Loop *loop, ScalarEvolution &evolution) const;
    bool ends_together(Loop *loop) const;
    bool is_uniform(const Value *v) const;
    bool is_turnable(Instruction *i) const;
    bool keeps_order(const Loop *loop) const;
    std::optional<induction> induction_of(const Loop *loop, const PHINode *phi) const;
    bool gains(const Loop *loop) const;
    subscript subscript_of(Value *v, const Loop *loop) const;
    void turn(Loop *loop);

    std::string refusal_, refusal_place_;
};

/* Whether the address is in shared memory. */
bool is_in_shared(const Value *address);
/* At most; 0 if that is not known. */
uint64_t iterations_of(const Loop *loop, ScalarEvolution &evolution);
} // namespace portable_split
