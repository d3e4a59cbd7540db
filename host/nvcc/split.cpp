/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plugin of clang that makes loops over the threads of a block of a CUDA kernel, from each of its
 * waits to the next: docs/decisions/042-split-kernels.md.
 *
 * launch.h has a function that runs one thread, run_one, whose parameters are the arguments'
 * address and the indices. It asks portable_emulate_splits_ whether there are loops, and calls them
 * by portable_emulate_split_; both are replaced here. The kernel is cut into regions: each begins
 * at the entry or behind a wait, and has all blocks that a thread can reach from there without
 * another wait. A region becomes a loop nest over z, y and x, in whose body all ways out are jumps
 * to the next thread. After the last thread, the threads must all wait at the same place, or have
 * ended; the region behind that place follows. So the threads run in the order in which they run on
 * their own stacks: to the next wait, in ascending order.
 *
 * Where a kernel has operations of warps, one warp after another runs from a barrier of the block
 * to the next: its regions are loops over its lanes, between which the operations are done.
 *
 * What a thread keeps across a wait is computed again from its index, if that is cheap; or it is a
 * variable, if it is the same in all threads; or an array over the threads, in the worker's arena.
 *
 * A kernel that this cannot do, or of which it is not certain, stays as it is. With
 * PORTABLE_REPORT=1 in the environment, a line for each kernel tells its number of loops, or what
 * is in the way.
 */
#include "host/emulate/thread_loop.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace llvm;

namespace
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

/* ---- places in the source ---- */

/* FILE:LINE of the instruction; in a function that was inlined, the innermost that is not in a
 * header of this project. Empty without line tables. */
std::string place_of(const Instruction *at)
{
    std::string place;
    if (!at)
        return place;
    for (const DILocation *l = at->getDebugLoc(); l; l = l->getInlinedAt()) {
        place = (l->getFilename() + ":" + Twine(l->getLine())).str();
        if (!l->getFilename().contains("/cudart/include/"))
            break;
    }
    return place;
}

/* The text of a constant string, or "". */
StringRef text_of(const Value *pointer)
{
    auto *const global = dyn_cast<GlobalVariable>(pointer->stripPointerCasts());
    auto *const data = global && global->hasInitializer()
                           ? dyn_cast<ConstantDataArray>(global->getInitializer())
                           : nullptr;
    return data && data->isCString() ? data->getAsCString() : "";
}

/* The kernel's name in the source, from that of its run_one. */
std::string kernel_name(const Function *one)
{
    const std::string whole = demangle(one->getName().str());
    const size_t begin = whole.find("run_one<");
    if (begin == std::string::npos)
        return whole;
    std::string name = whole.substr(begin + 8);
    if (StringRef(name).startswith("void "))
        name.erase(0, 5);
    int depth = 0;
    for (size_t k = 0; k < name.size(); k++) {
        depth += (name[k] == '<') - (name[k] == '>');
        if (name[k] == '(' && depth == 0)
            return name.substr(0, k);
    }
    return name;
}

/* ---- functions that a thread calls ---- */

const Value *without_thread_local(const Value *v)
{
#if LLVM_VERSION_MAJOR >= 15
    if (auto *call = dyn_cast<IntrinsicInst>(v))
        if (call->getIntrinsicID() == Intrinsic::threadlocal_address)
            return call->getArgOperand(0);
#endif
    return v;
}

bool is_named(const Value *v, StringRef name)
{
    v = without_thread_local(v);
    return isa<GlobalVariable>(v) && v->getName() == name;
}

/* Whether it is threadIdx, or a constant made of its address. */
bool refers_to_index(const Value *v)
{
    if (is_named(v, "threadIdx"))
        return true;
    if (auto *expression = dyn_cast<ConstantExpr>(v))
        for (const Use &use : expression->operands())
            if (refers_to_index(use.get()))
                return true;
    return false;
}

/* The assembly of loops that may wait: portable_cuda::polls_at. */
bool is_poll(const CallBase *call)
{
    auto *const text = dyn_cast<InlineAsm>(call->getCalledOperand());
    return text && isa<CallBrInst>(call) &&
           StringRef(text->getAsmString()).contains("portable_emulate_patience_");
}
/* An atomic at the scope of the block: portable_cuda::begin_atomic. */
bool is_atomic_mark(const CallBase *call)
{
    auto *const text = dyn_cast<InlineAsm>(call->getCalledOperand());
    return text && StringRef(text->getAsmString()).contains("portable_atomic");
}
bool is_harmless_assembly(const CallBase *call)
{
    auto *const text = dyn_cast<InlineAsm>(call->getCalledOperand());
    return text && (text->getAsmString().empty() || is_atomic_mark(call));
}

/* The runtime's functions that never wait for a thread, and do not ask which one runs. */
bool is_plain_runtime(StringRef name)
{
    return StringSwitch<bool>(name)
        .Cases("portable_emulate_order_", "portable_emulate_order_volatile_",
               "portable_emulate_spin_", "portable_emulate_fence_", "portable_emulate_phase_", true)
        .Cases("portable_cuda_dynamic_shared_", "portable_cuda_space_",
               "portable_cuda_shared_address_", true)
        .Default(false);
}
/* Those by which a thread does what others may see in an order. */
bool is_ordered(StringRef name)
{
    return name == "portable_emulate_order_" || name == "portable_emulate_order_volatile_" ||
           name == "portable_emulate_spin_";
}
/* Stands at the end of each iteration of a loop whose iterations all threads make together. */
const char *const end_of_pass = "portable_split_end_of_pass_";
bool is_wait(StringRef name)
{
    return name == "portable_emulate_sync_threads_" || name == "portable_emulate_sync_count_" ||
           name == "portable_emulate_sync_warp_" || name == "portable_emulate_exchange_" ||
           name == end_of_pass;
}
bool may_stop(StringRef name)
{
    return name == "__assert_fail" || name == "abort" || name == "portable_cuda_fail_" ||
           name == "portable_emulate_stop_" || name == "portable_cuda_texture_" ||
           name == "portable_cuda_surface_";
}

/* What a function may do, with all that it calls. */
struct conduct {
    bool waits = false;       /* in the ways that are split */
    bool stops = false;       /* the launch, by an assertion for example */
    bool orders = false;      /* has ordered operations, or polls */
    bool polls = false;       /* in loops that may wait */
    bool reads_index = false; /* threadIdx */
    std::string refusal;      /* what cannot be split, or "" */
    std::string place;        /* where */
};

class functions
{
  public:
    explicit functions(Module &module)
        : library_(Triple(module.getTargetTriple())), known_(library_)
    {
    }

    const conduct &of(const Function *f)
    {
        const auto found = conducts_.find(f);
        if (found != conducts_.end())
            return found->second;
        conducts_[f].refusal = ""; /* while it is looked at: it calls itself */
        under_way_.insert(f);
        /* A weak function may be another one in the program. */
        conduct result =
            f->isDeclaration() || f->isInterposable() ? of_declaration(f) : of_definition(f);
        under_way_.erase(f);
        return conducts_[f] = result;
    }
    /* Whether the instruction is a call of the C library that calls nothing back. */
    bool is_library(const Function *f) const
    {
        static const std::set<StringRef> mathematics = {
            "erf",  "erfc",   "fdim",   "hypot",   "ilogb",     "j0",        "j1",
            "jn",   "lgamma", "llrint", "llround", "lrint",     "lround",    "nextafter",
            "rint", "remquo", "scalbn", "scalbln", "tgamma",    "y0",        "y1",
            "yn",   "logb",   "modf",   "frexp",   "nearbyint", "remainder", "sincos"};
        LibFunc which;
        StringRef name = f->getName();
        if ((known_.getLibFunc(*f, which) && known_.has(which)) || mathematics.count(name))
            return true;
        return (name.endswith("f") || name.endswith("l")) && mathematics.count(name.drop_back());
    }

    TargetLibraryInfo &library()
    {
        return known_;
    }

  private:
    conduct of_declaration(const Function *f) const
    {
        conduct result;
        const StringRef name = f->getName();
        result.waits = is_wait(name);
        result.stops = may_stop(name);
        result.orders = is_ordered(name);
        if (!result.waits && !result.stops && !f->isIntrinsic() && !is_plain_runtime(name) &&
            !is_library(f))
            result.refusal = "a call of " + demangle(name.str()) + ", which may wait";
        else if (f->doesNotReturn() && !result.stops && !f->isIntrinsic())
            result.refusal = "a call of " + name.str() + ", which does not return";
        return result;
    }
    conduct of_definition(const Function *f)
    {
        conduct result;
        for (const Instruction &i : instructions(*f)) {
            for (const Use &use : i.operands())
                result.reads_index |= refers_to_index(use.get());
            conduct one;
            if (auto *call = dyn_cast<CallBase>(&i))
                one = of_call(call);
            else if (i.isAtomic() || isa<IndirectBrInst>(i))
                one.refusal = "an atomic instruction of the host";
            result.waits |= one.waits;
            result.stops |= one.stops;
            result.orders |= one.orders;
            result.polls |= one.polls;
            result.reads_index |= one.reads_index;
            if (result.refusal.empty() && !one.refusal.empty()) {
                result.refusal = one.refusal;
                result.place = one.place.empty() ? place_of(&i) : one.place;
            }
        }
        return result;
    }

  public:
    conduct of_call(const CallBase *call)
    {
        conduct result;
        if (is_poll(call)) {
            result.orders = result.polls = true;
            return result;
        }
        if (call->isInlineAsm()) {
            if (!is_harmless_assembly(call))
                result.refusal = "assembly";
            result.orders = is_atomic_mark(call);
            return result;
        }
        const Function *const to = call->getCalledFunction();
        if (!to) {
            result.refusal = "a call by a pointer";
            return result;
        }
        if (auto *intrinsic = dyn_cast<IntrinsicInst>(call)) {
            switch (intrinsic->getIntrinsicID()) {
            case Intrinsic::stacksave:
            case Intrinsic::stackrestore: result.refusal = "an array of variable length"; break;
            case Intrinsic::returnaddress:
            case Intrinsic::frameaddress:
            case Intrinsic::vastart:
            case Intrinsic::eh_typeid_for:
                result.refusal = "a call of " + to->getName().str();
                break;
            default: break;
            }
            return result;
        }
        if (under_way_.count(to)) { /* a recursion; the rest is found where it began */
            if (!isa<CallInst>(call))
                result.refusal = "a call that may throw";
            return result;
        }
        result = of(to);
        return result;
    }

  private:
    TargetLibraryInfoImpl library_;
    TargetLibraryInfo known_;
    std::map<const Function *, conduct> conducts_;
    std::set<const Function *> under_way_;
};

/* ---- a kernel ---- */

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

/* A value that grows by one from thread to thread of a row, and must not wrap there. */
struct growth {
    Value *index;
    BinaryOperator *sum; /* that is x and something, or NULL */
    bool is_signed;
};
/* A condition that changes at most once along a row of threads, if its values do not wrap; or is
 * an (in)equality, which one thread decides otherwise. Or without a condition, that values do not
 * wrap. */
struct guard {
    BasicBlock *block;
    ICmpInst *compare; /* or NULL */
    unsigned side;     /* its operand that grows */
    bool likely;
    std::vector<growth> grows;
};

class kernel
{
  public:
    kernel(Module &module, Function *one, functions &all)
        : module_(module), context_(module.getContext()), layout_(module.getDataLayout()),
          functions_(all)
    {
        ValueToValueMapTy map;
        g_ = CloneFunction(one, map);
        g_->setLinkage(GlobalValue::InternalLinkage);
        g_->setComdat(nullptr);
    }
    ~kernel()
    {
        g_->eraseFromParent();
    }

    /* Makes the loops: a function of the arguments' address, the arena and the indices of the
     * block; or returns NULL. */
    Function *split(const Twine &name)
    {
        inline_calls();
        use_parameters();
        if (!drop_polls() || !check_calls())
            return nullptr;
        write_extensions();
        turn_loops();
        drop_orders();
        if (!find_waits())
            return nullptr;
        find_regions();
        find_divergent(divergent_, false);
        if (!check_regions())
            return nullptr;
        stripDebugInfo(*g_);
        keep_values();
        if (!lay_out())
            return nullptr;
        return build(name);
    }
    size_t loops() const
    {
        return regions_.size();
    }
    size_t arena_bytes() const
    {
        return arena_bytes_;
    }
    const std::string &refusal() const
    {
        return refusal_;
    }
    const std::string &refusal_place() const
    {
        return refusal_place_;
    }

  private:
    bool refuse(const Twine &why, const Instruction *at = nullptr, const std::string &place = "")
    {
        refusal_ = why.str();
        refusal_place_ = place.empty() ? place_of(at) : place;
        return false;
    }

    // ---- one function, with the indices as parameters ----

    /* Inlines all functions that wait or stop, and those that only this calls. */
    void inline_calls()
    {
        for (int round = 0; round < 200; round++) {
            CallInst *found = nullptr;
            for (Instruction &i : instructions(*g_)) {
                auto *const call = dyn_cast<CallInst>(&i);
                Function *const to = call ? call->getCalledFunction() : nullptr;
                if (!to || to->isDeclaration() || to->isInterposable() || to->isVarArg() ||
                    calls_itself(to))
                    continue;
                if (functions_.of(to).waits || functions_.of(to).polls || to->hasOneUse() ||
                    to->getName().contains("portable_cuda"))
                    found = call;
                if (found && to->hasFnAttribute(Attribute::Cold) && !functions_.of(to).waits &&
                    !functions_.of(to).polls)
                    found = nullptr;
                if (found)
                    break;
            }
            InlineFunctionInfo info;
            if (!found || !InlineFunction(*found, info).isSuccess())
                break;
        }
        EliminateUnreachableBlocks(*g_);
    }
    static bool calls_itself(const Function *f)
    {
        std::set<const Function *> seen;
        std::vector<const Function *> todo{f};
        while (!todo.empty()) {
            const Function *const at = todo.back();
            todo.pop_back();
            for (const Instruction &i : instructions(*at)) {
                auto *const call = dyn_cast<CallBase>(&i);
                const Function *const to = call ? call->getCalledFunction() : nullptr;
                if (to == f)
                    return true;
                if (to && seen.insert(to).second)
                    todo.push_back(to);
            }
        }
        return false;
    }

    /* Device functions that were inlined read the indices from variables. */
    void use_parameters()
    {
        static const struct {
            const char *name;
            unsigned first;
        } variables[] = {
            {"threadIdx", X}, {"blockIdx", BLOCK}, {"blockDim", OF_BLOCK}, {"gridDim", OF_GRID}};
        for (Instruction &i : make_early_inc_range(instructions(*g_))) {
            auto *const load = dyn_cast<LoadInst>(&i);
            if (!load || load->isVolatile() || !load->getType()->isIntegerTy(32))
                continue;
            APInt offset(64, 0);
            const Value *const base =
                load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
            for (auto &variable : variables)
                if (is_named(base, variable.name) && offset.ult(12)) {
                    load->replaceAllUsesWith(
                        g_->getArg(variable.first + (unsigned)offset.getZExtValue() / 4));
                    load->eraseFromParent();
                    break;
                }
        }
    }

