/* SPDX-License-Identifier: BSD-3-Clause */
/* What the compiler has made of a kernel, in forms that can be analysed. */
#include "host/nvcc/split/thread.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace portable_split
{
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

bool is_in_shared(const Value *address)
{
    const Value *const object = getUnderlyingObject(address, 0);
    auto *const variable = dyn_cast<GlobalVariable>(object);
    auto *const call = dyn_cast<CallInst>(object);
    return (variable && variable->getSection().contains(".portable_local_shared")) ||
           (call && is_dynamic_shared(call));
}

/* An atomic on shared memory that the compiler knows as such needs no order among blocks. */
void thread_code::drop_orders()
{
    for (Instruction &i : instructions(*g_)) {
        auto *const call = dyn_cast<CallInst>(&i);
        if (!is_order(call) || !is_in_shared(call->getArgOperand(0)))
            continue;
        /* It is called if two tests of the runtime's variables fail: it never is. */
        BasicBlock *to = call->getParent();
        for (const char *name : {"portable_emulate_own_bytes_", "portable_emulate_unordered_"}) {
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

/* What is known of the lower 32 bits of what is made of halves: they are zero, or no carry from
 * them reaches the upper ones. */
enum lower_half { IS_ZERO, IS_APART, IS_UNKNOWN };
static lower_half lower_half_of(const Value *v)
{
    using namespace PatternMatch;
    const Value *a, *b;
    const APInt *constant;
    if (match(v, m_Shl(m_Value(), m_SpecificInt(32))) ||
        (match(v, m_APInt(constant)) && constant->countTrailingZeros() >= 32))
        return IS_ZERO;
    if (match(v, m_ZExt(m_Value(a))) && a->getType()->isIntegerTy(32))
        return IS_APART;
    const bool is_sum = match(v, m_Add(m_Value(a), m_Value(b)));
    if (!is_sum && !match(v, m_Or(m_Value(a), m_Value(b))))
        return IS_UNKNOWN;
    const lower_half of_a = lower_half_of(a), of_b = lower_half_of(b);
    return is_sum && of_a != IS_ZERO && of_b != IS_ZERO ? IS_UNKNOWN : std::max(of_a, of_b);
}

static Value *upper_half(IRBuilder<> &b, Value *v)
{
    using namespace PatternMatch;
    Value *whole = nullptr, *x, *y;
    const APInt *constant;
    Type *const i32 = b.getInt32Ty();
    if (match(v, m_APInt(constant)))
        return b.getInt32((uint32_t)constant->lshr(32).getZExtValue());
    if (match(v, m_ZExt(m_Value())))
        return b.getInt32(0);
    const bool is_sum = match(v, m_Add(m_Value(x), m_Value(y)));
    if (is_sum || match(v, m_Or(m_Value(x), m_Value(y)))) {
        Value *const first = upper_half(b, x), *const second = upper_half(b, y);
        if (match(first, m_Zero()))
            return second;
        return is_sum ? b.CreateAdd(first, second) : b.CreateOr(first, second);
    }
    match(v, m_Shl(m_Value(whole), m_SpecificInt(32)));
    if (match(whole, m_ZExtOrSExt(m_Value(x))) && x->getType() == i32)
        return x;
    return b.CreateTrunc(whole, i32);
}

/* Sums of 32 bits that are extended have become sums of 64 bits that are shifted left, or lie
 * beside another index in one word, and are shifted right again: in these nobody sees how an index
 * grows from thread to thread. */
void thread_code::write_extensions()
{
    using namespace PatternMatch;
    for (Instruction &i : make_early_inc_range(instructions(*g_))) {
        Value *shifted;
        if (!i.getType()->isIntegerTy(64) ||
            !match(&i, m_AShr(m_Value(shifted), m_SpecificInt(32))))
            continue;
        IRBuilder<> b(&i);
        if (lower_half_of(shifted) == IS_UNKNOWN)
            continue;
        i.replaceAllUsesWith(b.CreateSExt(upper_half(b, shifted), i.getType()));
        RecursivelyDeleteTriviallyDeadInstructions(&i);
    }
}

/* The sum or difference without x, which is added in once; or NULL. */
static Value *without_x(IRBuilder<> &b, Value *v, const Value *x)
{
    using namespace PatternMatch;
    Value *first, *second;
    if (v == x)
        return ConstantInt::get(v->getType(), 0);
    if (match(v, m_Add(m_Value(first), m_Value(second)))) {
        Value *const rest = without_x(b, first, x);
        if (rest)
            return b.CreateAdd(second, rest);
        Value *const other = without_x(b, second, x);
        return other ? b.CreateAdd(first, other) : nullptr;
    }
    if (!match(v, m_Sub(m_Value(first), m_Value(second))))
        return nullptr;
    Value *const rest = without_x(b, first, x);
    return rest ? b.CreateSub(rest, second) : nullptr;
}

/* An index that becomes an address is written as something and x: then one comparison for a row
 * says that it does not wrap. */
void thread_code::write_sums()
{
    Argument *const x = g_->getArg(X);
    for (Instruction &i : instructions(*g_)) {
        auto *const sum = isa<SExtInst>(i) || isa<ZExtInst>(i)
                              ? dyn_cast<BinaryOperator>(i.getOperand(0))
                              : nullptr;
        if (!sum || sum->getType() != x->getType() || is_contained(sum->operands(), x) ||
            !is_cheap(sum))
            continue;
        IRBuilder<> b(&i);
        if (Value *const rest = without_x(b, sum, x))
            i.setOperand(0, b.CreateAdd(rest, x));
    }
}

/* `x < w && y < h`, and what the compiler has made of it, is one branch: makes two, as either of
 * the conditions may be the same for many threads. Returns the block of the second, or NULL if the
 * branch stays as it is. */
BasicBlock *thread_code::write_condition(BranchInst *branch)
{
    using namespace PatternMatch;
    Value *const condition = branch->getCondition(), *first, *second;
    ICmpInst::Predicate is = ICmpInst::ICMP_EQ;
    BasicBlock *const at = branch->getParent(), *const yes = branch->getSuccessor(0),
                      *const no = branch->getSuccessor(1);
    const bool is_and = match(condition, m_LogicalAnd(m_Value(first), m_Value(second)));
    const bool is_or = !is_and && match(condition, m_LogicalOr(m_Value(first), m_Value(second)));
    const bool is_bits =
        !is_and && !is_or &&
        match(condition, m_ICmp(is, m_Or(m_Value(first), m_Value(second)), m_Zero())) &&
        ICmpInst::isEquality(is);
    if (!(is_and || is_or || is_bits) || yes == no || is_uniform(condition) || !is_cheap(first) ||
        !is_cheap(second))
        return nullptr;
    if (is_bits) {
        IRBuilder<> b(branch);
        first = b.CreateICmp(is, first, ConstantInt::get(first->getType(), 0));
        second = b.CreateICmp(is, second, ConstantInt::get(second->getType(), 0));
    }
    /* That of the row comes first; not if it is defined by the other one alone. */
    if (times_x(first) != 0 && times_x(second) == 0 && !isa<SelectInst>(condition))
        std::swap(first, second);
    const bool both = is_and || (is_bits && is == ICmpInst::ICMP_EQ);
    BasicBlock *const behind = BasicBlock::Create(context_, "", g_, at->getNextNode());
    BranchInst::Create(yes, no, second, behind)->setDebugLoc(branch->getDebugLoc());
    for (PHINode &phi : (both ? no : yes)->phis())
        phi.addIncoming(phi.getIncomingValueForBlock(at), behind);
    for (PHINode &phi : (both ? yes : no)->phis())
        phi.replaceIncomingBlockWith(at, behind);
    branch->setCondition(first);
    branch->setSuccessor(both ? 0 : 1, behind);
    RecursivelyDeleteTriviallyDeadInstructions(condition);
    return behind;
}

void thread_code::write_conditions()
{
    std::vector<BasicBlock *> todo;
    for (BasicBlock &b : *g_)
        todo.push_back(&b);
    while (!todo.empty()) {
        BasicBlock *const b = todo.back();
        auto *const branch = dyn_cast<BranchInst>(b->getTerminator());
        BasicBlock *const behind =
            branch && branch->isConditional() ? write_condition(branch) : nullptr;
        if (behind)
            todo.push_back(behind); /* both conditions may be of two again */
        else
            todo.pop_back();
    }
}

/* The address that both ways of a branch compute is computed before it, so that LLVM sees that
 * their stores are to one place. */
void thread_code::write_addresses()
{
    for (BasicBlock *at : post_order(g_)) { /* that of an inner branch before the outer one's */
        auto *const branch = dyn_cast<BranchInst>(at->getTerminator());
        if (!branch || !branch->isConditional())
            continue;
        BasicBlock *const yes = branch->getSuccessor(0), *const no = branch->getSuccessor(1);
        if (yes == no || !yes->getSinglePredecessor() || !no->getSinglePredecessor())
            continue;
        for (Instruction &one : make_early_inc_range(*yes)) {
            if (!isa<GetElementPtrInst>(one) || any_of(one.operands(), [yes](const Use &use) {
                    auto *const from = dyn_cast<Instruction>(use.get());
                    return from && from->getParent() == yes;
                }))
                continue;
            const auto other =
                find_if(*no, [&one](const Instruction &i) { return i.isIdenticalTo(&one); });
            if (other == no->end())
                continue;
            one.moveBefore(branch);
            other->replaceAllUsesWith(&one);
            other->eraseFromParent();
        }
    }
}
} // namespace portable_split
