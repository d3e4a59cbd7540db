/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/split/loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace portable_split
{
/* Makes the loops: a function of the arguments' address, the arena and the indices of the
 * block; or returns NULL. */
Function *block_loops::split(const Twine &name)
{
    inline_calls();
    use_parameters();
    if (!drop_polls() || !check_calls())
        return nullptr;
    write_extensions();
    turn_loops();
    drop_orders();
    write_sums();
    write_conditions();
    write_addresses();
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

Value *block_loops::argument(unsigned k) const
{
    return h_->getArg(k == GIVEN ? 0 : k - BLOCK + 2);
}

Value *block_loops::arena() const
{
    return h_->getArg(1);
}

BasicBlock *block_loops::block(const Twine &name) const
{
    return BasicBlock::Create(context_, name, h_);
}

void block_loops::declare(const Twine &name)
{
    Type *const i32 = Type::getInt32Ty(context_);
    std::vector<Type *> types{g_->getArg(GIVEN)->getType(), byte_pointer(context_)};
    types.insert(types.end(), PARAMETERS - BLOCK, i32);
    h_ = Function::Create(FunctionType::get(i32, types, false), GlobalValue::InternalLinkage, name,
                          module_);
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
    MDBuilder metadata(context_);
    MDNode *const domain = metadata.createAnonymousAliasScopeDomain();
    in_shared_ = MDNode::get(context_, {metadata.createAnonymousAliasScope(domain)});
}

Function *block_loops::build(const Twine &name)
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
        Value *const rows = b.CreateICmpEQ(b.CreateAnd(nx_, b.getInt32(WARP - 1)), b.getInt32(0));
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
void block_loops::build_phase(unsigned number)
{
    for (unsigned exit : regions_[number].ways_out())
        if (exit > 0 && waits_[exit - 1].of_warp) {
            build_warps(number);
            return;
        }
    build_region(number);
}

/* A loop's counter, from 0 to below `end`: its head, whose end is left open, and latch. */
PHINode *block_loops::begin_loop(BasicBlock *from, BasicBlock *head, Type *type)
{
    IRBuilder<> b(head);
    PHINode *const counter = b.CreatePHI(type, 2);
    counter->addIncoming(ConstantInt::get(type, 0), from);
    return counter;
}

void block_loops::end_loop(PHINode *counter, Value *end, BasicBlock *latch, BasicBlock *out)
{
    IRBuilder<> b(latch);
    Value *const more =
        b.CreateAdd(counter, ConstantInt::get(counter->getType(), 1), "", true, true);
    b.CreateCondBr(b.CreateICmpULT(more, end), counter->getParent(), out);
    counter->addIncoming(more, latch);
}

/* Returns whether threads are to be passed over that are not in the loop of which this is a
 * pass, or NULL. */
Value *block_loops::begin_phase(IRBuilder<> &b, unsigned number)
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

void block_loops::copy(IRBuilder<> &b, AllocaInst *of, AllocaInst *from, AllocaInst *to)
{
    b.CreateStore(b.CreateLoad(of->getAllocatedType(), from), to);
}

/* The loop nest of a region, and what follows it. */
void block_loops::build_region(unsigned number)
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
    Value *const row =
        b.CreateZExt(b.CreateMul(b.CreateAdd(b.CreateMul(z, ny), y), nx_), b.getInt64Ty(), "row");
    build_row(b, number, y, z, row, some_ended, yl);
    end_loop(y, ny, yl, zl);
    end_loop(z, argument(OF_BLOCK + 2), zl, done);
    b.SetInsertPoint(done);
    go_on_after(b, number);
}

/* A row of threads, in up to three parts: in the one in the middle all conditions that are
 * known have their likely values. If there is but one, it has the other in the other parts; not
 * if it is an (in)equality, which but one thread decides otherwise, or the same for a row. */
void block_loops::build_row(IRBuilder<> &b, unsigned number, Value *y, Value *z, Value *row,
                            Value *some_ended, BasicBlock *out)
{
    enum { SLOW, FAST, REST };
    const region &of = regions_[number];
    Type *const i64 = b.getInt64Ty(), *const i32 = b.getInt32Ty();
    const bool has_versions = of.size <= MAX_VERSIONED;
    const std::vector<guard> guards = has_versions ? find_guards(of) : std::vector<guard>();
    const auto conditions = count_if(guards, [](const guard &g) { return g.compare != nullptr; });
    const bool has_rest =
        conditions == 1 && of.size <= MAX_IN_PARTS && none_of(guards, [](const guard &g) {
            return g.compare && (g.is_of_row || g.compare->isEquality());
        });
    const bool has_fast = !guards.empty() || (has_versions && some_ended);
    Value *const zero = b.getInt64(0);
    Value *low = zero, *high = nx64_, *kind = b.getInt32(has_fast ? FAST : SLOW);
    Value *others = b.getInt32(SLOW);
    if (has_fast) {
        Value *regular = some_ended ? b.CreateNot(some_ended) : b.getTrue();
        Value *from = b.getInt32(0), *to = nx_;
        for (const guard &g : guards) {
            Value *const last = b.CreateSub(nx_, b.getInt32(1));
            regular = b.CreateAnd(regular, is_regular(b, g, last, y, z));
            if (!g.compare || g.is_of_row)
                continue;
            const auto range = likely_range(b, g, b.getInt32(0), nx_, y, z);
            from = b.CreateBinaryIntrinsic(Intrinsic::umax, from, range.first);
            to = b.CreateBinaryIntrinsic(Intrinsic::umin, to, range.second);
        }
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
        thread t;
        t.begin = body, t.latch = latch;
        t.x = h.CreateTrunc(x, i32), t.y = y, t.z = z, t.wide_x = x;
        t.number = h.CreateAdd(row, x, "t", true, true);
        t.skips_ended = !known && some_ended != nullptr;
        t.guards = known, t.likely = likely;
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

/* One thread's way through a region, between the end of a block and the latch. */
void block_loops::build_thread(unsigned number, IRBuilder<> &b, const thread &of_loop)
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
        copy(b, s.first, of_loop.of_warp ? s.second.of_warp : s.second.committed, s.second.current);
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
                if (!of.blocks.count(phi.getIncomingBlock(p)) || wait_at(phi.getIncomingBlock(p)))
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
    for (BasicBlock *made : copies)
        for (Instruction &i : *made)
            set_apart(i);
    hoist_dynamic_shared(copies);
}

/* Says that an access by an argument of the kernel is not one to shared memory, so that no loop has
 * to find that out: the host knows no address in a block's shared memory. */
void block_loops::set_apart(Instruction &i)
{
    const Value *const address = getLoadStorePointerOperand(&i);
    if (!address || i.isVolatile())
        return;
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(address, objects, nullptr, 0);
    const bool is_shared = all_of(objects, [](const Value *v) { return is_in_shared(v); });
    if (!is_shared && !all_of(objects, [this](const Value *v) {
            return isa<LoadInst>(v) && is_argument_load(cast<Instruction>(v), argument(GIVEN));
        }))
        return;
    i.setMetadata(is_shared ? LLVMContext::MD_alias_scope : LLVMContext::MD_noalias, in_shared_);
}

/* It is the same for the whole launch. */
void block_loops::hoist_dynamic_shared(const std::vector<BasicBlock *> &blocks)
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
Value *block_loops::element(IRBuilder<> &b, AllocaInst *a, Value *t)
{
    Type *const type = a->getAllocatedType();
    const uint64_t stride = stride_of(a), size = layout_.getTypeAllocSize(type);
    if (stride == size)
        return b.CreateInBoundsGEP(type, b.CreateBitCast(arrays_[a], PointerType::get(type, 0)), t);
    Value *const at = b.CreateInBoundsGEP(b.getInt8Ty(), arrays_[a],
                                          b.CreateMul(t, b.getInt64(stride), "", true, true));
    return b.CreateBitCast(at, PointerType::get(type, 0));
}

/* The thread waits, or ends. */
void block_loops::leave_thread(unsigned number, BasicBlock *at, unsigned exit, Value *state,
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

void block_loops::note_ended(IRBuilder<> &b, Value *seen)
{
    Value *const now = b.CreateTrunc(seen, b.getInt1Ty());
    b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt1Ty(), ended_), now), ended_);
}

