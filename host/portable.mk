# SPDX-License-Identifier: BSD-3-Clause
#
# Rules that build, run, check and time kernels written with portable.h. A Makefile that includes
# this has `make help`, serial, openmp, emulate, cuda, check, memcheck, racecheck, initcheck,
# synccheck, bench, record and more, for the project that it stands in:
#
#   CASE_SOURCES     cases, host/case.h: run and checked by the harness; all of cases/*.c if not set
#   KERNEL_SOURCES   further files that hold or launch kernels: nvcc compiles them for the CUDA target
#   HOST_SOURCES     plain C files: cc compiles them for every target
#   PROGRAMS         files with a main, which may hold or launch kernels; each is linked with
#                    KERNEL_SOURCES and HOST_SOURCES
#
# Each of PROGRAMS and, where there are cases, the harness's program `gallery` is
# build/CONFIGURATION/PROGRAM, for each configuration:
#
#   serial, openmp, emulate, cuda   what a user runs; MATH=exact builds the next ones instead
#   serial-exact, openmp-exact, emulate-exact, cuda-exact   without contraction (FMA), so that
#                               targets agree bit for bit
#   serial-checked              serial-exact, in the order that ORDER asks for
#   serial-debug, openmp-debug, emulate-debug   -O0 -g3, for gdb
#   memcheck, racecheck, initcheck, synccheck   the emulate target under one of its checks
#   neutral                     no programs: what of the harness is the same for all but -debug
#
# CHECK_STEPS are scripts that `make check` runs as further steps.

ifeq ($(MAKE_VERSION),)
$(error This needs GNU make)
endif
ifneq ($(words $(CURDIR)),1)
$(error make cannot build in a directory whose path has a space: $(CURDIR))
endif
ifeq ($(.DEFAULT_GOAL),)
.DEFAULT_GOAL := help
endif
PORTABLE_MK := $(abspath $(lastword $(MAKEFILE_LIST)))
# What lies in host/, and portable.h: a checkout has both in one place, an installation has the first
# in share/portable and the second in include.
PORTABLE_HOME := $(patsubst %/host,%,$(patsubst %/,%,$(dir $(PORTABLE_MK))))
PORTABLE_INCLUDE := $(patsubst %/portable.h,%,$(firstword $(wildcard $(PORTABLE_HOME)/portable.h \
    $(abspath $(PORTABLE_HOME)/../../include)/portable.h)))
ifeq ($(PORTABLE_INCLUDE),)
$(error There is no portable.h that belongs to $(PORTABLE_MK))
endif

# Once: a Makefile may have read it before this.
ifeq ($(filter config.mk,$(MAKEFILE_LIST)),)
-include config.mk
endif

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
# Where nothing can run it, make check compiles CUDA to PTX, for the oldest architecture.
CUDA_CHECK_ARCH ?= $(if $(HAVE_GPU),$(CUDA_ARCH),compute_75)

# make clean removes it.
ifneq ($(words $(BUILD)),1)
$(error BUILD=$(BUILD): it is one directory)
endif
ifneq ($(filter / $(abspath $(BUILD))/%,$(abspath $(BUILD)) $(CURDIR)/ $(HOME:%=%/)),)
$(error BUILD=$(BUILD): it is a directory for what is built alone)
endif
# A directory that holds this file is make's own; no other is written to, or removed, unless it is empty.
# Programs that make backups know the file as well.
BUILD_TAG := $(BUILD)/CACHEDIR.TAG
ifneq ($(shell test -z "$$(ls -A $(BUILD) 2>/dev/null)" || grep -qs 'made by portable.mk' $(BUILD_TAG) || echo 1),)
$(error BUILD=$(BUILD): make did not make what is there ($(BUILD_TAG) is missing). Name another directory, or remove this one yourself)
endif
make_build_directory = mkdir -p $(BUILD) && { test -s $(BUILD_TAG) || printf '%s\n' \
    'Signature: 8a477f597d28d172789f06886806bc55' 'This directory was made by portable.mk: make clean removes it.' >$(BUILD_TAG); }

# Build in parallel unless told how; a make that a make started has been told.
ifeq ($(MAKELEVEL)$(filter -j% --jobs%,$(MAKEFLAGS)),0)
MAKEFLAGS += --jobs=$(or $(shell nproc 2>/dev/null),2)
endif
MAKEFLAGS += --no-builtin-rules

# make V=1 shows commands as they are, make -s nothing.
# A terminal's last line may be that of make check.
quiet = $(if $(filter-out 0,$(V))$(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),,@$(if \
    $(and $(MAKE_TERMOUT),$(filter-out dumb,$(TERM))),printf '\r\033[K  %s\n' "$(1)",echo "  $(1)");)

# Each combination of options has a tree of its own.
B := $(BUILD)$(if $(filter double,$(PRECISION)),/double)$(if $(filter cas,$(ATOMICS)),/cas)

# ---------------------------------------------------------------------------------------------
# Configurations
# ---------------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes -Wc++-compat -Wvla
OPTION_FLAGS := -DPORTABLE_PRECISION_DOUBLE=$(if $(filter double,$(PRECISION)),1,0) \
    -DPORTABLE_ATOMICS_CAS=$(if $(filter cas,$(ATOMICS)),1,0)
# A project's own files come first, but not for the harness.
PORTABLE_INCLUDES := $(strip -I. -I$(PORTABLE_HOME) $(addprefix -I,$(filter-out $(PORTABLE_HOME),$(PORTABLE_INCLUDE))))
CC_BASE := -std=c11 $(WARNINGS) $(PORTABLE_INCLUDES) $(OPTION_FLAGS)
NVCC_BASE := -x cu -std=c++17 -lineinfo -Xcompiler -Wall,-Wextra $(PORTABLE_INCLUDES) \
    $(OPTION_FLAGS) $(CPPFLAGS) $(if $(NVCC_CCBIN),-ccbin $(NVCC_CCBIN))

