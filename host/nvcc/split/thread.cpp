/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/split/thread.h"
#include "host/emulate/thread_loop.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace portable_split
{
thread_code::thread_code(Module &module, Function *one, functions &all)
    : module_(module), context_(module.getContext()), layout_(module.getDataLayout()),
      functions_(all)
{
    ValueToValueMapTy map;
    g_ = CloneFunction(one, map);
    g_->setLinkage(GlobalValue::InternalLinkage);
    g_->setComdat(nullptr);
}

thread_code::~thread_code()
{
    g_->eraseFromParent();
}

bool thread_code::refuse(const Twine &why, const Instruction *at, const std::string &place)
{
    refusal_ = why.str();
    refusal_place_ = place.empty() ? place_of(at) : place;
    return false;
}

Instruction *thread_code::first() const
{
    return &*g_->getEntryBlock().getFirstInsertionPt();
}

AllocaInst *thread_code::variable(Type *type, const Twine &name)
{
    return new AllocaInst(type, 0, name, first());
}

// ---- the indices as parameters ----

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

/* Inlines all functions that wait or stop, and those that only this calls. */
void thread_code::inline_calls()
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

/* Device functions that were inlined read the indices from variables. */
void thread_code::use_parameters()
{
    static const struct {
        const char *name;
        unsigned first;
    } variables[] = {
        {"threadIdx", X}, {"blockIdx", BLOCK}, {"blockDim", OF_BLOCK}, {"gridDim", OF_GRID}};
    for (Instruction &i : make_early_inc_range(instructions(*g_)))
        if (is_thread_local_address(&i)) { /* a block stays on its OS thread */
            i.replaceAllUsesWith(cast<CallInst>(i).getArgOperand(0));
            i.eraseFromParent();
        }
    std::vector<LoadInst *> done;
    for (Instruction &i : instructions(*g_)) {
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
                done.push_back(load);
                break;
            }
    }
    for (LoadInst *load : done) /* with what computes its address */
        RecursivelyDeleteTriviallyDeadInstructions(load);
}

/* Stores the parameters to threadIdx before an instruction that may read it. */
void thread_code::store_index_before(Instruction *at)
{
    GlobalVariable *const index = module_.getGlobalVariable("threadIdx");
    if (!index)
        return;
    IRBuilder<> b(at);
    Value *const bytes = b.CreateBitCast(index, byte_pointer(context_));
    for (unsigned k = 0; k < 3; k++) {
        Value *const to = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), bytes, 4 * k);
        b.CreateAlignedStore(g_->getArg(X + k),
                             b.CreateBitCast(to, PointerType::get(b.getInt32Ty(), 0)), Align(4));
    }
}

// ---- loops that may wait ----

/* At most; 0 if that is not known. */
uint64_t iterations_of(const Loop *loop, ScalarEvolution &evolution)
{
    auto *const most = dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(loop));
    return most ? most->getAPInt().getLimitedValue(MAX_ITERATIONS) + 1 : 0;
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

/* A loop may wait if its end depends on memory, and one iteration reads the same memory as the
 * one before, or if one is as the one before; but not if its iterations are bounded and the
 * memory is not volatile. Returns an instruction that decides, or NULL. */
static const Instruction *may_wait_in(const Loop *loop, bool ends, const DominatorTree &dominators)
{
    SmallVector<BasicBlock *, 8> exiting, latches;
    loop->getExitingBlocks(exiting);
    loop->getLoopLatches(latches);
    std::set<const Value *> seen;
    std::vector<const Value *> todo;
    bool changes = false;
    auto add_end_of = [&](const BasicBlock *b) {
        for (const Use &use : b->getTerminator()->operands())
            if (!isa<BasicBlock>(use.get()))
                todo.push_back(use.get());
    };
    auto add_all_ends = [&] {
        for (const BasicBlock *b : loop->blocks())
            add_end_of(b);
    };
    for (const BasicBlock *b : exiting) {
        add_end_of(b);
        if (!all_of(latches,
                    [&](const BasicBlock *latch) { return dominators.dominates(b, latch); }))
            add_all_ends(); /* one decides whether an iteration comes to this end */
    }
    while (!todo.empty()) {
        auto *const i = dyn_cast<Instruction>(todo.back());
        todo.pop_back();
        if (!i || !loop->contains(i) || !seen.insert(i).second)
            continue;
        auto *const load = dyn_cast<LoadInst>(i);
        auto *const call = dyn_cast<CallBase>(i);
        if (load && (load->isVolatile() || (!ends && !changes_in(loop, load->getPointerOperand()))))
            return i;
        if (call && !ends && call->mayReadOrWriteMemory())
            return i;
        for (const Use &use : i->operands())
            todo.push_back(use.get());
        if (auto *phi = dyn_cast<PHINode>(i)) {
            changes |= phi->getParent() == loop->getHeader();
            if (count_if(phi->blocks(), [&](const BasicBlock *b) { return loop->contains(b); }) > 1)
                add_all_ends(); /* one decides between its values */
        }
    }
    return changes || ends ? nullptr : loop->getHeader()->getTerminator();
}

