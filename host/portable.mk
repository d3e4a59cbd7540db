# SPDX-License-Identifier: BSD-3-Clause
#
# Rules that build, run, check and time kernels written with portable.h. A Makefile that includes
# this file gets `make help`, serial, openmp, emulate, cuda, check, memcheck, racecheck, initcheck,
# synccheck, streamcheck, ordercheck, fpcheck, bench, record and more for its own project:
#
#   CASE_SOURCES     cases for the harness (host/case.h); default: cases/*.c
#   KERNEL_SOURCES   other files that define or launch kernels; nvcc compiles them for CUDA
#   HOST_SOURCES     plain C files; cc compiles them for every target
#   PROGRAMS         files with a main, which may define or launch kernels; each is linked with
#                    KERNEL_SOURCES and HOST_SOURCES
#   RANK_PROGRAMS    files with a main for many ranks, by MPI: host/make/ranks.mk
#   CHECK_STEPS      scripts that `make check` runs as additional steps
#
# Each of PROGRAMS and, if there are cases, the harness's program `gallery` becomes
# build/CONFIGURATION/PROGRAM; host/make/configurations.mk lists the configurations.

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
# The directory of host/. A checkout also has portable.h there; an installation has host/ in
# share/portable and portable.h in include.
PORTABLE_HOME := $(patsubst %/host,%,$(patsubst %/,%,$(dir $(PORTABLE_MK))))
PORTABLE_INCLUDE := $(patsubst %/portable.h,%,$(firstword $(wildcard $(PORTABLE_HOME)/portable.h \
    $(abspath $(PORTABLE_HOME)/../../include)/portable.h)))
ifeq ($(PORTABLE_INCLUDE),)
$(error There is no portable.h that belongs to $(PORTABLE_MK))
endif

# Unless the Makefile has read it already.
ifeq ($(filter config.mk,$(MAKEFILE_LIST)),)
-include config.mk
endif

comma := ,
.PHONY: FORCE
FORCE:
.DELETE_ON_ERROR:

# In order: each part may use what those before it define.
PORTABLE_PARTS := $(patsubst %,$(PORTABLE_HOME)/host/make/%.mk,variables configurations build nvcc run checks check report \
    bench editors)
include $(filter %/variables.mk %/configurations.mk,$(PORTABLE_PARTS))

# Goals that need neither OpenMP, nor portable-nvcc, nor the steps of make check. If the command names
# no other, few_rules is 1, and make starts in half the time: if one of them does depend on another
# goal, a second make builds that.
FEW_RULES := help info clean serial emulate cuda run compare compare/runs debug bench counts growth orders record accuracy checks $(ALL_CHECKS)
few_rules := $(if $(MAKECMDGOALS),$(if $(filter-out $(FEW_RULES),$(MAKECMDGOALS) $(TARGET))$(filter %.cu,$(SOURCES)),,1))
ifneq ($(few_rules),)
openmp check check-all steps report portable-nvcc:
	+@$(again) $@
.PHONY: portable-nvcc
endif

include $(filter-out %/variables.mk %/configurations.mk $(if $(few_rules),%/nvcc.mk),$(PORTABLE_PARTS))

# ---------------------------------------------------------------------------------------------
# Help, and variables on the command line
# ---------------------------------------------------------------------------------------------

GOALS := help serial openmp emulate cuda debug check check-all steps record accuracy run compare bench counts growth report checks \
    $(ALL_CHECKS) fpcheck orders info clean
.PHONY: $(GOALS)

# A variable on the command line that no goal uses is an error. A project may add its own goals
# before it includes this file.
CASES_is_for += check check-all accuracy bench counts growth report orders debug checks $(ALL_CHECKS)
SOURCES_is_for += run compare debug checks $(ALL_CHECKS)
IGNORE_is_for += compare checks
LIMIT_is_for += check check-all record accuracy run compare bench counts growth report orders checks $(ALL_CHECKS)
N_is_for += bench counts
REPEATS_is_for += bench
BUDGET_is_for += bench
SEEDS_is_for += orders
GOLDEN_is_for += check check-all record report
RANKS_is_for += check check-all
is_ignored = $(and $(filter command,$(firstword $(origin $(1)))),$(MAKECMDGOALS),$(if \
    $(filter $($(1)_is_for),$(MAKECMDGOALS))$(filter-out $(GOALS),$(MAKECMDGOALS)),,1))
ifeq ($(MAKELEVEL),0)
IGNORED := $(firstword $(foreach v,CASES SOURCES IGNORE LIMIT N REPEATS BUDGET SEEDS GOLDEN RANKS,$(if $(call is_ignored,$(v)),$(v))))
ifneq ($(IGNORED),)
$(error make $(MAKECMDGOALS) does not take $(IGNORED)=; goals that do: $($(IGNORED)_is_for)$(if \
    $(filter SOURCES,$(IGNORED)),. To compare what a program does on all targets: make compare SOURCES=...))
endif
endif

