# SPDX-License-Identifier: BSD-3-Clause
# The user's variables, from the command line, the environment or config.mk; the tools found on this
# machine; and why a target cannot be built here.

CLANGS := clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14
ifeq ($(origin CC),default)
CC := $(or $(shell for c in gcc $(CLANGS); do command -v $$c && break; done),cc)
endif
ifeq ($(strip $(CC)),)
$(error CC is empty: must be a C compiler)
endif
# make -t would mark steps of make check as passed, and programs as built.
short_options = $(filter-out --%,$(firstword -$(MAKEFLAGS)))
ifneq ($(findstring t,$(short_options)),)
$(error make -t is not supported: it would mark steps of make check as passed without running them)
endif
# Lists that come from another command have line breaks, which would end a rule.
define newline


endef
$(foreach v,CASES SOURCES ONLY EXCEPT SEEDS,$(if $(findstring $(newline),$($(v))),$(eval \
    override $(v) := $$(strip $$($(v))))))
# Aligned loops make timings independent of code placement: gcc's saxpy took 1.6 times as long in
# one place as in another.
CFLAGS     ?= -O3 -g -falign-loops=32
NVCCFLAGS  ?= -O3
PRECISION  ?= single
ATOMICS    ?= native
MATH       ?= fast
# CUDA C++ runs on emulate and cuda alone.
TARGET     ?= $(if $(filter %.cu,$(SOURCES)),emulate,serial)
BUILD      ?= build

# $(call one_of,VARIABLE,words): an error unless the variable is one of the words
one_of = $(if $(filter-out $(2),$($(1)))$(word 2,$($(1))),$(error $(1)=$($(1)): must be one of $(2)))$(if $($(1)),,$(error $(1) is empty: must be one of $(2)))
$(call one_of,PRECISION,single double)
$(call one_of,ATOMICS,native cas)
$(call one_of,MATH,fast exact)
$(call one_of,TARGET,serial openmp emulate cuda)
ifneq ($(strip $(REQUIRE_GPU)),)
$(call one_of,REQUIRE_GPU,0 1)
endif
# Here, because programs of some targets do not read it.
not_digits = $(subst 0,,$(subst 1,,$(subst 2,,$(subst 3,,$(subst 4,,$(subst 5,,$(subst 6,,$(subst 7,,$(subst 8,,$(subst \
    9,,$(1)))))))))))
ifneq ($(filter-out forward reverse shuffle:%,$(ORDER))$(filter shuffle:,$(ORDER))$(word 2,$(ORDER))$(call \
    not_digits,$(patsubst shuffle:%,%,$(filter shuffle:%,$(ORDER)))),)
$(error ORDER=$(ORDER): must be forward, reverse or shuffle:SEED, a number)
endif

# ---------------------------------------------------------------------------------------------
# The build directory
# ---------------------------------------------------------------------------------------------

# make clean removes it. Nothing in it may have a meaning for make or the shell.
ifneq ($(words $(BUILD)),1)
$(error BUILD=$(BUILD): must be one directory)
endif
hash := \#
parentheses := ( )
SPECIAL := * ? [ ] { } ' " \ $$ ` ; & | < > : = % ! ~ ^ $(comma) $(hash) $(parentheses)
ifneq ($(strip $(foreach c,$(SPECIAL),$(findstring $(c),$(BUILD)))$(filter -%,$(BUILD))$(if \
    $(findstring [$(BUILD)],[$(strip $(BUILD))]),,space)),)
$(error BUILD=$(BUILD): must be a plain path, without spaces or any of $(SPECIAL), and not begin with -)
endif
ifneq ($(filter / $(abspath $(BUILD))/%,$(abspath $(BUILD)) $(CURDIR)/ $(HOME:%=%/)),)
$(error BUILD=$(BUILD): must be a directory for build output alone)
endif
# A directory with this file is make's own. make neither writes to any other directory nor removes
# it, unless it is empty. Backup programs know the file as well.
BUILD_TAG := $(BUILD)/CACHEDIR.TAG
ifneq ($(if $(wildcard $(BUILD)),$(shell grep -qs 'made by portable.mk' $(BUILD_TAG) || test -z "$$(ls -A '$(BUILD)' 2>/dev/null)" || echo 1)),)
$(error BUILD=$(BUILD) holds files that make did not write ($(BUILD_TAG) is missing). Use another directory, or remove this one yourself)
endif
make_build_directory = mkdir -p $(BUILD) && { test -s $(BUILD_TAG) || printf '%s\n' \
    'Signature: 8a477f597d28d172789f06886806bc55' 'This directory was made by portable.mk: make clean removes it.' >$(BUILD_TAG); }

# Each combination of options has its own tree.
B := $(BUILD)$(if $(filter double,$(PRECISION)),/double)$(if $(filter cas,$(ATOMICS)),/cas)

# Build in parallel by default; a recursive make inherits the number of jobs.
ifeq ($(MAKELEVEL)$(filter -j% --jobs%,$(MAKEFLAGS)),0)
MAKEFLAGS += --jobs=$(or $(shell nproc 2>/dev/null),2)
endif
MAKEFLAGS += --no-builtin-rules

# A recursive make with the same makefile.
again = $(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST))

