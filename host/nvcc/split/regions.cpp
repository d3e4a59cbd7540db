/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/split/regions.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace portable_split
{
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

bool thread_regions::find_waits()
{
    std::vector<CallInst *> calls;
    for (Instruction &i : instructions(*g_)) {
        if (is_wait(called_name(&i)))
            calls.push_back(cast<CallInst>(&i));
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

/* Has the thread pass what it gives to the wait. */
bool thread_regions::take_operands(CallInst *call, wait &w)
{
    const StringRef name = called_name(call);
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
    w.of_warp = is_warp_operation(name);
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

/* The number of the wait at the block's end, or 0. */
unsigned thread_regions::wait_at(const BasicBlock *block) const
{
    for (size_t k = 0; k < waits_.size(); k++)
        if (waits_[k].head == block)
            return (unsigned)k + 1;
    return 0;
}

void thread_regions::find_regions()
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

static bool is_divergent_branch(const Instruction *end, const std::set<Value *> &divergent)
{
    for (const Use &use : end->operands())
        if (divergent.count(use.get()))
            return true;
    return false;
}

static std::string place_of_wait(const wait &w)
{
    auto *const line = dyn_cast<ConstantInt>(w.line);
    return (text_of(w.file) + ":" + Twine(line ? line->getZExtValue() : 0)).str();
}

bool thread_regions::check_regions()
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

bool thread_regions::check_passes()
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

std::set<unsigned> thread_regions::exits_of(const std::vector<unsigned> &within) const
{
    std::set<unsigned> exits;
    for (unsigned in : within)
        exits.insert(regions_[in].ways_out().begin(), regions_[in].ways_out().end());
    return exits;
}

/* Lanes of a warp must reach the same operation of it, or end. */
bool thread_regions::check_warps()
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
std::vector<unsigned> thread_regions::regions_within(unsigned number, bool of_warp) const
{
    std::vector<unsigned> within{number};
    for (size_t k = 0; k < within.size(); k++)
        for (unsigned exit : regions_[within[k]].ways_out())
            if (exit > 0 && (of_warp ? waits_[exit - 1].of_warp : waits_[exit - 1].is_pass()) &&
                !is_contained(within, exit))
                within.push_back(exit);
    return within;
}

/* A barrier of the block that the compiler has copied, if two of the exits are at it. */
const wait *thread_regions::barrier_in_two_copies(const std::set<unsigned> &exits) const
{
    std::set<std::pair<StringRef, Constant *>> places;
    for (unsigned exit : exits)
        if (exit > 0 && !waits_[exit - 1].of_warp && !waits_[exit - 1].is_pass() &&
            !places.insert({text_of(waits_[exit - 1].file), waits_[exit - 1].line}).second)
            return &waits_[exit - 1];
    return nullptr;
}

} // namespace portable_split
