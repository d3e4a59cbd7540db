/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/split/loops.h"

namespace portable_split
{
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
    case PORTABLE_EXCHANGE_SHUFFLE_: return b.CreateAdd(segment, b.CreateAnd(operand, w.width - 1));
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

/* All warps, one after another: each goes from operation to operation until it waits for the
 * block, or has ended. */
void block_loops::build_warps(unsigned number)
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
void block_loops::build_lanes(unsigned number, std::map<unsigned, BasicBlock *> &entries,
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
        is_fast = b.CreateAnd(is_fast, is_regular(b, g, last, warp_y_, warp_z_));
        if (!g.compare || g.is_of_row)
            continue;
        const auto range = likely_range(b, g, warp_x_, b.getInt32(WARP), warp_y_, warp_z_);
        is_fast = b.CreateAnd(is_fast, b.CreateICmpEQ(range.first, b.getInt32(0)));
        is_fast = b.CreateAnd(is_fast, b.CreateICmpEQ(range.second, b.getInt32(WARP)));
    }
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
        thread t;
        t.begin = body, t.latch = latch;
        t.x = h.CreateAdd(warp_x_, lane32), t.y = warp_y_, t.z = warp_z_;
        t.wide_x = h.CreateAdd(h.CreateZExt(warp_x_, i64), lane, "", true, true);
        t.number = h.CreateAdd(first, lane, "t", true, true);
        t.of_warp = true, t.skips_ended = !fast && some_ended != nullptr;
        t.guards = fast ? &guards : nullptr;
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
BasicBlock *block_loops::build_exchange(unsigned number, BasicBlock *to)
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
    Value *const values = element(b, w.value, first), *const results = element(b, w.result, first);
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
        Value *const all = b.CreateAlignedLoad(vector, b.CreateBitCast(values, pointer), Align(1));
        b.CreateAlignedStore(b.CreateShuffleVector(all, all, from),
                             b.CreateBitCast(results, pointer), Align(1));
        b.CreateBr(to);
    } else {
        build_exchange_loop(b, w, number, values, results, operands, b.getInt64(WARP), nullptr, to);
    }
    b.SetInsertPoint(part);
    Value *const alive = lanes_alive(b, some_ended);
    build_exchange_loop(b, w, number, values, results, operands, b.CreateZExt(lanes_, i64), alive,
                        to);
    return begin;
}

/* Lane by lane; those of the mask take part, or all without one. */
void block_loops::build_exchange_loop(IRBuilder<> &b, const wait &w, unsigned number, Value *values,
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
Value *block_loops::lanes_alive(IRBuilder<> &b, Value *some_ended)
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
        b.CreateLoad(b.getInt8Ty(), b.CreateInBoundsGEP(b.getInt8Ty(), states_, at)), b.getInt8(0));
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

void block_loops::report_absence(IRBuilder<> &b, unsigned number, Value *lane, Value *source)
{
    FunctionCallee report = module_.getOrInsertFunction(
        "portable_emulate_split_absent_", b.getVoidTy(), byte_pointer(context_), b.getInt32Ty(),
        b.getInt32Ty(), b.getInt32Ty());
    Value *const place =
        b.CreateBitCast(ConstantExpr::getInBoundsGetElementPtr(
                            places()->getValueType(), places(),
                            ArrayRef<Constant *>{b.getInt32(0), b.getInt32(number - 1)}),
                        byte_pointer(context_));
    b.CreateCall(report, {place, first_, lane, source});
}

} // namespace portable_split
