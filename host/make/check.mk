# SPDX-License-Identifier: BSD-3-Clause
# make check: the steps, and the cases on every target. Also make orders, and make record, which
# keeps a GPU's results for make check on other machines.
#
# A step is a command that passes (exit status 0), is skipped (77, and a line "skipped: why") or
# fails. Steps run side by side. One that passed runs again only when a file it depends on, the list
# of these files, a compiler or an option has changed, or with FORCE=1. ONLY=NAME selects steps and
# EXCEPT=NAME excludes them; both take names and patterns with %:
#
#   $(eval $(call step,NAME,title,files,command))
#
# Each of CHECK_STEPS is a script; these steps always run. host/step.sh runs a step, host/check.sh
# counts them.

CHECK := $(B)/check
CHECK_STEPS ?=
# The cost of each step in an earlier run, to estimate the time left.
COSTS ?= $(firstword $(wildcard $(CHECK)/costs tests/costs))
in_check = CHECK="$(CHECK)" CC="$(CC)" NVCC="$(if $(HAVE_NVCC),$(NVCC))" CUDA_HOME="$(CUDA_HOME)" \
    HAVE_GPU="$(HAVE_GPU)" REQUIRE_GPU="$(REQUIRE_GPU)" TOTAL=$(words $(CHECKED)) COSTS="$(wildcard $(COSTS))"
chosen_of = $(filter-out $(EXCEPT),$(filter $(or $(ONLY),%),$(1)))
# cross-serial also runs for the steps that compare with its results.
CHECKED = $(filter $(call chosen_of,$(STEP_NAMES)) $(if $(call chosen_of,$(CASE_STEPS)),cross-serial),$(STEP_NAMES))
unknown_steps = $(strip $(foreach pattern,$(ONLY) $(EXCEPT),$(if $(filter $(pattern),$(STEP_NAMES)),,$(pattern))))
refuse_unknown_steps = $(if $(unknown_steps),@echo "make check has no step $(unknown_steps); its steps are: $(STEP_NAMES)" >&2; exit 2)

# FILES_OF_STEP is the list of files when the step passed. A file that is deleted or renamed makes
# no other newer, but changes the list.
-include $(wildcard $(CHECK)/steps/*.files)
files_changed = $(if $(findstring [$(strip $(2))],[$(FILES_OF_$(1))]),,FORCE)
is_step_twice = $(if $(filter $(1),$(STEP_NAMES)),$(error Two steps of make check have the name $(1): $(2)))

define step
$(call is_step_twice,$(1),$(2))
STEP_NAMES += $(1)
$(CHECK)/steps/$(1): $(3) $(CHECK)/setting $(call files_changed,$(1),$(sort $(3))) $(if $(filter-out 0,$(FORCE))$(ONLY),FORCE) | $(CHECK)/started
	$$(if $$(findstring n,$$(short_options)),,$$(file >$(CHECK)/ran/$(1).files,FILES_OF_$(1) := $(sort $(3))))
	@$$(in_check) $(PORTABLE_HOME)/host/step.sh $(1) '$(2)' $(4)
.PHONY: check/$(1)
check/$(1): $(CHECK)/steps/$(1)
	@$$(in_check) $(PORTABLE_HOME)/host/step.sh --known $(1)
$(if $(call chosen_of,$(1)),check: check/$(1))
endef

check: ## every case on every target, and all tests; ONLY=step, EXCEPT=step, FORCE=1
	$(if $(CHECK_STEPS),,$(need_cases))
	$(refuse_unknown_steps)
	$(if $(CHECKED),,@echo "EXCEPT=$(EXCEPT) leaves no step of make check" >&2; exit 2)
	@$(in_check) $(PORTABLE_HOME)/host/check.sh $(CHECKED)

# Every step depends on the tools and their options. Debian's list of packages represents all other
# tools.
$(CHECK)/setting: FORCE $(wildcard /var/lib/dpkg/status)
	$(call keep,$(CC) $(shell $(CC) --version 2>/dev/null | head -n 1) $(HAVE_OPENMP) $(HAVE_EMULATE) \
	    $(if $(HAVE_NVCC),$(NVCC) $(shell $(NVCC) --version | tail -n 1)) $(HAVE_GPU) $(REQUIRE_GPU) $(CASES) \
	    $(GOLDEN) $(ORDER) $(OMP_NUM_THREADS) $(shell stat -c %Y /var/lib/dpkg/status 2>/dev/null))
$(CHECK)/started: FORCE
	$(refuse_unknown_steps)
	@process=$$(cat $(CHECK)/process 2>/dev/null) && grep -qs make /proc/$$process/comm && [ "$$process" != $$PPID ] || exit 0; \
	    echo "another make check runs in $(B), as process $$process; wait for it, or use another BUILD=" >&2; exit 2
	@$(make_build_directory) && mkdir -p $(CHECK)/steps $(CHECK)/logs && echo $$PPID >$(CHECK)/process && \
	    rm -rf $(CHECK)/running $(CHECK)/ran && mkdir $(CHECK)/running $(CHECK)/ran && \
	    : >$(CHECK)/ended && printf '%s\n' $(CHECKED) >$(CHECK)/names && date +%s >$@

# $(call skip_step,NAME,title,why): a step that this machine cannot run
skip_step = $(call step,$(1),$(2),,sh -c 'echo "skipped: $$$$0"; exit 77' "$(3)")

$(foreach s,$(CHECK_STEPS),$(eval $(call step,$(basename $(notdir $(s))),$(s),$(s) FORCE,$(if $(findstring /,$(s)),,./)$(s))))

# ---------------------------------------------------------------------------------------------
# Results of a GPU, for machines without one: host/golden.h describes a record
# ---------------------------------------------------------------------------------------------

# A record that the user names must exist; the default may be missing, and an empty GOLDEN leaves it
# out.
ifeq ($(origin GOLDEN),undefined)
GOLDEN := tests/golden
else ifneq ($(and $(GOLDEN),$(filter check report,$(MAKECMDGOALS))),)
ifeq ($(wildcard $(GOLDEN)/*/$(PRECISION)/manifest.txt),)
$(error GOLDEN=$(GOLDEN) has no record in $(PRECISION) precision; make record writes one on a machine with a GPU)
endif
endif
RECORDS := $(if $(GOLDEN),$(wildcard $(GOLDEN)/*/$(PRECISION)))

# The origin of results, for records, benchmarks and reports.
commit_note = --note "commit: $$(git describe --always --dirty 2>/dev/null || echo unknown)"
nvcc_note = --note "nvcc: $$($(NVCC) --version | sed -n 's/.*release .*$(comma) //p')"
driver_note = --note "driver: $$(nvidia-smi --query-gpu=driver_version --format=csv$(comma)noheader 2>/dev/null | \
    head -n 1)"

ifneq ($(HAVE_GPU),)
COMMIT ?= $(shell git rev-parse --verify -q HEAD || echo unknown)$(shell git diff --quiet HEAD -- . ':!$(GOLDEN)' 2>/dev/null || test $$? != 1 || echo ' with changes')
record: $(call programs_of,cuda-exact) ## record this GPU's results in tests/golden, for make check on any machine
	$(need_cases)
	@$(B)/cuda-exact/gallery record "$(GOLDEN)" $(driver_note) $(nvcc_note) --note "commit: $(COMMIT)"
else
record:
	@echo "make record needs a GPU: $(or $(missing_cuda),$(missing_gpu))." >&2; exit 1
endif

# ---------------------------------------------------------------------------------------------
# The cases on every target, and in other orders of blocks and threads
# ---------------------------------------------------------------------------------------------

cross = env BUILD="$(B)" CASES="$(CASES)" GOLDEN="$(GOLDEN)" NO_CUDA="$(missing_cuda)" $(PORTABLE_HOME)/host/cross_validate.sh
orders_of = env CASES="$(CASES)" $(PORTABLE_HOME)/host/orders.sh $(B)
one_order = env EXPECTED="$(CHECK)/serial" $(orders_of)

case_scripts := $(PORTABLE_HOME)/host/cross_validate.sh $(PORTABLE_HOME)/host/orders.sh
# $(call case_step,name,title,C,command): compares results of configuration C with those of
# cross-serial
define case_step
$(call step,$(1),$(2),$(call programs_of,$(3)) $(case_scripts) $(CHECK)/steps/cross-serial,$(4))
CASE_STEPS += $(1)
check/$(1): check/cross-serial
endef
golden_step = $(if $(RECORDS),$(call step,golden-$(1),$(1): every case against recorded results of a GPU,$(call \
    programs_of,$(1)-exact) $(case_scripts) $(wildcard $(addsuffix /*/*.npy,$(RECORDS)) $(addsuffix /manifest.txt,$(RECORDS))),$(cross) $(1) golden))
