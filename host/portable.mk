# SPDX-License-Identifier: BSD-3-Clause
#
# Rules that build and check kernels written with portable.h. The Makefile that includes this says
# what is its own:
#
#   KERNEL_SOURCES   files that hold or launch kernels: nvcc compiles them for the CUDA target
#   HOST_SOURCES     plain C files: cc compiles them for every target
#   PROGRAMS         files with a main; each is linked with all of the above
#
# and gets, for each configuration, build/CONFIGURATION/PROGRAM:
#
#   serial, openmp, emulate, cuda   what a user runs; MATH=exact builds the next ones instead
#   serial-exact, openmp-exact, emulate-exact, cuda-exact   without contraction (FMA), so that
#                               targets agree bit for bit
#   serial-checked              serial-exact, in the order that ORDER asks for
#   serial-debug, openmp-debug, emulate-debug   -O0 -g3, for gdb
#   memcheck, racecheck, initcheck, synccheck   the emulate target under one of its checks

ifeq ($(MAKE_VERSION),)
$(error This needs GNU make)
endif
ifneq ($(words $(CURDIR)),1)
$(error make cannot build in a directory whose path has a space: $(CURDIR))
endif
PORTABLE_HOME := $(patsubst %/host/portable.mk,%,$(abspath $(lastword $(MAKEFILE_LIST))))

-include config.mk

# ---------------------------------------------------------------------------------------------
# Variables, each from the command line, the environment, or config.mk
# ---------------------------------------------------------------------------------------------

ifeq ($(origin CC),default)
CC := $(or $(firstword $(foreach c,gcc clang,$(shell command -v $(c) 2>/dev/null))),cc)
endif
# A short loop is as fast wherever it comes to lie: without, gcc's saxpy took 1.6 times as long in one
# place as in another.
CFLAGS     ?= -O3 -g -falign-loops=32
NVCCFLAGS  ?= -O3
PRECISION  ?= single
ATOMICS    ?= native
MATH       ?= fast
TARGET     ?= serial
PREFIX     ?= /usr/local
BUILD      ?= build

# $(call one_of,VARIABLE,words): stops when the variable is none of the words
one_of = $(if $(filter-out $(2),$($(1))),$(error $(1)=$($(1)): it is one of $(2)))$(if $($(1)),,$(error $(1) is empty: it is one of $(2)))
$(call one_of,PRECISION,single double)
$(call one_of,ATOMICS,native cas)
$(call one_of,MATH,fast exact)
$(call one_of,TARGET,serial openmp emulate cuda)

CUDA_HOME := $(firstword $(CUDA_HOME) $(CUDA_PATH) $(CUDA_DIR) $(patsubst %/bin/nvcc,%,$(wildcard \
    $(realpath $(shell command -v nvcc 2>/dev/null)) /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc)))
ifneq ($(CUDA_HOME),)
ifeq ($(wildcard $(CUDA_HOME)/include/cuda_runtime_api.h),)
# nvcc may be a wrapper; the toolkit then is elsewhere.
CUDA_HOME := $(firstword $(patsubst %/include/cuda_runtime_api.h,%,$(wildcard \
    $(addsuffix /include/cuda_runtime_api.h,$(CUDA_HOME) /usr/local/cuda /opt/cuda /usr))))
endif
endif
NVCC ?= $(or $(wildcard $(CUDA_HOME)/bin/nvcc),$(shell command -v nvcc 2>/dev/null))
HAVE_NVCC := $(if $(NVCC),$(shell $(NVCC) --version >/dev/null 2>&1 && echo 1))
HAVE_GPU := $(if $(HAVE_NVCC),$(shell nvidia-smi -L 2>/dev/null | grep -q GPU && echo 1))
CUDA_ARCH ?= $(if $(HAVE_GPU),native,all-major)
# Where nothing can run it, make check compiles CUDA for the oldest architecture alone.
CUDA_CHECK_ARCH ?= $(if $(HAVE_GPU),$(CUDA_ARCH),sm_75)

# Build in parallel unless told how; a make that a make started has been told.
ifeq ($(MAKELEVEL)$(filter -j% --jobs%,$(MAKEFLAGS)),0)
MAKEFLAGS += --jobs=$(or $(shell nproc 2>/dev/null),2)
endif
MAKEFLAGS += --no-builtin-rules

# make V=1 shows commands as they are.
quiet = $(if $(V),,@echo "  $(1)";)

# Each combination of options has a tree of its own.
B := $(BUILD)$(if $(filter double,$(PRECISION)),/double)$(if $(filter cas,$(ATOMICS)),/cas)

