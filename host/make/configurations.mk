# SPDX-License-Identifier: BSD-3-Clause
# How each configuration C is compiled: cc_C is the command line of cc, nvcc_C that of nvcc.
#
#   serial, openmp, emulate, cuda   for users; `make serial MATH=exact` builds serial-exact instead
#   serial-exact, openmp-exact, emulate-exact, cuda-exact   no contraction (FMA), so that targets
#                               agree bit for bit
#   serial-checked              serial-exact, with blocks and threads in the order given by ORDER
#   serial-debug, openmp-debug, emulate-debug   -O0 -g3, for gdb
#   memcheck, racecheck, initcheck, synccheck, streamcheck, ordercheck, fpcheck   the emulate target
#                               under one of its checks
#   accesscheck                 the emulate target, counting accesses, also for make counts
#   neutral                     the target-independent part of the harness, for all but -debug

# make checks runs CHECKS. A finding of ordercheck or fpcheck may be what the program wants;
# accesscheck tells what accesses cost.
CHECKS := memcheck racecheck initcheck synccheck streamcheck
ALL_CHECKS := $(CHECKS) ordercheck accesscheck $(if $(HAVE_TRAPS),fpcheck)
CONFIGURATIONS := serial serial-exact serial-checked serial-debug openmp openmp-exact openmp-debug \
    emulate emulate-exact emulate-debug $(ALL_CHECKS) cuda cuda-exact

# $(call variant,target): its configuration, by MATH
variant = $(1)$(if $(filter exact,$(MATH)),-exact)

WARNINGS := -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes -Wc++-compat -Wvla
OPTION_FLAGS := -DPORTABLE_PRECISION_DOUBLE=$(if $(filter double,$(PRECISION)),1,0) \
    -DPORTABLE_ATOMICS_CAS=$(if $(filter cas,$(ATOMICS)),1,0)
# The project's own files come first.
PORTABLE_INCLUDES := $(strip -I. -I$(PORTABLE_HOME) $(addprefix -I,$(filter-out $(PORTABLE_HOME),$(PORTABLE_INCLUDE))) \
    $(if $(wildcard $(PORTABLE_INCLUDE)/portable_algorithms.h),,-I$(PORTABLE_HOME)/host/algorithms -I$(PORTABLE_HOME)/host/tiles))
CC_BASE := -std=c11 $(WARNINGS) $(PORTABLE_INCLUDES) $(OPTION_FLAGS)
# So that all cores fill the inputs of make bench; no kernel has OpenMP on CUDA.
# Evaluated once, when something is compiled by nvcc.
NVCC_OPENMP = $(eval NVCC_OPENMP := $$(if $$(HAVE_NVCC),$$(if $$(shell \
    $$(PORTABLE_HOME)/host/make/openmp.sh "$$(or $$(NVCC_CCBIN),g++)" && echo 1),-Xcompiler -fopenmp)))$(NVCC_OPENMP)
NVCC_BASE = -x cu -std=c++17 -lineinfo -Xcompiler -Wall,-Wextra $(NVCC_OPENMP) $(PORTABLE_INCLUDES) \
    $(OPTION_FLAGS) $(CPPFLAGS) $(if $(NVCC_CCBIN),-ccbin $(NVCC_CCBIN))

# For code whose speed does not matter, because compile time does: the harness, and configurations
# that run only for their results.
QUICKLY := -O1 -g1
# Line numbers only, for backtraces: a debugger's variables take a third of the compile time.
LINES_ALONE := -g1
# What no GPU will run: the optimiser takes most of nvcc's time. tests/ptx has it compile every kernel.
NVCC_ONLY = $(filter-out -O%,$(NVCCFLAGS)) -O0 -Xcicc -O0
# A CUDA function that emulate lacks is an error of the compiler, not of the linker. A large array
# must touch the guard page of its thread's stack, not jump over it.
STACK_PROBES := $(if $(filter aarch64-%,$(CC_MACHINE)),$(if $(CC_IS_CLANG),,-fstack-clash-protection \
    --param stack-clash-protection-guard-size=12),$(if $(HAVE_LINUX),-fstack-clash-protection))
EMULATE := -DPORTABLE_TARGET_EMULATE=1 -Werror=implicit-function-declaration $(STACK_PROBES)
CUDA_HOST := -DPORTABLE_TARGET_CUDA=1 -isystem $(CUDA_HOME)/include

# For make check, kernels are compiled once, not for each instruction set; make check-clones
# compares the instruction sets.
NO_CLONES := -DPORTABLE_CLONES=0
cc_neutral        := $(CC_BASE) $(CFLAGS) $(CPPFLAGS) $(QUICKLY) -DPORTABLE_H
cc_serial         := $(CC_BASE) $(CFLAGS) $(CPPFLAGS)
cc_serial-exact   := $(CC_BASE) $(CFLAGS) $(LINES_ALONE) $(CPPFLAGS) $(NO_CLONES) -ffp-contract=off
cc_serial-checked := $(cc_serial-exact) $(QUICKLY) -DPORTABLE_CHECKS=1 $(if $(CC_IS_CLANG),,-Wno-maybe-uninitialized)
cc_serial-debug   := $(CC_BASE) $(CPPFLAGS) -O0 -g3
cc_openmp         := $(cc_serial) -fopenmp
cc_openmp-exact   := $(cc_serial-exact) $(QUICKLY) -fopenmp $(if $(CC_IS_CLANG),,-Wno-maybe-uninitialized)
cc_openmp-debug   := $(cc_serial-debug) -fopenmp
cc_emulate        := $(cc_serial) $(EMULATE)
cc_emulate-exact  := $(cc_serial-exact) $(QUICKLY) $(EMULATE)
cc_emulate-debug  := $(cc_serial-debug) $(EMULATE)
cc_cuda           := $(cc_serial) $(CUDA_HOST)
cc_cuda-exact     := $(cc_serial-exact) $(CUDA_HOST)
nvcc_cuda         = $(NVCC_BASE) $(NVCCFLAGS) -arch=$(CUDA_ARCH)
nvcc_cuda-exact   = $(NVCC_BASE) $(if $(HAVE_GPU),$(NVCCFLAGS),$(NVCC_ONLY)) -arch=$(CUDA_CHECK_ARCH) -fmad=false \
    -Xcompiler -ffp-contract=off -DPORTABLE_CHECKS=1

# The emulate target's runtime, compiled once for all its configurations, and for libraries that may
# be loaded at any time (nvcc.mk). Its thread-local variables, a kilobyte, fit into what a process
# has in reserve, if each is in the library once (-fdata-sections); the linker of a program makes
# them and all addresses direct.
cc_emulate-runtime := $(CC_BASE) -O2 -g -fno-omit-frame-pointer -fPIC -ftls-model=initial-exec \
    -fno-semantic-interposition -fdata-sections $(CPPFLAGS) $(EMULATE)