define cross_steps
$(call step,cross-serial,serial: every case against its reference,$(call programs_of,serial-exact) $(case_scripts),$(cross) serial)
$(call golden_step,serial)
$(call order_steps,serial,serial-checked)
$(if $(missing_openmp),$(call skip_step,cross-openmp,openmp,$(missing_openmp)),$(call openmp_steps))
$(if $(missing_emulate),$(call skip_step,cross-emulate,emulate,$(missing_emulate)),$(call emulate_steps))
$(if $(missing_cuda),$(call step,cross-cuda,cuda: every case against serial,,$(cross) cuda),$(call case_step,cross-cuda,cuda: every case against serial,cuda-exact,$(cross) cuda))
$(if $(HAVE_GPU),$(call golden_step,cuda))
endef
define order_steps
$(call case_step,reverse-$(1),$(1): blocks and threads in reverse,$(2),$(one_order) reverse $(2))
$(call case_step,shuffle-$(1),$(1): blocks and threads in a shuffled order,$(2),$(one_order) shuffle:1 $(2))
endef
# cross-openmp has the default number of OS threads, which is that of nproc.
define openmp_steps
$(call case_step,cross-openmp,openmp: every case against serial,openmp-exact,$(cross) openmp)
$(call golden_step,openmp)
$(foreach n,$(filter-out $(shell nproc),1 2 7),$(call case_step,openmp-$(n),openmp: every case with OS threads: $(n),openmp-exact,$(cross) openmp $(n))
)
endef
define emulate_steps
$(call case_step,cross-emulate,emulate: every case against serial,emulate-exact,$(cross) emulate)
$(call golden_step,emulate)
$(call order_steps,emulate,emulate-exact)
endef
$(if $(HARNESS_PROGRAMS),$(eval $(cross_steps)))

SEEDS ?= 20
ORDERED := serial-checked $(if $(HAVE_EMULATE),emulate-exact)
orders: $(foreach c,serial-exact $(ORDERED),$(call programs_of,$(c))) ## the cases in SEEDS=20 shuffled orders of blocks and threads
	$(need_cases)
	@$(orders_of) "$(SEEDS)" $(ORDERED)