CC_IS_CLANG := $(shell $(CC) --version 2>/dev/null | grep -q clang && echo 1)
# The harness, and what runs for its results alone, need no better code; compiling is what costs time.
# A third of that is what a debugger shows of variables; the lines are kept, for backtraces.
QUICKLY := -O1 -g1
LINES_ALONE := -g1
# cc_C and nvcc_C: how configuration C compiles
cc_serial       := $(CC_BASE) $(CFLAGS) $(CPPFLAGS)
cc_serial-exact := $(CC_BASE) $(CFLAGS) $(LINES_ALONE) $(CPPFLAGS) -ffp-contract=off
cc_serial-checked := $(cc_serial-exact) $(QUICKLY) -DPORTABLE_CHECKS=1 $(if $(CC_IS_CLANG),,-Wno-maybe-uninitialized)
cc_openmp       := $(cc_serial) -fopenmp
cc_openmp-exact := $(cc_serial-exact) -fopenmp
cc_serial-debug := $(CC_BASE) $(CPPFLAGS) -O0 -g3
EMULATE         := -DPORTABLE_TARGET_EMULATE=1
cc_emulate       := $(cc_serial) $(EMULATE)
cc_emulate-exact := $(cc_serial-exact) $(QUICKLY) $(EMULATE)
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
CHECKS := memcheck racecheck initcheck synccheck
CHECK_CFLAGS ?= -O1 -g
# addr2line of binutils 2.40 misreads DWARF 5: inlined functions of clang's, included files of gcc's.
# A compiler that defines _FORTIFY_SOURCE by itself would call __memset_chk and its kin, which
# nothing watches.
cc_check := $(CC_BASE) $(CHECK_CFLAGS) -gdwarf-4 -fno-omit-frame-pointer \
    -fno-optimize-sibling-calls $(CPPFLAGS) -U_FORTIFY_SOURCE -ffp-contract=off $(EMULATE) \
    -DPORTABLE_ISOLATE=0

# An optimiser leaves out accesses that nothing depends on, and the checks are to see each of the
# source's. So the accesses of kernels are instrumented in the program as it was written, and it is
# optimised afterwards: clang does so in two steps, by compile_C. gcc instruments late, and does
# without the passes before that, but for those that leave memory alone; what they give it to warn of
# is not there either. docs/decisions/019-instrumented-as-written.md says which.
CHECK_LEVEL := $(lastword -O0 $(filter -O%,$(CHECK_CFLAGS)))
as_written := $(if $(CC_IS_CLANG),-O0 -Xclang -disable-O0-optnone,$(if $(filter -O0,$(CHECK_LEVEL)),,-Og \
    -fno-tree-ccp -fno-tree-copy-prop -fno-tree-dce -fno-tree-forwprop -fno-tree-fre \
    -fno-thread-jumps -fno-optimize-strlen -fno-ipa-pure-const -fno-ipa-modref \
    -fno-ipa-reference-addressable -Wno-maybe-uninitialized))

# Each access becomes a call. A built-in memcpy or memset would be none.
accesses := -fsanitize=thread -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset \
    $(if $(CC_IS_CLANG),-mllvm -tsan-instrument-func-entry-exit=0 \
    -mllvm -tsan-instrument-read-before-write=1,--param tsan-instrument-func-entry-exit=0) $(as_written)
instrument_racecheck := $(accesses)
instrument_initcheck := $(accesses)
instrument_memcheck := $(as_written)
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
HAVE_LINUX := $(findstring linux,$(CC_MACHINE))
HAVE_EMULATE := $(if $(HAVE_LINUX),$(if $(filter x86_64-% aarch64-%,$(CC_MACHINE)),1))
HAVE_CHECKS := $(if $(findstring musl,$(CC_MACHINE)),,$(HAVE_EMULATE))

# ---------------------------------------------------------------------------------------------
# What is built
# ---------------------------------------------------------------------------------------------

