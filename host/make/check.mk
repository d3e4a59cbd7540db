# SPDX-License-Identifier: BSD-3-Clause
# make check and make check-all: the steps, and the cases on every target. Also make orders, and
# make record, which keeps a GPU's results for make check on other machines.
#
# A step is a command that passes (exit status 0), is skipped (77, and a line "skipped: why") or
# fails. Steps run side by side. One that passed runs again only when a file it depends on, the list
# of these files, a compiler or an option has changed, or with FORCE=1. make check runs the steps
# that match QUICK_STEPS, make check-all runs all. ONLY=NAME selects steps and EXCEPT=NAME excludes
# them; both take names and patterns with %. Each of CHECK_STEPS is a script; these steps always
# run. Any other step is described by variables, and defined by $(call steps,NAMES):
#
#   NAME.proves    what it proves, in one line
#   NAME.files     the files that it depends on
#   NAME.command
#   NAME.missing   why it cannot run on this machine; if not empty, it is skipped
#   NAME.of        words: each is a step NAME-WORD, and the variables above may use $(of)
#   NAME.after     another step, whose results it uses
#
# host/steps/step.sh runs a step, host/steps/check.sh counts them.

CHECK := $(B)/check
CHECK_STEPS ?=
QUICK_STEPS ?= %
in_check = CHECK="$(CHECK)" CC="$(CC)" NVCC="$(if $(HAVE_NVCC),$(NVCC))" CUDA_HOME="$(CUDA_HOME)" \
    HAVE_GPU="$(HAVE_GPU)" REQUIRE_GPU="$(REQUIRE_GPU)" TOTAL=$(words $(CHECKED))
every_step := $(or $(ONLY),$(if $(filter check-all,$(MAKECMDGOALS)),%))
chosen_of = $(filter-out $(EXCEPT),$(filter $(chosen_names),$(1)))
chosen_names = $(or $(every_step),$(QUICK_STEPS))
# cross-serial also runs for the steps that compare with its results.
CHECKED = $(filter $(call chosen_of,$(STEP_NAMES)) $(foreach s,$(call chosen_of,$(STEP_NAMES)),$(AFTER_$(s))),$(STEP_NAMES))
unknown_steps = $(strip $(foreach pattern,$(ONLY) $(EXCEPT),$(if $(filter $(pattern),$(STEP_NAMES)),,$(pattern))))
refuse_unknown_steps = $(if $(unknown_steps),@echo "make check has no step $(unknown_steps); its steps are: $(STEP_NAMES)" >&2; exit 2)

