/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/split/regions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

namespace portable_split
{
// ---- values that are the same in all threads ----

bool thread_regions::waits_in(const Loop *loop) const
{
    for (const wait &w : waits_)
        if (loop->contains(w.head))
            return true;
    return false;
}

/* threadIdx.x / 32, where rows are whole warps. */
bool thread_regions::is_warp_number(const Instruction *i) const
{
    auto *const by = i->getNumOperands() == 2 ? dyn_cast<ConstantInt>(i->getOperand(1)) : nullptr;
    return by && i->getOperand(0) == g_->getArg(X) &&
           ((i->getOpcode() == Instruction::LShr && by->getValue().uge(5)) ||
            (i->getOpcode() == Instruction::UDiv && by->getValue().urem(WARP) == 0 &&
             by->getValue() != 0) ||
            (i->getOpcode() == Instruction::And && by->getValue().countTrailingZeros() >= 5));
}

/* The branch is divergent: so are the values where its ways meet, and those that leave a loop
 * which threads leave at different times. */
template <class Add>
void thread_regions::diverge(Instruction *branch, PostDominatorTree &post, LoopInfo &loops, Add add)
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

/* In blocks, or in warps. */
void thread_regions::find_divergent(std::set<Value *> &divergent, bool in_warps)
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

// ---- values across waits ----

static BasicBlock *block_of(const Use &use)
{
    auto *const user = cast<Instruction>(use.getUser());
    auto *const phi = dyn_cast<PHINode>(user);
    return phi ? phi->getIncomingBlock(use) : user->getParent();
}

Value *thread_regions::compute_again(Value *v, Instruction *before,
                                     std::map<Value *, Value *> &done)
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

void thread_regions::keep_values()
{
    /* Of a block, those that a thread can come to from a wait without coming through it. */
    std::map<BasicBlock *, std::set<BasicBlock *>> without;
    /* Whether a wait may be between the value and its use. */
    auto crosses = [&](const Instruction &i, const Use &use) {
        BasicBlock *const at = block_of(use), *const from = const_cast<BasicBlock *>(i.getParent());
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
                      isa<PHINode>(i) ? &*i->getParent()->getFirstInsertionPt() : i->getNextNode());
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
bool thread_regions::is_of_some(BasicBlock *block) const
{
    return any_of(regions_,
                  [block](const region &r) { return r.is_mixed && r.blocks.count(block) > 0; });
}

std::set<BasicBlock *> thread_regions::reached_without(BasicBlock *block) const
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
bool thread_regions::is_result(const AllocaInst *variable) const
{
    for (const wait &w : waits_)
        if (w.result == variable)
            return true;
    return false;
}

/* Whether a thread may read after a wait what it wrote before, in a variable of its own. */
bool thread_regions::lives_across(AllocaInst *variable) const
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

bool thread_regions::comes_again(const region *r) const
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

// ---- the arena: for each slot an array over as many threads as a block can have ----

uint64_t thread_regions::stride_of(AllocaInst *slot) const
{
    auto *const count = cast<ConstantInt>(slot->getArraySize());
    const uint64_t size = layout_.getTypeAllocSize(slot->getAllocatedType());
    return alignTo(size * count->getZExtValue(), slot->getAlign());
}

bool thread_regions::lay_out()
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

} // namespace portable_split