# ---------------------------------------------------------------------------------------------
# Configurations
# ---------------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes -Wc++-compat -Wvla
OPTION_FLAGS := -DPORTABLE_PRECISION_DOUBLE=$(if $(filter double,$(PRECISION)),1,0) \
    -DPORTABLE_ATOMICS_CAS=$(if $(filter cas,$(ATOMICS)),1,0)
CC_BASE := -std=c11 $(WARNINGS) -I$(PORTABLE_HOME) -I. $(OPTION_FLAGS)
NVCC_BASE := -x cu -std=c++17 -lineinfo -Xcompiler -Wall,-Wextra -I$(PORTABLE_HOME) -I. \
    $(OPTION_FLAGS) $(if $(NVCC_CCBIN),-ccbin $(NVCC_CCBIN))

# cc_C and nvcc_C: how configuration C compiles
cc_serial       := $(CC_BASE) $(CFLAGS) $(CPPFLAGS)
cc_serial-exact := $(CC_BASE) $(CFLAGS) $(CPPFLAGS) -ffp-contract=off
cc_serial-checked := $(cc_serial-exact) -DPORTABLE_CHECKS=1 -Wno-maybe-uninitialized
cc_openmp       := $(cc_serial) -fopenmp
cc_openmp-exact := $(cc_serial-exact) -fopenmp
cc_serial-debug := $(CC_BASE) $(CPPFLAGS) -O0 -g3
EMULATE         := -DPORTABLE_TARGET_EMULATE=1
cc_emulate       := $(cc_serial) $(EMULATE)
cc_emulate-exact := $(cc_serial-exact) $(EMULATE)
cc_openmp-debug := $(cc_serial-debug) -fopenmp
cc_emulate-debug := $(cc_serial-debug) $(EMULATE)
CUDA_HOST       := -DPORTABLE_TARGET_CUDA=1 -isystem $(CUDA_HOME)/include
cc_cuda         := $(cc_serial) $(CUDA_HOST)
cc_cuda-exact   := $(cc_serial-exact) $(CUDA_HOST)
nvcc_cuda       := $(NVCC_BASE) $(NVCCFLAGS) -arch=$(CUDA_ARCH)
nvcc_cuda-exact := $(NVCC_BASE) $(NVCCFLAGS) -arch=$(CUDA_CHECK_ARCH) -fmad=false \
    -Xcompiler -ffp-contract=off -DPORTABLE_CHECKS=1

# The checks. Line numbers and little inlining matter more to them than speed. instrument_C is what
# configuration C compiles kernels with, whole_C what it compiles and links everything with, and
# wrap_C what it links with; their runtimes in host/emulate/ are compiled without.
CC_IS_CLANG := $(shell $(CC) --version 2>/dev/null | grep -q clang && echo 1)
CHECKS := memcheck racecheck initcheck synccheck
CHECK_CFLAGS ?= -O1 -g
# addr2line of binutils 2.40 misreads DWARF 5: inlined functions of clang's, included files of gcc's.
# A compiler that defines _FORTIFY_SOURCE by itself would call __memset_chk and its kin, which
# nothing watches.
cc_check := $(CC_BASE) $(CHECK_CFLAGS) -gdwarf-4 -fno-omit-frame-pointer \
    -fno-optimize-sibling-calls $(CPPFLAGS) -U_FORTIFY_SOURCE -ffp-contract=off $(EMULATE)

# Each access becomes a call. A built-in memcpy or memset would be none, and neither is what clang
# makes of 32 bytes at a time.
accesses := -fsanitize=thread -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset \
    $(if $(CC_IS_CLANG),-mllvm -tsan-instrument-func-entry-exit=0 \
    -mllvm -tsan-instrument-read-before-write=1 -fno-vectorize -fno-slp-vectorize \
    ,--param tsan-instrument-func-entry-exit=0)
instrument_racecheck := $(accesses)
instrument_initcheck := $(accesses)
wrap_racecheck := -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset
wrap_initcheck := $(wrap_racecheck)

# What object-size finds, the address sanitizer finds too; pointer-overflow is about NULL + 0, which
# CUDA allows. Its reports take a millisecond each, so most of them are the runtime's own.
sanitizers := address,undefined,float-cast-overflow
whole_memcheck := -fsanitize=$(sanitizers) -fsanitize-recover=$(sanitizers) \
    -fno-sanitize=object-size,pointer-overflow \
    $(if $(CC_IS_CLANG),,-fsanitize-sections=.portable_shared,.portable_constant)
wrap_memcheck := $(foreach k,load store,$(foreach b,1 2 4 8 16 _n,-Wl,--wrap=__asan_report_$(k)$(b)_noabort))
$(foreach c,$(CHECKS),$(eval cc_$(c) := $(cc_check) $(whole_$(c))))

