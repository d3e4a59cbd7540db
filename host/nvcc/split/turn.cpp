/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/split/thread.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace portable_split
{
static bool has_wait(const BasicBlock *b)
{
    return any_of(*b, [](const Instruction &i) { return is_wait(called_name(&i)); });
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

/* A loop whose threads access neighbouring elements, and far ones in the next iteration, has its
 * iterations made by all threads together: the loop over threads is inside of it. Race-free
 * threads cannot tell. */
void thread_code::turn_loops()
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

bool thread_code::has_warp_operations() const
{
    return any_of(instructions(*g_),
                  [](const Instruction &i) { return is_warp_operation(called_name(&i)); });
}

/* Whether what it does in memory is the same in the other order, and its threads come to it only
 * once between two barriers. */
bool thread_code::may_turn(Loop *loop, ScalarEvolution &evolution) const
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
    SmallVector<BasicBlock *, 8> exits;
    loop->getUniqueExitBlocks(exits);
    return !reached_from({exits.begin(), exits.end()}).count(loop->getHeader());
}

/* Whether all threads make about as many iterations: each pass is over all of them. */
bool thread_code::ends_together(Loop *loop) const
{
    SmallVector<BasicBlock *, 4> ends;
    loop->getExitingBlocks(ends);
    for (BasicBlock *b : ends) {
        auto *const branch = dyn_cast<BranchInst>(b->getTerminator());
        auto *const compare = branch && branch->isConditional()
                                  ? dyn_cast<ICmpInst>(branch->getCondition())
                                  : nullptr;
        if (!compare || !(is_uniform(compare->getOperand(0)) || is_uniform(compare->getOperand(1))))
            return false;
        for (const Use &use : compare->operands())
            if (!is_uniform(use.get()) && !subscript_of(use.get(), loop).is_known)
                return false;
    }
    return true;
}

/* Whether it is computed from parameters that are the same in all threads. */
bool thread_code::is_uniform(const Value *v) const
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

bool thread_code::is_turnable(Instruction *i) const
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
    return call ? call->getCalledFunction() && call->doesNotAccessMemory() && !stops_.count(call)
                : !i->mayReadOrWriteMemory();
}

/* Whether nobody can tell that threads do in another order what they do in the loop, and behind
 * it, as they leave it at different times: other threads see that in atomics and messages. */
bool thread_code::keeps_order(const Loop *loop) const
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
    return !seen_order(&phase);
}

/* Operations of which some, all of one kind, give the same in each order. */
enum commuting { NONE, SUM, AND, OR, XOR, SIGNED_MAX, SIGNED_MIN, UNSIGNED_MAX, UNSIGNED_MIN };
/* What the atomic does to an integer that begins with asking for the order, at device scope, if
 * nobody sees what it loads. Its load and store are in the next block: begin_atomic in order.h. */
static commuting operation_behind(const CallInst *order)
{
    using namespace PatternMatch;
    const Value *const at = order->getArgOperand(0)->stripPointerCasts();
    const BasicBlock *const b = order->getParent()->getSingleSuccessor();
    if (!b)
        return NONE;
    auto is_access = [at](const Instruction &i) {
        const Value *const to = getLoadStorePointerOperand(&i);
        return to && to->stripPointerCasts() == at;
    };
    const auto first = find_if(*b, is_access);
    const auto second =
        first == b->end() ? first : std::find_if(std::next(first), b->end(), is_access);
    if (second == b->end() || !isa<LoadInst>(*first) || !isa<StoreInst>(*second))
        return NONE;
    auto *const made = dyn_cast<Instruction>(cast<StoreInst>(*second).getValueOperand());
    if (!made || !made->getType()->isIntegerTy() || !made->hasOneUse())
        return NONE;
    /* A minimum is a selection by a comparison; nothing else may use what is loaded. */
    if (!all_of(first->users(), [made](const User *user) {
            return user == made ||
                   (isa<CmpInst>(user) && user->hasOneUse() && *user->user_begin() == made);
        }))
        return NONE;
    const auto old = m_Specific(&*first);
    const Value *by = nullptr;
    const commuting operation = match(made, m_c_Add(old, m_Value(by)))    ? SUM
                                : match(made, m_Sub(old, m_Value(by)))    ? SUM
                                : match(made, m_c_And(old, m_Value(by)))  ? AND
                                : match(made, m_c_Or(old, m_Value(by)))   ? OR
                                : match(made, m_c_Xor(old, m_Value(by)))  ? XOR
                                : match(made, m_c_SMax(old, m_Value(by))) ? SIGNED_MAX
                                : match(made, m_c_SMin(old, m_Value(by))) ? SIGNED_MIN
                                : match(made, m_c_UMax(old, m_Value(by))) ? UNSIGNED_MAX
                                : match(made, m_c_UMin(old, m_Value(by))) ? UNSIGNED_MIN
                                                                          : NONE;
    return by == &*first ? NONE : operation;
}