# FILES_OF_STEP is the list of files when the step passed. A file that is deleted or renamed makes
# no other newer, but changes the list.
ifneq ($(filter check check-all check/%,$(MAKECMDGOALS)),)
-include $(wildcard $(CHECK)/steps/*.files)
endif
files_changed = $(if $(findstring [$(strip $(2))],[$(FILES_OF_$(1))]),,FORCE)
is_step_twice = $(if $(filter $(1),$(STEP_NAMES)),$(error Two steps of make check have the name $(1): $(2)))

# $(call step,NAME,what it proves,files,command,another step)
define step
$(call is_step_twice,$(1),$(2))
STEP_NAMES += $(1)
AFTER_$(1) := $(5)
$(CHECK)/steps/$(1): $(3) $(5:%=$(CHECK)/steps/%) $(CHECK)/setting $(call files_changed,$(1),$(sort $(3))) $(if $(filter-out 0,$(FORCE))$(ONLY),FORCE) | $(CHECK)/started
	$$(if $$(findstring n,$$(short_options)),,$$(file >$(CHECK)/ran/$(1).files,FILES_OF_$(1) := $(sort $(3))))
	@$$(in_check) $(PORTABLE_HOME)/host/steps/step.sh $(1) '$(subst ','"'"',$(2))' $(4)
.PHONY: check/$(1)
check/$(1): $(CHECK)/steps/$(1) $(5:%=check/%)
	@$$(in_check) $(PORTABLE_HOME)/host/steps/step.sh --known $(1)
$(if $(call chosen_of,$(1)),check check-all: check/$(1))
endef
skip_command = sh -c 'echo "skipped: $$$$0"; exit 77' "$(1)"
# A step that is not chosen has a name alone, where no goal and no step can ask for it: the lists of
# files take long.
left_out = $(if $(MAKECMDGOALS),$(if $(filter-out check check-all,$(MAKECMDGOALS))$(call chosen_of,$(1))$(filter $(1),$(followed)),,1))
define name_alone
STEP_NAMES += $(1)
AFTER_$(1) :=
endef
described_step = $(if $(call left_out,$(1)),$(call name_alone,$(1)),$(described_rule))
described_rule = $(if $(strip $($(2).missing)),$(call step,$(1),$($(2).proves),,$(call skip_command,$(strip $($(2).missing)))),$(call \
    step,$(1),$($(2).proves),$($(2).files),$($(2).command),$($(2).after)))
has_words = $(filter-out undefined,$(origin $(1).of))
# The words of NAME.of; % for a step without, and for a family that is missing as a whole, which is
# one skipped step.
words_of = $(if $(and $(call has_words,$(1)),$(if $(strip $($(1).missing)),,1)),$($(1).of),%)
define steps
$(eval chosen_names := $(or $(every_step),$(QUICK_STEPS)))$(eval followed := $(foreach s,$(1),$($(s).after)))
$(foreach s,$(1),$(foreach of,$(call words_of,$(s)),$(eval $(call described_step,$(s)$(if $(subst %,,$(of)),-$(of)),$(s))))$(eval \
    DESCRIBED += $(s)))
endef

# $(refuse_steps): after the last step, for a project that describes steps: refuses an unknown step
# before anything is built
refuse_steps = $(if $(filter check check-all,$(MAKECMDGOALS)),$(if $(unknown_steps),$(error make check has no step $(unknown_steps); its steps \
    are: $(STEP_NAMES)))$(if $(CHECKED),,$(error EXCEPT=$(EXCEPT) leaves no step of make check)))

check: ## what this machine can prove in minutes: every case on every target, and the main tests; ONLY=step, EXCEPT=step, FORCE=1
check-all: ## the same, and every other test
ifeq ($(few_rules),)
check check-all:
	$(if $(CHECK_STEPS)$(DESCRIBED),,$(need_cases))
	$(refuse_unknown_steps)
	$(if $(CHECKED),,@echo "EXCEPT=$(EXCEPT) leaves no step of make check" >&2; exit 2)
	@$(in_check) REST="$(words $(filter-out $(CHECKED),$(STEP_NAMES)))" OTHER_CC="$(if $(CC_IS_CLANG),gcc,clang)" ALL="$(every_step)" CASES="$(CASES)" \
	    $(PORTABLE_HOME)/host/steps/check.sh $(CHECKED)
endif

# A family has one line.
described_name = $(1)$(if $(call has_words,$(1)),-%)
steps_of = $(if $(call has_words,$(1)),$(foreach of,$($(1).of),$(1)-$(of)),$(1))
run_by = $(if $(filter $(QUICK_STEPS),$(steps_of)),$(if $(filter-out $(QUICK_STEPS),$(steps_of)),check (some),check),check-all)
.PHONY: steps
steps: of := %
steps: ## what each step of make check and make check-all proves
ifeq ($(few_rules),)
steps:
	@$(foreach s,$(DESCRIBED),printf '%-22s %-12s %s\n' '$(call described_name,$(s))' '$(call run_by,$(s))' '$(subst ','"'"',$($(s).proves))';)
endif

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
	    : >$(CHECK)/ended && : >$@

$(foreach s,$(if $(few_rules),,$(CHECK_STEPS)),$(eval $(call step,$(basename $(notdir $(s))),$(s),$(s) FORCE,$(if $(findstring /,$(s)),,./)$(s))))

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

# Further arguments of the gallery where the cases run in other orders, or on other numbers of OS
# threads.
ORDERED_ARGS ?=
cross = env BUILD="$(B)" CASES="$(CASES)" ORDERED_ARGS="$(ORDERED_ARGS)" GOLDEN="$(GOLDEN)" NO_CUDA="$(missing_cuda)" $(PORTABLE_HOME)/host/steps/cross_validate.sh
orders_of = env CASES="$(CASES)" $(PORTABLE_HOME)/host/steps/orders.sh $(B)
one_order = env ORDERED_ARGS="$(ORDERED_ARGS)" EXPECTED="$(CHECK)/serial" $(orders_of)

case_scripts := $(PORTABLE_HOME)/host/steps/cross_validate.sh $(PORTABLE_HOME)/host/steps/orders.sh
case_files = $(call programs_of,$(of)-exact) $(case_scripts)
but_for_serial = $(if $(filter serial,$(of)),,cross-serial)

cross.of = serial openmp emulate cuda
cross.proves = $(of): every case agrees with $(if $(filter serial,$(of)),its reference,serial)
cross.files = $(if $(missing_$(of)),,$(case_files))
cross.command = $(cross) $(of)
cross.after = $(but_for_serial)
# Without nvcc, cross-cuda reports that itself.
cross.missing = $(if $(filter cuda,$(of)),,$(missing_$(of)))

golden.of = $(filter-out $(if $(HAVE_GPU),,cuda),$(filter-out $(foreach t,openmp emulate cuda,$(if $(missing_$(t)),$(t))),serial openmp emulate cuda))
golden.proves = $(of): every case agrees with the recorded results of a GPU
golden.files = $(case_files) $(wildcard $(addsuffix /*/*.npy,$(RECORDS)) $(addsuffix /manifest.txt,$(RECORDS)))
golden.command = $(cross) $(of) golden

ordered_build = $(if $(filter serial,$(of)),serial-checked,$(of)-exact)
reverse.of = serial $(if $(missing_emulate),,emulate)
reverse.proves = $(of): the results do not depend on the order of blocks and threads: reversed
reverse.files = $(call programs_of,$(ordered_build)) $(case_scripts)
reverse.command = $(one_order) reverse $(ordered_build)
reverse.after = cross-serial
shuffle.of = $(reverse.of)
shuffle.proves = $(of): the results do not depend on the order of blocks and threads: shuffled
shuffle.files = $(reverse.files)
shuffle.command = $(one_order) shuffle:1 $(ordered_build)
shuffle.after = cross-serial

# cross-openmp has the default number of OS threads, which is that of nproc.
threads.of = $(if $(missing_openmp),,$(filter-out $(shell nproc),1 2 7))
threads.proves = openmp: every case agrees with serial, on $(of) OS threads
threads.files = $(call programs_of,openmp-exact) $(case_scripts)
threads.command = $(cross) openmp $(of)
threads.after = cross-serial

$(if $(few_rules),,$(if $(HARNESS_PROGRAMS),$(call steps,cross $(if $(RECORDS),golden) \
    reverse shuffle threads)))

SEEDS ?= 20
ORDERED := serial-checked $(if $(HAVE_EMULATE),emulate-exact)
orders: $(foreach c,serial-exact $(ORDERED),$(call programs_of,$(c))) ## the cases in SEEDS=20 shuffled orders of blocks and threads
	$(need_cases)
	@$(orders_of) "$(SEEDS)" $(ORDERED)