# $(call runtime_of,C): the objects that a program of an emulate configuration is linked with. They
# come first: memcheck's guards stand before all other objects of their sections.
runtime_of = $(if $(filter emulate% $(CHECKS),$(1)),$(addprefix $(B)/emulate-runtime/,$(addsuffix .o, \
    $(if $(filter $(CHECKS),$(1)),$(1) findings) $(if $(filter racecheck initcheck,$(1)),accesses) \
    emulate objects)))
CC_MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
HAVE_OPENMP := $(shell $(PORTABLE_HOME)/host/openmp.sh "$(CC)" && echo 1)
HAVE_EMULATE := $(if $(findstring linux,$(CC_MACHINE)),$(if $(filter x86_64-% aarch64-%,$(CC_MACHINE)),1))

ALL_SOURCES = $(sort $(KERNEL_SOURCES) $(HOST_SOURCES) $(PROGRAMS))
program_name = $(basename $(notdir $(1)))

# $(call configuration,C): objects and programs of build/C
define configuration
$(B)/$(1)/flags: FORCE
	@mkdir -p $$(@D)
	@printf '%s\n' '$$(subst ','"'"',$$(flags_$(1)))' | cmp -s - $$@ || \
	    printf '%s\n' '$$(subst ','"'"',$$(flags_$(1)))' >$$@
flags_$(1) = $$(CC) $$(cc_$(1)) $$(instrument_$(1)) $$(wrap_$(1)) $$(if $$(filter cuda%,$(1)),$$(NVCC) $$(nvcc_$(1))) $$(LDFLAGS) $$(LDLIBS)

$(foreach s,$(if $(filter cuda%,$(1)),$(filter-out $(KERNEL_SOURCES) $(KERNEL_TESTS),$(ALL_SOURCES) $(TESTS)),$(ALL_SOURCES) $(KERNEL_TESTS) $(TESTS)),$(call cc_rule,$(1),$(s)))
$(if $(filter cuda%,$(1)),$(foreach s,$(KERNEL_SOURCES) $(KERNEL_TESTS),$(call nvcc_rule,$(1),$(s))))

$(foreach p,$(PROGRAMS),$(call link_rule,$(1),$(call program_name,$(p)),$(p) $(KERNEL_SOURCES) $(HOST_SOURCES),))
endef

object = $(B)/$(1)/$(basename $(2)).o

# Kernels that launch kernels are relocatable device code. nvcc's link joins it with the rest, and
# finds the device runtime. A file that only includes a DEVICE_LAUNCH says the word in a comment.
nested_sources = $(if $(strip $(1)),$(shell grep -l DEVICE_LAUNCH $(1)))
NESTED_SOURCES := $(call nested_sources,$(wildcard $(KERNEL_SOURCES) $(KERNEL_TESTS)))
rdc_of = $(if $(filter $(NESTED_SOURCES),$(1)),-rdc=true)

define cc_rule

$(call object,$(1),$(2)): $(2) $(B)/$(1)/flags
	@mkdir -p $$(@D)
	$$(call quiet,cc    $$@)$$(CC) $$(cc_$(1)) $(if $(filter $(KERNEL_SOURCES) $(KERNEL_TESTS),$(2)),$$(instrument_$(1))) $$(DEFINES_$(basename $(notdir $(2)))) -MMD -MP -c $(2) -o $$@
-include $(B)/$(1)/$(basename $(2)).d
endef

define nvcc_rule

$(call object,$(1),$(2)): $(2) $(B)/$(1)/flags
	@mkdir -p $$(@D)
	$$(call quiet,nvcc  $$@)$$(NVCC) $$(nvcc_$(1)) $(call rdc_of,$(2)) -MMD -MP -MF $$(@:.o=.d) -MT $$@ -c $(2) -o $$@
-include $(B)/$(1)/$(basename $(2)).d
endef

# $(call link_rule,C,name,sources,libraries)
define link_rule

$(B)/$(1)/$(2): $(call runtime_of,$(1)) $(foreach s,$(3),$(call object,$(1),$(s)))
	$$(call quiet,link  $$@)$(if $(filter cuda%,$(1)),$$(NVCC) -arch=$$(if $$(filter %-exact,$(1)),$$(CUDA_CHECK_ARCH),$$(CUDA_ARCH)) $(if $(NVCC_CCBIN),-ccbin $(NVCC_CCBIN)),$$(CC) $$(cc_$(1)) $$(wrap_$(1))) $$(LDFLAGS) $$^ $(4) $$(LDLIBS) -lm -o $$@
endef

CONFIGURATIONS := serial serial-exact serial-checked serial-debug openmp openmp-exact openmp-debug emulate emulate-exact emulate-debug $(CHECKS) \
    cuda cuda-exact

