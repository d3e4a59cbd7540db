/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/split/loops.h"

namespace portable_split
{
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

/* times_x, through sums and extensions: notes what must not wrap for that. */
int block_loops::times_x_in(Value *v, bool is_signed, std::vector<growth> &grows) const
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

BinaryOperator *block_loops::sum_with_x(Value *v) const
{
    auto *const sum = dyn_cast<BinaryOperator>(v);
    return sum && sum->getOpcode() == Instruction::Add &&
                   (sum->getOperand(0) == g_->getArg(X) || sum->getOperand(1) == g_->getArg(X))
               ? sum
               : nullptr;
}

/* Whether it is one: adds it. */
bool block_loops::is_guard(const region &of, BranchInst *branch, std::vector<guard> &guards) const
{
    auto *const compare =
        branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!compare || branch->getSuccessor(0) == branch->getSuccessor(1))
        return false;
    guard g;
    g.block = branch->getParent();
    g.compare = compare;
    g.likely = compare->getPredicate() == ICmpInst::ICMP_NE;
    if (!compare->isEquality())
        g.likely = weight(of, branch, 0) >= weight(of, branch, 1);
    int times[2];
    for (unsigned k = 0; k < 2; k++)
        times[k] = times_x_in(compare->getOperand(k), compare->isSigned(), g.grows);
    g.side = times[1] == 1;
    g.is_of_row = times[0] == 0 && times[1] == 0 && depends_on_row(compare);
    if (times[0] < 0 || times[1] < 0 || (!g.is_of_row && times[0] + times[1] != 1) ||
        !compare->getOperand(0)->getType()->isIntegerTy())
        return false;
    guards.push_back(g);
    return true;
}

/* Whether y or z is in what is computed from the parameters. */
bool block_loops::depends_on_row(const Value *v) const
{
    auto *const i = dyn_cast<Instruction>(v);
    if (!i)
        return v == g_->getArg(Y) || v == g_->getArg(Z);
    return any_of(i->operands(), [this](const Use &use) { return depends_on_row(use.get()); });
}

std::vector<guard> block_loops::find_guards(const region &of) const
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
            guard g;
            times_x_in(i.getOperand(0), isa<SExtInst>(i), g.grows);
            guards.push_back(g);
        }
    return guards;
}

Value *block_loops::at_x(IRBuilder<> &b, Value *v, Value *x, Value *y, Value *z)
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

/* Whether it has its likely value at x. A thread may never come to a condition whose values are
 * poison. */
Value *block_loops::is_likely(IRBuilder<> &b, const guard &g, Value *x, Value *y, Value *z)
{
    return b.CreateFreeze(b.CreateICmpEQ(at_x(b, g.compare, x, y, z), b.getInt1(g.likely)));
}

/* Whether its values do not wrap from x = 0 to the last, which take_known says of sums, and a
 * condition of the row has its likely value. */
Value *block_loops::is_regular(IRBuilder<> &b, const guard &g, Value *last, Value *y, Value *z)
{
    Value *const zero = b.getInt32(0);
    Value *all = b.getTrue();
    for (const growth &of : g.grows) {
        Value *const first_index = at_x(b, of.index, zero, y, z);
        Value *const last_index = at_x(b, of.index, last, y, z);
        all = b.CreateAnd(all, of.is_signed ? b.CreateICmpSLE(first_index, last_index)
                                            : b.CreateICmpULE(first_index, last_index));
    }
    all = b.CreateFreeze(all);
    return g.is_of_row ? b.CreateAnd(all, is_likely(b, g, zero, y, z)) : all;
}
/* Of so many threads from x = first on, in which its values do not wrap, those for which it has
 * its likely value: from one number on, and below another. */
std::pair<Value *, Value *> block_loops::likely_range(IRBuilder<> &b, const guard &g, Value *first,
                                                      Value *count, Value *y, Value *z)
{
    Value *const index = at_x(b, g.compare->getOperand(g.side), first, y, z);
    Value *const bound = at_x(b, g.compare->getOperand(1 - g.side), first, y, z);
    Value *const zero = b.getInt32(0);
    Value *distance = b.CreateFreeze(b.CreateSub(bound, index));
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
    Value *const at_first = is_likely(b, g, first, y, z);
    Value *const at_last = is_likely(b, g, last, y, z);
    return {b.CreateSelect(at_first, zero, b.CreateSelect(at_last, change, count)),
            b.CreateSelect(at_first, b.CreateSelect(at_last, count, change), count)};
}

bool block_loops::is_extension(const Instruction *i, const Value *of)
{
    return (isa<SExtInst>(i) || isa<ZExtInst>(i)) && i->getOperand(0) == of &&
           i->getType()->isIntegerTy(64);
}

void block_loops::take_known(const guard &g, const thread &of_loop, ValueToValueMapTy &map)
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
        auto *const sum = of.sum ? dyn_cast_or_null<BinaryOperator>(map.lookup(of.sum)) : nullptr;
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

} // namespace portable_split
