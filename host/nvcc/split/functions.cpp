/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/split/functions.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Target/TargetMachine.h> /* Triple, which has had several headers */

namespace portable_split
{
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

StringRef text_of(const Value *pointer)
{
    auto *const global = dyn_cast<GlobalVariable>(pointer->stripPointerCasts());
    auto *const data = global && global->hasInitializer()
                           ? dyn_cast<ConstantDataArray>(global->getInitializer())
                           : nullptr;
    return data && data->isCString() ? data->getAsCString() : "";
}

bool is_named(const Value *v, StringRef name)
{
    if (auto *call = dyn_cast<CallInst>(v))
        if (is_thread_local_address(call))
            v = call->getArgOperand(0);
    return isa<GlobalVariable>(v) && v->getName() == name;
}

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

bool is_poll(const CallBase *call)
{
    auto *const text = dyn_cast<InlineAsm>(call->getCalledOperand());
    return text && isa<CallBrInst>(call) &&
           StringRef(text->getAsmString()).contains("portable_emulate_patience_");
}
/* An atomic at the scope of the block: portable_cuda::begin_atomic. */
static bool is_atomic_mark(const CallBase *call)
{
    auto *const text = dyn_cast<InlineAsm>(call->getCalledOperand());
    return text && StringRef(text->getAsmString()).contains("portable_atomic");
}
static bool is_harmless_assembly(const CallBase *call)
{
    auto *const text = dyn_cast<InlineAsm>(call->getCalledOperand());
    return text && (text->getAsmString().empty() || is_atomic_mark(call));
}

/* The runtime's functions that never wait for a thread, and do not ask which one runs. */
static bool is_plain_runtime(StringRef name)
{
    return StringSwitch<bool>(name)
        .Cases("portable_emulate_order_", "portable_emulate_order_volatile_",
               "portable_emulate_spin_", "portable_emulate_fence_", "portable_emulate_phase_", true)
        .Cases("portable_cuda_dynamic_shared_", "portable_cuda_space_",
               "portable_cuda_shared_address_", true)
        .Default(false);
}
/* Those by which a thread does what others may see in an order. */
static bool is_ordered(StringRef name)
{
    return name == "portable_emulate_order_" || name == "portable_emulate_order_volatile_" ||
           name == "portable_emulate_spin_";
}
bool is_warp_operation(StringRef name)
{
    return name == "portable_emulate_sync_warp_" || name == "portable_emulate_exchange_";
}
bool is_wait(StringRef name)
{
    return name == "portable_emulate_sync_threads_" || name == "portable_emulate_sync_count_" ||
           name == end_of_pass || is_warp_operation(name);
}
static bool may_stop(StringRef name)
{
    return name == "__assert_fail" || name == "abort" || name == "portable_cuda_fail_" ||
           name == "portable_emulate_stop_" || name == "portable_cuda_texture_" ||
           name == "portable_cuda_surface_";
}

StringRef called_name(const Instruction *i)
{
    auto *const call = dyn_cast_or_null<CallBase>(i);
    const Function *const to = call ? call->getCalledFunction() : nullptr;
    return to ? to->getName() : "";
}

bool is_thread_local_address(const Instruction *i)
{
    return called_name(i) == "llvm.threadlocal.address.p0";
}

bool is_order(const Instruction *i)
{
    return called_name(i) == "portable_emulate_order_";
}

bool is_dynamic_shared(const Instruction *i)
{
    return called_name(i) == "portable_cuda_dynamic_shared_";
}

functions::functions(Module &module) : library_(Triple(module.getTargetTriple())), known_(library_)
{
}

TargetLibraryInfo &functions::library()
{
    return known_;
}

const conduct &functions::of(const Function *f)
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
bool functions::is_library(const Function *f) const
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
    return (name.consume_back("f") || name.consume_back("l")) && mathematics.count(name) > 0;
}

conduct functions::of_declaration(const Function *f) const
{
    conduct result;
    const StringRef name = f->getName();
    result.waits = is_wait(name);
    result.stops = may_stop(name);
    result.orders = is_ordered(name);
    result.polls = name == "portable_emulate_spin_";
    if (!result.waits && !result.stops && !f->isIntrinsic() && !is_plain_runtime(name) &&
        !is_library(f))
        result.refusal = "a call of " + demangle(name.str()) + ", which may wait";
    else if (f->doesNotReturn() && !result.stops && !f->isIntrinsic())
        result.refusal = "a call of " + name.str() + ", which does not return";
    return result;
}

conduct functions::of_definition(const Function *f)
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

conduct functions::of_call(const CallBase *call)
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
        case Intrinsic::eh_typeid_for: result.refusal = "a call of " + to->getName().str(); break;
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
} // namespace portable_split
