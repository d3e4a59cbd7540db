/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread calls: the runtime's functions by name, and what any other may do.
 */
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <string>

namespace portable_split
{
using namespace llvm;

/* Later versions of LLVM have one type of pointer. */
inline PointerType *byte_pointer(LLVMContext &context)
{
    return PointerType::get(Type::getInt8Ty(context), 0);
}

/* FILE:LINE of the instruction; in a function that was inlined, the innermost that is not in a
 * header of this project. Empty without line tables. */
std::string place_of(const Instruction *at);
/* The text of a constant string, or "". */
StringRef text_of(const Value *pointer);

bool is_named(const Value *v, StringRef name);
/* Whether it is threadIdx, or a constant made of its address. */
bool refers_to_index(const Value *v);
/* The assembly of loops that may wait: portable_cuda::polls_at. */
bool is_poll(const CallBase *call);
/* Stands at the end of each iteration of a loop whose iterations all threads make together. */
inline const char *const end_of_pass = "portable_split_end_of_pass_";
bool is_wait(StringRef name);
bool is_warp_operation(StringRef name);
/* The function's name, or "" of a call by a pointer, of assembly, and of no call. */
StringRef called_name(const Instruction *i);
/* From LLVM 16 on, its argument is a variable of the OS thread. */
bool is_thread_local_address(const Instruction *i);
/* Whether it asks for the order of blocks, before an atomic. */
bool is_order(const Instruction *i);
bool is_dynamic_shared(const Instruction *i);

/* What a function may do, with all that it calls. */
struct conduct {
    bool waits = false;       /* in the ways that are split */
    bool stops = false;       /* the launch, by an assertion for example */
    bool orders = false;      /* has ordered operations, or polls */
    bool polls = false;       /* lets others go on, in loops that may wait */
    bool reads_index = false; /* threadIdx */
    std::string refusal;      /* what cannot be split, or "" */
    std::string place;        /* where */
};

class functions
{
  public:
    explicit functions(Module &module);
    const conduct &of(const Function *f);
    conduct of_call(const CallBase *call);
    TargetLibraryInfo &library();

  private:
    bool is_library(const Function *f) const;
    conduct of_declaration(const Function *f) const;
    conduct of_definition(const Function *f);

    TargetLibraryInfoImpl library_;
    TargetLibraryInfo known_;
    std::map<const Function *, conduct> conducts_;
    std::set<const Function *> under_way_;
};
} // namespace portable_split