/* After the last thread: where all wait, the next region begins. */
void block_loops::go_on_after(IRBuilder<> &b, unsigned number)
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
    /* From one loop to another threads come in one order alone. */
    std::set<std::pair<int, unsigned>> passes;
    for (unsigned exit : exits)
        if (exit > 0 && waits_[exit - 1].is_pass())
            passes.insert({-(int)regions_within(exit, false).size(), exit});
    for (const auto &[order, exit] : passes) {
        BasicBlock *const not_there = block("left");
        Value *const is_there = b.CreateAnd(b.CreateLoad(b.getInt64Ty(), seen_), 1ULL << exit);
        b.CreateCondBr(b.CreateICmpNE(is_there, b.getInt64(0)), regions_[exit].loops, not_there);
        b.SetInsertPoint(not_there);
        exits.erase(exit);
    }
    go_on(b, exits, of.diverges || of.is_mixed);
}

void block_loops::go_on(IRBuilder<> &b, const std::set<unsigned> &exits, bool diverges)
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

BasicBlock *block_loops::region_behind(unsigned exit) const
{
    return exit ? regions_[exit].loops : end_;
}

/* Where each wait is, for reports. */
GlobalVariable *block_loops::places()
{
    if (!places_) {
        Type *const text = byte_pointer(context_);
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
void block_loops::report_divergence(IRBuilder<> &b)
{
    FunctionCallee report =
        module_.getOrInsertFunction("portable_emulate_split_diverged_", b.getVoidTy(),
                                    byte_pointer(context_), byte_pointer(context_));
    b.CreateCall(report, {states_, b.CreateBitCast(places(), byte_pointer(context_))});
}

} // namespace portable_split
