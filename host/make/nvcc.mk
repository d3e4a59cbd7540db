# SPDX-License-Identifier: BSD-3-Clause
# portable-nvcc, which compiles CUDA C++ for the emulate target, and what it needs: in build/nvcc,
# laid out as in an installation.
#
#   bin/portable-nvcc
#   lib/portable/portable-nvcc.conf   the compilers, their flags for each check, where the rest is
#   lib/portable/cuda/                what a Makefile expects of a CUDA toolkit: bin, include, lib64

NVCC_TREE := $(B)/nvcc
PORTABLE_NVCC := $(NVCC_TREE)/bin/portable-nvcc
# In the checkout, from lib/portable of the tree; make install has another.
NVCC_HOST := $(abspath $(PORTABLE_HOME))
CUDA_SOURCES := $(addprefix $(PORTABLE_HOME)/host/cuda/,launch.c errors.c runtime.c graph.c texture.c blas.c)
CUDA_RUNTIME := $(patsubst $(PORTABLE_HOME)/host/cuda/%.c,$(B)/emulate-runtime/cuda/%.o,$(CUDA_SOURCES))
# The C++ compiler that belongs to CC: gcc-12 has g++-12.
cxx_of_cc := $(patsubst %gcc,%g++,$(patsubst %clang,%clang++,$(subst gcc-,g++-,$(subst clang-,clang++-,$(CC)))))
HAVE_CXX := $(shell command -v $(cxx_of_cc) g++ clang++ 2>/dev/null | head -n 1)
missing_cxx := $(if $(HAVE_CXX),,there is no C++ compiler (Debian: g++ or clang))
NVCC_CHECKS := emulate $(if $(HAVE_CHECKS),$(CHECKS))
nvcc_runtime_of = $(call runtime_of,$(1)) $(CUDA_RUNTIME)

$(B)/emulate-runtime/cuda/%.o: $(PORTABLE_HOME)/host/cuda/%.c $(B)/emulate-runtime/flags
	@mkdir -p $(@D)
	$(call quiet,cc    $@)$(CC) -I$(PORTABLE_HOME) $(cc_emulate-runtime) -MD -MP -c $< -o $@
-include $(wildcard $(B)/emulate-runtime/cuda/*.d)

# $(call nvcc_settings,directory of host,place of an object): the lines of portable-nvcc.conf
nvcc_common := -gdwarf-4 -fno-omit-frame-pointer -fno-optimize-sibling-calls -U_FORTIFY_SOURCE
# What a GPU's compiler lets a program do: docs/cuda-cpp.md#how-kernels-are-compiled.
nvcc_cuda := -fno-strict-aliasing -ffp-contract=off
define nvcc_settings
version=$(PORTABLE_VERSION)
first=$(family)
cc.gcc=gcc
cxx.gcc=g++
cc.clang=clang
cxx.clang=clang++
cuda.gcc=$(nvcc_cuda)
cuda.clang=$(nvcc_cuda) -fno-strict-float-cast-overflow
include=$(1)/host/cuda/include
merge=$(1)/host/cuda/merge.ld
quiet.gcc=-Wno-attributes -Wno-unknown-pragmas -Wno-psabi
quiet.clang=-Wno-unknown-attributes -Wno-ignored-attributes -Wno-unknown-pragmas
$(foreach f,$(COMPILER_FAMILIES),$(foreach c,$(NVCC_CHECKS),$(newline)compile.$(c).$(f)=$(if $(filter emulate,$(c)),-fno-omit-frame-pointer,$(CHECK_CFLAGS) $(nvcc_common) $(whole_$(c)_$(f)))$(newline)instrument.$(c).$(f)=$(if $(filter emulate,$(c)),,$(instrument_$(c)_$(f)))$(newline)link.$(c).$(f)=$(if $(filter emulate,$(c)),,$(wrap_$(c)))))
$(foreach c,$(NVCC_CHECKS),$(newline)runtime.$(c)=$(foreach o,$(call nvcc_runtime_of,$(c)),$(call $(2),$(o))))
endef
PORTABLE_VERSION := $(shell sed -n 's/^\#define PORTABLE_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' $(PORTABLE_INCLUDE)/portable.h | paste -sd.)
nvcc_here = $(abspath $(1))
$(NVCC_TREE)/lib/portable/portable-nvcc.conf: export SETTINGS = $(call nvcc_settings,$(NVCC_HOST),nvcc_here)
$(NVCC_TREE)/lib/portable/portable-nvcc.conf: FORCE
	@$(make_build_directory) && mkdir -p $(@D) && printf '%s\n' "$$SETTINGS" | cmp -s - $@ || printf '%s\n' "$$SETTINGS" >$@

$(NVCC_TREE)/%.o: $(PORTABLE_HOME)/host/cuda/%.c
	@mkdir -p $(@D)
	$(call quiet,cc    $@)$(CC) -I$(PORTABLE_HOME) -std=c11 $(WARNINGS) -O2 -g $(CPPFLAGS) -MMD -MP -c $< -o $@
-include $(wildcard $(NVCC_TREE)/*.d)
$(PORTABLE_NVCC): $(NVCC_TREE)/portable-nvcc.o $(NVCC_TREE)/translate.o
	@mkdir -p $(@D)
	$(call quiet,link  $@)$(CC) $(filter %.o,$^) $(LDFLAGS) -o $@

# The rest of a toolkit's tree.
$(NVCC_TREE)/lib/portable/cuda/bin/nvcc: $(PORTABLE_NVCC)
	@mkdir -p $(@D) $(@D)/../lib64
	@ln -sfn $(NVCC_HOST)/host/cuda/include $(@D)/../include
	@ln -sfn ../../../../bin/portable-nvcc $@
# For links by another compiler: the runtime without a check.
$(NVCC_TREE)/lib/portable/cuda/lib64/libcudart.a: $(call nvcc_runtime_of,emulate)
	@mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^ && ln -sf libcudart.a $(@D)/libcudart_static.a && for empty in cudadevrt cublas cublasLt curand; do ar rcs $(@D)/lib$$empty.a; done

NVCC_FILES := $(PORTABLE_NVCC) $(NVCC_TREE)/lib/portable/portable-nvcc.conf \
    $(NVCC_TREE)/lib/portable/cuda/bin/nvcc $(NVCC_TREE)/lib/portable/cuda/lib64/libcudart.a $(sort $(foreach c,$(NVCC_CHECKS),$(call nvcc_runtime_of,$(c))))
portable-nvcc: $(if $(missing_emulate),,$(NVCC_FILES)) ## the compiler for CUDA C++ on the CPU: build/nvcc/bin/portable-nvcc
	$(or $(call refuse_target,emulate),@echo "$(PORTABLE_NVCC)")
.PHONY: portable-nvcc