    /* Stores the parameters to threadIdx before an instruction that may read it. */
    void store_index_before(Instruction *at)
    {
        GlobalVariable *const index = module_.getGlobalVariable("threadIdx");
        if (!index)
            return;
        IRBuilder<> b(at);
        Value *const bytes = b.CreateBitCast(thread_local_address(b, index), b.getInt8PtrTy());
        for (unsigned k = 0; k < 3; k++) {
            Value *const to = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), bytes, 4 * k);
            b.CreateAlignedStore(g_->getArg(X + k),
                                 b.CreateBitCast(to, PointerType::get(b.getInt32Ty(), 0)),
                                 Align(4));
        }
    }
    static Value *thread_local_address([[maybe_unused]] IRBuilder<> &b, GlobalVariable *variable)
    {
#if LLVM_VERSION_MAJOR >= 15
        return b.CreateThreadLocalAddress(variable);
#else
        return variable;
#endif
    }

    // ---- loops that may wait ----

    /* Loops count down the patience of the thread, as they may wait for another one, which a split
     * kernel cannot: takes that out of loops that certainly do not. */
    bool drop_polls()
    {
        std::vector<CallBrInst *> polls;
        std::vector<CallBase *> waiting, spins;
        for (Instruction &i : instructions(*g_)) {
            auto *const call = dyn_cast<CallBase>(&i);
            const Function *const to = call ? call->getCalledFunction() : nullptr;
            if (call && is_poll(call))
                polls.push_back(cast<CallBrInst>(call));
            else if (to && to->getName() == "portable_emulate_spin_")
                spins.push_back(call);
        }
        waiting.assign(polls.begin(), polls.end());
        waiting.insert(waiting.end(), spins.begin(), spins.end());
        if (waiting.empty())
            return true;
        DominatorTree dominators(*g_);
        LoopInfo loops(dominators);
        AssumptionCache assumptions(*g_);
        ScalarEvolution evolution(*g_, functions_.library(), assumptions, dominators, loops);
        ReversePostOrderTraversal<Function *> order(g_);
        if (containsIrreducibleCFG<BasicBlock *>(order, loops))
            return refuse("a loop of gotos that may wait", waiting[0]);
        /* After so many iterations, or atomics that change nothing, a thread on its own stack lets
         * others run: at most. */
        uint64_t iterations = 0, changeless = 0;
        for (CallBase *call : waiting) {
            uint64_t all = 1;
            for (const Loop *l = loops.getLoopFor(call->getParent()); l; l = l->getParentLoop()) {
                const uint64_t times = iterations_of(l, evolution);
                if (const Instruction *at = may_wait_in(l, times > 0))
                    return refuse("a loop that may wait for another thread", at);
                all = times == 0 ? MAX_ITERATIONS : std::min(MAX_ITERATIONS, all * times);
            }
            (is_poll(call) ? iterations : changeless) += all;
        }
        if (changeless >= 64)
            return refuse("an atomic that may change nothing, in a long loop", spins[0]);
        if (iterations >= PORTABLE_FIRST_PATIENCE_)
            for (Instruction &i : instructions(*g_)) {
                auto *const call = dyn_cast<CallBase>(&i);
                if (call && !is_poll(call) && functions_.of_call(call).orders)
                    return refuse("an atomic or a message, and a long loop that may wait for "
                                  "another thread: then others go on first",
                                  &i);
            }
        for (CallBrInst *poll : polls) {
            BasicBlock *const to = poll->getDefaultDest(), *const from = poll->getParent();
            for (unsigned k = 0; k < poll->getNumIndirectDests(); k++)
                if (poll->getIndirectDest(k) != to)
                    poll->getIndirectDest(k)->removePredecessor(from);
            poll->eraseFromParent();
            BranchInst::Create(to, from);
        }
        EliminateUnreachableBlocks(*g_);
        return true;
    }
    /* At most; 0 if that is not known. */
    static uint64_t iterations_of(const Loop *loop, ScalarEvolution &evolution)
    {
        auto *const most = dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(loop));
        return most ? most->getAPInt().getLimitedValue(MAX_ITERATIONS) + 1 : 0;
    }
    /* A loop may wait if its end depends on memory, and one iteration reads the same memory as the
     * one before, or if one is as the one before; but not if its iterations are bounded and the
     * memory is not volatile. Returns an instruction that decides, or NULL. */
    static const Instruction *may_wait_in(const Loop *loop, bool ends)
    {
        SmallVector<BasicBlock *, 8> exiting;
        loop->getExitingBlocks(exiting);
        std::set<const Value *> seen;
        std::vector<const Value *> todo;
        bool changes = false;
        auto add_end_of = [&](const BasicBlock *b) {
            for (const Use &use : b->getTerminator()->operands())
                if (!isa<BasicBlock>(use.get()))
                    todo.push_back(use.get());
        };
        for (const BasicBlock *b : exiting)
            add_end_of(b);
        while (!todo.empty()) {
            auto *const i = dyn_cast<Instruction>(todo.back());
            todo.pop_back();
            if (!i || !loop->contains(i) || !seen.insert(i).second)
                continue;
            auto *const load = dyn_cast<LoadInst>(i);
            auto *const call = dyn_cast<CallBase>(i);
            if (load &&
                (load->isVolatile() || (!ends && !changes_in(loop, load->getPointerOperand()))))
                return i;
            if (call && !ends && call->mayReadOrWriteMemory())
                return i;
            for (const Use &use : i->operands())
                todo.push_back(use.get());
            if (auto *phi = dyn_cast<PHINode>(i)) { /* and what decides between its values */
                changes |= phi->getParent() == loop->getHeader();
                for (const BasicBlock *b : loop->blocks())
                    add_end_of(b);
            }
        }
        return changes || ends ? nullptr : loop->getHeader()->getTerminator();
    }
    /* Whether the address depends on a variable of the loop that each iteration changes. */
    static bool changes_in(const Loop *loop, const Value *address)
    {
        std::set<const Value *> seen;
        std::vector<const Value *> todo{address};
        while (!todo.empty()) {
            auto *const i = dyn_cast<Instruction>(todo.back());
            todo.pop_back();
            if (!i || !loop->contains(i) || !seen.insert(i).second)
                continue;
            if (auto *phi = dyn_cast<PHINode>(i))
                if (phi->getParent() == loop->getHeader())
                    return true;
            for (const Use &use : i->operands())
                todo.push_back(use.get());
        }
        return false;
    }

    // ---- what cannot be split ----

    bool check_calls()
    {
        std::vector<Instruction *> reads, drop;
        for (Instruction &i : instructions(*g_)) {
            if (isa<IndirectBrInst>(i) || isa<CallBrInst>(i) || isa<InvokeInst>(i) ||
                isa<ResumeInst>(i) || i.isEHPad())
                return refuse(isa<CallBrInst>(i)       ? "assembly with jumps"
                              : isa<IndirectBrInst>(i) ? "a computed goto"
                                                       : "a call that may throw",
                              &i);
            if (i.isAtomic())
                return refuse("an atomic instruction of the host", &i);
            if (auto *variable = dyn_cast<AllocaInst>(&i))
                if (!variable->isStaticAlloca())
                    return refuse("an array of variable length", &i);
            if (auto *intrinsic = dyn_cast<IntrinsicInst>(&i))
                if (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic) ||
                    intrinsic->getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl)
                    drop.push_back(&i);
            auto *const call = dyn_cast<CallBase>(&i);
            if (call) {
                const conduct does = functions_.of_call(call);
                const Function *const to = call->getCalledFunction();
                if (!does.refusal.empty())
                    return refuse(does.refusal, &i, does.place);
                if (does.waits && (!to || !to->isDeclaration()))
                    return refuse("a recursive function that waits", &i);
                if (does.stops)
                    stops_.insert(&i);
                if (does.stops || does.reads_index)
                    reads.push_back(&i);
            }
            for (Use &use : i.operands())
                if (refers_to_index(use.get())) {
                    if (!isa<LoadInst>(i) && !isa<MemTransferInst>(i) && !isa<IntrinsicInst>(i) &&
                        !call)
                        return refuse("a use of threadIdx other than its value", &i);
                    if (!isa<IntrinsicInst>(i) || isa<MemTransferInst>(i))
                        reads.push_back(&i);
                    break;
                }
        }
        for (Instruction *i : drop)
            i->eraseFromParent();
        for (Instruction *i : reads)
            store_index_before(i);
        return true;
    }

    // ---- what the compiler has made of it, in a form that can be analysed ----

    /* An atomic on shared memory that the compiler knows as such needs no order among blocks. */
    void drop_orders()
    {
        for (Instruction &i : instructions(*g_)) {
            auto *const call = dyn_cast<CallInst>(&i);
            if (!is_order(call) || !is_in_shared(call->getArgOperand(0)))
                continue;
            /* It is called if two tests of the runtime's variables fail: it never is. */
            BasicBlock *to = call->getParent();
            for (const char *name :
                 {"portable_emulate_own_bytes_", "portable_emulate_unordered_"}) {
                BasicBlock *const from = to->getSinglePredecessor();
                auto *const branch = from ? dyn_cast<BranchInst>(from->getTerminator()) : nullptr;
                if (!branch || !branch->isConditional() ||
                    branch->getSuccessor(0) == branch->getSuccessor(1) ||
                    !reads(branch->getCondition(), name))
                    break;
                branch->setCondition(ConstantInt::getBool(context_, branch->getSuccessor(1) == to));
                to = branch->getParent();
            }
        }
        for (BasicBlock &b : *g_)
            ConstantFoldTerminator(&b);
        EliminateUnreachableBlocks(*g_);
    }
    /* Sums of 32 bits that are extended have become sums of 64 bits that are shifted left, and right
     * again: in these nobody sees how an index grows from thread to thread. */
    void write_extensions()
    {
        using namespace PatternMatch;
        for (Instruction &i : make_early_inc_range(instructions(*g_))) {
            Value *shifted;
            if (!i.getType()->isIntegerTy(64) ||
                !match(&i, m_AShr(m_Value(shifted), m_SpecificInt(32))))
                continue;
            IRBuilder<> b(&i);
            if (!is_shifted(shifted))
                continue;
            i.replaceAllUsesWith(b.CreateSExt(upper_half(b, shifted), i.getType()));
            RecursivelyDeleteTriviallyDeadInstructions(&i);
        }
    }
    /* Whether its lower 32 bits are zero, as those of a sum of such. */
    static bool is_shifted(const Value *v)
    {
        using namespace PatternMatch;
        const Value *a, *b;
        const APInt *constant;
        return match(v, m_Shl(m_Value(), m_SpecificInt(32))) ||
               (match(v, m_APInt(constant)) && constant->countTrailingZeros() >= 32) ||
               (match(v, m_Add(m_Value(a), m_Value(b))) && is_shifted(a) && is_shifted(b));
    }
    static Value *upper_half(IRBuilder<> &b, Value *v)
    {
        using namespace PatternMatch;
        Value *whole, *x, *y;
        const APInt *constant;
        Type *const i32 = b.getInt32Ty();
        if (match(v, m_APInt(constant)))
            return b.getInt32((uint32_t)constant->lshr(32).getZExtValue());
        if (match(v, m_Add(m_Value(x), m_Value(y)))) {
            Value *const first = upper_half(b, x);
            return b.CreateAdd(first, upper_half(b, y));
        }
        match(v, m_Shl(m_Value(whole), m_SpecificInt(32)));
        if (match(whole, m_ZExtOrSExt(m_Value(x))) && x->getType() == i32)
            return x;
        return b.CreateTrunc(whole, i32);
    }
    /* Whether the value depends on the variable of the runtime. */
    static bool reads(const Value *value, StringRef name)
    {
        std::set<const Value *> seen;
        std::vector<const Value *> todo{value};
        while (!todo.empty()) {
            auto *const i = dyn_cast<Instruction>(todo.back());
            todo.pop_back();
            if (!i || !seen.insert(i).second)
                continue;
            auto *const load = dyn_cast<LoadInst>(i);
            if (load && is_named(load->getPointerOperand(), name))
                return true;
            if (!load)
                todo.insert(todo.end(), i->value_op_begin(), i->value_op_end());
        }
        return false;
    }
    static bool is_order(const CallInst *call)
    {
        const Function *const to = call ? call->getCalledFunction() : nullptr;
        return to && to->getName() == "portable_emulate_order_";
    }
    static bool is_in_shared(const Value *address)
    {
        const Value *const object = getUnderlyingObject(address, 0);
        auto *const variable = dyn_cast<GlobalVariable>(object);
        auto *const call = dyn_cast<CallInst>(object);
        return (variable && variable->getSection().startswith(".portable_local_shared")) ||
               (call && is_dynamic_shared(call));
    }

    // ---- loops of which all threads make each iteration together ----

    /* A loop whose threads access neighbouring elements, and far ones in the next iteration, has its
     * iterations made by all threads together: the loop over threads is inside of it. Race-free
     * threads cannot tell. */
    void turn_loops()
    {
        DominatorTree dominators(*g_);
        LoopInfo loops(dominators);
        AssumptionCache assumptions(*g_);
        ScalarEvolution evolution(*g_, functions_.library(), assumptions, dominators, loops);
        std::vector<Loop *> turned;
        ReversePostOrderTraversal<Function *> order(g_);
        for (BasicBlock *b : order) {
            Loop *const loop = loops.getLoopFor(b);
            if (loop && loop->getHeader() == b && may_turn(loop, evolution) && gains(loop) &&
                keeps_order(loop))
                turned.push_back(loop);
        }
        for (Loop *loop : turned)
            turn(loop);
    }
    bool has_warp_operations() const
    {
        for (const Instruction &i : instructions(*g_)) {
            auto *const call = dyn_cast<CallInst>(&i);
            const Function *const to = call ? call->getCalledFunction() : nullptr;
            if (to && (to->getName() == "portable_emulate_sync_warp_" ||
                       to->getName() == "portable_emulate_exchange_"))
                return true;
        }
        return false;
    }
    static bool has_wait(const BasicBlock *b)
    {
        for (const Instruction &i : *b) {
            auto *const call = dyn_cast<CallInst>(&i);
            if (call && call->getCalledFunction() && is_wait(call->getCalledFunction()->getName()))
                return true;
        }
        return false;
    }
    /* Whether what it does in memory is the same in the other order, and its threads come to it only
     * once between two barriers. */
    bool may_turn(Loop *loop, ScalarEvolution &evolution) const
    {
        const uint64_t times = iterations_of(loop, evolution);
        if (!loop->isInnermost() || !loop->getLoopPreheader() || !loop->getLoopLatch() ||
            (times > 0 && times <= MAX_UNROLLED) || has_warp_operations())
            return false;
        size_t size = 0;
        for (BasicBlock *b : loop->blocks()) {
            size += b->size();
            for (Instruction &i : *b)
                if (has_wait(b) || !is_turnable(&i))
                    return false;
        }
        if (!ends_together(loop))
            return false;
        unsigned carried = 0, inductions = 0;
        for (PHINode &phi : loop->getHeader()->phis())
            induction_of(loop, &phi) ? inductions++ : carried++;
        if (size > MAX_TURNED || inductions == 0 || carried > MAX_CARRIED)
            return false;
        /* On no way back to it without a barrier. */
        std::set<BasicBlock *> seen;
        SmallVector<BasicBlock *, 8> todo;
        loop->getUniqueExitBlocks(todo);
        while (!todo.empty()) {
            BasicBlock *const b = todo.pop_back_val();
            if (b == loop->getHeader())
                return false;
            if (seen.insert(b).second && !has_wait(b))
                todo.append(succ_begin(b), succ_end(b));
        }
        return true;
    }
    /* Whether all threads make about as many iterations: each pass is over all of them. */
    bool ends_together(Loop *loop) const
    {
        SmallVector<BasicBlock *, 4> ends;
        loop->getExitingBlocks(ends);
        for (BasicBlock *b : ends) {
            auto *const branch = dyn_cast<BranchInst>(b->getTerminator());
            auto *const compare = branch && branch->isConditional()
                                      ? dyn_cast<ICmpInst>(branch->getCondition())
                                      : nullptr;
            if (!compare ||
                !(is_uniform(compare->getOperand(0)) || is_uniform(compare->getOperand(1))))
                return false;
            for (const Use &use : compare->operands())
                if (!is_uniform(use.get()) && !subscript_of(use.get(), loop).is_known)
                    return false;
        }
        return true;
    }
    /* Whether it is computed from parameters that are the same in all threads. */
    bool is_uniform(const Value *v) const
    {
        auto *const i = dyn_cast<Instruction>(v);
        if (!i)
            return v != g_->getArg(X) && v != g_->getArg(Y) && v != g_->getArg(Z);
        if (!is_cheap(v))
            return false;
        for (const Use &use : i->operands())
            if (!is_uniform(use.get()))
                return false;
        return true;
    }
    bool is_turnable(Instruction *i) const
    {
        auto *const load = dyn_cast<LoadInst>(i);
        auto *const store = dyn_cast<StoreInst>(i);
        auto *const call = dyn_cast<CallInst>(i);
        if (load || store)
            return !(load ? load->isVolatile() : store->isVolatile()) &&
                   !isa<AllocaInst>(getUnderlyingObject(getLoadStorePointerOperand(i), 0));
        if (is_order(call)) /* keeps_order */
            return true;
        if (call && isa<IntrinsicInst>(call))
            return !call->mayReadOrWriteMemory();
        return call
                   ? call->getCalledFunction() && call->doesNotAccessMemory() && !stops_.count(call)
                   : !i->mayReadOrWriteMemory();
    }
    /* Whether nobody can tell that threads do in another order what they do in the loop, and behind
     * it, as they leave it at different times: other threads see that in atomics and messages. */
    bool keeps_order(const Loop *loop) const
    {
        BasicBlock *const header = loop->getHeader();
        const std::set<BasicBlock *> behind = reached_from({header});
        auto is_ordered_in = [this](const BasicBlock *b) {
            return any_of(*b, [this](const Instruction &i) {
                auto *const call = dyn_cast<CallBase>(&i);
                return call && functions_.of_call(call).orders;
            });
        };
        if (none_of(behind, is_ordered_in))
            return true;
        /* The blocks between the waits at which threads begin that come to the loop, and the next. */
        std::set<BasicBlock *> phase;
        for (BasicBlock &b : *g_) {
            if (&b != &g_->getEntryBlock() && !has_wait(&b))
                continue;
            const std::set<BasicBlock *> reached =
                reached_from(std::vector<BasicBlock *>(succ_begin(&b), succ_end(&b)));
            if (reached.count(header)) {
                phase.insert(&b);
                phase.insert(reached.begin(), reached.end());
            }
        }
        return commutes(phase);
    }
    /* Those blocks, and those that a thread comes to from there without a wait. */
    static std::set<BasicBlock *> reached_from(std::vector<BasicBlock *> todo)
    {
        std::set<BasicBlock *> reached;
        while (!todo.empty()) {
            BasicBlock *const b = todo.back();
            todo.pop_back();
            if (reached.insert(b).second && !has_wait(b))
                todo.insert(todo.end(), succ_begin(b), succ_end(b));
        }
        return reached;
    }
    /* Whether all that the blocks do in an order is to add integers, or all the like, and not to ask
     * for the sums. */
    bool commutes(const std::set<BasicBlock *> &blocks) const
    {
        std::set<const Value *> objects;
        std::set<unsigned> does;
        for (const BasicBlock *b : blocks)
            for (const Instruction &i : *b) {
                auto *const call = dyn_cast<CallBase>(&i);
                if (!call || !functions_.of_call(call).orders)
                    continue;
                if (!is_order(dyn_cast<CallInst>(call)))
                    return false;
                objects.insert(call->getArgOperand(0)->stripPointerCasts());
            }
        for (const Value *object : objects) {
            unsigned sums = 0;
            for (const BasicBlock *b : blocks)
                for (const Instruction &i : *b) {
                    const Value *const at = getLoadStorePointerOperand(&i);
                    if (!at || at->stripPointerCasts() != object)
                        continue;
                    const BinaryOperator *const sum = sum_at(&i);
                    if (!sum)
                        return false;
                    does.insert(sum->getOpcode() == Instruction::Sub ? Instruction::Add
                                                                     : sum->getOpcode());
                    sums++;
                }
            if (sums == 0)
                return false;
        }
        return does.size() == 1;
    }
    /* The sum of integers, or the like, that an atomic makes of what it loads, if nobody else sees it:
     * of its load, or of its store; or NULL. */
    static const BinaryOperator *sum_at(const Instruction *access)
    {
        auto *store = dyn_cast<StoreInst>(access);
        const Value *const at = getLoadStorePointerOperand(access)->stripPointerCasts();
        const Value *const v = store                 ? store->getValueOperand()
                               : access->hasOneUse() ? *access->user_begin()
                                                     : nullptr;
        auto *const sum = dyn_cast_or_null<BinaryOperator>(v);
        if (!sum || !sum->getType()->isIntegerTy() || !sum->hasOneUse() ||
            sum->getOpcode() == Instruction::Mul)
            return nullptr;
        store = dyn_cast<StoreInst>(*sum->user_begin());
        if (!store || store->getPointerOperand()->stripPointerCasts() != at)
            return nullptr;
        for (unsigned k = 0; k < 2; k++) {
            auto *const load = dyn_cast<LoadInst>(sum->getOperand(k));
            if (load && load->hasOneUse() && load->getPointerOperand()->stripPointerCasts() == at &&
                (sum->isCommutative() || (k == 0 && sum->getOpcode() == Instruction::Sub)))
                return sum;
        }
        return nullptr;
    }
    /* What a variable of the loop has in the first iteration and is increased by in each, or NULL:
     * both are to be computed from the parameters. */
    struct induction {
        Value *first, *step;
    };
    Optional<induction> induction_of(const Loop *loop, const PHINode *phi) const
    {
        Value *const first = phi->getIncomingValueForBlock(loop->getLoopPreheader());
        auto *const next =
            dyn_cast<BinaryOperator>(phi->getIncomingValueForBlock(loop->getLoopLatch()));
        if (!next || next->getOpcode() != Instruction::Add || !phi->getType()->isIntegerTy())
            return None;
        const unsigned other = next->getOperand(0) == phi;
        Value *const step = next->getOperand(other);
        if (next->getOperand(1 - other) != phi || !is_cheap(first) || !is_cheap(step) ||
            times_x(step) != 0 || !loop->isLoopInvariant(step))
            return None;
        return induction{first, step};
    }
    /* Whether neighbouring threads access neighbouring elements, but neighbouring iterations do not. */
    bool gains(const Loop *loop) const
    {
        for (BasicBlock *b : loop->blocks())
            for (Instruction &i : *b) {
                auto *const element =
                    dyn_cast_or_null<GetElementPtrInst>(getLoadStorePointerOperand(&i));
                if (!element || !element->hasIndices())
                    continue;
                const subscript at =
                    subscript_of(element->getOperand(element->getNumOperands() - 1), loop);
                if (at.is_known && at.of_x == 1 && at.is_far)
                    return true;
            }
        return false;
    }
    /* An index in a loop: x is in it `of_x` times; the next iteration's is another than the next. */
    struct subscript {
        bool is_known;
        int of_x;
        bool is_far;
    };
    subscript subscript_of(Value *v, const Loop *loop) const
    {
        const subscript unknown = {false, 0, false};
        auto *const i = dyn_cast<Instruction>(v);
        if (auto *phi = dyn_cast<PHINode>(v)) {
            const auto variable =
                phi->getParent() == loop->getHeader() ? induction_of(loop, phi) : None;
            if (!variable)
                return unknown;
            auto *const step = dyn_cast<ConstantInt>(variable->step);
            subscript at = subscript_of(variable->first, loop);
            at.is_far = !step || !(step->isOne() || step->isMinusOne());
            return at;
        }
        const int times = i && loop->contains(i) ? -1 : times_x(v);
        if (times >= 0)
            return {true, times, false};
        if (isa<SExtInst>(i) || isa<ZExtInst>(i))
            return subscript_of(i->getOperand(0), loop);
        if (i->getOpcode() != Instruction::Add && i->getOpcode() != Instruction::Mul &&
            i->getOpcode() != Instruction::Shl)
            return unknown;
        const subscript a = subscript_of(i->getOperand(0), loop),
                        b = subscript_of(i->getOperand(1), loop);
        if (!a.is_known || !b.is_known)
            return unknown;
        if (i->getOpcode() != Instruction::Add) /* of the number of a row, for example */
            return {a.of_x == 0 && b.of_x == 0, 0, loop->contains(i)};
        return {true, a.of_x + b.of_x, a.is_far || b.is_far};
    }
    /* Marks the end of its iterations, and has what counts them computed from their number. */
    void turn(Loop *loop)
    {
        BasicBlock *const header = loop->getHeader(), *const latch = loop->getLoopLatch();
        Type *const i64 = Type::getInt64Ty(context_);
        auto *const passes = variable(i64, "passes");
        IRBuilder<> b(&*header->getFirstInsertionPt());
        Value *const made = b.CreateLoad(i64, passes);
        for (PHINode &phi : make_early_inc_range(header->phis())) {
            const auto variable = induction_of(loop, &phi);
            if (!variable)
                continue;
            Value *const by = b.CreateMul(b.CreateZExtOrTrunc(made, phi.getType()), variable->step);
            auto *const sum = dyn_cast<BinaryOperator>(variable->first);
            const unsigned other = sum && sum->getOperand(0) == g_->getArg(X);
            Value *value; /* with x as the last that is added */
            if (sum && sum->getOpcode() == Instruction::Add &&
                sum->getOperand(1 - other) == g_->getArg(X))
                value = b.CreateAdd(b.CreateAdd(sum->getOperand(other), by), g_->getArg(X));
            else
                value = b.CreateAdd(variable->first, by);
            phi.replaceAllUsesWith(value);
            phi.eraseFromParent();
        }
        BasicBlock *const end = SplitEdge(latch, header);
        IRBuilder<> e(end->getTerminator());
        FunctionCallee mark =
            module_.getOrInsertFunction(end_of_pass, e.getVoidTy(), passes->getType(),
                                        e.getInt8PtrTy(), e.getInt8PtrTy(), e.getInt32Ty());
        Constant *const none = ConstantPointerNull::get(e.getInt8PtrTy());
        e.CreateCall(mark, {passes, none, none, e.getInt32(0)});
    }

    // ---- waits and regions ----

    Instruction *first() const
    {
        return &*g_->getEntryBlock().getFirstInsertionPt();
    }

    bool find_waits()
    {
        std::vector<CallInst *> calls;
        for (Instruction &i : instructions(*g_)) {
            auto *const call = dyn_cast<CallInst>(&i);
            if (call && call->getCalledFunction() && is_wait(call->getCalledFunction()->getName()))
                calls.push_back(call);
        }
        if (calls.size() > MAX_WAITS)
            return refuse("more than " + Twine((int)MAX_WAITS) + " waits", calls[0]);
        for (CallInst *call : calls) {
            wait w;
            const unsigned last = call->arg_size();
            w.name = dyn_cast<Constant>(call->getArgOperand(last - 3));
            w.file = dyn_cast<Constant>(call->getArgOperand(last - 2));
            w.line = dyn_cast<Constant>(call->getArgOperand(last - 1));
            if (!w.name || !w.file || !w.line)
                return refuse("a wait whose place is not known", call);
            if (!take_operands(call, w))
                return false;
            w.head = call->getParent();
            w.next = SplitBlock(w.head, call->getNextNode());
            if (w.result)
                use_result(call, w);
            call->eraseFromParent();
            waits_.push_back(w);
        }
        for (wait &w : waits_) /* a later split has moved the end of an earlier one's */
            w.head = w.next->getSinglePredecessor();
        return true;
    }
    AllocaInst *variable(Type *type, const Twine &name)
    {
        return new AllocaInst(type, 0, name, first());
    }
    /* Has the thread pass what it gives to the wait. */
    bool take_operands(CallInst *call, wait &w)
    {
        const StringRef name = call->getCalledFunction()->getName();
        IRBuilder<> b(call);
        Type *const i32 = b.getInt32Ty(), *const i64 = b.getInt64Ty();
        if (name == "portable_emulate_sync_count_") {
            if (!count_)
                count_ = variable(i32, "count");
            w.result = variable(i32, "result");
            Value *const is = b.CreateICmpNE(call->getArgOperand(0), b.getInt32(0));
            b.CreateStore(b.CreateAdd(b.CreateLoad(i32, count_), b.CreateZExt(is, i32)), count_);
        }
        if (name == end_of_pass) {
            w.passes = cast<AllocaInst>(call->getArgOperand(0));
            passes_.insert(w.passes);
        }
        w.of_warp = name == "portable_emulate_sync_warp_" || name == "portable_emulate_exchange_";
        if (!w.of_warp)
            return true;
        has_warps_ = true;
        const bool exchanges = name == "portable_emulate_exchange_";
        auto *const mask = dyn_cast<ConstantInt>(call->getArgOperand(exchanges));
        if (!mask || !mask->isMinusOne())
            return refuse("a warp operation of a part of the warp, or of a mask that is not known",
                          call);
        if (!exchanges)
            return true;
        auto *const kind = dyn_cast<ConstantInt>(call->getArgOperand(0));
        auto *const width = dyn_cast<ConstantInt>(call->getArgOperand(2));
        w.kind = kind ? (unsigned)kind->getZExtValue() : (unsigned)PORTABLE_EXCHANGE_LANES_;
        w.width = width ? (unsigned)width->getZExtValue() : 0;
        if (w.width == 0 || w.width > WARP)
            w.width = width ? (unsigned)WARP : 0;
        if (w.kind >= PORTABLE_EXCHANGE_LANES_ || !isPowerOf2_32(w.width))
            return refuse("a warp operation whose kind or width is not known", call);
        if (w.kind == PORTABLE_EXCHANGE_SYNC_)
            return true;
        Value *value = call->getArgOperand(3);
        if (w.kind == PORTABLE_EXCHANGE_BALLOT_) {
            if (!votes_) {
                votes_ = variable(i32, "votes");
                lane_ = variable(i32, "lane");
            }
            w.result = variable(i64, "result");
            Value *const vote = b.CreateAnd(b.CreateTrunc(value, i32), b.getInt32(1));
            b.CreateStore(
                b.CreateOr(b.CreateLoad(i32, votes_), b.CreateShl(vote, b.CreateLoad(i32, lane_))),
                votes_);
            return true;
        }
        auto *const narrow = dyn_cast<ZExtInst>(value);
        bool is_narrow =
            narrow && (narrow->getSrcTy()->isIntegerTy(32) || narrow->getSrcTy()->isIntegerTy(16) ||
                       narrow->getSrcTy()->isIntegerTy(8));
        for (User *user : call->users())
            is_narrow =
                is_narrow && isa<TruncInst>(user) &&
                user->getType()->getIntegerBitWidth() <= narrow->getSrcTy()->getIntegerBitWidth();
        if (is_narrow)
            value = narrow->getOperand(0);
        w.value = variable(value->getType(), "value");
        w.result = variable(value->getType(), "result");
        thread_slots_.insert(w.value);
        thread_slots_.insert(w.result);
        b.CreateStore(value, w.value);
        w.operand_of_all = dyn_cast<ConstantInt>(call->getArgOperand(4));
        if (!w.operand_of_all) {
            w.operand = variable(i32, "operand");
            thread_slots_.insert(w.operand);
            b.CreateStore(call->getArgOperand(4), w.operand);
        }
        return true;
    }
    static void use_result(CallInst *call, const wait &w)
    {
        IRBuilder<> b(&*w.next->getFirstInsertionPt());
        Type *const type = w.result->getAllocatedType();
        Value *const result = b.CreateLoad(type, w.result);
        for (Use &use : make_early_inc_range(call->uses())) {
            auto *const user = cast<Instruction>(use.getUser());
            if (type == call->getType()) {
                use.set(result);
            } else { /* a part of it */
                user->replaceAllUsesWith(b.CreateTrunc(result, user->getType()));
                user->eraseFromParent();
            }
        }
    }
    /* The number of the wait at the block's end, or 0. */
    unsigned wait_at(const BasicBlock *block) const
    {
        for (size_t k = 0; k < waits_.size(); k++)
            if (waits_[k].head == block)
                return (unsigned)k + 1;
        return 0;
    }

    void find_regions()
    {
        regions_.resize(waits_.size() + 1);
        for (size_t r = 0; r < regions_.size(); r++) {
            region &of = regions_[r];
            of.entry = r == 0 ? &g_->getEntryBlock() : waits_[r - 1].next;
            of.blocks.insert(of.entry);
            for (size_t k = 0; k < of.blocks.size(); k++) {
                BasicBlock *const b = of.blocks[k];
                of.size += b->size();
                std::set<unsigned> &exits = of.exits[b];
                if (const unsigned w = wait_at(b))
                    exits.insert(w);
                else if (isa<ReturnInst>(b->getTerminator()))
                    exits.insert(0);
                else
                    for (BasicBlock *to : successors(b))
                        of.blocks.insert(to);
            }
            for (bool more = true; more;) {
                more = false;
                for (BasicBlock *b : of.blocks)
                    if (!wait_at(b))
                        for (BasicBlock *to : successors(b))
                            for (unsigned exit : of.exits[to])
                                more |= of.exits[b].insert(exit).second;
            }
        }
    }

    bool check_regions()
    {
        size_t size = 0;
        for (size_t r = 0; r < regions_.size(); r++) {
            region &of = regions_[r];
            size += of.size;
            for (BasicBlock *b : of.blocks) {
                Instruction *const end = b->getTerminator();
                const std::set<unsigned> &exits = of.exits[b];
                for (Instruction &i : *b)
                    if (r > 0 && stops_.count(&i))
                        return refuse("an assertion or a trap behind a wait", &i);
                if (wait_at(b) || end->getNumSuccessors() < 2 || exits.size() < 2 ||
                    !is_divergent_branch(end, divergent_))
                    continue;
                of.diverges = true;
                if (const wait *twice = barrier_in_two_copies(exits))
                    return refuse("a barrier that threads reach on different ways", end,
                                  place_of_wait(*twice));
            }
            has_states_ |= of.diverges && regions_.size() > 1;
        }
        if (!check_passes())
            return false;
        if (has_warps_ && !check_warps())
            return false;
        if (size > MAX_INSTRUCTIONS)
            return refuse("more than " + Twine((int)MAX_INSTRUCTIONS) + " instructions");
        return true;
    }
    bool check_passes()
    {
        for (bool more = true; more;) { /* a pass may follow several barriers */
            more = false;
            for (unsigned r = 0; r < regions_.size(); r++) {
                const std::vector<unsigned> within = regions_within(r, false);
                auto is_mixed = [&](unsigned in) {
                    return regions_[in].diverges || regions_[in].is_mixed;
                };
                if (within.size() == 1 || (r > 0 && waits_[r - 1].is_pass()) ||
                    none_of(within, is_mixed))
                    continue;
                for (unsigned in : within) {
                    more |= !regions_[in].is_mixed;
                    regions_[in].is_mixed = true;
                }
                if (const wait *twice = barrier_in_two_copies(exits_of(within)))
                    return refuse("a barrier that threads reach on different ways", nullptr,
                                  place_of_wait(*twice));
            }
        }
        return true;
    }
    std::set<unsigned> exits_of(const std::vector<unsigned> &within) const
    {
        std::set<unsigned> exits;
        for (unsigned in : within)
            exits.insert(regions_[in].ways_out().begin(), regions_[in].ways_out().end());
        return exits;
    }
    /* Lanes of a warp must reach the same operation of it, or end. */
    bool check_warps()
    {
        find_divergent(divergent_lanes_, true);
        for (unsigned r = 0; r < regions_.size(); r++) {
            if (r > 0 && waits_[r - 1].of_warp)
                continue;
            const std::vector<unsigned> within = regions_within(r, true);
            bool diverges = false;
            for (unsigned in : within)
                diverges |= regions_[in].diverges;
            const wait *const twice = diverges ? barrier_in_two_copies(exits_of(within)) : nullptr;
            if (twice)
                return refuse("a barrier that warps reach on different ways", nullptr,
                              place_of_wait(*twice));
        }
        for (region &of : regions_)
            for (BasicBlock *b : of.blocks) {
                Instruction *const end = b->getTerminator();
                unsigned waits = 0, of_warp = 0;
                if (wait_at(b) || end->getNumSuccessors() < 2 ||
                    !is_divergent_branch(end, divergent_lanes_))
                    continue;
                for (unsigned exit : of.exits[b])
                    if (exit > 0) {
                        waits++;
                        of_warp = waits_[exit - 1].of_warp ? exit : of_warp;
                    }
                if (of_warp > 0 && waits > 1)
                    return refuse("a warp operation that lanes may reach on different ways", end,
                                  place_of_wait(waits_[of_warp - 1]));
            }
        return true;
    }
    /* That behind a wait of the block, and those that a warp, or threads in loops whose iterations
     * they make together, can reach from there before the next one. */
    std::vector<unsigned> regions_within(unsigned number, bool of_warp) const
    {
        std::vector<unsigned> within{number};
        for (size_t k = 0; k < within.size(); k++)
            for (unsigned exit : regions_[within[k]].ways_out())
                if (exit > 0 && (of_warp ? waits_[exit - 1].of_warp : waits_[exit - 1].is_pass()) &&
                    !is_contained(within, exit))
                    within.push_back(exit);
        return within;
    }
    static std::string place_of_wait(const wait &w)
    {
        auto *const line = dyn_cast<ConstantInt>(w.line);
        return (text_of(w.file) + ":" + Twine(line ? line->getZExtValue() : 0)).str();
    }
    /* A barrier of the block that the compiler has copied, if two of the exits are at it. */
    const wait *barrier_in_two_copies(const std::set<unsigned> &exits) const
    {
        std::set<std::pair<StringRef, Constant *>> places;
        for (unsigned exit : exits)
            if (exit > 0 && !waits_[exit - 1].of_warp && !waits_[exit - 1].is_pass() &&
                !places.insert({text_of(waits_[exit - 1].file), waits_[exit - 1].line}).second)
                return &waits_[exit - 1];
        return nullptr;
    }

    // ---- values that are the same in all threads ----

    /* given: the arguments' address, in g_ or in h_. */
    bool is_argument_load(const Instruction *i, const Value *given) const
    {
        auto *const load = dyn_cast<LoadInst>(i);
        if (!load || load->isVolatile())
            return false;
        APInt offset(64, 0);
        return load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset,
                                                                            true) == given;
    }
    static bool is_dynamic_shared(const Instruction *i)
    {
        auto *const call = dyn_cast<CallInst>(i);
        return call && call->getCalledFunction() &&
               call->getCalledFunction()->getName() == "portable_cuda_dynamic_shared_";
    }
    static bool is_divergent_branch(const Instruction *end, const std::set<Value *> &divergent)
    {
        for (const Use &use : end->operands())
            if (divergent.count(use.get()))
                return true;
        return false;
    }
    bool waits_in(const Loop *loop) const
    {
        for (const wait &w : waits_)
            if (loop->contains(w.head))
                return true;
        return false;
    }

    /* In blocks, or in warps. */
    void find_divergent(std::set<Value *> &divergent, bool in_warps)
    {
        std::vector<Value *> work;
        auto add = [&](Value *v) {
            if (divergent.insert(v).second)
                work.push_back(v);
        };
        DominatorTree dominators(*g_);
        PostDominatorTree post(*g_);
        LoopInfo loops(dominators);
        std::set<const AllocaInst *> same; /* results that are the same for all threads */
        for (const wait &w : waits_)
            if (w.result && (!w.of_warp || (in_warps && w.kind == PORTABLE_EXCHANGE_BALLOT_)))
                same.insert(w.result);
        same.insert(passes_.begin(), passes_.end());
        for (unsigned k = X; k <= (in_warps ? X : Z); k++)
            add(g_->getArg(k));
        for (Instruction &i : instructions(*g_)) {
            auto *const load = dyn_cast<LoadInst>(&i);
            auto *const slot = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
            const bool is_pure = isa<IntrinsicInst>(i) && !i.mayReadOrWriteMemory();
            auto *const own = dyn_cast<AllocaInst>(&i);
            if ((own && !same.count(own)) ||
                (load && !is_argument_load(&i, g_->getArg(GIVEN)) && !same.count(slot)) ||
                (isa<CallBase>(i) && !is_pure && !is_dynamic_shared(&i)))
                add(&i);
        }
        while (!work.empty()) {
            Value *const v = work.back();
            work.pop_back();
            for (User *user : v->users()) {
                auto *const i = dyn_cast<Instruction>(user);
                if (i && in_warps && is_warp_number(i))
                    continue;
                if (i && !i->isTerminator())
                    add(i);
                else if (i && i->getNumSuccessors() > 1)
                    diverge(i, post, loops, add);
            }
        }
    }
    /* threadIdx.x / 32, where rows are whole warps. */
    bool is_warp_number(const Instruction *i) const
    {
        auto *const by =
            i->getNumOperands() == 2 ? dyn_cast<ConstantInt>(i->getOperand(1)) : nullptr;
        return by && i->getOperand(0) == g_->getArg(X) &&
               ((i->getOpcode() == Instruction::LShr && by->getValue().uge(5)) ||
                (i->getOpcode() == Instruction::UDiv && by->getValue().urem(WARP) == 0 &&
                 by->getValue() != 0) ||
                (i->getOpcode() == Instruction::And && by->getValue().countTrailingZeros() >= 5));
    }
    /* The branch is divergent: so are the values where its ways meet, and those that leave a loop
     * which threads leave at different times. */
    template <class Add>
    void diverge(Instruction *branch, PostDominatorTree &post, LoopInfo &loops, Add add)
    {
        BasicBlock *const from = branch->getParent();
        auto *const node = post.getNode(from);
        BasicBlock *const stop = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
        std::map<BasicBlock *, int> reached;
        for (unsigned k = 0; k < branch->getNumSuccessors(); k++) {
            std::set<BasicBlock *> seen{branch->getSuccessor(k)};
            std::vector<BasicBlock *> todo(seen.begin(), seen.end());
            while (!todo.empty()) {
                BasicBlock *const b = todo.back();
                todo.pop_back();
                if (++reached[b] > 1 || b == stop)
                    for (PHINode &phi : b->phis())
                        add(&phi);
                if (b != stop)
                    for (BasicBlock *to : successors(b))
                        if (seen.insert(to).second)
                            todo.push_back(to);
            }
        }
        for (Loop *loop = loops.getLoopFor(from); loop; loop = loop->getParentLoop()) {
            bool leaves = false;
            for (BasicBlock *to : successors(from))
                leaves |= !loop->contains(to);
            if (!leaves)
                continue;
            for (BasicBlock *b : loop->blocks())
                for (Instruction &i : *b) {
                    bool is_outside = waits_in(loop);
                    for (User *user : i.users())
                        is_outside |= !loop->contains(cast<Instruction>(user)->getParent());
                    if (is_outside)
                        add(&i);
                }
        }
    }

    // ---- values across waits ----

    bool is_load_of_passes(const Instruction *i) const
    {
        auto *const load = dyn_cast<LoadInst>(i);
        auto *const from = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
        return from && passes_.count(const_cast<AllocaInst *>(from));
    }
    /* Whether it is computed from the parameters in a few steps, or from the number of a pass. */
    bool is_cheap(const Value *v, bool in_pass = false, int depth = 0) const
    {
        auto *const i = dyn_cast<Instruction>(v);
        if (!i || isa<AllocaInst>(i))
            return true;
        if (depth > 12)
            return false;
        if (!(isa<BinaryOperator>(i) || isa<CastInst>(i) || isa<GetElementPtrInst>(i) ||
              isa<CmpInst>(i) || isa<SelectInst>(i) || is_argument_load(i, g_->getArg(GIVEN)) ||
              (in_pass && is_load_of_passes(i))) ||
            i->getOpcode() == Instruction::SDiv || i->getOpcode() == Instruction::SRem ||
            i->getOpcode() == Instruction::UDiv || i->getOpcode() == Instruction::URem)
            return false;
        for (const Use &use : i->operands())
            if (!is_cheap(use.get(), in_pass, depth + 1))
                return false;
        return true;
    }
    Value *compute_again(Value *v, Instruction *before, std::map<Value *, Value *> &done)
    {
        auto *const i = dyn_cast<Instruction>(v);
        if (!i || isa<AllocaInst>(i))
            return v;
        Value *&result = done[v];
        if (!result) {
            Instruction *const copy = i->clone();
            for (unsigned k = 0; k < i->getNumOperands(); k++)
                copy->setOperand(k, compute_again(i->getOperand(k), before, done));
            copy->insertBefore(before);
            done[v] = copy;
            return copy;
        }
        return result;
    }

    static BasicBlock *block_of(const Use &use)
    {
        auto *const user = cast<Instruction>(use.getUser());
        auto *const phi = dyn_cast<PHINode>(user);
        return phi ? phi->getIncomingBlock(use) : user->getParent();
    }

    void keep_values()
    {
        /* Of a block, those that a thread can come to from a wait without coming through it. */
        std::map<BasicBlock *, std::set<BasicBlock *>> without;
        /* Whether a wait may be between the value and its use. */
        auto crosses = [&](const Instruction &i, const Use &use) {
            BasicBlock *const at = block_of(use), *const from =
                                                      const_cast<BasicBlock *>(i.getParent());
            if (at == from)
                return false;
            const auto known = without.find(from);
            return (known != without.end() ? known->second : without[from] = reached_without(from))
                       .count(at) > 0;
        };
        std::vector<std::pair<Instruction *, std::vector<Use *>>> across;
        for (Instruction &i : instructions(*g_)) {
            std::vector<Use *> uses;
            if (!isa<AllocaInst>(i))
                for (Use &use : i.uses())
                    if (crosses(i, use))
                        uses.push_back(&use);
            if (!uses.empty())
                across.push_back({&i, uses});
        }
        std::vector<std::pair<AllocaInst *, Instruction *>> slots;
        for (auto &kept : across) {
            Instruction *const i = kept.first;
            const bool cheap = is_cheap(i);
            AllocaInst *slot = nullptr;
            if (!cheap) {
                slot = new AllocaInst(i->getType(), 0, "kept", first());
                (divergent_.count(i) || is_of_some(i->getParent()) ? thread_slots_ : uniform_slots_)
                    .insert(slot);
                slots.push_back({slot, i});
            }
            std::map<BasicBlock *, Value *> at_end; /* a phi takes one value from each block */
            for (Use *use : kept.second) {
                auto *const user = cast<Instruction>(use->getUser());
                BasicBlock *const block = block_of(*use);
                Instruction *const before = isa<PHINode>(user) ? block->getTerminator() : user;
                std::map<Value *, Value *> done;
                Value *value = isa<PHINode>(user) ? at_end[block] : nullptr;
                if (!value)
                    value = cheap ? compute_again(i, before, done)
                                  : new LoadInst(i->getType(), slot, "", before);
                if (isa<PHINode>(user))
                    at_end[block] = value;
                use->set(value);
            }
        }
        for (auto &kept : slots) {
            Instruction *const i = kept.second;
            new StoreInst(i, kept.first,
                          isa<PHINode>(i) ? &*i->getParent()->getFirstInsertionPt()
                                          : i->getNextNode());
        }
        for (Instruction &i : g_->getEntryBlock()) /* arrays, and what has its address taken */
            if (auto *variable = dyn_cast<AllocaInst>(&i))
                if (variable != count_ && variable != votes_ && variable != lane_ &&
                    !passes_.count(variable) && !is_result(variable) &&
                    !uniform_slots_.count(variable) && !thread_slots_.count(variable) &&
                    lives_across(variable))
                    thread_slots_.insert(variable);
    }

    /* Whether threads may come to the block while others, in the same loop over threads, go on to
     * another wait without it. */
    bool is_of_some(BasicBlock *block) const
    {
        return any_of(regions_,
                      [block](const region &r) { return r.is_mixed && r.blocks.count(block) > 0; });
    }

    std::set<BasicBlock *> reached_without(BasicBlock *block) const
    {
        std::set<BasicBlock *> reached;
        for (size_t r = 1; r < regions_.size(); r++) {
            std::vector<BasicBlock *> todo{regions_[r].entry};
            while (!todo.empty()) {
                BasicBlock *const b = todo.back();
                todo.pop_back();
                if (b == block || !reached.insert(b).second || wait_at(b))
                    continue;
                todo.insert(todo.end(), succ_begin(b), succ_end(b));
            }
        }
        return reached;
    }

    /* Whether it is one for all threads, or lanes. */
    bool is_result(const AllocaInst *variable) const
    {
        for (const wait &w : waits_)
            if (w.result == variable)
                return true;
        return false;
    }
    /* Whether a thread may read after a wait what it wrote before, in a variable of its own. */
    bool lives_across(AllocaInst *variable) const
    {
        std::set<BasicBlock *> blocks;
        std::set<Value *> seen{variable};
        std::vector<Value *> todo{variable};
        while (!todo.empty()) {
            Value *const v = todo.back();
            todo.pop_back();
            for (Use &use : v->uses()) {
                auto *const i = cast<Instruction>(use.getUser());
                blocks.insert(block_of(use));
                blocks.insert(i->getParent());
                auto *const store = dyn_cast<StoreInst>(i);
                auto *const call = dyn_cast<CallBase>(i);
                if (isa<GetElementPtrInst>(i) || isa<BitCastInst>(i) || isa<PHINode>(i) ||
                    isa<SelectInst>(i)) {
                    if (seen.insert(i).second)
                        todo.push_back(i);
                } else if (!(isa<LoadInst>(i) || isa<MemIntrinsic>(i) || isa<CmpInst>(i) ||
                             (store && store->getValueOperand() != v) ||
                             (call && call->isDataOperand(&use) &&
                              call->doesNotCapture(call->getDataOperandNo(&use))))) {
                    return waits_.size() > 0;
                }
            }
        }
        const region *only = nullptr;
        for (const region &r : regions_)
            for (BasicBlock *b : blocks)
                if (r.blocks.count(b)) {
                    if (only && only != &r)
                        return true;
                    only = &r;
                }
        return only && comes_again(only);
    }
    bool comes_again(const region *r) const
    {
        std::set<unsigned> seen;
        std::vector<unsigned> todo(r->ways_out().begin(), r->ways_out().end());
        while (!todo.empty()) {
            const unsigned w = todo.back();
            todo.pop_back();
            if (w == 0 || !seen.insert(w).second)
                continue;
            if (&regions_[w] == r)
                return true;
            todo.insert(todo.end(), regions_[w].ways_out().begin(), regions_[w].ways_out().end());
        }
        return false;
    }

    /* ---- the arena: for each slot an array over as many threads as a block can have ---- */

    uint64_t stride_of(AllocaInst *slot) const
    {
        auto *const count = cast<ConstantInt>(slot->getArraySize());
        return alignTo(layout_.getTypeAllocSize(slot->getAllocatedType()).getFixedSize() *
                           count->getZExtValue(),
                       slot->getAlign());
    }
    bool lay_out()
    {
        uint64_t bytes = 0, of_thread = 0;
        auto place = [&](uint64_t stride) {
            const uint64_t at = alignTo(bytes, ALIGNMENT);
            /* Not all arrays at one place of a page, which share a set of the cache. */
            bytes = at + stride * MAX_THREADS + 3 * ALIGNMENT;
            of_thread += stride;
            return at;
        };
        for (AllocaInst *slot : thread_slots_) {
            if (slot->getAlign() > ALIGNMENT)
                return refuse("a variable of more than 64 bytes of alignment");
            offsets_[slot] = place(stride_of(slot));
        }
        if (has_states_)
            states_offset_ = place(1);
        if (of_thread > MAX_KEPT)
            return refuse("each thread keeps " + Twine(of_thread) +
                          " bytes across waits, and the limit is " + Twine((int)MAX_KEPT));
        arena_bytes_ = bytes;
        return true;
    }

    // ---- the loops ----

    Value *argument(unsigned k) const
    {
        return h_->getArg(k == GIVEN ? 0 : k - BLOCK + 2);
    }
    Value *arena() const
    {
        return h_->getArg(1);
    }
    BasicBlock *block(const Twine &name) const
    {
        return BasicBlock::Create(context_, name, h_);
    }

    void declare(const Twine &name)
    {
        Type *const i32 = Type::getInt32Ty(context_);
        std::vector<Type *> types{g_->getArg(GIVEN)->getType(), Type::getInt8PtrTy(context_)};
        types.insert(types.end(), PARAMETERS - BLOCK, i32);
        h_ = Function::Create(FunctionType::get(i32, types, false), GlobalValue::InternalLinkage,
                              name, module_);
        /* How it is compiled; not what was found out about it. */
        for (const Attribute &attribute : g_->getAttributes().getFnAttrs())
            if (attribute.isStringAttribute() || attribute.getKindAsEnum() == Attribute::UWTable ||
                attribute.getKindAsEnum() == Attribute::StackProtectStrong)
                h_->addFnAttr(attribute);
        h_->addFnAttr(Attribute::NoInline);
        h_->addFnAttr(Attribute::NoUnwind);
        h_->addParamAttr(0, Attribute::NoAlias);
        h_->addParamAttr(1, Attribute::NoAlias);
        h_->addParamAttr(1, Attribute::getWithAlignment(context_, Align(ALIGNMENT)));
    }

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
        bool of_warp, skips_ended;
        const std::vector<guard> *guards; /* whose values are known: the likely ones or */
        bool likely;                      /* the others; or NULL */
    };

    Function *build(const Twine &name)
    {
        declare(name);
        BasicBlock *const entry = block("entry");
        end_ = block("end");
        ReturnInst::Create(context_, ConstantInt::get(Type::getInt32Ty(context_), 1), end_);
        IRBuilder<> b(entry);
        for (AllocaInst *a : uniform_slots_) {
            Type *const type = a->getAllocatedType();
            slots_[a] = {b.CreateAlloca(type), b.CreateAlloca(type), b.CreateAlloca(type),
                         b.CreateAlloca(type), b.CreateAlloca(type)};
        }
        for (Instruction &i : g_->getEntryBlock())
            if (auto *a = dyn_cast<AllocaInst>(&i))
                if (!uniform_slots_.count(a) && !thread_slots_.count(a)) {
                    AllocaInst *const own =
                        b.CreateAlloca(a->getAllocatedType(), a->getArraySize(), a->getName());
                    own->setAlignment(a->getAlign());
                    variables_[a] = own;
                }
        seen_ = b.CreateAlloca(b.getInt64Ty(), nullptr, "seen");
        ended_ = b.CreateAlloca(b.getInt1Ty(), nullptr, "ended");
        b.CreateStore(b.getFalse(), ended_);
        for (AllocaInst *a : thread_slots_)
            arrays_[a] = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), arena(), offsets_[a]);
        if (has_states_)
            states_ = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), arena(), states_offset_);
        nx_ = argument(OF_BLOCK);
        nx64_ = b.CreateZExt(nx_, b.getInt64Ty());
        Value *const ny = argument(OF_BLOCK + 1), *const nz = argument(OF_BLOCK + 2);
        threads_ = b.CreateMul(b.CreateMul(nx_, ny), nz, "threads");
        if (has_states_)
            b.CreateMemSet(states_, b.getInt8(1), threads_, Align(ALIGNMENT));
        std::vector<unsigned> phases{0};
        for (unsigned w = 1; w <= waits_.size(); w++)
            if (!waits_[w - 1].of_warp)
                phases.push_back(w);
        for (unsigned r : phases)
            regions_[r].loops = block("region");
        if (has_warps_) { /* other shapes run on stacks */
            of_warp_seen_ = b.CreateAlloca(b.getInt64Ty(), nullptr, "seen_in_warp");
            warps_ = b.CreateLShr(b.CreateAdd(threads_, b.getInt32(WARP - 1)), 5);
            Value *const rows =
                b.CreateICmpEQ(b.CreateAnd(nx_, b.getInt32(WARP - 1)), b.getInt32(0));
            Value *const is_row = b.CreateICmpEQ(b.CreateMul(ny, nz), b.getInt32(1));
            BasicBlock *const not_run = block("not_run");
            b.CreateCondBr(b.CreateOr(rows, is_row), regions_[0].loops, not_run);
            ReturnInst::Create(context_, b.getInt32(0), not_run);
        } else {
            b.CreateBr(regions_[0].loops);
        }
        for (unsigned r : phases)
            build_phase(r);
        return h_;
    }

    /* The region behind a wait of the block, with those behind operations of warps. */
    void build_phase(unsigned number)
    {
        for (unsigned exit : regions_[number].ways_out())
            if (exit > 0 && waits_[exit - 1].of_warp) {
                build_warps(number);
                return;
            }
        build_region(number);
    }

    /* A loop's counter, from 0 to below `end`: its head, whose end is left open, and latch. */
    PHINode *begin_loop(BasicBlock *from, BasicBlock *head, Type *type)
    {
        IRBuilder<> b(head);
        PHINode *const counter = b.CreatePHI(type, 2);
        counter->addIncoming(ConstantInt::get(type, 0), from);
        return counter;
    }
    void end_loop(PHINode *counter, Value *end, BasicBlock *latch, BasicBlock *out)
    {
        IRBuilder<> b(latch);
        Value *const more =
            b.CreateAdd(counter, ConstantInt::get(counter->getType(), 1), "", true, true);
        b.CreateCondBr(b.CreateICmpULT(more, end), counter->getParent(), out);
        counter->addIncoming(more, latch);
    }

    /* Returns whether threads are to be passed over that are not in the loop of which this is a
     * pass, or NULL. */
    Value *begin_phase(IRBuilder<> &b, unsigned number)
    {
        Value *others = nullptr;
        AllocaInst *const passes = number > 0 ? waits_[number - 1].passes : nullptr;
        if (passes) {
            AllocaInst *const made = variables_[passes];
            b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), made), b.getInt64(1)), made);
            Value *const left = b.CreateAnd(b.CreateLoad(b.getInt64Ty(), seen_), ~(1ULL << number));
            b.CreateStore(left, seen_);
            if (has_states_ && regions_[number].is_mixed)
                others = b.CreateOr(b.CreateICmpNE(left, b.getInt64(0)),
                                    b.CreateLoad(b.getInt1Ty(), ended_));
        } else {
            b.CreateStore(b.getInt64(0), seen_);
            if (count_)
                b.CreateStore(b.getInt32(0), variables_[count_]);
            for (AllocaInst *other : passes_)
                b.CreateStore(b.getInt64(0), variables_[other]);
        }
        for (auto &s : slots_)
            copy(b, s.first, s.second.committed, s.second.next);
        return others;
    }
    static void copy(IRBuilder<> &b, AllocaInst *of, AllocaInst *from, AllocaInst *to)
    {
        b.CreateStore(b.CreateLoad(of->getAllocatedType(), from), to);
    }

    /* The loop nest of a region, and what follows it. */
    void build_region(unsigned number)
    {
        region &of = regions_[number];
        IRBuilder<> b(of.loops);
        Type *const i32 = b.getInt32Ty();
        Value *const others = begin_phase(b, number);
        BasicBlock *const zs = block("z"), *const ys = block("y"), *const yl = block("y.next"),
                          *const zl = block("z.next"), *const done = block("done");
        Value *const some_ended = others                      ? others
                                  : has_states_ && number > 0 ? b.CreateLoad(b.getInt1Ty(), ended_)
                                                              : nullptr;
        b.CreateBr(zs);
        PHINode *const z = begin_loop(of.loops, zs, i32);
        IRBuilder<>(zs).CreateBr(ys);
        PHINode *const y = begin_loop(zs, ys, i32);
        b.SetInsertPoint(ys);
        Value *const ny = argument(OF_BLOCK + 1);
        Value *const row = b.CreateZExt(b.CreateMul(b.CreateAdd(b.CreateMul(z, ny), y), nx_),
                                        b.getInt64Ty(), "row");
        build_row(b, number, y, z, row, some_ended, yl);
        end_loop(y, ny, yl, zl);
        end_loop(z, argument(OF_BLOCK + 2), zl, done);
        b.SetInsertPoint(done);
        go_on_after(b, number);
    }
    /* A row of threads, in up to three parts: in the one in the middle all conditions that are
     * known have their likely values. If there is but one, it has the other in the other parts; not
     * if it is an (in)equality, which but one thread decides otherwise. */
    void build_row(IRBuilder<> &b, unsigned number, Value *y, Value *z, Value *row,
                   Value *some_ended, BasicBlock *out)
    {
        enum { SLOW, FAST, REST };
        const region &of = regions_[number];
        Type *const i64 = b.getInt64Ty(), *const i32 = b.getInt32Ty();
        const bool has_versions = of.size <= MAX_VERSIONED;
        const std::vector<guard> guards = has_versions ? find_guards(of) : std::vector<guard>();
        const auto conditions =
            count_if(guards, [](const guard &g) { return g.compare != nullptr; });
        const bool has_rest =
            conditions == 1 && of.size <= MAX_IN_PARTS &&
            none_of(guards, [](const guard &g) { return g.compare && g.compare->isEquality(); });
        const bool has_fast = !guards.empty() || (has_versions && some_ended);
        Value *const zero = b.getInt64(0);
        Value *low = zero, *high = nx64_, *kind = b.getInt32(has_fast ? FAST : SLOW);
        Value *others = b.getInt32(SLOW);
        if (has_fast) {
            Value *regular = some_ended ? b.CreateNot(some_ended) : b.getTrue();
            Value *from = b.getInt32(0), *to = nx_;
            for (const guard &g : guards) {
                regular = b.CreateAnd(regular, grow(b, g, b.CreateSub(nx_, b.getInt32(1)), y, z));
                if (!g.compare)
                    continue;
                const auto range = likely_range(b, g, b.getInt32(0), nx_, y, z);
                from = b.CreateBinaryIntrinsic(Intrinsic::umax, from, range.first);
                to = b.CreateBinaryIntrinsic(Intrinsic::umin, to, range.second);
            }
            /* A thread may never come to a condition whose values are poison. */
            regular = b.CreateFreeze(regular);
            from = b.CreateFreeze(from);
            to = b.CreateFreeze(to);
            Value *const is_fast = b.CreateAnd(regular, b.CreateICmpULT(from, to));
            if (has_rest)
                others = b.CreateSelect(regular, b.getInt32(REST), b.getInt32(SLOW));
            low = b.CreateSelect(is_fast, b.CreateZExt(from, i64), nx64_);
            high = b.CreateSelect(is_fast, b.CreateZExt(to, i64), nx64_);
            kind = b.CreateSelect(b.CreateICmpEQ(low, zero), kind, others);
        }
        BasicBlock *const before = b.GetInsertBlock(), *const part = block("part");
        Value *const end = b.CreateSelect(b.CreateICmpEQ(low, zero), high, low);
        b.CreateBr(part);
        b.SetInsertPoint(part);
        PHINode *const begin = b.CreatePHI(i64, 2), *const until = b.CreatePHI(i64, 2),
                       *const which = b.CreatePHI(i32, 2);
        begin->addIncoming(zero, before);
        until->addIncoming(end, before);
        which->addIncoming(kind, before);
        BasicBlock *const slow = block("slow"), *const next = has_fast ? block("part.next") : out;
        SwitchInst *const to = b.CreateSwitch(which, slow);
        auto build = [&](BasicBlock *from, const std::vector<guard> *known, bool likely) {
            BasicBlock *const head = block("x"), *const latch = block("x.next"),
                              *const body = block("thread");
            IRBuilder<>(from).CreateBr(head);
            IRBuilder<> h(head);
            PHINode *const x = h.CreatePHI(i64, 2);
            x->addIncoming(begin, from);
            thread t = {body,  latch, h.CreateTrunc(x, i32),
                        y,     z,     h.CreateAdd(row, x, "t", true, true),
                        x,     false, !known && some_ended != nullptr,
                        known, likely};
            build_thread(number, h, t);
            end_loop(x, until, latch, next);
        };
        build(slow, nullptr, true);
        if (has_fast) {
            to->addCase(b.getInt32(FAST), block("fast"));
            build(to->findCaseValue(b.getInt32(FAST))->getCaseSuccessor(), &guards, true);
        }
        if (has_rest) {
            to->addCase(b.getInt32(REST), block("rest"));
            build(to->findCaseValue(b.getInt32(REST))->getCaseSuccessor(), &guards, false);
        }
        if (!has_fast)
            return;
        IRBuilder<> n(next);
        Value *const was_fast = n.CreateICmpEQ(which, n.getInt32(FAST));
        begin->addIncoming(until, next);
        until->addIncoming(n.CreateSelect(was_fast, nx64_, high), next);
        which->addIncoming(n.CreateSelect(was_fast, others, n.getInt32(FAST)), next);
        n.CreateCondBr(n.CreateICmpEQ(until, nx64_), out, part);
    }

    /* All warps, one after another: each goes from operation to operation until it waits for the
     * block, or has ended. */
    void build_warps(unsigned number)
    {
        IRBuilder<> b(regions_[number].loops);
        begin_phase(b, number);
        BasicBlock *const warps = block("warp"), *const warp_next = block("warp.next"),
                          *const done = block("warps.done");
        b.CreateBr(warps);
        PHINode *const warp = begin_loop(regions_[number].loops, warps, b.getInt32Ty());
        b.SetInsertPoint(warps);
        for (auto &s : slots_)
            copy(b, s.first, s.second.committed, s.second.of_warp);
        first_ = b.CreateShl(warp, 5, "first", true, true);
        Value *const rest = b.CreateSub(threads_, first_);
        lanes_ = b.CreateSelect(b.CreateICmpULT(rest, b.getInt32(WARP)), rest, b.getInt32(WARP));
        Value *const row = b.CreateUDiv(first_, nx_);
        warp_x_ = b.CreateURem(first_, nx_);
        warp_y_ = b.CreateURem(row, argument(OF_BLOCK + 1));
        warp_z_ = b.CreateUDiv(row, argument(OF_BLOCK + 1));
        BasicBlock *const begin = warps;
        const std::vector<unsigned> within = regions_within(number, true);
        std::map<unsigned, BasicBlock *> entries;
        for (unsigned r : within)
            entries[r] = block("lanes");
        IRBuilder<>(begin).CreateBr(entries[number]);
        for (unsigned r : within)
            build_lanes(r, entries, warp_next);
        end_loop(warp, warps_, warp_next, done);
        b.SetInsertPoint(done);
        std::set<unsigned> exits;
        bool diverges = false;
        for (unsigned r : within) {
            diverges |= regions_[r].diverges;
            for (unsigned exit : regions_[r].ways_out())
                if (exit == 0 || !waits_[exit - 1].of_warp)
                    exits.insert(exit);
        }
        for (auto &s : slots_)
            copy(b, s.first, s.second.next, s.second.committed);
        go_on(b, exits, diverges);
    }

    /* One loop over the lanes of the running warp, of a region's body, and what the warp does
     * then. */
    void build_lanes(unsigned number, std::map<unsigned, BasicBlock *> &entries,
                     BasicBlock *warp_next)
    {
        region &of = regions_[number];
        IRBuilder<> b(entries[number]);
        Type *const i32 = b.getInt32Ty(), *const i64 = b.getInt64Ty();
        b.CreateStore(b.getInt64(0), of_warp_seen_);
        if (votes_)
            b.CreateStore(b.getInt32(0), variables_[votes_]);
        for (auto &s : slots_)
            copy(b, s.first, s.second.of_warp, s.second.of_warp_next);
        Value *const some_ended = has_states_ ? b.CreateLoad(b.getInt1Ty(), ended_) : nullptr;
        const std::vector<guard> guards =
            of.size > MAX_VERSIONED ? std::vector<guard>() : find_guards(of);
        Value *is_fast = b.CreateICmpEQ(lanes_, b.getInt32(WARP));
        if (some_ended)
            is_fast = b.CreateAnd(is_fast, b.CreateNot(some_ended));
        Value *const last = b.CreateAdd(warp_x_, b.getInt32(WARP - 1));
        for (const guard &g : guards) {
            is_fast = b.CreateAnd(is_fast, grow(b, g, last, warp_y_, warp_z_));
            if (!g.compare)
                continue;
            const auto range = likely_range(b, g, warp_x_, b.getInt32(WARP), warp_y_, warp_z_);
            is_fast = b.CreateAnd(is_fast, b.CreateICmpEQ(range.first, b.getInt32(0)));
            is_fast = b.CreateAnd(is_fast, b.CreateICmpEQ(range.second, b.getInt32(WARP)));
        }
        is_fast = b.CreateFreeze(is_fast);
        BasicBlock *const done = block("lanes.done");
        auto build_loop = [&](BasicBlock *from, bool fast) {
            BasicBlock *const head = block("lane"), *const latch = block("lane.next"),
                              *const body = block("thread");
            IRBuilder<> h(from);
            Value *const end = fast ? (Value *)h.getInt64(WARP) : h.CreateZExt(lanes_, i64);
            Value *const first = h.CreateZExt(first_, i64);
            h.CreateBr(head);
            PHINode *const lane = begin_loop(from, head, i64);
            h.SetInsertPoint(head);
            Value *const lane32 = h.CreateTrunc(lane, i32);
            if (lane_)
                h.CreateStore(lane32, variables_[lane_]);
            thread t = {body,
                        latch,
                        h.CreateAdd(warp_x_, lane32),
                        warp_y_,
                        warp_z_,
                        h.CreateAdd(first, lane, "t", true, true),
                        h.CreateAdd(h.CreateZExt(warp_x_, i64), lane, "", true, true),
                        true,
                        !fast && some_ended != nullptr,
                        fast ? &guards : nullptr,
                        true};
            build_thread(number, h, t);
            end_loop(lane, end, latch, done);
        };
        BasicBlock *const slow = block("slow");
        if (of.size <= MAX_VERSIONED) {
            BasicBlock *const whole = block("fast");
            b.CreateCondBr(is_fast, whole, slow);
            build_loop(whole, true);
        } else {
            b.CreateBr(slow);
        }
        build_loop(slow, false);

        /* Where they all wait, or all have ended. */
        b.SetInsertPoint(done);
        for (auto &s : slots_)
            copy(b, s.first, s.second.of_warp_next, s.second.of_warp);
        if (of.ways_out().empty()) {
            b.CreateUnreachable();
            return;
        }
        Value *const seen = b.CreateLoad(i64, of_warp_seen_);
        if (of.ways_out().count(0) && has_states_)
            note_ended(b, seen);
        BasicBlock *const leave = block("leave"), *const other = block("diverged");
        SwitchInst *const to = b.CreateSwitch(b.CreateAnd(seen, ~1ULL), other);
        to->addCase(b.getInt64(0), leave); /* also if all had ended before */
        bool to_block = false;
        for (unsigned exit : of.ways_out()) {
            if (exit == 0)
                continue;
            if (waits_[exit - 1].of_warp)
                to->addCase(b.getInt64(1ULL << exit), build_exchange(exit, entries[exit]));
            else
                to_block = true;
        }
        /* Several exits at barriers of the block are told apart after all warps. */
        BasicBlock *const to_barrier = to_block ? block("to_barrier") : nullptr;
        b.SetInsertPoint(other);
        if (to_block) {
            b.CreateBr(to_barrier);
            b.SetInsertPoint(to_barrier);
            for (auto &s : slots_)
                copy(b, s.first, s.second.of_warp, s.second.next);
            b.CreateBr(leave);
        } else {
            b.CreateIntrinsic(Intrinsic::trap, {}, {});
            b.CreateUnreachable();
        }
        b.SetInsertPoint(leave);
        b.CreateStore(b.CreateOr(b.CreateLoad(i64, seen_), seen), seen_);
        b.CreateBr(warp_next);
    }

    /* What an operation of the running warp does between two regions. */
    BasicBlock *build_exchange(unsigned number, BasicBlock *to)
    {
        const wait &w = waits_[number - 1];
        BasicBlock *const begin = block("exchange");
        IRBuilder<> b(begin);
        Type *const i32 = b.getInt32Ty(), *const i64 = b.getInt64Ty();
        Value *some_ended = has_states_ ? b.CreateLoad(b.getInt1Ty(), ended_) : nullptr;
        if (w.kind == PORTABLE_EXCHANGE_BALLOT_) {
            Value *const alive = lanes_alive(b, some_ended);
            b.CreateStore(b.CreateOr(b.CreateShl(b.CreateZExt(alive, i64), 32),
                                     b.CreateZExt(b.CreateLoad(i32, variables_[votes_]), i64)),
                          variables_[w.result]);
            b.CreateBr(to);
            return begin;
        }
        if (w.kind == PORTABLE_EXCHANGE_SYNC_) {
            b.CreateBr(to);
            return begin;
        }
        Type *const type = w.value->getAllocatedType();
        Value *const first = b.CreateZExt(first_, i64);
        Value *const values = element(b, w.value, first), *const results =
                                                              element(b, w.result, first);
        Value *const operands = w.operand ? element(b, w.operand, first) : nullptr;
        Value *const by_all = w.operand_of_all;
        Value *is_whole = b.CreateICmpEQ(lanes_, b.getInt32(WARP));
        if (some_ended)
            is_whole = b.CreateAnd(is_whole, b.CreateNot(some_ended));
        BasicBlock *const whole = block("whole"), *const part = block("part");
        b.CreateCondBr(is_whole, whole, part);
        b.SetInsertPoint(whole);
        if (by_all) {
            auto *const vector = FixedVectorType::get(type, WARP);
            PointerType *const pointer = PointerType::get(vector, 0);
            const unsigned by = (unsigned)cast<ConstantInt>(by_all)->getZExtValue();
            std::vector<int> from;
            for (unsigned lane = 0; lane < WARP; lane++)
                from.push_back((int)lane_read(w, lane, by));
            Value *const all =
                b.CreateAlignedLoad(vector, b.CreateBitCast(values, pointer), Align(1));
            b.CreateAlignedStore(b.CreateShuffleVector(all, all, from),
                                 b.CreateBitCast(results, pointer), Align(1));
            b.CreateBr(to);
        } else {
            build_exchange_loop(b, w, number, values, results, operands, b.getInt64(WARP), nullptr,
                                to);
        }
        b.SetInsertPoint(part);
        Value *const alive = lanes_alive(b, some_ended);
        build_exchange_loop(b, w, number, values, results, operands, b.CreateZExt(lanes_, i64),
                            alive, to);
        return begin;
    }
    /* As host/emulate/warps.h has it: the lane that a shuffle reads. */
    static unsigned lane_read(const wait &w, unsigned lane, unsigned operand)
    {
        const unsigned by = operand % WARP, segment = lane / w.width * w.width;
        const unsigned within = lane - segment;
        switch (w.kind) {
        case PORTABLE_EXCHANGE_SHUFFLE_: return segment + operand % w.width;
        case PORTABLE_EXCHANGE_UP_: return within >= by ? lane - by : lane;
        case PORTABLE_EXCHANGE_DOWN_: return within + by < w.width ? lane + by : lane;
        default: return (lane ^ by) < segment + w.width ? lane ^ by : lane;
        }
    }
    static Value *lane_read(IRBuilder<> &b, const wait &w, Value *lane, Value *operand)
    {
        Value *const by = b.CreateAnd(operand, WARP - 1), *const width = b.getInt32(w.width);
        Value *const within = b.CreateAnd(lane, w.width - 1);
        Value *const segment = b.CreateSub(lane, within);
        switch (w.kind) {
        case PORTABLE_EXCHANGE_SHUFFLE_:
            return b.CreateAdd(segment, b.CreateAnd(operand, w.width - 1));
        case PORTABLE_EXCHANGE_UP_:
            return b.CreateSelect(b.CreateICmpUGE(within, by), b.CreateSub(lane, by), lane);
        case PORTABLE_EXCHANGE_DOWN_:
            return b.CreateSelect(b.CreateICmpULT(b.CreateAdd(within, by), width),
                                  b.CreateAdd(lane, by), lane);
        default: {
            Value *const other = b.CreateXor(lane, by);
            return b.CreateSelect(b.CreateICmpULT(other, b.CreateAdd(segment, width)), other, lane);
        }
        }
    }
    /* Lane by lane; those of the mask take part, or all without one. */
    void build_exchange_loop(IRBuilder<> &b, const wait &w, unsigned number, Value *values,
                             Value *results, Value *operands, Value *end, Value *mask,
                             BasicBlock *out)
    {
        Type *const i32 = b.getInt32Ty(), *const type = w.value->getAllocatedType();
        BasicBlock *const from = b.GetInsertBlock(), *const head = block("pair"),
                          *const latch = block("pair.next");
        b.CreateBr(head);
        PHINode *const lane = begin_loop(from, head, b.getInt64Ty());
        b.SetInsertPoint(head);
        Value *const lane32 = b.CreateTrunc(lane, i32);
        auto takes_part = [&](Value *of) {
            return b.CreateTrunc(b.CreateLShr(mask, of), b.getInt1Ty());
        };
        if (mask) {
            BasicBlock *const present = block("present");
            b.CreateCondBr(takes_part(lane32), present, latch);
            b.SetInsertPoint(present);
        }
        Value *const operand =
            operands ? (Value *)b.CreateLoad(i32, b.CreateInBoundsGEP(i32, operands, lane))
                     : w.operand_of_all;
        Value *const source = lane_read(b, w, lane32, operand);
        Value *const source64 = b.CreateZExt(source, b.getInt64Ty());
        Value *value = nullptr;
        if (mask) {
            /* A lane that has ended is an error; one beyond the block's end is not. */
            BasicBlock *const absent = block("absent"), *const ended = block("has_ended"),
                              *const read = block("read"), *const store = block("store");
            b.CreateCondBr(takes_part(source), read, absent);
            b.SetInsertPoint(absent);
            b.CreateCondBr(b.CreateICmpULT(source, lanes_), ended, store);
            b.SetInsertPoint(ended);
            report_absence(b, number, lane32, source);
            b.CreateUnreachable();
            b.SetInsertPoint(read);
            Value *const loaded = b.CreateLoad(type, b.CreateInBoundsGEP(type, values, source64));
            b.CreateBr(store);
            b.SetInsertPoint(store);
            PHINode *const either = b.CreatePHI(type, 2);
            either->addIncoming(loaded, read);
            either->addIncoming(ConstantInt::getAllOnesValue(type), absent);
            value = either;
        } else {
            value = b.CreateLoad(type, b.CreateInBoundsGEP(type, values, source64));
        }
        b.CreateStore(value, b.CreateInBoundsGEP(type, results, lane));
        b.CreateBr(latch);
        end_loop(lane, end, latch, out);
    }
    /* The lanes of the running warp that exist and have not ended. */
    Value *lanes_alive(IRBuilder<> &b, Value *some_ended)
    {
        Type *const i32 = b.getInt32Ty();
        Value *const exist = b.CreateLShr(b.getInt32(~0U), b.CreateSub(b.getInt32(WARP), lanes_));
        if (!some_ended)
            return exist;
        BasicBlock *const from = b.GetInsertBlock(), *const head = block("alive"),
                          *const out = block("counted");
        b.CreateCondBr(some_ended, head, out);
        PHINode *const lane = begin_loop(from, head, b.getInt64Ty());
        b.SetInsertPoint(head);
        PHINode *const mask = b.CreatePHI(i32, 2);
        mask->addIncoming(b.getInt32(0), from);
        Value *const at = b.CreateAdd(b.CreateZExt(first_, b.getInt64Ty()), lane);
        Value *const alive = b.CreateICmpNE(
            b.CreateLoad(b.getInt8Ty(), b.CreateInBoundsGEP(b.getInt8Ty(), states_, at)),
            b.getInt8(0));
        Value *const with =
            b.CreateOr(mask, b.CreateShl(b.CreateZExt(alive, i32), b.CreateTrunc(lane, i32)));
        mask->addIncoming(with, head);
        end_loop(lane, b.CreateZExt(lanes_, b.getInt64Ty()), head, out);
        b.SetInsertPoint(out);
        PHINode *const result = b.CreatePHI(i32, 2);
        result->addIncoming(exist, from);
        result->addIncoming(with, head);
        return result;
    }
    void report_absence(IRBuilder<> &b, unsigned number, Value *lane, Value *source)
    {
        FunctionCallee report = module_.getOrInsertFunction(
            "portable_emulate_split_absent_", b.getVoidTy(), b.getInt8PtrTy(), b.getInt32Ty(),
            b.getInt32Ty(), b.getInt32Ty());
        Value *const place =
            b.CreateBitCast(ConstantExpr::getInBoundsGetElementPtr(
                                places()->getValueType(), places(),
                                ArrayRef<Constant *>{b.getInt32(0), b.getInt32(number - 1)}),
                            b.getInt8PtrTy());
        b.CreateCall(report, {place, first_, lane, source});
    }

    /* One thread's way through a region, between the end of a block and the latch. */
    void build_thread(unsigned number, IRBuilder<> &b, const thread &of_loop)
    {
        region &of = regions_[number];
        Value *const state =
            has_states_ ? b.CreateInBoundsGEP(b.getInt8Ty(), states_, of_loop.number) : nullptr;
        if (of_loop.skips_ended && number > 0 && waits_[number - 1].is_pass() && of.is_mixed)
            b.CreateCondBr(
                b.CreateICmpEQ(b.CreateLoad(b.getInt8Ty(), state), b.getInt8((uint8_t)number)),
                of_loop.begin, of_loop.latch);
        else if (of_loop.skips_ended)
            b.CreateCondBr(b.CreateICmpEQ(b.CreateLoad(b.getInt8Ty(), state), b.getInt8(0)),
                           of_loop.latch, of_loop.begin);
        else
            b.CreateBr(of_loop.begin);
        b.SetInsertPoint(of_loop.begin);

        ValueToValueMapTy map;
        for (Argument &a : g_->args()) {
            const unsigned k = a.getArgNo();
            map[&a] = k == X ? of_loop.x : k == Y ? of_loop.y : k == Z ? of_loop.z : argument(k);
        }
        for (auto &s : slots_) {
            map[s.first] = s.second.current;
            copy(b, s.first, of_loop.of_warp ? s.second.of_warp : s.second.committed,
                 s.second.current);
        }
        for (auto &v : variables_)
            map[v.first] = v.second;
        for (AllocaInst *a : thread_slots_)
            map[a] = element(b, a, of_loop.number);

        std::map<const AllocaInst *, Value *> places;
        for (Instruction &i : g_->getEntryBlock())
            if (auto *a = dyn_cast<AllocaInst>(&i))
                places[a] = map[a];
        std::vector<BasicBlock *> copies;
        for (BasicBlock *original : of.blocks) {
            BasicBlock *const made = CloneBasicBlock(original, map, "", h_);
            map[original] = made;
            copies.push_back(made);
        }
        for (auto &p : places) {
            if (of.blocks.count(&g_->getEntryBlock()))
                cast<Instruction>(map[p.first])->eraseFromParent();
            map[p.first] = p.second;
        }
        b.CreateBr(cast<BasicBlock>(map[of.entry]));
        for (size_t k = 0; k < copies.size(); k++) {
            BasicBlock *const original = of.blocks[k], *const made = copies[k];
            for (PHINode &phi : made->phis())
                for (unsigned p = phi.getNumIncomingValues(); p-- > 0;)
                    if (!of.blocks.count(phi.getIncomingBlock(p)) ||
                        wait_at(phi.getIncomingBlock(p)))
                        phi.removeIncomingValue(p, false);
            if (wait_at(original) || isa<ReturnInst>(original->getTerminator())) {
                made->getTerminator()->eraseFromParent();
                leave_thread(number, made, wait_at(original), state, of_loop);
            }
        }
        for (BasicBlock *made : copies)
            for (Instruction &i : *made) {
                RemapInstruction(&i, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
                /* True in one thread, which is now one iteration of several. */
                for (unsigned kind :
                     {LLVMContext::MD_noalias, LLVMContext::MD_alias_scope,
                      LLVMContext::MD_access_group, LLVMContext::MD_mem_parallel_loop_access})
                    i.setMetadata(kind, nullptr);
                if (is_argument_load(&i, argument(GIVEN)))
                    i.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
            }
        if (of_loop.guards)
            for (const guard &g : *of_loop.guards)
                take_known(g, of_loop, map);
        for (BasicBlock *made : copies)
            for (Instruction &i : make_early_inc_range(*made))
                if (is_extension(&i, of_loop.x))
                    i.replaceAllUsesWith(of_loop.wide_x);
        hoist_dynamic_shared(copies);
    }
    /* It is the same for the whole launch. */
    void hoist_dynamic_shared(const std::vector<BasicBlock *> &blocks)
    {
        for (BasicBlock *b : blocks)
            for (Instruction &i : make_early_inc_range(*b))
                if (is_dynamic_shared(&i)) {
                    if (!dynamic_shared_) {
                        dynamic_shared_ = i.clone();
                        dynamic_shared_->insertBefore(h_->getEntryBlock().getTerminator());
                    }
                    i.replaceAllUsesWith(dynamic_shared_);
                    i.eraseFromParent();
                }
    }
    /* The thread's own element of the array. */
    Value *element(IRBuilder<> &b, AllocaInst *a, Value *t)
    {
        Type *const type = a->getAllocatedType();
        const uint64_t stride = stride_of(a);
        if (stride == layout_.getTypeAllocSize(type).getFixedSize())
            return b.CreateInBoundsGEP(type, b.CreateBitCast(arrays_[a], PointerType::get(type, 0)),
                                       t);
        Value *const at = b.CreateInBoundsGEP(b.getInt8Ty(), arrays_[a],
                                              b.CreateMul(t, b.getInt64(stride), "", true, true));
        return b.CreateBitCast(at, PointerType::get(type, 0));
    }

    /* The thread waits, or ends. */
    void leave_thread(unsigned number, BasicBlock *at, unsigned exit, Value *state,
                      const thread &of_loop)
    {
        const region &of = regions_[number];
        IRBuilder<> b(at);
        for (auto &s : slots_)
            if (exit > 0)
                copy(b, s.first, s.second.current,
                     of_loop.of_warp ? s.second.of_warp_next : s.second.next);
        AllocaInst *const seen = of_loop.of_warp ? of_warp_seen_ : seen_;
        if (of_loop.of_warp || of.ways_out().size() > 1 || !passes_.empty())
            b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt64Ty(), seen), b.getInt64(1ULL << exit)),
                          seen);
        /* Warps go on alone. In a pass of all threads, those that stay in the loop are noted. */
        const bool is_noted =
            exit > 0 && exit == number && waits_[exit - 1].is_pass() && of_loop.guards;
        if (has_states_ && !is_noted && (of.diverges || of.is_mixed || of_loop.of_warp))
            b.CreateStore(b.getInt8((uint8_t)exit), state);
        b.CreateBr(of_loop.latch);
    }
    void note_ended(IRBuilder<> &b, Value *seen)
    {
        Value *const now = b.CreateTrunc(seen, b.getInt1Ty());
        b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt1Ty(), ended_), now), ended_);
    }

    /* After the last thread: where all wait, the next region begins. */
    void go_on_after(IRBuilder<> &b, unsigned number)
    {
        const region &of = regions_[number];
        for (auto &s : slots_)
            copy(b, s.first, s.second.next, s.second.committed);
        if ((of.diverges || of.is_mixed) && of.ways_out().count(0) && has_states_)
            note_ended(b, b.CreateLoad(b.getInt64Ty(), seen_));
        /* As long as threads are in a loop, its next pass, of the first such loop, comes before what
         * is behind. */
        std::set<unsigned> exits;
        for (unsigned r = 0; r < regions_.size(); r++) /* from which threads come to this one */
            if (r == number || r == 0 || !waits_[r - 1].is_pass()) {
                const std::vector<unsigned> within = regions_within(r, false);
                const std::set<unsigned> ways_out = exits_of(within);
                if (is_contained(within, number))
                    exits.insert(ways_out.begin(), ways_out.end());
            }
        std::vector<unsigned> passes;
        copy_if(exits, std::back_inserter(passes),
                [&](unsigned exit) { return exit > 0 && waits_[exit - 1].is_pass(); });
        /* From one loop to another threads come in one order alone. */
        std::stable_sort(passes.begin(), passes.end(), [&](unsigned one, unsigned other) {
            return regions_within(one, false).size() > regions_within(other, false).size();
        });
        for (unsigned exit : passes) {
            BasicBlock *const not_there = block("left");
            Value *const is_there = b.CreateAnd(b.CreateLoad(b.getInt64Ty(), seen_), 1ULL << exit);
            b.CreateCondBr(b.CreateICmpNE(is_there, b.getInt64(0)), regions_[exit].loops,
                           not_there);
            b.SetInsertPoint(not_there);
            exits.erase(exit);
        }
        go_on(b, exits, of.diverges || of.is_mixed);
    }
    void go_on(IRBuilder<> &b, const std::set<unsigned> &exits, bool diverges)
    {
        for (unsigned exit : exits)
            if (exit > 0 && waits_[exit - 1].result)
                b.CreateStore(b.CreateLoad(b.getInt32Ty(), variables_[count_]),
                              variables_[waits_[exit - 1].result]);
        if (exits.empty()) { /* it never ends, or stops the launch */
            b.CreateUnreachable();
            return;
        }
        if (exits.size() == 1) {
            b.CreateBr(region_behind(*exits.begin()));
            return;
        }
        Value *const seen = b.CreateLoad(b.getInt64Ty(), seen_);
        BasicBlock *const other = block("diverged");
        SwitchInst *const to = b.CreateSwitch(b.CreateAnd(seen, ~1ULL), other);
        for (unsigned exit : exits)
            to->addCase(b.getInt64(exit ? 1ULL << exit : 0), region_behind(exit));
        b.SetInsertPoint(other);
        if (diverges && states_)
            report_divergence(b);
        else
            b.CreateIntrinsic(Intrinsic::trap, {}, {}); /* never: it does not diverge */
        b.CreateUnreachable();
    }
    BasicBlock *region_behind(unsigned exit) const
    {
        return exit ? regions_[exit].loops : end_;
    }

    /* Where each wait is, for reports. */
    GlobalVariable *places()
    {
        if (!places_) {
            Type *const text = Type::getInt8PtrTy(context_);
            StructType *const type =
                StructType::get(context_, {text, text, Type::getInt32Ty(context_)});
            std::vector<Constant *> all;
            for (const wait &w : waits_)
                all.push_back(
                    ConstantStruct::get(type, {ConstantExpr::getBitCast(w.name, text),
                                               ConstantExpr::getBitCast(w.file, text), w.line}));
            ArrayType *const array = ArrayType::get(type, all.size());
            places_ = new GlobalVariable(module_, array, true, GlobalValue::PrivateLinkage,
                                         ConstantArray::get(array, all), "portable_places");
        }
        return places_;
    }
    /* The threads wait at different barriers. */
    void report_divergence(IRBuilder<> &b)
    {
        FunctionCallee report = module_.getOrInsertFunction(
            "portable_emulate_split_diverged_", b.getVoidTy(), b.getInt8PtrTy(), b.getInt8PtrTy());
        b.CreateCall(report, {states_, b.CreateBitCast(places(), b.getInt8PtrTy())});
    }

    // ---- guards: `if (i < n)` has one value in most rows ----

    /* How often x is added in; -1 if it is used otherwise. */
    int times_x(Value *v) const
    {
        if (v == g_->getArg(X))
            return 1;
        if (v == g_->getArg(Y) || v == g_->getArg(Z))
            return 0;
        auto *const i = dyn_cast<Instruction>(v);
        if (!i)
            return 0;
        if (!is_cheap(v, true))
            return -1;
        int sum = 0;
        for (const Use &use : i->operands()) {
            const int of = times_x(use.get());
            if (of < 0 || (of > 0 && i->getOpcode() != Instruction::Add))
                return -1;
            sum += of;
        }
        return sum;
    }

    /* times_x, through sums and extensions: notes what must not wrap for that. */
    int times_x_in(Value *v, bool is_signed, std::vector<growth> &grows) const
    {
        auto *const i = dyn_cast<Instruction>(v);
        int times = times_x(v);
        if (times < 0 && (isa<SExtInst>(i) || isa<ZExtInst>(i))) {
            times = times_x_in(i->getOperand(0), isa<SExtInst>(i), grows);
        } else if (times < 0 && i->getOpcode() == Instruction::Add) {
            const int a = times_x_in(i->getOperand(0), is_signed, grows);
            const int b = times_x_in(i->getOperand(1), is_signed, grows);
            times = a < 0 || b < 0 ? -1 : a + b;
        }
        if (times == 1)
            grows.push_back({v, sum_with_x(v), is_signed});
        return times;
    }
    BinaryOperator *sum_with_x(Value *v) const
    {
        auto *const sum = dyn_cast<BinaryOperator>(v);
        return sum && sum->getOpcode() == Instruction::Add &&
                       (sum->getOperand(0) == g_->getArg(X) || sum->getOperand(1) == g_->getArg(X))
                   ? sum
                   : nullptr;
    }

    /* Whether it is one: adds it. */
    bool is_guard(const region &of, BranchInst *branch, std::vector<guard> &guards) const
    {
        auto *const compare =
            branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
        if (!compare || branch->getSuccessor(0) == branch->getSuccessor(1))
            return false;
        guard g = {
            branch->getParent(), compare, 0, compare->getPredicate() == ICmpInst::ICMP_NE, {}};
        if (!compare->isEquality())
            g.likely = weight(of, branch, 0) >= weight(of, branch, 1);
        int times[2];
        for (unsigned k = 0; k < 2; k++)
            times[k] = times_x_in(compare->getOperand(k), compare->isSigned(), g.grows);
        g.side = times[1] == 1;
        if (times[0] < 0 || times[1] < 0 || times[0] + times[1] != 1 ||
            !compare->getOperand(0)->getType()->isIntegerTy())
            return false;
        guards.push_back(g);
        return true;
    }

    std::vector<guard> find_guards(const region &of) const
    {
        std::vector<guard> guards;
        SetVector<BasicBlock *> reached; /* where all have their likely values */
        reached.insert(of.entry);
        for (size_t n = 0; n < reached.size(); n++) {
            BasicBlock *const b = reached[n];
            if (wait_at(b))
                continue;
            auto *const branch = dyn_cast<BranchInst>(b->getTerminator());
            if (branch && is_guard(of, branch, guards))
                reached.insert(branch->getSuccessor(guards.back().likely ? 0 : 1));
            else
                reached.insert(succ_begin(b), succ_end(b));
        }
        /* Indices of 32 bits that become addresses. */
        for (BasicBlock *b : reached)
            for (Instruction &i : *b) {
                if (!(isa<SExtInst>(i) || isa<ZExtInst>(i)) || !sum_with_x(i.getOperand(0)) ||
                    times_x(i.getOperand(0)) != 1)
                    continue;
                guard g = {nullptr, nullptr, 0, true, {}};
                times_x_in(i.getOperand(0), isa<SExtInst>(i), g.grows);
                guards.push_back(g);
            }
        return guards;
    }
    /* How many instructions are on one way of a branch and not on the other. */
    static size_t weight(const region &of, BranchInst *branch, unsigned way)
    {
        std::set<BasicBlock *> reached[2];
        for (unsigned k = 0; k < 2; k++) {
            std::vector<BasicBlock *> todo{branch->getSuccessor(k)};
            while (!todo.empty()) {
                BasicBlock *const b = todo.back();
                todo.pop_back();
                if (!of.blocks.count(b) || !reached[k].insert(b).second)
                    continue;
                for (BasicBlock *to : successors(b))
                    todo.push_back(to);
            }
        }
        size_t size = 0;
        for (BasicBlock *b : reached[way])
            if (!reached[1 - way].count(b))
                size += b->size();
        return size;
    }

    Value *at_x(IRBuilder<> &b, Value *v, Value *x, Value *y, Value *z)
    {
        if (auto *a = dyn_cast<Argument>(v))
            return a->getArgNo() == X   ? x
                   : a->getArgNo() == Y ? y
                   : a->getArgNo() == Z ? z
                                        : argument(a->getArgNo());
        auto *const i = dyn_cast<Instruction>(v);
        if (!i)
            return v;
        if (auto *variable = dyn_cast<AllocaInst>(i))
            return variables_[variable];
        Instruction *const copy = i->clone();
        copy->dropPoisonGeneratingFlags();
        for (unsigned k = 0; k < i->getNumOperands(); k++)
            copy->setOperand(k, at_x(b, i->getOperand(k), x, y, z));
        b.Insert(copy);
        return copy;
    }
    /* Whether its values do not wrap from x = 0 to the last: take_known says so of sums. */
    Value *grow(IRBuilder<> &b, const guard &g, Value *last, Value *y, Value *z)
    {
        Value *all = b.getTrue();
        for (const growth &of : g.grows) {
            Value *const first_index = at_x(b, of.index, b.getInt32(0), y, z);
            Value *const last_index = at_x(b, of.index, last, y, z);
            all = b.CreateAnd(all, of.is_signed ? b.CreateICmpSLE(first_index, last_index)
                                                : b.CreateICmpULE(first_index, last_index));
        }
        return all;
    }
    /* Of so many threads from x = first on, in which its values do not wrap, those for which it has
     * its likely value: from one number on, and below another. */
    std::pair<Value *, Value *> likely_range(IRBuilder<> &b, const guard &g, Value *first,
                                             Value *count, Value *y, Value *z)
    {
        Value *const index = at_x(b, g.compare->getOperand(g.side), first, y, z);
        Value *const bound = at_x(b, g.compare->getOperand(1 - g.side), first, y, z);
        Value *const zero = b.getInt32(0);
        Value *distance = b.CreateSub(bound, index);
        if (g.compare->isEquality()) { /* the longer part without the one that is equal */
            Value *const is_there =
                b.CreateICmpULT(distance, b.CreateZExtOrTrunc(count, distance->getType()));
            Value *const at = b.CreateZExtOrTrunc(distance, b.getInt32Ty());
            Value *const is_early = b.CreateICmpULT(at, b.CreateLShr(count, 1));
            Value *const behind = b.CreateAdd(at, b.getInt32(1));
            return {b.CreateSelect(b.CreateAnd(is_there, is_early), behind, zero),
                    b.CreateSelect(b.CreateAnd(is_there, b.CreateNot(is_early)), at, count)};
        }
        const ICmpInst::Predicate is =
            g.side == 0 ? g.compare->getPredicate() : g.compare->getSwappedPredicate();
        if (is == ICmpInst::ICMP_SLE || is == ICmpInst::ICMP_ULE || is == ICmpInst::ICMP_SGT ||
            is == ICmpInst::ICMP_UGT)
            distance = b.CreateAdd(distance, ConstantInt::get(distance->getType(), 1));
        /* If it changes, then after so many. */
        Value *const change = b.CreateZExtOrTrunc(distance, b.getInt32Ty());
        Value *const last = b.CreateSub(b.CreateAdd(first, count), b.getInt32(1));
        Value *const at_first =
            b.CreateICmpEQ(at_x(b, g.compare, first, y, z), b.getInt1(g.likely));
        Value *const at_last = b.CreateICmpEQ(at_x(b, g.compare, last, y, z), b.getInt1(g.likely));
        return {b.CreateSelect(at_first, zero, b.CreateSelect(at_last, change, count)),
                b.CreateSelect(at_first, b.CreateSelect(at_last, count, change), count)};
    }
    static bool is_extension(const Instruction *i, const Value *of)
    {
        return (isa<SExtInst>(i) || isa<ZExtInst>(i)) && i->getOperand(0) == of &&
               i->getType()->isIntegerTy(64);
    }
    void take_known(const guard &g, const thread &of_loop, ValueToValueMapTy &map)
    {
        if (g.compare) {
            auto *const at = cast<BasicBlock>(map[g.block]);
            auto *const branch = cast<BranchInst>(at->getTerminator());
            const unsigned way = g.likely == of_loop.likely ? 0 : 1;
            BasicBlock *const to = branch->getSuccessor(way);
            branch->getSuccessor(1 - way)->removePredecessor(at, true);
            branch->eraseFromParent();
            BranchInst::Create(to, at);
        }
        /* A sum that does not wrap is extended by its parts. */
        for (const growth &of : g.grows) {
            auto *const sum =
                of.sum ? dyn_cast_or_null<BinaryOperator>(map.lookup(of.sum)) : nullptr;
            if (!sum)
                continue;
            Value *const other = sum->getOperand(sum->getOperand(0) == of_loop.x);
            for (User *user : make_early_inc_range(sum->users())) {
                auto *const extension = cast<Instruction>(user);
                if (!is_extension(extension, sum) || isa<SExtInst>(extension) != of.is_signed)
                    continue;
                IRBuilder<> b(extension);
                Value *const wide = of.is_signed ? b.CreateSExt(other, extension->getType())
                                                 : b.CreateZExt(other, extension->getType());
                extension->replaceAllUsesWith(
                    b.CreateAdd(wide, of_loop.wide_x, "", !of.is_signed, true));
                extension->eraseFromParent();
            }
        }
    }

    Module &module_;
    LLVMContext &context_;
    const DataLayout &layout_;
    functions &functions_;
    Function *g_ = nullptr; /* one thread */
    Function *h_ = nullptr; /* the loops */
    std::vector<wait> waits_;
    std::vector<region> regions_;       /* at the entry, and behind each wait */
    std::set<Value *> divergent_;       /* not the same in all threads of the block, */
    std::set<Value *> divergent_lanes_; /* or in all of a warp */
    bool has_warps_ = false;            /* operations of warps */
    std::set<AllocaInst *> passes_;     /* of all loops whose iterations threads make together */
    std::set<Instruction *> stops_;
    SetVector<AllocaInst *> uniform_slots_, thread_slots_;
    AllocaInst *count_ = nullptr; /* of threads that gave a barrier a predicate of 1 */
    AllocaInst *votes_ = nullptr; /* those of the running warp */
    AllocaInst *lane_ = nullptr;  /* the running thread's, where it votes */
    std::map<AllocaInst *, uint64_t> offsets_;
    uint64_t states_offset_ = 0;
    size_t arena_bytes_ = 0;
    bool has_states_ = false; /* where each thread waits is noted, or that it has ended */
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
    GlobalVariable *places_ = nullptr;
    BasicBlock *end_ = nullptr;
    std::string refusal_, refusal_place_;
};

