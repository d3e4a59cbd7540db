# SPDX-License-Identifier: BSD-3-Clause
# portable.h: one kernel source, as CUDA and as plain C. `make help` lists the targets.

# `make deps check`: deps first, then a second make, which finds the installed packages, for the
# other goals.
AFTER_DEPS := $(if $(filter deps,$(MAKECMDGOALS)),$(filter-out deps,$(MAKECMDGOALS)))
ifneq ($(AFTER_DEPS),)
.PHONY: deps $(AFTER_DEPS)
deps:
	@tests/deps.sh
$(firstword $(AFTER_DEPS)): deps
	+@MAKELEVEL=0 $(MAKE) --no-print-directory $(AFTER_DEPS)
$(wordlist 2,$(words $(AFTER_DEPS)),$(AFTER_DEPS)): $(firstword $(AFTER_DEPS)) ; @:
else

TITLE := portable.h: one kernel source, as CUDA and as plain C
# make check: what a user wants to know of a machine, in minutes; make check-all runs all steps.
QUICK_STEPS = cross-% golden-% reverse-emulate verdict-% must-fail-% unit-% bugs faults gdb \
    header-serial-$(cc_name) header-nvcc errors-$(cc_name) instructions-$(cc_name) ranks-serial \
    $(addprefix cuda-cpp-,launches memory_spaces struct_values polling_grid refusals shared-racecheck) builds-make builds-command \
    $(foreach t,serial openmp emulate $(if $(HAVE_GPU),cuda),$(addprefix $(t)-,$(filter-out large,$($(t).of))))