# The runtimes are compiled once, for all the emulate configurations.
cc_emulate-runtime := $(CC_BASE) -O2 -g -fno-omit-frame-pointer $(CPPFLAGS) $(EMULATE)
flags_emulate-runtime := $(CC) $(cc_emulate-runtime)
define runtime_rules
$(B)/emulate-runtime/flags: FORCE
	@mkdir -p $$(@D)
	@printf '%s\n' '$$(flags_emulate-runtime)' | cmp -s - $$@ || \
	    printf '%s\n' '$$(flags_emulate-runtime)' >$$@
$(B)/emulate-runtime/%.o: $(PORTABLE_HOME)/host/emulate/%.c $(B)/emulate-runtime/flags
	$$(call quiet,cc    $$@)$$(CC) $$(cc_emulate-runtime) -MMD -MP -c $$< -o $$@
-include $(wildcard $(B)/emulate-runtime/*.d)
endef
$(eval $(runtime_rules))
programs_of = $(foreach p,$(PROGRAMS),$(B)/$(1)/$(call program_name,$(p)))

# ---------------------------------------------------------------------------------------------
# compile_commands.json, for clangd and other tools: docs/editors.md
# ---------------------------------------------------------------------------------------------

# Each source with the flags of TARGET, and beside those that the rules compile OTHER_SOURCES: kernels
# that other files include, say. EMULATE_SOURCES are for the emulate target in each view. clangd is
# clang, whatever compiles: in place of nvcc's flags it gets clang's, for the host's side, and what
# clang 14 lacks for CUDA 13. CLANG_CUDA_FLAGS are the including Makefile's own.
clang_cuda = clang++ -xcuda --cuda-host-only --cuda-gpu-arch=sm_75 \
    $(if $(CUDA_HOME),--cuda-path=$(CUDA_HOME)) \
    -nocudalib -Wno-unknown-cuda-version -D__CLANG_CUDA_TEXTURE_INTRINSICS_H__ \
    -I$(PORTABLE_HOME)/host/editors -Xclang -fcuda-allow-variadic-functions \
    -Xclang -target-sdk-version=11.5 \
    $(addprefix -isystem ,$(wildcard $(CUDA_HOME)/include/cccl)) \
    -std=c++17 -Wall -Wextra -I$(PORTABLE_HOME) -I. $(OPTION_FLAGS) $(CLANG_CUDA_FLAGS)
seen_as_cuda = $(filter %.cu $(if $(filter cuda,$(TARGET)),$(KERNEL_SOURCES) $(KERNEL_TESTS) $(OTHER_SOURCES)),$(1))
compile_with = $(if $(seen_as_cuda),$(clang_cuda) $(if $(call nested_sources,$(1)),-D__CUDACC_RDC__),\
    $(CC) $(if $(filter $(1),$(EMULATE_SOURCES)),$(cc_emulate),$(cc_$(call variant,$(TARGET)))))
define compile_command
	@$(PORTABLE_HOME)/host/editors/compile_command.sh $@.tmp $(1) $(call compile_with,$(1)) \
	    $(DEFINES_$(basename $(notdir $(1)))) -c $(1)

endef
compile_commands.json: FORCE
	$(if $(filter cuda,$(TARGET)),$(if $(CUDA_HOME),,@echo "$@ cannot be made for TARGET=cuda: there is no CUDA Toolkit (set CUDA_HOME)." >&2; exit 1))
	@rm -f $@.tmp
	$(foreach s,$(sort $(wildcard $(ALL_SOURCES) $(KERNEL_TESTS) $(TESTS) $(OTHER_SOURCES) \
	    $(EMULATE_SOURCES) $(SOURCES))),$(call compile_command,$(s)))
	@printf '\n]\n' >>$@.tmp
	@if cmp -s $@.tmp $@; then rm -f $@.tmp; else mv $@.tmp $@; fi
	@echo "$@: $$(grep -c '"file"' $@) files, $(TARGET)"

# The configuration that TARGET and MATH name.
variant = $(1)$(if $(filter exact,$(MATH)),-exact)

define no_nvcc
@echo "The cuda target cannot be built here: there is no nvcc (install the CUDA Toolkit, or set CUDA_HOME or NVCC)." >&2; exit 1
endef

define no_openmp
@echo "The openmp target cannot be built here: $(CC) -fopenmp does not work (clang needs libomp, Debian: libomp-dev)." >&2; exit 1
endef

define no_emulate
@echo "The emulate target cannot be built here: it knows Linux on x86-64 and aarch64, and $(CC) makes programs for $(CC_MACHINE)." >&2; exit 1
endef

.PHONY: FORCE
FORCE:
.DELETE_ON_ERROR:
# The first target of the Makefile that includes this is the default one.
ifeq ($(.DEFAULT_GOAL),FORCE)
.DEFAULT_GOAL :=
endif