// ---- the module ----

/* FILE:LINE of the kernel's definition: of the lambda that is its body. */
std::string place_of_kernel(const Function *one)
{
    for (const Instruction &i : instructions(*one))
        for (const DILocation *l = i.getDebugLoc(); l; l = l->getInlinedAt())
            if (l->getScope()->getSubprogram()->getName() == "operator()" &&
                !l->getFilename().contains("/cudart/include/"))
                return (l->getFilename() + ":" + Twine(l->getScope()->getSubprogram()->getLine()))
                    .str();
    return "";
}

struct split_pass : PassInfoMixin<split_pass> {
    static bool isRequired()
    {
        return true;
    }

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        Function *const asks = module.getFunction("portable_emulate_splits_");
        Function *const runs = module.getFunction("portable_emulate_split_");
        if (!asks || !runs)
            return PreservedAnalyses::all();
        functions all(module);
        std::map<Function *, std::pair<Function *, size_t>> loops;
        for (CallInst *call : calls_of(asks)) {
            auto *const one = cast<Function>(call->getArgOperand(0)->stripPointerCasts());
            if (!loops.count(one))
                loops[one] = split(module, one, all);
            const auto &found = loops[one];
            call->replaceAllUsesWith(
                ConstantInt::get(call->getType(), found.first ? found.second + 1 : 0));
            call->eraseFromParent();
        }
        for (CallInst *call : calls_of(runs)) {
            auto *const one = cast<Function>(call->getArgOperand(0)->stripPointerCasts());
            if (Function *to = loops[one].first) {
                IRBuilder<> b(call);
                std::vector<Value *> arguments;
                for (unsigned k = 1; k < call->arg_size(); k++)
                    arguments.push_back(call->getArgOperand(k));
                arguments[0] = b.CreateBitCast(arguments[0], to->getArg(0)->getType());
                call->replaceAllUsesWith(b.CreateCall(to, arguments));
            }
            if (!call->use_empty())
                call->replaceAllUsesWith(ConstantInt::get(call->getType(), 0));
            call->eraseFromParent();
        }
        for (auto &l : loops)
            if (!l.second.first)
                for (CallInst *call : calls_of(l.first)) {
                    InlineFunctionInfo info;
                    InlineFunction(*call, info);
                }
        return PreservedAnalyses::none();
    }

  private:
    static std::vector<CallInst *> calls_of(Function *f)
    {
        std::vector<CallInst *> calls;
        for (User *user : f->users())
            if (auto *call = dyn_cast<CallInst>(user))
                if (call->getCalledFunction() == f)
                    calls.push_back(call);
        return calls;
    }

    static std::pair<Function *, size_t> split(Module &module, Function *one, functions &all)
    {
        const char *const reports = std::getenv("PORTABLE_REPORT");
        const std::string place = place_of_kernel(one);
        kernel k(module, one, all);
        Function *const made = k.split(one->getName() + ".split");
        if (reports && std::string(reports) == "1") {
            errs() << (place.empty() ? "" : place + ": ") << "kernel " << kernel_name(one) << ": ";
            if (made)
                errs() << k.loops() << (k.loops() == 1 ? " loop" : " loops");
            else
                errs() << "no loops: " << k.refusal()
                       << (k.refusal_place().empty() ? "" : ", " + k.refusal_place());
            errs() << "\n";
        }
        if (made && verifyFunction(*made, &errs()))
            report_fatal_error("portable-nvcc: the loops of a kernel are not valid");
        return {made, k.arena_bytes()};
    }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {
        LLVM_PLUGIN_API_VERSION, "portable-split", LLVM_VERSION_STRING, [](PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(split_pass()); });
        }};
}
