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
#include "host/nvcc/split/loops.h"

#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace
{
using namespace portable_split;

/* The kernel's name in the source, from that of its run_one. */
std::string kernel_name(const Function *one)
{
    const std::string whole = demangle(one->getName().str());
    const size_t begin = whole.find("run_one<");
    if (begin == std::string::npos)
        return whole;
    std::string name = whole.substr(begin + 8);
    if (name.find("void ") == 0)
        name.erase(0, 5);
    int depth = 0;
    for (size_t k = 0; k < name.size(); k++) {
        depth += (name[k] == '<') - (name[k] == '>');
        if (name[k] == '(' && depth == 0)
            return name.substr(0, k);
    }
    return name;
}

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

/* What keeps LLVM from vectorising loops over threads. */
void prepare_vectorizer()
{
    /* They have more arrays than other loops, each of which is compared with all others. */
    VectorizerParams::RuntimeMemoryCheckThreshold =
        std::max(VectorizerParams::RuntimeMemoryCheckThreshold, 32U);
    /* In a stencil a thread loads what the next one loads, too: each would wait for the other. */
    cl::Option *const carries = cl::getRegisteredOptions().lookup("enable-load-in-loop-pre");
    if (carries && carries->getNumOccurrences() == 0)
        *static_cast<cl::opt<bool> *>(carries) = false;
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
        prepare_vectorizer();
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
        block_loops k(module, one, all);
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

static void add_passes(PassBuilder &builder)
{
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(split_pass()); });
    /* Stores of different values to one place become one store of either: a store of some threads
     * would keep a loop as it is. */
    builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().sinkCommonInsts(true)));
    });
}

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_EXTERNAL_VISIBILITY PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "portable-split", LLVM_VERSION_STRING, add_passes};
}