const Instruction *thread_code::seen_order(const std::set<BasicBlock *> *blocks) const
{
    commuting does = NONE;
    for (BasicBlock &b : *g_)
        for (const Instruction &i : b) {
            auto *const call = dyn_cast<CallBase>(&i);
            if (!call || (blocks && !blocks->count(&b)) || !functions_.of_call(call).orders)
                continue;
            auto *const order = is_order(call) ? dyn_cast<CallInst>(call) : nullptr;
            const commuting one = order ? operation_behind(order) : NONE;
            if (one == NONE || (does != NONE && does != one))
                return call;
            does = one;
        }
    return nullptr;
}

std::optional<induction> thread_code::induction_of(const Loop *loop, const PHINode *phi) const
{
    Value *const first = phi->getIncomingValueForBlock(loop->getLoopPreheader());
    auto *const next =
        dyn_cast<BinaryOperator>(phi->getIncomingValueForBlock(loop->getLoopLatch()));
    if (!next || next->getOpcode() != Instruction::Add || !phi->getType()->isIntegerTy())
        return std::nullopt;
    const unsigned other = next->getOperand(0) == phi;
    Value *const step = next->getOperand(other);
    if (next->getOperand(1 - other) != phi || !is_cheap(first) || !is_cheap(step) ||
        times_x(step) != 0 || !loop->isLoopInvariant(step))
        return std::nullopt;
    return induction{first, step};
}

/* Whether neighbouring threads access neighbouring elements, but neighbouring iterations do not. */
bool thread_code::gains(const Loop *loop) const
{
    for (BasicBlock *b : loop->blocks())
        for (Instruction &i : *b) {
            subscript sum = {true, 0, false}; /* later versions of LLVM add an index at a time */
            auto *element = dyn_cast_or_null<GetElementPtrInst>(getLoadStorePointerOperand(&i));
            for (; element && element->hasIndices();
                 element = dyn_cast<GetElementPtrInst>(element->getPointerOperand()))
                sum = sum + subscript_of(element->getOperand(element->getNumOperands() - 1), loop);
            if (sum.is_known && sum.of_x == 1 && sum.is_far)
                return true;
        }
    return false;
}

subscript thread_code::subscript_of(Value *v, const Loop *loop) const
{
    const subscript unknown = {false, 0, false};
    auto *const i = dyn_cast<Instruction>(v);
    if (auto *phi = dyn_cast<PHINode>(v)) {
        const std::optional<induction> variable =
            phi->getParent() == loop->getHeader() ? induction_of(loop, phi) : std::nullopt;
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
    if (isa<SExtInst>(i) || isa<ZExtInst>(i) || isa<TruncInst>(i))
        return subscript_of(i->getOperand(0), loop);
    if (i->getOpcode() != Instruction::Add && i->getOpcode() != Instruction::Mul &&
        i->getOpcode() != Instruction::Shl)
        return unknown;
    const subscript a = subscript_of(i->getOperand(0), loop),
                    b = subscript_of(i->getOperand(1), loop);
    if (i->getOpcode() == Instruction::Add)
        return a + b;
    /* Of the number of a row, for example. */
    return {a.is_known && b.is_known && a.of_x == 0 && b.of_x == 0, 0, loop->contains(i)};
}

/* Marks the end of its iterations, and has what counts them computed from their number. */
void thread_code::turn(Loop *loop)
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
                                    byte_pointer(context_), byte_pointer(context_), e.getInt32Ty());
    Constant *const none = ConstantPointerNull::get(byte_pointer(context_));
    e.CreateCall(mark, {passes, none, none, e.getInt32(0)});
}

} // namespace portable_split