CASE_SOURCES = $(sort $(filter-out $(if $(HAVE_RANDOM123),,host/cases/random.c),$(wildcard host/cases/*.c)))
TESTS := $(sort $(wildcard tests/unit/*.c))
KERNEL_TESTS = $(sort $(filter-out $(if $(HAVE_RANDOM123),,%/test_random.c),$(wildcard tests/target/test_*.c)))
OWN_TESTS_OF_EMULATE := $(addprefix tests/emulate/test_,raw.c scheduler.c objects.c)
# The gallery's command `demo`, which no other project has.
HOST_SOURCES := host/demo/demo.c
# The cases for many ranks.
RANK_PROGRAMS := host/ranks/cases/gallery-ranks.c
RANK_SOURCES := $(sort $(filter-out $(RANK_PROGRAMS),$(wildcard host/ranks/cases/*.c)))
# With WIDE=1, of make check-wide, the steps take all where they have a selection.
WIDE ?=
export WIDE
ORDERED_ARGS := $(if $(WIDE),,--quick)
DEBUG_ARGS := run sum_tree --n 1000
# For compile_commands.json.
OTHER_SOURCES := $(wildcard kernels/*.c host/bench/peers/*.cu tests/*.c tests/cli/*.c tests/gdb/*.c \
    tests/header/*.c tests/ptx/*.cu)
EMULATE_SOURCES := $(wildcard host/emulate/*.c host/checks/*.c tests/emulate/*.c tests/bugs/*.c)
CLANG_CUDA_FLAGS := -DR123_CUDA_DEVICE='__host__ __device__' -DR123_USE_SSE=0

# A program with host calls only, by the rules for tests below.
RANK_TESTS := tests/ranks/test_ranks.c

# Random numbers need Random123 (Debian: librandom123-dev); without it they are left out. Evaluated
# once, after the compiler is known.
HAVE_RANDOM123 = $(eval HAVE_RANDOM123 := $$(call has_header,Random123/philox.h))$(HAVE_RANDOM123)

# CUDA's headers, for CUDA C++ on emulate.
CUDA_HEADERS = $(eval CUDA_HEADERS := $$(sort $$(shell \
    find host/cudart/include host/cudart/cccl -type f)))$(CUDA_HEADERS)

RANKS_is_for := bench-ranks
REPEATS_is_for := bench-ranks

include host/portable.mk
include host/bench/peers/peers.mk

# Variables of other goals must not reach a make inside a step.
unexport TARGET ARGS SOURCES N REPEATS SEEDS MATH V

unit_tests_of = $(foreach t,$(TESTS),$(eval $(call link_rule,$(1),$(basename $(t)),$(t) $(HARNESS_SOURCES),-lcmocka)))
kernel_tests_of = $(foreach t,$(KERNEL_TESTS),$(eval $(call link_rule,$(1),$(basename $(t)),$(call with_algorithms,$(t)),-lcmocka)))
$(call unit_tests_of,serial-exact)
$(call kernel_tests_of,serial-exact)
$(call kernel_tests_of,openmp-exact)
$(call kernel_tests_of,emulate-exact)
$(eval $(call cc_rules,emulate-exact,$(OWN_TESTS_OF_EMULATE)))
$(foreach t,$(OWN_TESTS_OF_EMULATE),$(eval $(call \
    link_rule,emulate-exact,$(basename $(t)),$(t),-lcmocka)))
$(call kernel_tests_of,cuda-exact)

rank_tests_of = $(foreach t,$(if $(missing_mpi),,$(RANK_TESTS)),$(eval $(call cc_rules,$(1),$(t)))$(eval $(call \
    link_rule,$(1),$(basename $(t)),$(t) $(RANKS_KERNELS) $(RANK_HOST_SOURCES),$$(call ranks_libraries,$(1)))))
$(foreach c,serial-exact openmp-exact emulate-exact cuda-exact,$(call rank_tests_of,$(c)))

# The gallery that must fail: build/CONFIGURATION/tests/must_fail/gallery, with this harness.
MUST_FAIL := tests/must_fail/cases.c
must_fail_of = $(eval $(call $(if $(filter cuda%,$(1)),nvcc_rules,cc_rules),$(1),$(MUST_FAIL)))$(eval $(call \
    link_rule,$(1),$(dir $(MUST_FAIL))gallery,host/programs/gallery.c $(HARNESS_SOURCES) $(MUST_FAIL),))
$(foreach c,serial-exact openmp-exact emulate-exact cuda-exact,$(call must_fail_of,$(c)))
# $(call instrumented_gallery,C,source): build/C/DIRECTORY/gallery of cases that are instrumented
# for C: those that must fail for initcheck, and those whose accesses are counted.
define instrumented_gallery
$(call objects,$(1),$(2)): $(2) $(B)/$(1)/flags
	@mkdir -p $$(@D)
	$$(call quiet,cc    $$@)$$(call compile,$(1),$(2),$$@,$$(instrument_$(1)),-MD -MP -MT $$@ -MF $$(@:.o=.d))
-include $(wildcard $(patsubst %.o,%.d,$(call objects,$(1),$(2))))
$(call link_rule,$(1),$(dir $(2))gallery,host/programs/gallery.c $(HARNESS_SOURCES) $(2),)
endef
$(eval $(call instrumented_gallery,initcheck,$(MUST_FAIL)))
$(eval $(call instrumented_gallery,accesscheck,tests/counts/cases.c))
# For make check, the gallery under each check: under racecheck all of its families, under the others
# one half each, so that each family runs under racecheck and another one.
first_half := $(wildcard host/cases/[a-m]*.c)
checked_cases_of = $(filter $(if $(WIDE)$(filter racecheck,$(1)),%,$(if $(filter initcheck,$(1)),$(first_half),$(filter-out $(first_half),$(CASE_SOURCES)))),$(CASE_SOURCES))
$(foreach c,$(CHECKS),$(eval $(call link_rule,$(c),gallery-checked,$(call with_algorithms,host/programs/gallery.c $(HARNESS_SOURCES) \
    $(call checked_cases_of,$(c))) $(HOST_SOURCES),)))
INIT_MUST_FAIL := $(B)/initcheck/$(dir $(MUST_FAIL))gallery
COUNTED := $(B)/accesscheck/tests/counts/gallery

RACES := $(B)/run/races.racecheck
# Tests that include a check's source: racecheck's verdicts on random accesses, against an oracle;
# which bytes initcheck considers written; synccheck's reports; and how all checks sum up.
models := $(B)/emulate-runtime/tests/test_
parts_of_findings := $(patsubst %,$(B)/emulate-runtime/%.o,$(findings_parts))
$(models)findings: $(parts_of_findings)
$(models)race_model: $(B)/emulate-runtime/accesses.o $(parts_of_findings)
$(models)init_model: $(B)/emulate-runtime/accesses.o
$(models)%: tests/emulate/test_%.c portable.h $(wildcard host/emulate/*.[ch] host/checks/*.[ch] tests/emulate/*.h)
	@mkdir -p $(@D)
	$(call quiet,cc    $@)$(CC) $(cc_emulate-runtime) $(LDFLAGS) $(filter-out %.h host/%,$^) -lcmocka -o $@

UNIT_TESTS := $(patsubst %.c,$(B)/serial-exact/%,$(filter tests/unit/test_%,$(TESTS)))
TWINS := $(patsubst %.c,$(B)/serial-exact/%,$(filter tests/unit/twin_%,$(TESTS)))
# test_large runs on openmp; on serial, where that is missing or with WIDE=1.
SERIAL_TESTS = $(patsubst %.c,$(B)/serial-exact/%,$(filter-out $(if $(WIDE),,$(if $(HAVE_OPENMP),%/test_large.c)),$(KERNEL_TESTS)))
OPENMP_TESTS = $(if $(HAVE_OPENMP),$(patsubst %.c,$(B)/openmp-exact/%,$(KERNEL_TESTS)))
EMULATE_TESTS := $(if $(HAVE_EMULATE),$(patsubst %.c,$(B)/emulate-exact/%,$(filter-out %/test_large.c,$(KERNEL_TESTS)) $(OWN_TESTS_OF_EMULATE)))
CUDA_TESTS := $(if $(HAVE_NVCC),$(patsubst %.c,$(B)/cuda-exact/%,$(KERNEL_TESTS)))

info: info-libraries
.PHONY: info-libraries
info-libraries:
	@echo "Random123: $(if $(HAVE_RANDOM123),found,not found, so the random numbers are left out (make deps installs it))"

.PHONY: demo examples check-bugs check-cuda check-cost deps format lint install uninstall new dist distcheck

demo: $(call programs_of,serial-exact) $(if $(HAVE_GPU),$(call programs_of,cuda-exact)) ## the gallery on real matrices and images, on serial and the GPU
	@host/demo/demo.sh $(B) "$(or $(missing_cuda),$(missing_gpu))"

examples: ## build and run the applications in docs/examples on serial, openmp and the GPU; each must verify its results
	@MAKE="$(MAKE)" tests/examples/run.sh serial $(if $(HAVE_OPENMP),openmp) $(if $(HAVE_GPU),cuda)

# Scaling of the cases for many ranks: docs/scaling.md.
.PHONY: bench-ranks
RANK_BENCHED = $(B)/$(call variant,$(TARGET))/gallery-ranks
missing_bench_ranks = $(or $(missing_mpiexec),$(missing_$(TARGET)))
bench-ranks: $(if $(missing_bench_ranks),,$(RANK_BENCHED)) ## strong and weak scaling of the cases for many ranks: tables and plots in build/bench-ranks; RANKS="1 2 4", CASES="jacobi:4096 pingpong", REPEATS=, TARGET=
ifneq ($(missing_bench_ranks),)
	$(call refuse,Programs for many ranks,$(missing_bench_ranks))
else
	@MPIEXEC="$(MPIEXEC)" REPEATS="$(REPEATS)" host/ranks/bench.sh $(TARGET) $(RANK_BENCHED) $(B)/bench-ranks/results.tsv \
	    "$(if $(filter file,$(origin RANKS)),1 2 4,$(RANKS))" $(CASES)
endif

# Races of every element, block and grid size.
$(RACES): private SOURCES = tests/emulate/races.c
$(RACES): tests/emulate/races.c tests/emulate/race_kernels.h portable.h $(call runtime_of,racecheck) \
    $(B)/racecheck/flags
	@mkdir -p $(@D)
	$(call build_own,racecheck,$(@F))

# Each kind of finding, for the tests of reports.
REPORT_PROGRAMS := $(ALL_CHECKS:%=$(B)/run/reports.%)
$(REPORT_PROGRAMS): private SOURCES = tests/reports/program.c
$(foreach c,$(ALL_CHECKS),$(eval $(B)/run/reports.$(c): tests/reports/program.c portable.h $(call runtime_of,$(c)) $(B)/$(c)/flags))
$(REPORT_PROGRAMS):
	@mkdir -p $(@D)
	$(call build_own,$(patsubst reports.%,%,$(@F)),$(@F))

.PHONY: check-clones compare-clones
check-clones: ## every kernel for each instruction set: every result of make check has the same bits
	@$(again) BUILD=$(BUILD)/clones NO_CLONES= compare-clones
compare-clones: $(call programs_of,serial-exact)
	@tests/clones/run.sh $(B)/compared "$(CC)" $(call objects,serial-exact,$(call sources_of,$(filter \
	    %/gallery.c,$(HARNESS_PROGRAMS))))
check-bugs: ## run the programs in tests/bugs: the checks must find every bug and report nothing in the corrected twins
	@$(make_build_directory) && mkdir -p $(B)
	@tests/bugs/run.sh --table $(B)/bugs.md "$(CC)" $(B)/bugs
	@$(if $(CC_IS_CLANG),,tests/bugs/splice.sh $(B)/bugs.md docs/checks.md)

# The steps of make check-all that have a selection, with WIDE=1, in a build directory of their own,
# as the objects of some differ.
.PHONY: check-wide
WIDE_STEPS = serial-% ptx-% header-% clones-% checked-% reverse-% shuffle-% threads-% races levels editors-% fuzz-kernels cuda-cpp-verdicts \
    cuda-cpp-$(OTHER_CXX)-% cuda-cpp-findings cuda-cpp-waiting cuda-cpp-split cuda-cpp-shared-% cuda-cpp-modules-%
check-wide: $(if $(HAVE_CHECKS),$(models)race_model $(NVCC_FILES)) ## what make check-all has a selection of: all orders, levels, compilers and checks; all random runs of racecheck's model; tests/cuda on 1, 2 and 7 cores
	$(if $(HAVE_CHECKS),,$(call refuse,The checks,$(missing_checks)))
	@$(models)race_model all
	$(if $(missing_cxx),,@tests/cuda/threads.sh $(PORTABLE_NVCC) $(B)/check-wide/threads "$(cxx_installed)" $(CUDA_PROGRAMS))
	@$(again) -k check-all BUILD=$(BUILD)/wide WIDE=1 ONLY='$(filter $(WIDE_STEPS),$(STEP_NAMES))'

.PHONY: mutants
mutants: ## plant small mistakes in the sources, one at a time; a step of make check-all must catch each; MUTANTS="NAME or FILE"
	@$(make_build_directory) && tests/mutants/run.sh $(BUILD)/mutants $(MUTANTS)
.PHONY: mutants-generated
mutants-generated: ## the same with N=20 generated mistakes in the verdict and the checks, or in FILES; SEED=1; at least MIN=50 % must be caught
	@command -v python3 >/dev/null || { echo "make mutants-generated needs python3." >&2; exit 1; }
	@$(make_build_directory) && tests/mutants/generate.py -n $(or $(N),20) -s $(or $(SEED),1) $(FILES) >$(BUILD)/mutants.generated && \
	    tests/mutants/run.sh $(BUILD)/mutants --score $(or $(MIN),50) $(BUILD)/mutants.generated

# Programs built by another compiler also run without a check; make check does this for CC's.
CHECKS_MORE = check-cuda
check_cuda = $(if $(NVCC_CCBIN),emulate) $(if $(HAVE_CHECKS),$(CHECKS))
check-cuda: $(if $(missing_emulate)$(missing_cxx),,$(NVCC_FILES)) ## run the programs in tests/cuda under each of make checks; NVCC_CCBIN=clang++ for another compiler
	@$(if $(or $(missing_emulate),$(missing_cxx),$(missing_checks)),echo "skipped: $(or $(missing_emulate),$(missing_cxx),$(missing_checks))",NVCC_CCBIN="$(NVCC_CCBIN)" \
	    tests/cuda/checks.sh $(PORTABLE_NVCC) $(B)/check-cuda$(if $(NVCC_CCBIN),-$(notdir $(NVCC_CCBIN))) $(check_cuda) || { status=$$?; test $$status = 77; })

.PHONY: check-orders
check-orders: $(if $(missing_emulate)$(missing_cxx),,$(NVCC_FILES)) ## the kernels of tests/cuda/orders, which ordercheck proves, in SEEDS=1000 shuffled orders
	$(if $(missing_cxx),,@SEEDS=$(if $(filter command environment,$(firstword $(origin SEEDS))),$(SEEDS),1000) tests/cuda/orders.sh $(PORTABLE_NVCC) $(B)/check-orders)

.PHONY: check-verdicts
check-verdicts: $(if $(missing_checks)$(missing_cxx),,$(NVCC_FILES)) ## ordercheck's verdict on each program of tests/cuda, at -O0 and -O2
	@$(if $(or $(missing_checks),$(missing_cxx)),echo "skipped: $(or $(missing_checks),$(missing_cxx))",NVCC_CCBIN="$(NVCC_CCBIN)" \
	    tests/cuda/verdicts.sh $(PORTABLE_NVCC) $(B)/check-verdicts)

.PHONY: check-schedules
check-schedules: $(if $(missing_gpu)$(missing_checks)$(missing_cxx),,$(NVCC_FILES)) ## run programs that ordercheck proves RUNS=100 times on a GPU: they must print the same
	@$(if $(or $(missing_gpu),$(missing_checks),$(missing_cxx)),echo "skipped: $(or $(missing_gpu),$(missing_checks),$(missing_cxx))", \
	    tests/cuda/schedules.sh $(PORTABLE_NVCC) $(NVCC) $(B)/check-schedules)

.PHONY: check-cccl
check-cccl: $(if $(missing_emulate)$(missing_cxx),,$(NVCC_FILES)) ## run the programs in tests/cuda/cccl, with Thrust, CUB and libcu++, without a check and under each of make checks, and with CCCL=DIRECTORY, a checkout of NVIDIA/cccl, its examples; NVCC_APPEND_FLAGS=--cccl=DIRECTORY for another CCCL
	@$(if $(or $(missing_emulate),$(missing_cxx)),echo "skipped: $(or $(missing_emulate),$(missing_cxx))",NVCC_CCBIN="$(NVCC_CCBIN)" \
	    PROGRAMS="$(CCCL_PROGRAMS)" tests/cuda/checks.sh $(PORTABLE_NVCC) $(B)/check-cccl emulate $(if $(HAVE_CHECKS),$(CHECKS)) || { status=$$?; test $$status = 77; } && \
	    tests/cuda/cccl_examples.sh $(PORTABLE_NVCC) $(B)/check-cccl/examples "$(CCCL)" $(or $(if $(HAVE_CHECKS),$(CHECKS)),emulate) || { status=$$?; test $$status = 77; })

# On stacks, in a loop and split; COLLECTIONS are copies, in which the programs' Makefiles build.
.PHONY: check-ways
check-ways: $(if $(missing_emulate)$(missing_cxx),,$(NVCC_FILES)) ## run the programs in tests/cuda in every way to run kernels, by g++ -O0 and -O2 and clang++ -O3, on 1, 2 and 7 OS threads, or with COLLECTIONS="DIRECTORY DIRECTORY" public code, and compare the outputs; LIMIT=120 for each run
	@$(if $(or $(missing_emulate),$(missing_cxx)),echo "skipped: $(or $(missing_emulate),$(missing_cxx))",$(if $(COLLECTIONS),\
	    tests/cuda/ways.sh $(PORTABLE_NVCC) $(B)/check-ways $(COLLECTIONS),export THREADS="1 2 7" && \
	    NVCC_CCBIN=g++ tests/cuda/checks.sh $(PORTABLE_NVCC) $(B)/check-ways/g++ emulate -O2 && \
	    { NVCC_CCBIN=clang++ tests/cuda/checks.sh $(PORTABLE_NVCC) $(B)/check-ways/clang++ -O3 || { status=$$?; test $$status = 77; }; }))

.PHONY: check-late
check-late: $(if $(missing_emulate)$(missing_cxx),,$(NVCC_FILES)) ## run the programs in tests/cuda with late streams, in the latest order and in those of the seeds 1 to SEEDS=5
	@$(if $(or $(missing_emulate),$(missing_cxx)),echo "skipped: $(or $(missing_emulate),$(missing_cxx))",\
	    STREAMS="late $$(seq -f late:%.0f $(if $(filter command environment,$(firstword $(origin SEEDS))),$(SEEDS),5))" \
	    tests/cuda/checks.sh $(PORTABLE_NVCC) $(B)/check-late emulate)

# In copies, with the commands of the project's build system, or with these; TIMEOUT is for each.
.PHONY: try-cuda
try-cuda: $(if $(missing_emulate)$(missing_cxx),,$(NVCC_FILES)) ## build the CUDA project REPO=directory with portable-nvcc, in a copy, and run its tests, without a check and with each; CONFIGURE=, BUILD_COMMAND=, TEST=, TIMEOUT=600
	$(or $(call refuse_target,emulate),$(if $(missing_cxx),$(call refuse,CUDA C++,$(missing_cxx)),@host/nvcc/try.sh \
	    $(NVCC_TREE)/lib/portable/cuda $(B)/try-cuda '$(subst ','"'"',$(REPO))' $(if $(HAVE_CHECKS),$(CHECKS))))

# BUILDS="cmake racecheck" selects builds by these words; tests/builds/run.py has them.
.PHONY: builds
builds: $(if $(missing_emulate)$(missing_cxx),,$(NVCC_FILES)) ## build a CUDA project by every build system, build type, kind of library, compiler and check; BUILDS="cmake racecheck"
	$(or $(call refuse_target,emulate),$(if $(missing_cxx),$(call refuse,CUDA C++,$(missing_cxx)),@tests/builds/run.py \
	    -j $$(nproc) $(NVCC_TREE)/lib/portable/cuda $(B)/builds $(BUILDS)))

check-cost: emulate $(foreach c,$(ALL_CHECKS),$(call programs_of,$(c))) ## each check's cost for each case, racecheck's at most 30 times the emulate target's; on a GPU, a launch's
	@BUILD=$(B) CHECKS="$(ALL_CHECKS)" tests/emulate/cost.sh all $(CASES)
	$(if $(and $(HAVE_NVCC),$(HAVE_GPU)),@tests/launch/run.sh $(NVCC) $(B)/check-cost)

# The documentation's commands run in a copy of these files whose build directory is kept.
PAGES ?= README.md $(sort $(wildcard docs/*.md docs/*/*.md))
.PHONY: check-docs
check-docs: ## run every command of the documentation and compare; PAGES="README.md docs/checks.md"
	@command -v python3 >/dev/null || { echo "make check-docs needs python3" >&2; exit 2; }
	@$(make_build_directory) && CC="$(CC)" NVCC="$(if $(HAVE_NVCC),$(NVCC))" HAVE_GPU="$(HAVE_GPU)" \
	    CUDA_HOME="$(CUDA_HOME)" REQUIRE_GPU="$(REQUIRE_GPU)" tests/docs/check_docs.py . $(B)/docs/tree $(PAGES)

.PHONY: fuzz
fuzz: fuzz-all ## fuzz the file readers and option parsers with clang's libFuzzer; FUZZ=npy for one target, FUZZ_SECONDS=60 for each

.PHONY: fuzz-kernels
fuzz-kernels: fuzz-kernels-all ## compare KERNELS=1000 random CUDA kernels, from SEED=1, between compilers, orders, checks and the GPU; WAYS="O0 racecheck cuda"

deps: ## install the packages that the tests need, on Debian and Ubuntu
	@tests/deps.sh

.PHONY: deps-bare check-bare
deps-bare: ## install the packages that make check-bare needs
	@tests/deps.sh mmdebstrap git
check-bare: | $(filter deps-bare,$(MAKECMDGOALS)) ## as root: run the README's first commands on a Debian 12 with only a compiler, make and git
	@$(make_build_directory)
	@BUILD="$(BUILD)" exec tests/bare/run.sh

FORMATTED = $(sort $(wildcard portable.h kernels/*.c host/*.[ch] host/*/*.[ch] host/*/*/*.[ch] host/cudart/*.cpp host/nvcc/split/*.cpp host/bench/peers/*.cu tests/*.c tests/*/*.[ch] \
    tests/ptx/*.cu tests/cuda/*.cu tests/cuda/*/*.cu tests/header/*.cu host/project/new/*/*.c tests/install/consumer/*.[ch] docs/examples/*/*.[ch] docs/examples/*/*/*.[ch] \
    docs/examples/*/compare/*.cu) $(CUDA_HEADERS))

format: ## format the sources by .clang-format
	@tests/format.sh $(FORMATTED)

LINT := cppcheck --quiet --error-exitcode=1 --std=c11 -U__CUDACC__ -U__cplusplus --inline-suppr -I. \
    --enable=warning,portability --suppress=missingIncludeSystem --suppress=toomanyconfigs \
    --suppress=ctuuninitvar --suppress=arithOperationsOnVoidPointer
lint: ## formatting and static checks; changes nothing
	@tests/format.sh --check $(FORMATTED)
	@if command -v cppcheck >/dev/null; then \
	    $(LINT) $(filter-out tests/ptx/%,$(filter %.c,$(HARNESS_SOURCES) $(HARNESS_PROGRAMS))) && \
	    $(LINT) -DPORTABLE_TARGET_EMULATE=1 -D__linux__ -D__x86_64__ -D__GNUC__=12 \
	        -D__STDC_VERSION__=201112L $(wildcard host/cudart/*.c host/nvcc/*.c); \
	else echo "cppcheck is not installed: static checks were not run"; fi


# ---------------------------------------------------------------------------------------------
# Installing and releasing: docs/installing.md, docs/CONTRIBUTING.md
# ---------------------------------------------------------------------------------------------

VERSION = $(PORTABLE_VERSION)
PREFIX ?= /usr/local
bindir := $(DESTDIR)$(PREFIX)/bin
includedir := $(DESTDIR)$(PREFIX)/include
sharedir := $(DESTDIR)$(PREFIX)/share
libdir := $(DESTDIR)$(PREFIX)/lib/portable
INSTALL ?= install

# Files of the rules and the harness.
HARNESS_FILES = $(wildcard host/*.[ch] $(addprefix host/,make/* report/* bench/*.* steps/* programs/*.[ch] emulate/*.[ch] \
    checks/*.[ch] cudart/*.[ch] cudart/*.cpp nvcc/*.ld ranks/*.[ch] algorithms/*.[ch] project/gdb/* project/editors/*)) $(CUDA_HEADERS)
TEMPLATES = $(shell find host/project/new -type f)
MAN_PAGES := $(wildcard docs/man/*.[17])

ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
plain_path := /([A-Za-z0-9_./+@:~$(comma)=-]|[^[:cntrl:] -~])*
$(call must_be,DESTDIR,$(plain_path),an absolute path without spaces)
$(call must_be,PREFIX,$(plain_path),an absolute path without spaces)
endif
# portable-nvcc, its runtime, and the directory that a Makefile may take for a CUDA toolkit's.
install: export INSTALLED_SETTINGS = $(call nvcc_settings,../../share/portable)
define install_nvcc
@$(INSTALL) -D -m 755 $(PORTABLE_NVCC) -t $(bindir)
	@mkdir -p $(libdir)/cuda/bin
	$(if $(MODULES),@$(INSTALL) -m 644 $(MODULES) -t $(libdir))
	$(if $(SPLIT),@$(INSTALL) -m 755 $(split_plugin) -t $(libdir))
	@printf '%s\n' "$$INSTALLED_SETTINGS" >$(libdir)/portable-nvcc.conf
	@ln -sfn ../../../../bin/portable-nvcc $(libdir)/cuda/bin/nvcc
	@ln -sfn ../../../share/portable/host/cudart/include $(libdir)/cuda/include
	@$(call nvcc_version_file,$(libdir)/cuda)
	@$(call nvcc_target_directory,$(libdir)/cuda)
	@rm -rf $(libdir)/cuda/lib64 && cp -PR $(NVCC_LIB64) $(libdir)/cuda
$(call static_cudart,$(libdir)/cuda/lib64,$(PREFIX)/lib/portable/cuda/lib64)
$(call static_cuda,$(libdir)/cuda/lib64,$(PREFIX)/lib/portable/cuda/lib64)
$(call static_libraries,$(libdir)/cuda/lib64,$(PREFIX)/lib/portable/cuda/lib64)
endef
BUILT_TO_INSTALL = $(B)/serial/portable-compare $(if $(missing_emulate),,$(NVCC_FILES))
install: $(BUILT_TO_INSTALL) ## portable.h, its make rules, programs, man pages, .pc and CMake files; PREFIX=, DESTDIR=
	@mkdir -p $(B)/package
	@sed 's/@VERSION@/$(VERSION)/' host/project/package/portable.pc.in >$(B)/package/portable.pc
	@sed 's/@VERSION@/$(VERSION)/' host/project/package/portableConfigVersion.cmake.in \
	    >$(B)/package/portableConfigVersion.cmake
	@host/project/url.sh >$(B)/package/url
	@rm -rf $(sharedir)/portable
	@$(INSTALL) -D -m 644 portable.h host/algorithms/portable_algorithms.h host/ranks/portable_ranks.h host/tiles/portable_tiles.h -t $(includedir)
	@$(INSTALL) -D -m 755 $(B)/serial/portable-compare -t $(bindir)
	@$(INSTALL) -m 755 host/project/portable-new.sh $(bindir)/portable-new
	@$(INSTALL) -D -m 644 host/portable.mk LICENSE -t $(sharedir)/portable
	@test ! -s $(B)/package/url || $(INSTALL) -m 644 $(B)/package/url $(sharedir)/portable
	@for file in $(HARNESS_FILES) $(TEMPLATES); do \
	    mode=644; test ! -x $$file || mode=755; \
	    $(INSTALL) -D -m $$mode $$file $(sharedir)/portable/$$file || exit; done
	$(if $(missing_emulate),,$(install_nvcc))
	@for page in $(filter-out $(if $(missing_emulate),%/portable-nvcc.1),$(MAN_PAGES)); do \
	    $(INSTALL) -D -m 644 $$page $(sharedir)/man/man$${page##*.}/$${page##*/} || exit; done
	@$(INSTALL) -D -m 644 $(B)/package/portable.pc -t $(sharedir)/pkgconfig
	@$(INSTALL) -D -m 644 host/project/package/portableConfig.cmake $(B)/package/portableConfigVersion.cmake \
	    -t $(sharedir)/cmake/portable
	@echo "portable.h $(VERSION) is in $(DESTDIR)$(PREFIX)"

uninstall: ## remove the installed files
	@test -e $(includedir)/portable.h || { echo "make uninstall: there is no portable.h in $(includedir)" >&2; exit 1; }
	@rm -f $(includedir)/portable.h $(includedir)/portable_algorithms.h $(includedir)/portable_ranks.h $(includedir)/portable_tiles.h $(bindir)/portable-new $(bindir)/portable-compare \
	    $(sharedir)/pkgconfig/portable.pc \
	    $(foreach p,$(notdir $(MAN_PAGES)),$(sharedir)/man/man$(patsubst .%,%,$(suffix $(p)))/$(p))
	@rm -rf $(sharedir)/portable $(sharedir)/cmake/portable $(libdir) $(bindir)/portable-nvcc
	@echo "portable.h is no longer in $(DESTDIR)$(PREFIX)"

NAME_GIVEN := $(if $(filter command,$(origin NAME)),$(NAME))
new: ## a project of your own: make new NAME=directory
	@test -n '$(NAME_GIVEN)' || { echo "make new needs NAME=directory" >&2; exit 2; }
	@host/project/portable-new.sh '$(subst ','"'"',$(NAME_GIVEN))'

# A release has only files that git has; the same commit gives the same bytes.
ARCHIVE = portable-$(VERSION)
dist: ## build/portable-VERSION.tar.gz, of the last commit
	@test "$$(git rev-parse --show-toplevel 2>/dev/null)" = "$(CURDIR)" || { echo "make dist needs the git repository" >&2; exit 1; }
	@git diff --quiet HEAD -- || echo "make dist: uncommitted changes are left out" >&2
	@$(make_build_directory)
	@git archive --format=tar --prefix=$(ARCHIVE)/ -o $(BUILD)/$(ARCHIVE).tar HEAD
	@gzip -9nf $(BUILD)/$(ARCHIVE).tar
	@echo "$(BUILD)/$(ARCHIVE).tar.gz"

distcheck: dist ## unpack the release, then test, install and uninstall it
	+@tests/install/distcheck.sh $(BUILD)/$(ARCHIVE).tar.gz

include tests/fuzz.mk
# The steps, for the goals that name them.
ifneq ($(filter check check-all check/% steps check-wide check-cccl,$(MAKECMDGOALS)),)
include tests/check.mk
endif

endif # AFTER_DEPS