CASE_SOURCES ?= $(sort $(wildcard cases/*.c))
# The harness: the project's own where the two are one, else a library.
HARNESS := $(if $(filter-out $(CURDIR),$(PORTABLE_HOME)),$(PORTABLE_HOME)/)
HARNESS_SOURCES := $(sort $(wildcard $(HARNESS)host/*.c))
HARNESS_PROGRAMS := $(if $(strip $(CASE_SOURCES)),$(addprefix $(HARNESS)host/programs/,gallery.c portable-compare.c))

# Of the harness, what knows no target is compiled once for all configurations: it must not include
# portable.h. The debug configurations compile it for themselves.
NEUTRAL_SOURCES := $(addprefix $(HARNESS)host/,$(addsuffix .c,accuracy array compare error_histogram figures \
    growth html io matrix_market npy output page png pnm timer))
cc_neutral := $(CC_BASE) $(CFLAGS) $(CPPFLAGS) $(QUICKLY) -DPORTABLE_H
configuration_for = $(if $(filter %-debug,$(1)),$(1),$(if $(filter $(NEUTRAL_SOURCES),$(2)),neutral,$(1)))

# nvcc compiles these for the CUDA target, cc all others.
NVCC_SOURCES := $(sort $(CASE_SOURCES) $(KERNEL_SOURCES) $(KERNEL_TESTS) $(PROGRAMS))
CC_SOURCES := $(sort $(HOST_SOURCES) $(TESTS) $(HARNESS_SOURCES) $(HARNESS_PROGRAMS))
$(foreach s,$(NVCC_SOURCES) $(CC_SOURCES) $(CHECK_STEPS),$(if $(wildcard $(s)),,$(error There is no $(s))))
program_name = $(basename $(notdir $(1)))
# build/C/NAME is a program of this name, and must be nothing else.
PROGRAM_NAMES := $(foreach p,$(PROGRAMS),$(call program_name,$(p)))
TAKEN := flags sources gallery portable-compare portable up \
    $(foreach s,$(NVCC_SOURCES) $(CC_SOURCES),$(if $(findstring /,$(s)),$(firstword $(subst /, ,$(s)))))
$(foreach n,$(filter $(TAKEN),$(PROGRAM_NAMES)),$(error A program cannot have the name $(n), which is taken in build/))
$(if $(filter-out $(words $(sort $(PROGRAM_NAMES))),$(words $(PROGRAM_NAMES))),$(error Two of PROGRAMS have one name: $(PROGRAMS)))

# The results say what they were built with.
build_flags = -DPORTABLE_BUILD_FLAGS='"$(subst ','"'"',$(subst ",\",$(strip $(cc_$(configuration_of)) $(nvcc_$(configuration_of)))))"'
configuration_of = $(word 2,$(subst /, ,$(patsubst $(B)%,build%,$@)))

# $(call keep,text): the target holds the text, and is as old as it. Objects depend on the flags that
# they were compiled with, programs on the list of what is linked.
keep = @$(make_build_directory) && mkdir -p $(@D) && printf '%s\n' '$(subst ','"'"',$(1))' | cmp -s - $@ || \
	    printf '%s\n' '$(subst ','"'"',$(1))' >$@

# $(call configuration,C): objects and programs of build/C
define configuration
$(B)/$(1)/flags: FORCE
	$$(call keep,$$(flags_$(1)))
$(B)/$(1)/sources: FORCE
	$$(call keep,$(NVCC_SOURCES) $(CC_SOURCES))
flags_$(1) = $$(CC) $$(cc_$(1)) $$(instrument_$(1)) $$(wrap_$(1)) \
    $$(if $$(filter cuda%,$(1)),$$(NVCC) $$(nvcc_$(1))) $$(LDFLAGS) $$(LDLIBS)

$(foreach s,$(CC_SOURCES) $(if $(filter cuda%,$(1)),,$(NVCC_SOURCES)),$(if \
    $(filter $(1),$(call configuration_for,$(1),$(s))),$(call cc_rule,$(1),$(s))))
$(if $(filter cuda%,$(1)),$(foreach s,$(NVCC_SOURCES),$(call nvcc_rule,$(1),$(s))))

$(foreach p,$(PROGRAMS) $(HARNESS_PROGRAMS),$(call link_rule,$(1),$(call program_name,$(p)),$(call sources_of,$(p)),))
endef

# $(call sources_of,program): what is linked into it
sources_of = $(1) $(if $(filter $(HARNESS_PROGRAMS),$(1)),$(HARNESS_SOURCES)) \
    $(if $(filter %/gallery.c,$(filter $(HARNESS_PROGRAMS),$(1))),$(CASE_SOURCES)) \
    $(if $(filter %/portable-compare.c,$(filter $(HARNESS_PROGRAMS),$(1))),,$(KERNEL_SOURCES) $(HOST_SOURCES))

object = $(B)/$(call configuration_for,$(1),$(2))/$(subst ../,up/,$(basename $(patsubst $(PORTABLE_HOME)/%,portable/%,$(2)))).o

# Kernels that launch kernels are relocatable device code. nvcc's link joins it with the rest, and
# finds the device runtime. A file that only includes a DEVICE_LAUNCH says the word in a comment.
device_launch_sources = $(if $(strip $(1)),$(shell grep -l DEVICE_LAUNCH $(1)))
DEVICE_LAUNCH_SOURCES := $(call device_launch_sources,$(NVCC_SOURCES))
rdc_of = $(if $(filter $(DEVICE_LAUNCH_SOURCES),$(1)),-rdc=true)

# host/page.css as a C string, which host/page.c includes.
PAGE_CSS := $(B)/harness/page_css.h
$(PAGE_CSS): $(PORTABLE_HOME)/host/page.css
	@$(make_build_directory) && mkdir -p $(@D)
	@{ echo 'static const char page_css[] ='; sed 's/[\\"]/\\&/g; s/.*/    "&\\n"/' $<; echo '    ;'; } >$@
embedded_in = $(if $(filter $(HARNESS)host/page.c,$(1)),$(PAGE_CSS))
includes_of = $(if $(HARNESS),$(if $(filter $(PORTABLE_HOME)/%,$(1)),-I$(PORTABLE_HOME))) \
    $(if $(call embedded_in,$(1)),-I$(patsubst %/,%,$(dir $(PAGE_CSS))))

# The tests of serial are optimised like programs; elsewhere their results alone matter.
quickly_in = $(HARNESS_SOURCES) $(HARNESS_PROGRAMS) $(TESTS) $(if $(filter serial%,$(1)),,$(KERNEL_TESTS))

# $(call compile,C,source,object,instrumentation,further flags)
compile = $(if $(and $(CC_IS_CLANG),$(strip $(4))),$(CC) $(cc_$(1)) $(4) $(5) -emit-llvm -c $(2) -o $(3:.o=.bc) && \
	    $(CC) $(cc_$(1)) -fno-sanitize=all -Qunused-arguments -c $(3:.o=.bc) -o $(3) && rm -f $(3:.o=.bc), \
	    $(CC) $(cc_$(1)) $(4) $(5) -c $(2) -o $(3))

define cc_rule

$(call object,$(1),$(2)): $(2) $(call embedded_in,$(2)) $(B)/$(1)/flags | $(if $(HAVE_LINUX),,$(if $(filter $(HARNESS_SOURCES) $(HARNESS_PROGRAMS),$(2)),need-linux))
	@mkdir -p $$(@D)
	$$(call quiet,cc    $$@)$$(call compile,$(1),$(2),$$@,$(if $(filter $(NVCC_SOURCES),$(2)),$$(instrument_$(1))), \
	    $(call includes_of,$(2)) \
	    $(if $(filter %-debug,$(1)),,$(if $(filter $(call quickly_in,$(1)),$(2)),$(QUICKLY))) \
	    $(if $(filter $(HOST_SOURCES),$(2)),-Wno-c++-compat) \
	    $(if $(filter $(HARNESS)host/report.c,$(2)),$$(build_flags)) -MMD -MP -MT $$@ -MF $$(@:.o=.d))
-include $(basename $(call object,$(1),$(2))).d
endef

define nvcc_rule

$(call object,$(1),$(2)): $(2) $(B)/$(1)/flags
	@mkdir -p $$(@D)
	$$(call quiet,nvcc  $$@)$$(NVCC) $$(nvcc_$(1)) $(call rdc_of,$(2)) -MMD -MP -MF $$(@:.o=.d) -MT $$@ -c $(2) -o $$@
-include $(basename $(call object,$(1),$(2))).d
endef

# nvcc has another word for what is the linker's.
ldflags_of = $(if $(filter cuda%,$(1)),$(patsubst -Wl$(comma)%,-Xlinker %,$(LDFLAGS)),$(LDFLAGS))
linker_of = $(if $(filter cuda%,$(1)),$(NVCC) $(call arch_of,$(1)) $(if $(NVCC_CCBIN),-ccbin $(NVCC_CCBIN)), \
    $(CC) $(cc_$(1)) $(wrap_$(1))) $(ldflags_of)
arch_of = -arch=$(if $(filter %-exact,$(1)),$(CUDA_CHECK_ARCH),$(CUDA_ARCH))
comma := ,

# $(call link_rule,C,name,sources,libraries)
define link_rule

$(B)/$(1)/$(2): $(call runtime_of,$(1)) $(foreach s,$(3),$(call object,$(1),$(s))) $(B)/$(1)/sources
	$$(call quiet,link  $$@)$$(call linker_of,$(1)) $$(filter-out %/sources,$$^) $(4) $$(LDLIBS) -lm -o $$@
endef

CONFIGURATIONS := serial serial-exact serial-checked serial-debug openmp openmp-exact openmp-debug \
    emulate emulate-exact emulate-debug $(CHECKS) cuda cuda-exact

# The runtimes are compiled once, for all the emulate configurations. racecheck has a bound on its cost:
# at -O3 it is 8% faster, and takes twice as long to compile.
runtime_level = $(if $(filter racecheck,$(1)),-O3)
cc_emulate-runtime := $(CC_BASE) -O2 -g -fno-omit-frame-pointer $(CPPFLAGS) $(EMULATE)
flags_emulate-runtime := $(CC) $(cc_emulate-runtime) racecheck: $(call runtime_level,racecheck)
$(B)/emulate-runtime/flags: FORCE
	$(call keep,$(flags_emulate-runtime))
$(B)/emulate-runtime/%.o: $(PORTABLE_HOME)/host/emulate/%.c $(B)/emulate-runtime/flags
	$(call quiet,cc    $@)$(CC) -I$(PORTABLE_HOME) $(cc_emulate-runtime) $(call runtime_level,$*) -MMD -MP -c $< -o $@
-include $(wildcard $(B)/emulate-runtime/*.d)
programs_of = $(foreach p,$(PROGRAMS) $(HARNESS_PROGRAMS),$(B)/$(1)/$(call program_name,$(p)))

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
    -std=c++17 -Wall -Wextra $(PORTABLE_INCLUDES) $(OPTION_FLAGS) $(CLANG_CUDA_FLAGS)
OTHER_SOURCES ?= $(wildcard kernels/*.c)
seen_as_cuda = $(filter %.cu $(if $(filter cuda,$(TARGET)),$(NVCC_SOURCES) $(OTHER_SOURCES)),$(1))
compile_with = $(if $(seen_as_cuda),$(clang_cuda) $(if $(call device_launch_sources,$(1)),-D__CUDACC_RDC__),\
    $(CC) $(if $(filter $(1),$(EMULATE_SOURCES)),$(cc_emulate),$(cc_$(call variant,$(TARGET)))) $(includes_of))
define compile_command
	@$(PORTABLE_HOME)/host/editors/compile_command.sh $@.tmp $(1) $(call compile_with,$(1)) -c $(1)

endef
compile_commands.json: FORCE $(PAGE_CSS) ## how each source is compiled, for clangd and editors; TARGET=emulate or cuda
	$(if $(filter cuda,$(TARGET)),$(if $(CUDA_HOME),,@echo "$@ cannot be made for TARGET=cuda: there is no CUDA Toolkit (set CUDA_HOME)." >&2; exit 1))
	@rm -f $@.tmp
	$(foreach s,$(sort $(wildcard $(NVCC_SOURCES) $(CC_SOURCES) $(OTHER_SOURCES) \
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
@echo "The emulate target cannot be built here: it needs Linux on x86-64 or aarch64, and $(CC) makes programs for $(CC_MACHINE). Use TARGET=serial." >&2; exit 1
endef

.PHONY: need-linux
need-linux:
	@echo "The gallery and portable-compare cannot be built here: they need Linux, and $(CC) makes programs for $(CC_MACHINE). make run SOURCES=... needs neither." >&2; exit 1

define no_checks
@echo "The checks cannot be built here: they need glibc, and $(CC) makes programs for $(CC_MACHINE). TARGET=emulate works." >&2; exit 1
endef

$(foreach c,$(CONFIGURATIONS),$(eval $(call configuration,$(c))))
flags_neutral := $(CC) $(cc_neutral)
$(B)/neutral/flags: FORCE
	$(call keep,$(flags_neutral))
$(foreach s,$(filter $(NEUTRAL_SOURCES),$(CC_SOURCES)),$(eval $(call cc_rule,neutral,$(s))))

# The files of a prefix that has moved are gone, and .d files still name them.
/%.c: ;

.PHONY: FORCE
FORCE:
.DELETE_ON_ERROR:

# ---------------------------------------------------------------------------------------------
# Targets
# ---------------------------------------------------------------------------------------------

GOALS := help serial openmp emulate cuda debug check record accuracy run bench bench-growth report checks \
    $(CHECKS) orders info clean
.PHONY: $(GOALS)

# The command line gives no variable to goals that would ignore it.
CASES_is_for := check accuracy bench bench-growth report orders debug checks $(CHECKS)
SOURCES_is_for := run debug checks $(CHECKS)
N_is_for := bench bench-growth
REPEATS_is_for := bench bench-growth
SEEDS_is_for := orders
GOLDEN_is_for := check record report
is_ignored = $(and $(filter command,$(firstword $(origin $(1)))),$(MAKECMDGOALS),$(if \
    $(filter $($(1)_is_for),$(MAKECMDGOALS))$(filter-out $(GOALS),$(MAKECMDGOALS)),,1))
ifeq ($(MAKELEVEL),0)
IGNORED := $(firstword $(foreach v,CASES SOURCES N REPEATS SEEDS GOLDEN,$(if $(call is_ignored,$(v)),$(v))))
ifneq ($(IGNORED),)
$(error make $(MAKECMDGOALS) takes no $(IGNORED)=: it is for make $($(IGNORED)_is_for))
endif
endif

TITLE ?= $(notdir $(CURDIR)): kernels written with portable.h
help: ## this list
	@echo "$(TITLE)"
	@echo
	@awk -F':.*## ' '/^[a-z%._-]+:.*## /{printf "  make %-21s %s\n", $$1, $$2}' $(sort $(PORTABLE_MK) $(filter %akefile,$(MAKEFILE_LIST)))
	@echo
	@echo "  Variables: CC CFLAGS CPPFLAGS LDFLAGS LDLIBS NVCC NVCCFLAGS NVCC_CCBIN CUDA_HOME CUDA_ARCH"
	@echo "  BUILD V=1 REQUIRE_GPU=1 PRECISION=single|double ATOMICS=native|cas MATH=fast|exact"
	@echo "  TARGET=serial|openmp|emulate|cuda SOURCES ARGS CASES CHECK_CFLAGS ORDER=forward|reverse|shuffle:SEED;"
	@echo "  make bench: N REPEATS$(if $(PEER_SOURCES), PEERS=1);"
	@echo "  from the command line, the environment, or config.mk"

# $(call built,C): prints what `make` of a target has built
built = @$(if $(call shown_of,$(1)),echo "$(call shown_of,$(1))",$(no_programs))
shown_of = $(filter-out %/portable-compare,$(call programs_of,$(1)))
no_programs = echo "There is nothing to build: no cases/*.c$(comma) and PROGRAMS is not set." >&2; exit 1
need_cases = @$(if $(HARNESS_PROGRAMS),,echo "make $@ needs cases$(comma) and there is no cases/*.c." >&2; exit 1)

serial: $(call programs_of,$(call variant,serial)) ## for the CPU: build/serial/
	$(call built,$(call variant,serial))

ifneq ($(HAVE_OPENMP),)
openmp: $(call programs_of,$(call variant,openmp)) ## for all cores of the CPU: build/openmp/
	$(call built,$(call variant,openmp))
else
openmp: ; $(no_openmp)
endif

ifneq ($(HAVE_EMULATE),)
emulate: $(call programs_of,$(call variant,emulate)) ## for the CPU, a stack for each thread: build/emulate/
	$(call built,$(call variant,emulate))
else
emulate: ; $(no_emulate)
endif

ifneq ($(HAVE_NVCC),)
cuda: $(call programs_of,$(call variant,cuda)) ## for the GPU: build/cuda/
	$(call built,$(call variant,cuda))
else
cuda: ; $(no_nvcc)
endif

DEBUGGED := $(TARGET)-debug
NO_DEBUG_openmp := $(if $(HAVE_OPENMP),,no_openmp)
NO_DEBUG_emulate := $(if $(HAVE_EMULATE),,no_emulate)
NO_DEBUG_cuda := no_cuda_debug
NO_DEBUG := $(NO_DEBUG_$(TARGET))
define no_cuda_debug
@echo "make debug is for the CPU targets; for the GPU: make cuda NVCCFLAGS='-g -G', and cuda-gdb." >&2; exit 2
endef
debug: $(if $(NO_DEBUG),,$(if $(SOURCES),$(call runtime_of,$(DEBUGGED)),$(call programs_of,$(DEBUGGED)))) ## for gdb: -O0 -g3, with the commands of host/gdb; TARGET=emulate, SOURCES
ifneq ($(NO_DEBUG),)
	$($(NO_DEBUG))
else ifneq ($(SOURCES),)
	$(sources_readable)
	$(call build_own,$(DEBUGGED),$(call own_name,$(DEBUGGED)))
	@$(call gdb_command,$(B)/run/$(call own_name,$(DEBUGGED)) $(ARGS))
else
	@$(if $(call shown_of,$(DEBUGGED)),,$(no_programs))
	@$(foreach p,$(call shown_of,$(DEBUGGED)),$(call gdb_command,$(p) $(call debug_args,$(p)));)
endif
GDB ?= gdb
# Of the gallery: one case, the first unless there is a better one.
debug_args = $(or $(ARGS),$(if $(filter %/gallery,$(1)),$(or $(if $(CASES),,$(DEBUG_ARGS)),run $(call first_case,$(1)))))
first_case = $(or $(firstword $(CASES)),$$($(1) list | sed -n 's/^  \([^ ]*\).*/\1/p' | head -n 1))
gdb_extension := $(patsubst $(CURDIR)/%,%,$(PORTABLE_HOME)/host/gdb/portable.py)
gdb_command = if test "$$($(GDB) -nx -batch -ex 'python print(1)' 2>/dev/null)" = 1; then \
	    echo "$(GDB) -x $(gdb_extension) --args $(strip $(1))"; \
	else \
	    echo "$(GDB) --args $(strip $(1))"; \
	    echo "without $(gdb_extension), which needs a gdb with Python (Debian: gdb)" >&2; \
	fi

# ---------------------------------------------------------------------------------------------
# make check
#
# A step is a command that passes (exit status 0), is skipped (77, and a line "skipped: why") or
# fails. Steps run side by side; one that passed runs again when a file that it depends on, the
# compilers or an option has changed, or with FORCE=1. ONLY=NAME runs that one, and its like by %;
# EXCEPT=NAME all but that one:
#
#   $(eval $(call step,NAME,title,files,command))
#
# Each of CHECK_STEPS is a script that is a step, and runs always. host/step.sh has the rest.
# ---------------------------------------------------------------------------------------------

CHECK := $(B)/check
CHECK_STEPS ?=
# The cost of each step in an earlier run, for the time that is left.
COSTS ?= $(firstword $(wildcard $(CHECK)/costs tests/costs))
in_check = CHECK="$(CHECK)" CC="$(CC)" NVCC="$(if $(HAVE_NVCC),$(NVCC))" CUDA_HOME="$(CUDA_HOME)" \
    HAVE_GPU="$(HAVE_GPU)" REQUIRE_GPU="$(REQUIRE_GPU)" TOTAL=$(words $(CHECKED)) COSTS="$(wildcard $(COSTS))"
chosen_of = $(filter-out $(EXCEPT),$(filter $(or $(ONLY),%),$(1)))
CHECKED = $(call chosen_of,$(STEP_NAMES))
unknown_steps = $(strip $(foreach pattern,$(ONLY) $(EXCEPT),$(if $(filter $(pattern),$(STEP_NAMES)),,$(pattern))))

define step
STEP_NAMES += $(1)
$(CHECK)/steps/$(1): $(3) $(CHECK)/setting $(if $(filter-out 0,$(FORCE))$(ONLY),FORCE) | $(CHECK)/started
	@$$(in_check) $(PORTABLE_HOME)/host/step.sh $(1) '$(2)' $(4)
.PHONY: check/$(1)
check/$(1): $(CHECK)/steps/$(1)
	@$$(in_check) $(PORTABLE_HOME)/host/step.sh --known $(1)
$(if $(call chosen_of,$(1)),check: check/$(1))
endef

check: ## every case on every target, and all tests; ONLY=step, EXCEPT=step, FORCE=1
	$(if $(CHECK_STEPS),,$(need_cases))
	$(if $(unknown_steps),@echo "there is no such step of make check: $(unknown_steps); there are: $(STEP_NAMES)" >&2; exit 2)
	$(if $(CHECKED),,@echo "EXCEPT=$(EXCEPT) leaves no step of make check" >&2; exit 2)
	@$(in_check) $(PORTABLE_HOME)/host/check.sh $(CHECKED)

# What all steps depend on: the tools, and what they are told. Debian's list of packages stands for
# all other tools.
$(CHECK)/setting: FORCE $(wildcard /var/lib/dpkg/status)
	$(call keep,$(CC) $(shell $(CC) --version 2>/dev/null | head -n 1) $(HAVE_OPENMP) $(HAVE_EMULATE) \
	    $(if $(HAVE_NVCC),$(NVCC) $(shell $(NVCC) --version | tail -n 1)) $(HAVE_GPU) $(REQUIRE_GPU) $(CASES) \
	    $(GOLDEN) $(ORDER) $(OMP_NUM_THREADS) $(shell stat -c %Y /var/lib/dpkg/status 2>/dev/null))
$(CHECK)/started: FORCE
	@$(make_build_directory) && mkdir -p $(CHECK)/steps $(CHECK)/logs && \
	    rm -rf $(CHECK)/running $(CHECK)/ran && mkdir $(CHECK)/running $(CHECK)/ran && \
	    : >$(CHECK)/ended && printf '%s\n' $(CHECKED) >$(CHECK)/names && date +%s >$@

# The cases on every target. Exact records and orders come after what they are compared with.
define cross_steps
$(call step,cross-serial,serial: every case against its reference,$(call programs_of,serial-exact),$(cross) serial)
$(call golden_step,serial)
$(call order_steps,serial,serial-checked)
$(if $(HAVE_OPENMP),$(call openmp_steps),$(call step,cross-openmp,openmp,,$(missing) "$(CC) -fopenmp does not work (clang needs libomp$(comma) Debian: libomp-dev)"))
$(if $(HAVE_EMULATE),$(call emulate_steps),$(call step,cross-emulate,emulate,,$(missing) "it knows Linux on x86-64 and aarch64"))
$(call step,cross-cuda,cuda: every case against serial,$(if $(HAVE_NVCC),$(call programs_of,cuda-exact) $(CHECK)/steps/cross-serial),$(cross) cuda)
$(if $(HAVE_GPU),$(call golden_step,cuda))
endef
cross = env BUILD="$(B)" CASES="$(CASES)" GOLDEN="$(GOLDEN)" $(PORTABLE_HOME)/host/cross_validate.sh
orders = env CASES="$(CASES)" $(PORTABLE_HOME)/host/orders.sh $(B)
# A step for each, which run side by side.
define order_steps
$(call step,reverse-$(1),$(1): blocks and threads in reverse,$(call programs_of,$(2)) $(CHECK)/steps/cross-serial,$(one_order) reverse $(2))
$(call step,shuffle-$(1),$(1): blocks and threads in a shuffled order,$(call programs_of,$(2)) $(CHECK)/steps/cross-serial,$(one_order) shuffle:1 $(2))
endef
one_order = env EXPECTED="$(CHECK)/serial" $(orders)
missing := sh -c 'echo "skipped: $$$$0"; exit 77'
golden_step = $(if $(RECORDS),$(call step,golden-$(1),$(1): every case against what GPUs computed,$(call \
    programs_of,$(1)-exact) $(wildcard $(addsuffix /*/*.npy,$(RECORDS)) $(addsuffix /manifest.txt,$(RECORDS))),$(cross) $(1) golden))
# cross-openmp has the default, as many OS threads as nproc says.
define openmp_steps
$(call step,cross-openmp,openmp: every case against serial,$(call programs_of,openmp-exact) $(CHECK)/steps/cross-serial,$(cross) openmp)
$(call golden_step,openmp)
$(foreach n,$(filter-out $(shell nproc),1 2 7),$(call step,openmp-$(n),openmp: every case with OS threads: $(n),$(call programs_of,openmp-exact) $(CHECK)/steps/cross-serial,$(cross) openmp $(n))
)
endef
define emulate_steps
$(call step,cross-emulate,emulate: every case against serial,$(call programs_of,emulate-exact) $(CHECK)/steps/cross-serial,$(cross) emulate)
$(call golden_step,emulate)
$(call order_steps,emulate,emulate-exact)
endef
$(foreach s,$(CHECK_STEPS),$(eval $(call step,$(basename $(notdir $(s))),$(s),$(s) FORCE,$(if $(findstring /,$(s)),,./)$(s))))

# What results say of where they come from.
commit_note = --note "commit: $$(git describe --always --dirty 2>/dev/null || echo unknown)"
nvcc_note = --note "nvcc: $$($(NVCC) --version | sed -n 's/.*release .*$(comma) //p')"
driver_note = --note "driver: $$(nvidia-smi --query-gpu=driver_version --format=csv$(comma)noheader 2>/dev/null | \
    head -n 1)"

# What a GPU computed, for machines that have none: host/golden.h says what a record is.
# One that was named must be there; the usual one may be missing, and an empty one leaves it out.
ifeq ($(origin GOLDEN),undefined)
GOLDEN := tests/golden
else ifneq ($(and $(GOLDEN),$(filter check report,$(MAKECMDGOALS))),)
ifeq ($(wildcard $(GOLDEN)/*/$(PRECISION)/manifest.txt),)
$(error GOLDEN=$(GOLDEN): there is no record of $(PRECISION) precision: make record makes one on a machine with a GPU)
endif
endif
RECORDS := $(if $(GOLDEN),$(wildcard $(GOLDEN)/*/$(PRECISION)))
$(if $(HARNESS_PROGRAMS),$(eval $(cross_steps)))
ifneq ($(HAVE_GPU),)
COMMIT ?= $(shell git rev-parse --verify -q HEAD || echo unknown)$(shell git diff --quiet HEAD -- . ':!$(GOLDEN)' 2>/dev/null || test $$? != 1 || echo ' with changes')
record: $(call programs_of,cuda-exact) ## keep this GPU's results in tests/golden, for make check anywhere
	$(need_cases)
	@$(B)/cuda-exact/gallery record "$(GOLDEN)" $(driver_note) $(nvcc_note) --note "commit: $(COMMIT)"
else
record:
	@echo "make record needs a GPU, and nvcc, to record what they compute: $(if $(HAVE_NVCC),no GPU was found,there is no nvcc) here." >&2; exit 1
endif

# A make like this one. One tree of build/ has one precision, so each gets a make of its own.
accuracy: ## the digits of each case's results that single precision keeps
	$(need_cases)
	+@for precision in single double; do \
	    $(again) -s PRECISION=$$precision MATH=exact TARGET=serial serial || exit; \
	done >/dev/null
	@rm -rf $(BUILD)/accuracy
	@$(call accuracy_tree,single)/gallery dump $(BUILD)/accuracy/single $(CASES) >/dev/null
	@$(call accuracy_tree,double)/gallery dump $(BUILD)/accuracy/double $(CASES) >/dev/null
	@$(call accuracy_tree,single)/gallery accuracy $(BUILD)/accuracy/single $(BUILD)/accuracy/double $(CASES)
again = $(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST))
accuracy_tree = $(BUILD)$(if $(filter double,$(1)),/double)$(if $(filter cas,$(ATOMICS)),/cas)/serial-exact

# The kernels beside vendor libraries' routines, in PEER_SOURCES: host/peers/peer.h says how.
PEERED := $(if $(filter-out 0,$(PEERS)),$(PEER_SOURCES))
ifneq ($(PEERED),)
PEER_LIBRARY_DIR := $(firstword $(patsubst %/libcublas.so,%,$(wildcard $(addsuffix /libcublas.so, \
    $(CUDA_HOME)/lib64 $(CUDA_HOME)/lib $(CUDA_HOME)/targets/*/lib /usr/lib/*-linux-gnu))))
PEERS_LACK := $(strip $(if $(HAVE_NVCC),,nvcc) \
    $(foreach h,cublas_v2.h cusparse.h,$(if $(wildcard $(CUDA_HOME)/include/$(h)),,$(h))) \
    $(if $(wildcard $(CUDA_HOME)/include/cub/cub.cuh $(CUDA_HOME)/include/cccl/cub/cub.cuh),,cub/cub.cuh) \
    $(if $(PEER_LIBRARY_DIR),$(if $(wildcard $(PEER_LIBRARY_DIR)/libcusparse.so),,libcusparse.so),libcublas.so))
peer_libraries = -L$(PEER_LIBRARY_DIR) -lcublas -lcusparse -Xlinker -rpath,$(PEER_LIBRARY_DIR)
$(foreach s,$(PEER_SOURCES),$(eval $(call nvcc_rule,$(call variant,cuda),$(s))))
$(eval $(call link_rule,$(call variant,cuda),gallery-peers,$(call sources_of,$(HARNESS)host/programs/gallery.c) $(PEER_SOURCES),$$(peer_libraries)))
endif
define no_peers
$(if $(filter cuda,$(TARGET)),,@echo "PEERS=1 compares with libraries for the GPU: make bench TARGET=cuda PEERS=1" >&2; exit 2)
$(if $(PEERS_LACK),@echo "PEERS=1 needs cuBLAS$(comma) cuSPARSE and CUB of the CUDA Toolkit; not found: $(PEERS_LACK)" >&2; exit 1)
endef

BENCHED := $(B)/$(call variant,$(TARGET))/gallery$(if $(PEERED),-peers)
NO_PEERS := $(if $(PEERED),$(PEERS_LACK)$(filter-out cuda,$(TARGET)))
.PHONY: bench-build
bench-build: $(if $(NO_PEERS),,$(TARGET) $(if $(PEERED),$(BENCHED)))
	$(need_cases)
	$(if $(NO_PEERS),$(no_peers))
	@mkdir -p $(BENCH_RESULTS)

# Results of all targets lie in build/bench, and are plotted together; those of some cases, or of
# one size, lie apart, so that they do not take the place of the rest.
BENCH_RESULTS := $(B)/bench$(if $(strip $(CASES)$(N)),/part)
run_bench = $(BENCHED) bench $(CASES) $(if $(N),--n $(N)) $(1) $(if $(REPEATS),--repeats $(REPEATS)) \
    --json $(BENCH_RESULTS)/$(TARGET).json $(commit_note) \
    $(if $(filter cuda,$(TARGET)),$(nvcc_note) $(driver_note)) $(ARGS)
bench: bench-build ## each case beside the plain C loop: a table, and JSON and plots in build/bench; N=, REPEATS=, PEERS=1
	@$(call run_bench,$(if $(N),,--sweep))
	@$(PORTABLE_HOME)/host/plot.sh $(BENCH_RESULTS)
bench-growth: bench-build ## how the time and memory of each case grow over four decades of work
	@$(call run_bench,--growth)

# The page of results: docs/report.md. Its images are those of REPORT_INPUTS, its plots those of make
# bench.
REPORT_INPUTS ?= tests/data
REPORTED := serial-exact $(if $(HAVE_OPENMP),openmp-exact) $(if $(HAVE_EMULATE),emulate-exact) \
    $(if $(HAVE_GPU),cuda-exact)
NO_CUDA := $(if $(HAVE_NVCC),there is no GPU$(comma) so it was not run,there is no nvcc$(comma) so it was \
    not built and not run)
# The targets that the page cannot have, and why; a missing GPU may be a failure.
NOT_REPORTED = $(if $(HAVE_OPENMP),,--missing "openmp: $(CC) -fopenmp does not work$(comma) so it was not built") \
    $(if $(HAVE_EMULATE),,--missing "emulate: it knows Linux on x86-64 and aarch64") \
    $(if $(HAVE_GPU),,$(if $(filter 1,$(REQUIRE_GPU)),--failed,--missing) "cuda: $(NO_CUDA)")
report: $(foreach c,$(REPORTED),$(call programs_of,$(c))) ## all results compared, errors, images and plots on one page: build/report/index.html
	$(need_cases)
	@REQUIRE_GPU="$(REQUIRE_GPU)" $(PORTABLE_HOME)/host/report.sh $(NOT_REPORTED) $(commit_note) $(if $(HAVE_GPU),$(nvcc_note)) \
	    $(if $(RECORDS),--golden "$(GOLDEN)") \
	    $(if $(wildcard $(REPORT_INPUTS)),--inputs "$(REPORT_INPUTS)") \
	    --plots $(B)/bench --plots $(B)/bench/part $(B)/report \
	    $(foreach c,$(REPORTED),$(c:-exact=)=$(B)/$(c)/gallery) $(if $(CASES),-- $(CASES))

# A program of the user's own files: checked, built whole, run; its exit status is make's.
define sources_readable
@$(if $(strip $(SOURCES)),,echo "make $@ needs SOURCES=\"a.c b.c\"" >&2; exit 2;) \
	$(foreach s,$(SOURCES),{ test -f "$(s)" && test -r "$(s)"; } || { echo "make $@: $(s) cannot be read" >&2; exit 2; };) \
	$(make_build_directory) && mkdir -p $(B)/run
endef
# Its name is that of its first file with a number, of all its files and of how they are compiled: two
# that differ can be built and run at once, and each comes to its name whole. A link has the name of
# the configuration alone, for the last that was built.
own_name = $(basename $(notdir $(firstword $(SOURCES))))-$(1)-$(firstword $(shell \
    printf '%s\n' '$(subst ','"'"',$(SOURCES) $(flags_$(1)))' | cksum))
# Of the whole path: two files may have one name.
own_object = $$made/$(subst /,-,$(basename $(1))).o
own_by_nvcc = $(NVCC) $(nvcc_$(1)) $(if $(call device_launch_sources,$(SOURCES)),-rdc=true) \
	$(call ldflags_of,cuda) $(SOURCES) $(LDLIBS)
own_by_cc = $(foreach s,$(SOURCES), \
	$(call compile,$(1),$(s),$(call own_object,$(s)),$(instrument_$(1)),$(OWN_DEFINES)) &&) \
	$(call linker_of,$(1)) $(call runtime_of,$(1)) \
	$(foreach s,$(SOURCES),$(call own_object,$(s))) $(LDLIBS) -lm
# $(call build_own,C,name): of SOURCES, build/run/NAME
build_own = $(call quiet,$(if $(filter cuda%,$(1)),nvcc ,cc   ) $(SOURCES))made=$$(mktemp -d $(B)/run/tmp.XXXXXX) && \
	trap 'rm -rf "$$made"' EXIT && trap 'exit 1' HUP INT TERM && \
	$(call own_by_$(if $(filter cuda%,$(1)),nvcc,cc),$(1)) -o "$$made/program" && \
	mv "$$made/program" $(B)/run/$(2) && \
	ln -s $(2) "$$made/link" && mv -f "$$made/link" $(B)/run/$(1:-exact=)

run: $(if $(HAVE_EMULATE),$(if $(filter emulate,$(TARGET)),$(call runtime_of,emulate))) ## your own files: make run SOURCES="a.c b.c" TARGET=serial|openmp|emulate|cuda ARGS=...
	$(sources_readable)
ifneq ($(if $(filter openmp,$(TARGET)),$(HAVE_OPENMP),$(if $(filter emulate,$(TARGET)),$(HAVE_EMULATE),$(if \
    $(filter cuda,$(TARGET)),$(HAVE_NVCC),1))),)
	$(call build_own,$(call variant,$(TARGET)),$(call own_name,$(call variant,$(TARGET))))
	@$(B)/run/$(call own_name,$(call variant,$(TARGET))) $(ARGS)
else
	$(no_$(TARGET:cuda=nvcc))
endif

# Each check on the cases, or on your own files.
memcheck: ## out of bounds, wrong side, freed twice, leaked: all cases, or SOURCES="a.c b.c"
racecheck: ## two threads, one byte, no barrier between them
initcheck: ## what is read and nothing wrote
synccheck: ## barriers that not all threads come to
define check_rule
$(1): $(if $(HAVE_CHECKS),$(call runtime_of,$(1)) $(if $(SOURCES),,$(call programs_of,$(1))))
ifeq ($(HAVE_EMULATE),)
	$$(no_emulate)
else ifeq ($(HAVE_CHECKS),)
	$$(no_checks)
else ifneq ($(SOURCES),)
	$$(sources_readable)
	$$(call build_own,$(1),$$(call own_name,$(1)))
	@$(B)/run/$$(call own_name,$(1)) $$(ARGS)
else ifneq ($(HARNESS_PROGRAMS),)
	@$(B)/$(1)/gallery check $$(CASES) $$(ARGS)
else
	@$(if $(PROGRAMS),,echo "There is nothing to check: no cases/*.c$(comma) and neither PROGRAMS nor SOURCES is set." >&2; exit 1)
	@$(foreach p,$(call programs_of,$(1)),$(p) $$(ARGS) &&) true
endif
endef
$(eval $(call check_rule,memcheck))
$(eval $(call check_rule,racecheck))
$(eval $(call check_rule,initcheck))
$(eval $(call check_rule,synccheck))
checks: ## all four, one after another
	+@status=0; for check in $(CHECKS); do \
	    $(again) $$check || status=1; \
	done; exit $$status

SEEDS ?= 20
ORDERED := serial-checked $(if $(HAVE_EMULATE),emulate-exact)
orders: $(foreach c,serial-exact $(ORDERED),$(call programs_of,$(c))) ## the cases in SEEDS=20 shuffled orders of blocks and threads
	$(need_cases)
	@$(orders) "$(SEEDS)" $(ORDERED)

info: ## what was found, and how it is used
	@echo "cc:    $(CC) ($(shell $(CC) --version | head -n 1))"
	@echo "nvcc:  $(if $(HAVE_NVCC),$(NVCC) ($(shell $(NVCC) --version | sed -n 's/.*release //p')),none: the cuda target cannot be built)"
	@echo "GPU:   $(if $(HAVE_GPU),$(shell nvidia-smi -L | head -n 1),none: the cuda target cannot be run)"
	@echo "CUDA:  $(or $(CUDA_HOME),none)"
	@echo "build: $(B)"
	@$(foreach c,$(filter-out cuda%,$(CONFIGURATIONS)),echo "$(c): $(CC) $(cc_$(c))";)
	@$(if $(HAVE_NVCC),$(foreach c,cuda cuda-exact,echo "$(c): $(NVCC) $(nvcc_$(c))";))

print-%: ## the value of a variable: make print-CFLAGS
	@echo '$* = $($*)'

clean: ## remove everything that was built
	rm -rf $(BUILD) compile_commands.json