static void drop_poll(CallBrInst *poll)
{
    BasicBlock *const to = poll->getDefaultDest(), *const from = poll->getParent();
    for (unsigned k = 0; k < poll->getNumIndirectDests(); k++)
        if (poll->getIndirectDest(k) != to)
            poll->getIndirectDest(k)->removePredecessor(from);
    poll->eraseFromParent();
    BranchInst::Create(to, from);
}

/* With the comparison that leads to it: an atomic changes nothing. */
static void drop_spin(CallInst *spin)
{
    BasicBlock *const b = spin->getParent();
    BasicBlock *const from = b->getSinglePredecessor();
    spin->eraseFromParent();
    if (from && b->getFirstNonPHIOrDbg() == b->getTerminator() && b->getSingleSuccessor() &&
        TryToSimplifyUncondBranchFromEmptyBlock(b))
        ConstantFoldTerminator(from, true);
}

/* Loops count down the patience of the thread, and so do atomics that change nothing, as they may
 * wait for another one, which a split kernel cannot: takes that out of loops that certainly do
 * not. */
bool thread_code::drop_polls()
{
    std::vector<CallBrInst *> polls;
    std::vector<CallInst *> spins;
    for (Instruction &i : instructions(*g_)) {
        auto *const jump = dyn_cast<CallBrInst>(&i);
        auto *const call = dyn_cast<CallInst>(&i); /* check_calls refuses others */
        if (jump && is_poll(jump))
            polls.push_back(jump);
        else if (call && called_name(call) == "portable_emulate_spin_")
            spins.push_back(call);
    }
    std::vector<CallBase *> waiting(polls.begin(), polls.end());
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
    /* How often a thread comes to them, at most. */
    uint64_t iterations = 0, changeless = 0;
    for (const CallBase *call : waiting) {
        uint64_t all = 1;
        for (const Loop *l = loops.getLoopFor(call->getParent()); l; l = l->getParentLoop()) {
            const uint64_t times = iterations_of(l, evolution);
            if (const Instruction *at = may_wait_in(l, times > 0, dominators))
                return refuse("a loop that may wait for another thread", at);
            all = times == 0 ? MAX_ITERATIONS : std::min(MAX_ITERATIONS, all * times);
        }
        (is_poll(call) ? iterations : changeless) += all;
    }
    for (CallBrInst *poll : polls)
        drop_poll(poll);
    for (CallInst *spin : spins)
        drop_spin(spin);
    EliminateUnreachableBlocks(*g_);
    /* After so many a thread on its own stack lets others go on first. */
    const bool is_changeless = changeless >= PORTABLE_SPINS_;
    const Instruction *const seen =
        is_changeless || iterations >= PORTABLE_FIRST_PATIENCE_ ? seen_order() : nullptr;
    return !seen ||
           refuse(is_changeless ? "an atomic that may change nothing, in a long loop, and one by "
                                  "which the order of threads is seen"
                                : "an atomic or a message, and a long loop that may wait for "
                                  "another thread: then others go on first",
                  seen);
}

// ---- what cannot be split ----

bool thread_code::check_calls()
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
            if ((does.waits || does.polls) && (!to || !to->isDeclaration()))
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

// ---- what is computed from the parameters ----

/* given: the arguments' address, in g_ or in h_. */
bool thread_code::is_argument_load(const Instruction *i, const Value *given) const
{
    auto *const load = dyn_cast<LoadInst>(i);
    if (!load || load->isVolatile())
        return false;
    APInt offset(64, 0);
    return load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true) ==
           given;
}

bool thread_code::is_load_of_passes(const Instruction *i) const
{
    auto *const load = dyn_cast<LoadInst>(i);
    auto *const from = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
    return from && passes_.count(const_cast<AllocaInst *>(from));
}

/* Whether it is computed from the parameters in a few steps, or from the number of a pass. */
bool thread_code::is_cheap(const Value *v, bool in_pass, int depth) const
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

/* How often x is added in; -1 if it is used otherwise. */
int thread_code::times_x(Value *v) const
{
    if (v == g_->getArg(X))
        return 1;
    if (v == g_->getArg(Y) || v == g_->getArg(Z))
        return 0;
    auto *const i = dyn_cast<Instruction>(v);
    if (!i || is_load_of_passes(i))
        return 0;
    if (isa<AllocaInst>(i) || !is_cheap(v, true)) /* each thread has its own variables */
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

} // namespace portable_split