# Errors in a command are reported before anything is built.
# $(call must_be,VARIABLE,extended regular expression,what it must be)
must_be = $(if $(strip $($(1))),$(if $(shell printf '%s\n' '$(subst ','"'"',$($(1)))' | LC_ALL=C grep -qxE '$(2)' && echo 1),,$(error $(1)=$($(1)): must be $(3))))
for_goal = $(filter $($(1)_is_for),$(MAKECMDGOALS))
# Blanks around a value do not matter: in config.mk a comment may follow it.
must_be_for_goal = $(if $(call for_goal,$(1)),$(call must_be,$(1), *($(2)) *,$(3)))
$(call must_be_for_goal,N,[0-9]{1$(comma)9}|10[0-6][0-9]{7}|1073741824,a number of elements$(comma) 0 to 1073741824)
$(call must_be_for_goal,REPEATS,[1-9][0-9]{0$(comma)8},at least 1)
$(call must_be_for_goal,BUDGET,[0-9]{1$(comma)7},a whole number of seconds)
$(call must_be_for_goal,SEEDS,[1-9][0-9]{0$(comma)8},a number of shuffled orders$(comma) 1 to 999999999)
$(call must_be_for_goal,LIMIT,[0-9]{1$(comma)6}|1000000,a whole number of seconds$(comma) at most 1000000)
$(call must_be_for_goal,RANKS,[1-9][0-9]*( +[1-9][0-9]*)*,numbers of ranks)
# Of a run of a case, and of a launch on emulate.
ifneq ($(strip $(LIMIT)),)
export PORTABLE_LIMIT := $(strip $(LIMIT))
endif
# A file that is missing and that a Makefile mentions may be made by a rule.
$(if $(call for_goal,SOURCES),$(foreach s,$(SOURCES),$(if $(shell { test -f "$(s)" && test -r "$(s)"; } || \
    { test ! -e "$(s)" && grep -qsF -e "$(s)" $(MAKEFILE_LIST); } || echo no),$(error SOURCES: cannot read $(s)))))
unknown_case := $(if $(and $(CASE_SOURCES),$(CASES),$(call for_goal,CASES)),$(shell awk -f $(PORTABLE_HOME)/host/make/unknown_case.awk \
    -v cases='$(subst ','"'"',$(CASES))' $(CASE_SOURCES)))
ifneq ($(unknown_case),)
$(error CASES: there is no case $(unknown_case))
endif

# BENCH_VARIABLES are those that the project adds to make bench.
TITLE ?= $(notdir $(CURDIR)): kernels written with portable.h
help: ## this list
	@echo "$(TITLE)"; echo; \
	awk -F':.*## ' '/^[a-z%._-]+:.*## /{printf "  make %-21s %s\n", $$1, $$2}' $(PORTABLE_PARTS) $(PORTABLE_MK) $(sort $(filter %akefile,$(MAKEFILE_LIST))); \
	echo; \
	echo "  Variables: CC CFLAGS CPPFLAGS LDFLAGS LDLIBS NVCC NVCCFLAGS NVCC_CCBIN CUDA_HOME CUDA_ARCH"; \
	echo "  BUILD V=1 REQUIRE_GPU=1 PRECISION=single|double ATOMICS=native|cas MATH=fast|exact"; \
	echo "  TARGET=serial|openmp|emulate|cuda SOURCES ARGS CASES IGNORE LIMIT=SECONDS CHECK_CFLAGS ORDER=forward|reverse|shuffle:SEED;"; \
	echo "  make bench: N REPEATS BUDGET$(BENCH_VARIABLES:%= %);"; \
	$(if $(RANK_PROGRAMS),echo "  programs for many ranks: MPI_CFLAGS MPI_LIBS MPIEXEC;";) \
	echo "  from the command line, the environment, or config.mk"

info: ## the compilers, the GPU, and the flags of each configuration
	@echo "cc:    $(CC) ($(shell $(CC) --version | head -n 1))"
	@echo "nvcc:  $(or $(missing_cuda),$(NVCC) ($(shell $(NVCC) --version | sed -n 's/.*release //p')))"
	@echo "GPU:   $(or $(missing_gpu),$(shell nvidia-smi -L | head -n 1))"
	@echo "CUDA:  $(or $(CUDA_HOME),none)"
	@$(if $(RANK_PROGRAMS),echo "MPI:   $(or $(missing_mpi),$(MPI_LIBS))$(if $(HAVE_NCCL),$(comma) with NCCL for cuda)")
	@echo "build: $(B)"
	@$(foreach c,$(filter-out cuda%,$(CONFIGURATIONS)),echo "$(c): $(CC) $(cc_$(c))";)
	@$(if $(HAVE_NVCC),$(foreach c,cuda cuda-exact,echo "$(c): $(NVCC) $(nvcc_$(c))";))

print-%: ## the value of a variable: make print-CFLAGS
	@echo '$* = $($*)'

clean: ## remove all build output
	rm -rf "$(BUILD)" compile_commands.json