# $(call quiet,text): in place of the command, unless V=1; nothing with make -s. On a terminal it
# overwrites the progress line of make check.
quiet = $(if $(filter-out 0,$(V))$(findstring s,$(short_options)),,@$(if \
    $(and $(MAKE_TERMOUT),$(filter-out dumb,$(TERM))),printf '\r\033[K  %s\n' "$(1)",echo "  $(1)");)

# ---------------------------------------------------------------------------------------------
# Tools
# ---------------------------------------------------------------------------------------------

# Its machine, after a colon, and its version.
cc_says := $(shell echo ":$$($(CC) -dumpmachine 2>/dev/null)"; $(CC) --version 2>/dev/null)
CC_MACHINE := $(patsubst :%,%,$(firstword $(cc_says)))
CC_IS_CLANG := $(if $(findstring clang,$(wordlist 2,$(words $(cc_says)),$(cc_says))),1)
# $(call has_header,HEADER,more flags): 1, or empty; the header is not read
has_header = $(shell printf '%s\n' '$(hash)if !__has_include(<$(1)>)' '$(hash)error' '$(hash)endif' | \
    $(CC) $(CPPFLAGS) $(2) -E -x c - >/dev/null 2>&1 && echo 1)

CUDA_HOME := $(firstword $(CUDA_HOME) $(CUDA_PATH) $(CUDA_DIR) $(patsubst %/bin/nvcc,%,$(wildcard \
    $(realpath $(shell command -v nvcc 2>/dev/null)) /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc)))
ifneq ($(CUDA_HOME),)
ifeq ($(wildcard $(CUDA_HOME)/include/cuda_runtime_api.h),)
# nvcc is a wrapper; the toolkit is elsewhere.
CUDA_HOME := $(firstword $(patsubst %/include/cuda_runtime_api.h,%,$(wildcard \
    $(addsuffix /include/cuda_runtime_api.h,$(CUDA_HOME) /usr/local/cuda /opt/cuda /usr))))
endif
endif
NVCC ?= $(or $(wildcard $(CUDA_HOME)/bin/nvcc),$(shell command -v nvcc 2>/dev/null))

HAVE_LINUX := $(findstring linux,$(CC_MACHINE))
# Evaluated once, and by none of FEW_RULES (portable.mk): it links a program.
HAVE_OPENMP = $(eval HAVE_OPENMP := $$(shell $$(PORTABLE_HOME)/host/make/openmp.sh "$$(CC)" && echo 1))$(HAVE_OPENMP)
HAVE_EMULATE := $(if $(HAVE_LINUX),$(if $(filter x86_64-% aarch64-%,$(CC_MACHINE)),1))
HAVE_CHECKS := $(if $(findstring musl,$(CC_MACHINE)),,$(HAVE_EMULATE))
# For fpcheck: the processor traps floating-point exceptions.
HAVE_TRAPS := $(if $(HAVE_CHECKS),$(filter x86_64-%,$(CC_MACHINE)))
HAVE_NVCC := $(if $(NVCC),$(shell $(NVCC) --version >/dev/null 2>&1 && echo 1))
HAVE_GPU := $(if $(HAVE_NVCC),$(shell nvidia-smi -L 2>/dev/null | grep -q GPU && echo 1))

# wgmma, of portable_tiles.h, is in sm_90a alone, and native means sm_90.
CUDA_ARCH ?= $(if $(HAVE_GPU),$(if $(filter 9.0,$(shell \
    nvidia-smi --query-gpu=compute_cap --format=csv$(comma)noheader 2>/dev/null | sort -u)),sm_90a,native),all-major)
# Without a GPU, make check only compiles CUDA, to PTX for the oldest architecture.
CUDA_CHECK_ARCH ?= $(if $(HAVE_GPU),$(CUDA_ARCH),compute_75)

# Why a target or program is missing on this machine; empty if it is not. Every message uses these.
missing_openmp = $(if $(HAVE_OPENMP),,$(CC) -fopenmp does not work (clang needs libomp; Debian: libomp-dev))
missing_emulate := $(if $(HAVE_EMULATE),,it needs Linux on x86-64 or aarch64, and $(CC) compiles for $(CC_MACHINE); use TARGET=serial)
missing_checks := $(if $(HAVE_CHECKS),,they need glibc, and $(CC) compiles for $(CC_MACHINE); TARGET=emulate works)
missing_traps := $(if $(HAVE_TRAPS),,it needs glibc on x86-64$(comma) whose processors trap floating-point exceptions$(comma) and $(CC) compiles for $(CC_MACHINE))
missing_harness := $(if $(HAVE_LINUX),,they need Linux, and $(CC) compiles for $(CC_MACHINE); make run SOURCES=... needs neither)
missing_cuda := $(if $(HAVE_NVCC),,there is no nvcc (install the CUDA Toolkit, or set CUDA_HOME or NVCC))
missing_gpu := $(if $(HAVE_GPU),,no GPU was found)

# $(call refuse,what,why) as a recipe; $(call refuse_target,T) is one unless target T can be built.
refuse = @echo "$(1) cannot be built here: $(2)." >&2; exit 1
refuse_target = $(if $(missing_$(1)),$(call refuse,The $(1) target,$(missing_$(1))))
