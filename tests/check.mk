# SPDX-License-Identifier: BSD-3-Clause
# The steps of `make check` and `make check-all`, after those of the cases on every target;
# host/make/check.mk explains steps and their variables, `make steps` lists what each proves. The
# longest come first. Each names the files that it depends on; programs have their own dependencies.

# CC, gcc and clang, as NAME=PATH: each once, if it exists; if two have one name, the second is
# named by its path.
COMPILERS := $(shell for c in $(firstword $(CC)) gcc clang; do path=$$(command -v $$c) && \
    echo "$$(readlink -f $$path) $${c##*/} $$path"; done | awk '!($$1 in path) { \
    path[$$1]; if ($$2 in name) { $$2 = $$3; gsub("/", "-", $$2) } name[$$2]; print $$2 "=" $$3 }')
compiler_name = $(firstword $(subst =, ,$(1)))
compilers := $(foreach c,$(COMPILERS),$(call compiler_name,$(c)))
cc_name := $(firstword $(compilers))
# The path of the compiler $(of), or of the one that ends it.
path_of_compiler = $(patsubst $(1)=%,%,$(filter $(1)=%,$(COMPILERS)))
compiler = $(call path_of_compiler,$(of))
# The C++ compilers that are installed: g++, clang++.
cxx_installed := $(notdir $(shell for c in g++ clang++; do command -v $$c; done))
missing_python3 := $(if $(shell command -v python3),,there is no python3)

HEADER_FILES := portable.h host/make/openmp.sh $(wildcard tests/header/* tests/target/* host/emulate/*.[ch])
MAKE_FILES := Makefile $(wildcard host/*.mk host/make/* host/bench/peers/*.mk tests/*.mk host/*/*.sh host/*/*.awk)
EMULATE_FILES := portable.h $(MAKE_FILES) $(wildcard host/emulate/*.[ch] host/checks/*.[ch])
INSTALLED := portable.h $(MAKE_FILES) $(wildcard host/*.[ch] host/report/*.css host/*/*.[ch] docs/man/* tests/install/* tests/install/*/*) \
    $(shell find host/project -type f) LICENSE
PAGES_OF_DOCS := README.md $(wildcard docs/*.md docs/decisions/*.md docs/performance/*.md)
CLI_FILES := $(call programs_of,serial-exact) $(MAKE_FILES) $(wildcard tests/cli/*)
without_checks := $(or $(missing_emulate),$(missing_checks))
without_nvcc := $(missing_cuda)

# ---------------------------------------------------------------------------------------------
# Packages
# ---------------------------------------------------------------------------------------------

project.of = check use
project.proves = a project by portable-new $(if $(filter check,$(of)),passes its checks and its workflow,builds for every target)
project.files = $(INSTALLED) $(BUILT_TO_INSTALL)
project.command = env BUILT="$(B)" tests/install/project.sh $(of)

install.proves = make, pkg-config and CMake find and use an installation
install.files = $(INSTALLED) $(BUILT_TO_INSTALL)
install.command = env BUILT="$(B)" tests/install/run.sh

release.proves = one version everywhere, and a licence in each file
release.files = FORCE
release.command = tests/install/release.sh

# ---------------------------------------------------------------------------------------------
# The harness
# ---------------------------------------------------------------------------------------------

cli.proves = the gallery's command line does what its help says
cli.files = $(CLI_FILES) tests/data/img/camera.pgm
cli.command = tests/cli/run.sh $(B)/serial-exact $(CHECK)/cli

cli-robust.proves = malformed options, files and records are refused in a sentence
cli-robust.files = $(CLI_FILES) host/project/portable-new.sh
cli-robust.command = tests/cli/robust.sh $(B)/serial-exact $(CHECK)/cli-robust

cli-limits.proves = files that are too large, or lie about their size, are refused
cli-limits.files = $(CLI_FILES)
cli-limits.command = tests/cli/limits.sh $(B)/serial-exact $(CHECK)/cli-limits

cli-make.proves = make refuses what is wrong in a command before it builds anything
cli-make.files = $(CLI_FILES) host/report/page.css $(wildcard tests/emulate/faults*) tests/bugs/levels.sh tests/install/project.sh
cli-make.command = tests/cli/make.sh $(B)/serial-exact $(CHECK)/cli-make

compare.proves = make compare reports what differs between targets, and the checks refuse what serial does
compare.missing = $(without_checks)
compare.files = $(CLI_FILES) $(sort $(foreach c,emulate $(ALL_CHECKS),$(call runtime_of,$(c))))
compare.command = tests/cli/compare.sh $(B) "$(CC)" $(CHECK)/compare

blocks.of = serial $(if $(HAVE_OPENMP),openmp) $(if $(HAVE_EMULATE),emulate)
blocks.proves = $(of): a launch with a block that a kernel cannot take is refused
blocks.files = $(call programs_of,$(of)-exact) $(wildcard tests/cli/*)
blocks.command = tests/cli/blocks.sh $(B)/$(of)-exact/gallery $(CHECK)/blocks-$(of)

crash.proves = a case that crashes, or finds no memory, fails by itself
crash.files = $(EMULATE_FILES) $(wildcard host/*.[ch] host/*/*.[ch] tests/cli/* tests/cli/*/*)
crash.command = tests/cli/crash.sh "$(CC)" $(CHECK)/crash

steps.proves = make check runs, skips, repeats and counts steps as it says
steps.files = $(MAKE_FILES) $(wildcard tests/cli/*)
steps.command = tests/cli/steps.sh $(CHECK)/steps-of-check

report.proves = make report shows results, errors and images
report.files = $(CLI_FILES) $(wildcard tests/report/* tests/data/img/*) host/report/page.css
report.command = tests/report/run.sh $(B)/serial-exact/gallery $(CHECK)/report

fuzz-corpus.proves = every file reader and parser survives its corpus
fuzz-corpus.files = $(FUZZ_REPLAYS) $(wildcard tests/fuzz/*.sh tests/fuzz/corpus/*/*)
fuzz-corpus.command = tests/fuzz/replay.sh $(FUZZ_REPLAYS)

fuzz-kernels.proves = random CUDA kernels print the same in every order, by each compiler and on several OS threads, and racecheck is silent
fuzz-kernels.missing = $(without_cxx)
fuzz-kernels.files = $(FUZZ_KERNELS) $(CUDA_FILES) tests/fuzz/kernels.sh
fuzz-kernels.command = env JOBS=1 tests/fuzz/kernels.sh $(FUZZ_KERNELS) $(PORTABLE_NVCC) $(CHECK)/fuzz-kernels 1 $(if $(WIDE),200,30) \
    O0 reverse shuffle $(if $(filter g++,$(cxx_installed)),threads-7) $(if $(filter clang++,$(cxx_installed)),clang-O2 clang-threads-7) $(if $(HAVE_CHECKS),racecheck)

fuzz-reducer.proves = a random kernel in which a mistake is planted is found and reduced
fuzz-reducer.missing = $(without_cxx)
fuzz-reducer.files = $(FUZZ_KERNELS) $(CUDA_FILES) $(wildcard tests/fuzz/kernels*.sh)
fuzz-reducer.command = tests/fuzz/kernels_self.sh $(FUZZ_KERNELS) $(PORTABLE_NVCC) $(CHECK)/fuzz-reducer

examples.proves = the example in host/case.h compiles and runs
examples.files = $(CLI_FILES) host/case.h
examples.command = tests/cli/examples.sh "$(CC)" $(B)/serial-exact $(CHECK)/examples \
    $(call objects,serial-exact,host/programs/gallery.c $(HARNESS_SOURCES))

mistakes.of = serial $(if $(HAVE_EMULATE),emulate)
mistakes.proves = $(of): a mistake in a case is one sentence, and the other cases run
mistakes.files = $(call runtime_of,$(of)-exact) $(call objects,$(of)-exact,host/programs/gallery.c $(HARNESS_SOURCES)) $(wildcard tests/cli/mistakes.* tests/cli/expect.sh host/*.h) host/make/registered.sh
mistakes.command = tests/cli/mistakes.sh "$(CC)" $(CHECK)/mistakes-$(of) $(of) "$(cc_$(of)-exact)" $(call runtime_of,$(of)-exact) \
    $(call objects,$(of)-exact,host/programs/gallery.c $(HARNESS_SOURCES))

bare-refusals.proves = make check-bare refuses what it cannot do
bare-refusals.files = README.md $(wildcard tests/bare/*)
bare-refusals.command = tests/bare/refusals.sh $(CHECK)/bare-refusals

mutants.proves = planted mistakes are caught, and survivors reported
mutants.files = $(wildcard tests/mutants/*.sh tests/mutants/*.py tests/cli/expect.sh)
mutants.command = tests/mutants/self.sh $(CHECK)/mutants

mutants-texts.proves = every planted mistake fits its source
mutants-texts.files = FORCE
mutants-texts.command = tests/mutants/texts.sh

unit.of = $(patsubst test_%,%,$(notdir $(UNIT_TESTS)))
unit.proves = the harness: $(of)
unit.files = $(B)/serial-exact/tests/unit/test_$(of) $(wildcard tests/data/*/*)
unit.command = $(B)/serial-exact/tests/unit/test_$(of)

must-fail.of = $(patsubst twin_%,%,$(notdir $(TWINS)))
must-fail.proves = a wrong result is reported: $(of)
must-fail.files = $(B)/serial-exact/tests/unit/twin_$(of) tests/unit/twin.sh
must-fail.command = tests/unit/twin.sh $(B)/serial-exact/tests/unit/twin_$(of)

# The objects of each program and library.
layer_programs = "$(call objects,serial-exact,$(call sources_of,host/programs/gallery.c))" \
    $(if $(RANK_PROGRAMS_BUILT),"$(call objects,serial-exact,$(RANKS_KERNELS) $(RANK_HOST_SOURCES))") \
    "$(NVCC_TREE)/portable-nvcc.o $(NVCC_TREE)/translate.o $(NVCC_TREE)/ptx.o $(NVCC_TREE)/text.o" \
    $(if $(missing_emulate),,$(foreach c,emulate $(if $(HAVE_CHECKS),$(ALL_CHECKS)),"$(call runtime_of,$(c)) $(CUDA_RUNTIME)"))
layer_files = $(wildcard host/*.[ch] host/*/*.[ch] host/*/*/*.[ch]) tests/layers.sh $(sort $(subst ",,$(layer_programs)))
layers.proves = the modules and the folders of host/ have no circular dependencies
layers.files = $(layer_files)
layers.command = tests/layers.sh $(layer_programs)

circles.of = INCLUDES CALLS
circles.proves = a circular dependency by $(of) is reported
circles.files = $(layer_files) tests/must_fail.sh
circles.command = env PLANT_$(of)="host/io host/check planted" tests/must_fail.sh 1 tests/layers.sh $(layer_programs)

# ---------------------------------------------------------------------------------------------
# The verdict, of each target
# ---------------------------------------------------------------------------------------------

must_fail_gallery = $(B)/$(1)-exact/$(dir $(MUST_FAIL))gallery
MUST_FAIL_FILES := $(wildcard tests/must_fail/* tests/cli/expect.sh host/steps/*)
verdict.of = serial $(if $(HAVE_OPENMP),openmp) $(if $(HAVE_EMULATE),emulate) $(if $(HAVE_NVCC),cuda)
verdict.proves = $(of): deliberate faults in kernels and cases are reported
verdict.files = $(call must_fail_gallery,$(of)) $(call must_fail_gallery,serial) $(MUST_FAIL_FILES)
verdict.command = tests/must_fail/run.sh $(of) $(call must_fail_gallery,$(of)) $(call must_fail_gallery,serial) $(CHECK)/verdict-$(of)

verdict-initcheck.proves = initcheck reports outputs and scratch that nothing wrote
verdict-initcheck.missing = $(without_checks)
verdict-initcheck.files = $(INIT_MUST_FAIL) $(MUST_FAIL_FILES)
verdict-initcheck.command = tests/must_fail/initcheck.sh $(INIT_MUST_FAIL) $(CHECK)/verdict-initcheck

# ---------------------------------------------------------------------------------------------
# The language: cmocka programs. OpenMP gets more OS threads than cores, so that they are
# interrupted anywhere.
# ---------------------------------------------------------------------------------------------

# $(call language,target,variable with its programs,environment)
define language
$(1).of = $$(patsubst test_%,%,$$(notdir $$($(2))))
$(1).proves = $(1): the language means what its reference says: $$(of)
$(1).files = $$(filter %/test_$$(of),$$($(2)))
$(1).command = $(3) $$($(1).files)
endef
$(eval $(call language,serial,SERIAL_TESTS))
$(eval $(call language,openmp,OPENMP_TESTS,env OMP_NUM_THREADS=3))
$(eval $(call language,emulate,EMULATE_TESTS))
$(eval $(call language,cuda,CUDA_TESTS))

# ---------------------------------------------------------------------------------------------
# The header
# ---------------------------------------------------------------------------------------------

header_part = $(firstword $(subst -, ,$(of)))
header.of = $(foreach c,$(compilers),$(addsuffix -$(c),serial openmp emulate cpp))
header.proves = $(of): the header works alone, in two files and with each flag, without warnings
header.files = $(HEADER_FILES)
# The tests of the language as C++: one half by each compiler.
part_of_header = $(if $(WIDE),,$(if $(word 2,$(compilers)),$(if $(filter %-$(firstword $(compilers)),$(of)),0,1)))
header.command = env PART=$(part_of_header) tests/header/run.sh $(CHECK)/header-$(of) $(call path_of_compiler,$(of:$(header_part)-%=%)) $(header_part)

header-nvcc.proves = nvcc: the header works alone, in two files and with each flag, without warnings
header-nvcc.missing = $(without_nvcc)
header-nvcc.files = $(HEADER_FILES)
header-nvcc.command = tests/header/run.sh $(CHECK)/header-nvcc $(lastword $(subst =, ,$(firstword $(COMPILERS)))) cuda

header-weight.proves = the header costs nvcc little, and CUDA headers may surround it
header-weight.missing = $(without_nvcc)
header-weight.files = portable.h $(wildcard tests/header/*)
header-weight.command = tests/header/weight.sh "$(NVCC)" $(CHECK)/header-weight

header-parts.proves = each name is once in the first part of the header, with its contract
header-parts.files = portable.h tests/header/parts.sh
header-parts.command = sh -c "tests/header/parts.sh && tests/header/parts.sh --self-test"

errors.of = $(compilers)
errors.proves = $(of): a name in a wrong place is a compile error that says what to do
errors.files = portable.h $(wildcard tests/compile_fail/*)
errors.command = sh -c "tests/compile_fail/run.sh $(compiler) && tests/compile_fail/self.sh $(compiler)"

errors-openmp.proves = openmp: a name in a wrong place is a compile error that says what to do
errors-openmp.missing = $(missing_openmp)
errors-openmp.files = $(errors.files)
errors-openmp.command = tests/compile_fail/run.sh "$(CC) -fopenmp"

systems.proves = the header compiles for macOS, Windows and musl
systems.files = $(EMULATE_FILES) README.md $(wildcard tests/systems/* tests/header/*)
systems.command = tests/systems/run.sh $(CHECK)/systems

names.proves = every name has an entry in the documentation
names.files = portable.h docs/kernel-language.md tests/docs.sh
names.command = tests/docs.sh

# ---------------------------------------------------------------------------------------------
# Kernels cost no more than code by hand
# ---------------------------------------------------------------------------------------------

FAMILIES := $(filter-out $(if $(HAVE_RANDOM123),,random),$(notdir $(basename $(wildcard kernels/*.c))))
ptx_compare = sh tests/ptx/compare.sh "$(NVCC) $(CPPFLAGS) -Ihost/tiles"
ptx.of = $(FAMILIES)
ptx.proves = on CUDA, $(of) has no more instructions than CUDA by hand
ptx.missing = $(without_nvcc)
ptx.files = portable.h kernels/$(of).c $(wildcard tests/ptx/*)
ptx.command = env SASS=0 $(ptx_compare) sm_80 $(CHECK)/ptx-$(of) $(of)

ptx-tiles-90a.proves = on sm_90a, tiles with wgmma have no more instructions than CUDA by hand
ptx-tiles-90a.missing = $(without_nvcc)
ptx-tiles-90a.files = portable.h kernels/tiles.c host/tiles/portable_tiles.h $(wildcard tests/ptx/*)
ptx-tiles-90a.command = env SASS=0 $(ptx_compare) sm_90a $(CHECK)/ptx-tiles-90a tiles

ptx-self-test.proves = one instruction too many is reported
ptx-self-test.missing = $(without_nvcc)
ptx-self-test.files = portable.h $(wildcard tests/ptx/*)
ptx-self-test.command = tests/must_fail.sh 1 sh tests/ptx/compare.sh --self-test "$(NVCC)" sm_80 $(CHECK)/ptx-self-test

instructions.of = $(compilers)
instructions.proves = $(of): on a CPU, saxpy, csr_spmv and a stencil execute at most 2% more instructions than plain loops
instructions.files = portable.h tests/instructions.c tests/instructions.sh $(wildcard kernels/* host/*.[ch] host/bench/*.[ch] host/cases/*)
instructions.command = tests/instructions.sh $(CHECK)/instructions-$(of) $(compiler)

launch.of = $(compilers)
launch.proves = $(of): the launch of an empty kernel costs few instructions
launch.files = portable.h host/make/openmp.sh tests/launch.c tests/launch.sh
launch.command = tests/launch.sh $(CHECK)/launch-$(of) $(compiler)

clones.of = $(compilers)
clones.proves = $(of): a kernel gives the same bits with every instruction set
clones.files = portable.h host/make/openmp.sh $(wildcard tests/clones/*)
clones.command = tests/clones/run.sh $(CHECK)/clones-$(of) $(compiler)

kernels.proves = no kernel asks which target it is on
kernels.files = $(wildcard kernels/*.[ch] host/algorithms/*.h docs/examples/*/kernels/*.[ch]) portable.h tests/kernels.sh
kernels.command = sh -c "tests/kernels.sh && tests/must_fail.sh 1 tests/kernels.sh portable.h"

# ---------------------------------------------------------------------------------------------
# Tools
# ---------------------------------------------------------------------------------------------

EDITED := portable.h .clangd $(MAKE_FILES) $(wildcard host/*.[ch] host/*/* kernels/* tests/editors/* tests/*.c tests/*/*.[ch] tests/*/*.cu)
editors.of = serial cuda own
editors.proves = clangd and compile_commands.json serve an editor: $(of)
editors.files = $(EDITED)
editors.command = tests/editors/run.sh "$(CC)" $(CHECK)/editors-$(of) $(of)

editors-hover.proves = clangd shows contracts on hovering, and no warnings
editors-hover.files = $(EDITED) tests/docs.sh
editors-hover.command = tests/editors/hover.sh $(CHECK)/editors-hover

gdb.proves = gdb stops in one thread of one block, and its commands show the thread
gdb.files = portable.h host/make/openmp.sh $(wildcard tests/gdb/* host/project/gdb/* host/emulate/*.[ch])
gdb.command = tests/gdb/run.sh "$(CC)" $(CHECK)/gdb

links.proves = the documentation has no broken link
links.files = $(PAGES_OF_DOCS) tests/docs/links.sh FORCE
links.command = tests/docs/links.sh $(PAGES_OF_DOCS)

lists.proves = the documentation lists every decision, directory and public header
lists.files = FORCE
lists.command = sh -c "tests/docs/lists.sh && tests/must_fail.sh 1 tests/docs/lists.sh 000-none.md && \
    tests/must_fail.sh 1 tests/docs/lists.sh host/none/ && tests/must_fail.sh 1 tests/docs/lists.sh none.h"

scripts.proves = every shell script parses
scripts.files = FORCE
scripts.command = sh -c "mkdir -p $(CHECK)/scripts && printf 'if true; then\n}\n' >$(CHECK)/scripts/wrong.sh && \
    tests/scripts.sh && tests/must_fail.sh 1 tests/scripts.sh $(CHECK)/scripts/wrong.sh"

docs-checker.proves = make check-docs reports wrong output and code that does not compile
docs-checker.files = portable.h $(wildcard tests/docs/*)
docs-checker.command = tests/docs/run.sh "$(CC)" $(CHECK)/docs

# ---------------------------------------------------------------------------------------------
# emulate and its checks
# ---------------------------------------------------------------------------------------------

faults.proves = emulate: faults, and launches that do not end, stop a program with the kernel, block and thread
faults.missing = $(missing_emulate)
faults.files = $(EMULATE_FILES) $(wildcard tests/emulate/faults*)
faults.command = tests/emulate/faults.sh "$(CC)" $(CHECK)/faults

barriers.proves = emulate: a barrier costs few instructions
barriers.missing = $(missing_emulate)
barriers.files = $(EMULATE_FILES) $(wildcard tests/emulate/*)
barriers.command = tests/emulate/cost.sh barriers "$(CC)"

aarch64.proves = emulate: programs run on aarch64
aarch64.missing = $(missing_emulate)
aarch64.files = $(EMULATE_FILES) $(wildcard tests/emulate/*)
aarch64.command = tests/emulate/aarch64.sh

CHECK_RUNTIMES = $(sort $(foreach c,$(ALL_CHECKS),$(call runtime_of,$(c))))
bugs.proves = the checks find each kind of bug, and nothing in its corrected twin
bugs.missing = $(without_checks)
bugs.files = $(EMULATE_FILES) $(wildcard tests/bugs/*) $(CHECK_RUNTIMES)
bugs.command = env BUILT="$(B)" tests/bugs/sample.sh "$(CC)" $(CHECK)/bugs

levels.proves = the checks see accesses that an optimiser would remove
levels.missing = $(without_checks)
levels.files = $(EMULATE_FILES) $(wildcard tests/bugs/*) $(CHECK_RUNTIMES)
levels.command = env BUILT="$(B)" LEVELS="$(if $(WIDE),-O0 -O1 -O2 )-O3" tests/bugs/levels.sh "$(CC)" $(CHECK)/levels

races.proves = racecheck: races of every size of element, block and grid
races.missing = $(without_checks)
races.files = $(RACES)
races.command = $(RACES) $(if $(WIDE),all)

# The clean side: the gallery under each check.
# The gallery has no work in streams that streamcheck looks at.
checked.of = $(if $(without_checks),,$(filter-out streamcheck,$(CHECKS)))
checked.proves = $(of) reports nothing in $(if $(filter racecheck,$(of)),any case,the cases) of the gallery
checked.files = $(B)/$(of)/gallery-checked
checked.command = $(checked.files) check $(if $(WIDE),,--quick)

counts.proves = make counts counts what a kernel does, and make growth reports what grows faster than its work
counts.missing = $(without_checks)
counts.files = $(COUNTED) $(wildcard tests/counts/*) tests/cli/expect.sh
counts.command = tests/counts/run.sh $(COUNTED) $(CHECK)/counts

model.of = $(if $(without_checks),,race init sync access)
model.proves = $(of)check agrees with a model on random accesses
model.files = $(models)$(of)_model
model.command = $(model.files)

findings.proves = the checks sum up what they found
findings.missing = $(without_checks)
findings.files = $(models)findings
findings.command = $(models)findings

reports.proves = findings as SARIF and JUnit, suppressed and limited
reports.missing = $(or $(without_checks),$(missing_cxx),$(missing_python3))
reports.files = $(REPORT_PROGRAMS) $(NVCC_FILES) $(wildcard tests/reports/*) docs/checks.md
reports.command = tests/reports/run.py $(B)/run $(CHECK)/reports $(PORTABLE_NVCC) $(cxx_installed)

action.proves = the action of action.yml builds a project and reports its races
action.missing = $(or $(without_checks),$(missing_cxx),$(missing_python3))
action.files = action.yml host/project/action/action.sh $(NVCC_FILES) $(INSTALLED) tests/reports/action.py
action.command = tests/reports/action.py $(B) $(CHECK)/action

paths.proves = the checks name files whose path has blanks
paths.missing = $(without_checks)
paths.files = $(EMULATE_FILES) tests/cli/expect.sh tests/emulate/paths.sh
paths.command = tests/emulate/paths.sh "$(CC)" $(CHECK)/paths

# ---------------------------------------------------------------------------------------------
# Many ranks: the layer and its cases with each number of ranks in RANKS
# ---------------------------------------------------------------------------------------------

RANKS ?= 1 2 3 4
rank_programs_to_test = $(call rank_programs_of,$(1)-exact) $(foreach t,$(RANK_TESTS),$(B)/$(1)-exact/$(basename $(t)))
RANK_TEST_FILES := $(wildcard tests/ranks/*.sh tests/data/mtx/*) tests/ranks/faults.c tests/cli/expect.sh $(if $(filter command,$(origin RANKS)),FORCE)
RANK_TARGETS := serial $(if $(HAVE_OPENMP),openmp)
mpi := env MPIEXEC="$(MPIEXEC)" MPI_CFLAGS="$(MPI_CFLAGS)"
no_gpu_for_ranks = $(if $(HAVE_GPU),,compiled and not run: $(missing_gpu))

ranks.of = $(if $(missing_mpiexec),,$(RANK_TARGETS))
ranks.proves = $(of): cases give the same bits on many ranks: $(RANKS)
ranks.files = $(call rank_programs_to_test,$(of)) $(call rank_programs_to_test,serial) $(RANK_TEST_FILES)
ranks.command = $(mpi) tests/ranks/run.sh $(B)/$(of)-exact $(CHECK)/ranks-$(of) $(B)/serial-exact "$(RANKS)"

ranks-cuda.proves = cuda: cases give the same bits on many ranks: $(RANKS)
ranks-cuda.missing = $(or $(missing_mpiexec),$(missing_cuda),$(no_gpu_for_ranks))
ranks-cuda.files = $(call rank_programs_to_test,cuda) $(call rank_programs_to_test,serial) $(RANK_TEST_FILES)
ranks-cuda.command = $(mpi) tests/ranks/run.sh $(B)/cuda-exact $(CHECK)/ranks-cuda $(B)/serial-exact "$(RANKS)"

ranks-faults.proves = many ranks: a failure of one ends all, with a sentence
ranks-faults.missing = $(missing_mpiexec)
ranks-faults.files = $(foreach t,$(RANK_TARGETS),$(call rank_programs_to_test,$(t))) $(RANK_TEST_FILES)
ranks-faults.command = $(mpi) tests/ranks/faults.sh "$(CC)" $(B)/serial-exact $(B)/$(lastword $(RANK_TARGETS))-exact $(CHECK)/ranks-faults

ranks-checkpoint.proves = many ranks: a run that is killed continues from its checkpoint
ranks-checkpoint.missing = $(missing_mpiexec)
ranks-checkpoint.files = $(call rank_programs_to_test,serial) $(RANK_TEST_FILES)
ranks-checkpoint.command = $(mpi) tests/ranks/checkpoint.sh "$(CC)" $(B)/serial-exact $(CHECK)/ranks-checkpoint

ranks-bench.proves = many ranks: make bench-ranks counts what is sent, and refuses bad input
ranks-bench.missing = $(missing_mpiexec)
ranks-bench.files = $(call rank_programs_of,serial-exact) host/ranks/bench.sh docs/scaling/scaling.py tests/ranks/model.tsv $(RANK_TEST_FILES)
ranks-bench.command = $(mpi) tests/ranks/bench.sh $(B)/serial-exact/gallery-ranks $(CHECK)/ranks-bench

ranks-project.proves = many ranks: a project of its own, and initcheck of an exchange
ranks-project.missing = $(or $(missing_mpiexec),$(without_checks))
ranks-project.files = $(EMULATE_FILES) $(wildcard host/ranks/*.[ch] tests/ranks/project/*) $(RANK_TEST_FILES)
ranks-project.command = $(mpi) tests/ranks/project.sh "$(CC)" $(CHECK)/ranks-project

# ---------------------------------------------------------------------------------------------
# CUDA C++ on emulate: each program whose threads share something under racecheck too, and a few under
# two checks each, compiled by the other compiler; make check-cuda runs the rest. On a GPU the same
# programs, compiled by CUDA's own nvcc, print the same.
# ---------------------------------------------------------------------------------------------

# Those whose output on a GPU is beside them.
CUDA_PROGRAMS := $(sort $(patsubst %.out,%.cu,$(wildcard tests/cuda/*.out)))
# Features that CUDA 13 has removed and the CPU still has; what only the CPU can get wrong.
CUDA_CPU_PROGRAMS := $(sort $(wildcard tests/cuda/cpu/*.cu))
BUILDS_FILES := $(shell find tests/builds -type f)
CUDA_FILES := $(if $(missing_cxx),,$(NVCC_FILES)) $(CUDA_HEADERS) tests/cuda/run.sh
without_cxx := $(or $(missing_emulate),$(missing_cxx))
cuda_program = $(filter %/$(of).cu,$(CUDA_PROGRAMS) $(CUDA_CPU_PROGRAMS))
# memcheck's padding does not count towards the limits; initcheck sees the store of a call's value.
checks_of_limits := memcheck
checks_of_struct_values := initcheck
# Against optimisations that change the meaning.
checks_of_aliasing := -O2 -O3
# With threads in loops, which -O0 leaves out.
checks_of_thread_loops := -O2 -O3
checks_of_barriers_objects := -O2
checks_of_cooperative := -O2
checks_of_groups_collectives := -O2
checks_of_groups_tiles := -O2
checks_of_intrinsics_assert := -O2
checks_of_intrinsics_warp := -O2
checks_of_polling_block := -O2
checks_of_polling_grid := -O2
checks_of_parameters := -O2 -O3 memcheck initcheck
checks_of_atomics_builtins := memcheck -O3
checks_of_ptx_bulk := initcheck synccheck
checks_of_ptx_memory := memcheck initcheck
checks_of_ptx_objects := memcheck initcheck synccheck
checks_of_ptx_warps := -O2 synccheck
checks_of_ptx_statements := -O2 memcheck
# Functions of values, where no two threads share anything: without racecheck. make check-cuda runs
# all under each check.
functions_of_values := bfloat16_arithmetic bfloat16_functions complex curand_distributions curand_generators curand_sobol \
    half_arithmetic half_conversion half_exhaustive half_functions intrinsics_bits intrinsics_conversions intrinsics_rounding \
    intrinsics_simd math_accuracy math_overloads math_special ptx_conversions ptx_eight_bits ptx_halves ptx_integers ptx_reals \
    ptx_video tiny_conversion vector_types
# With late streams; make check-late has all.
$(foreach p,barriers_pipelines blas graphs graphs_libraries nccl runtime_errors runtime_launch runtime_memory runtime_streams,$(eval streams_of_$p := late late:1))

cuda-translate.proves = CUDA C++ is translated as documented
cuda-translate.files = $(wildcard host/nvcc/translate.* host/nvcc/ptx* host/nvcc/text.*) $(wildcard tests/cuda/translate/*)
cuda-translate.command = tests/cuda/translate/run.sh "$(CC)" $(CHECK)/cuda-translate

cuda-ptx-page.proves = docs/ptx.md has the table of PTX instructions, and each is tested
cuda-ptx-page.files = $(wildcard host/nvcc/ptx_*.h tests/cuda/ptx_* tests/cuda/findings/inline_ptx.cu) docs/ptx.md
cuda-ptx-page.command = tests/cuda/ptx_page.sh "$(CC)" $(CHECK)/cuda-ptx-page

cuda-cpp.of = $(basename $(notdir $(CUDA_PROGRAMS) $(CUDA_CPU_PROGRAMS)))
cuda-cpp.proves = a CUDA C++ program prints on the CPU what it prints on a GPU, and if threads share something racecheck is silent: $(of)
cuda-cpp.missing = $(without_cxx)
cuda-cpp.files = $(CUDA_FILES) $(cuda_program) $(cuda_program:.cu=.out) $(wildcard tests/cuda/*.h)
# LEVELS=-O2 runs all with threads in loops, too.
configurations_of = emulate $(LEVELS) $(if $(HAVE_CHECKS),$(if $(filter $(functions_of_values),$(1)),,racecheck) $(checks_of_$(1)))
cuda-cpp.command = env STREAMS="$(streams_of_$(of))" tests/cuda/run.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-$(of) $(cuda_program) $(call configurations_of,$(of))

OTHER_CXX := $(if $(filter clang,$(family)),g++,clang++)
# Two checks each, so that each check has two programs or more.
pair_of_aliasing := memcheck racecheck
pair_of_launches := initcheck synccheck
pair_of_memory_spaces := memcheck streamcheck
pair_of_parameters := racecheck initcheck
pair_of_ptx_statements := synccheck streamcheck
pair_of_struct_values := memcheck initcheck
pair_of_two_spaces := racecheck synccheck
cuda-cpp-$(OTHER_CXX).of = aliasing launches memory_spaces parameters ptx_statements struct_values two_spaces
cuda-cpp-$(OTHER_CXX).proves = a CUDA C++ program is clean under the checks, compiled by $(OTHER_CXX): $(of)
cuda-cpp-$(OTHER_CXX).missing = $(or $(without_cxx),$(missing_checks),$(if $(filter $(OTHER_CXX),$(cxx_installed)),,there is no $(OTHER_CXX)))
cuda-cpp-$(OTHER_CXX).files = $(CUDA_FILES) tests/cuda/$(of).cu tests/cuda/$(of).out
cuda-cpp-$(OTHER_CXX).command = env NVCC_CCBIN=$(OTHER_CXX) tests/cuda/run.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-$(OTHER_CXX)-$(of) tests/cuda/$(of).cu $(if $(WIDE),$(CHECKS),$(pair_of_$(of))) $(filter -O%,$(checks_of_$(of)))

cuda-cpp-code.proves = device code: integer intrinsics are instructions, and an endless loop stays one
cuda-cpp-code.missing = $(without_cxx)
cuda-cpp-code.files = $(CUDA_FILES) tests/cuda/code.sh
cuda-cpp-code.command = tests/cuda/code.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-code $(cxx_installed)

cuda-cpp-loops.proves = CUDA C++ that fails says so of the same thread, with threads in a loop and with a stack for each
cuda-cpp-loops.missing = $(without_cxx)
cuda-cpp-loops.files = $(CUDA_FILES) tests/cuda/loops.sh $(wildcard tests/cuda/loops/*)
cuda-cpp-loops.command = tests/cuda/loops.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-loops $(cxx_installed)

cuda-cpp-split.proves = kernels that clang splits into loops over threads leave the same bits as on stacks; which ones are split, and why others are not
cuda-cpp-split.missing = $(or $(without_cxx),$(missing_split))
cuda-cpp-split.files = $(CUDA_FILES) tests/cuda/split.sh $(wildcard tests/cuda/split/* tests/cuda/loops/*)
cuda-cpp-split.command = tests/cuda/split.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-split

cuda-cpp-ways.proves = make check-ways finds the program whose output depends on the way to run it, and why a kernel is not split
cuda-cpp-ways.missing = $(or $(without_cxx),$(missing_split))
cuda-cpp-ways.files = $(CUDA_FILES) tests/cuda/ways.sh tests/cuda/programs.sh tests/cuda/untimed.sed $(wildcard tests/cuda/ways/* tests/cuda/ways/*/*)
cuda-cpp-ways.command = sh -c "mkdir -p $(CHECK)/cuda-cpp-ways && tests/must_fail.sh 1 tests/cuda/ways.sh $(PORTABLE_NVCC) \
    $(CHECK)/cuda-cpp-ways tests/cuda/ways >$(CHECK)/cuda-cpp-ways/printed && diff tests/cuda/ways/printed.out $(CHECK)/cuda-cpp-ways/printed"

cuda-cpp-threads.proves = blocks of CUDA C++ on several OS threads leave the same bits, and fail with the same words
cuda-cpp-threads.missing = $(without_cxx)
cuda-cpp-threads.files = $(CUDA_FILES) tests/cuda/threads.sh tests/cuda/threads/order.cu
cuda-cpp-threads.command = tests/cuda/threads.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-threads "$(cxx_installed)"

cuda-cpp-hosts.proves = the thread sanitizer finds no race in the CUDA runtime when host threads use it at once
cuda-cpp-hosts.missing = $(without_cxx)
cuda-cpp-hosts.files = $(CUDA_FILES) $(wildcard host/emulate/* host/cudart/*.[ch]) tests/cuda/hosts.sh tests/cuda/threads/hosts.cu
cuda-cpp-hosts.command = env FLAGS="-I. $(cc_emulate-runtime)" tests/cuda/hosts.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-hosts \
    "$(CC)" $(HAVE_CXX) host/emulate/emulate.c host/emulate/objects.c $(filter-out %/blas.c %/blas_structured.c %/blas_xt.c,$(CUDA_SOURCES)) host/cudart/refuse.c

cuda-cpp-waiting.proves = CUDA C++ that polls ends, and its deadlocks are reported with their threads and lines
cuda-cpp-waiting.missing = $(without_cxx)
cuda-cpp-waiting.files = $(CUDA_FILES) tests/cuda/waiting.sh $(wildcard tests/cuda/waiting/*)
cuda-cpp-waiting.command = tests/cuda/waiting.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-waiting emulate $(if $(HAVE_CHECKS),$(CHECKS))

cuda-cpp-refusals.proves = CUDA C++ that emulate cannot run is refused in a sentence
cuda-cpp-refusals.missing = $(without_cxx)
cuda-cpp-refusals.files = $(CUDA_FILES) $(wildcard tests/cuda/fail/*.cu) tests/cuda/refusals.sh
cuda-cpp-refusals.command = tests/cuda/refusals.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-refusals

cuda-cpp-cccl.proves = portable-nvcc finds Thrust, CUB and libcu++ in toolkits, packages and checkouts
cuda-cpp-cccl.missing = $(without_cxx)
cuda-cpp-cccl.files = $(CUDA_FILES) tests/cuda/cccl.sh
cuda-cpp-cccl.command = tests/cuda/cccl.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-cccl

# In make check those that compile in seconds; make check-cccl runs the rest.
CCCL_PROGRAMS := $(patsubst %.out,%.cu,$(wildcard tests/cuda/cccl/*.out))
cuda-cccl.of = $(filter cub_block cuda_std,$(basename $(notdir $(CCCL_PROGRAMS))))
cuda-cccl.proves = a program with Thrust, CUB or libcu++ prints on the CPU what it prints on a GPU, and racecheck is silent: $(of)
cuda-cccl.missing = $(without_cxx)
cuda-cccl.files = $(CUDA_FILES) tests/cuda/cccl/$(of).cu tests/cuda/cccl/$(of).out
cuda-cccl.command = tests/cuda/run.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cccl-$(of) tests/cuda/cccl/$(of).cu emulate $(if $(HAVE_CHECKS),racecheck)

cuda-cccl-bugs.proves = mistakes in the use of Thrust and CUB are found in the user's lines, and nothing else
cuda-cccl-bugs.missing = $(or $(without_cxx),$(missing_checks))
cuda-cccl-bugs.files = $(CUDA_FILES) tests/cuda/cccl_bugs.sh tests/cuda/cccl/bugs/bugs.cu
cuda-cccl-bugs.command = tests/cuda/cccl_bugs.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cccl-bugs $(CHECKS)

gpu-cccl.of = $(if $(have_cuda),$(basename $(notdir $(CCCL_PROGRAMS))))
gpu-cccl.proves = on the GPU a program with Thrust, CUB or libcu++ prints the same: $(of)
gpu-cccl.files = tests/cuda/cccl/$(of).cu tests/cuda/cccl/$(of).out tests/cuda/run.sh
gpu-cccl.command = tests/cuda/run.sh --gpu $(NVCC) $(CHECK)/gpu-cccl-$(of) tests/cuda/cccl/$(of).cu

cuda-cpp-options.proves = portable-nvcc takes the options of nvcc
cuda-cpp-options.missing = $(without_cxx)
cuda-cpp-options.files = $(CUDA_FILES) tests/cuda/options.sh
cuda-cpp-options.command = tests/cuda/options.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-options $(if $(HAVE_NVCC),$(NVCC))

cuda-cpp-host-files.proves = host compilers take CUDA's headers, in each dialect of C and C++, and link with the runtime
cuda-cpp-host-files.missing = $(without_cxx)
cuda-cpp-host-files.files = $(CUDA_FILES) tests/cuda/host_files.sh
cuda-cpp-host-files.command = tests/cuda/host_files.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-host-files

cuda-cpp-versions.proves = portable-nvcc --cuda-version: its numbers agree, and what older versions of CUDA had works
cuda-cpp-versions.missing = $(without_cxx)
cuda-cpp-versions.files = $(CUDA_FILES) $(wildcard tests/cuda/versions/*) tests/cuda/versions.sh
cuda-cpp-versions.command = tests/cuda/versions.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-versions $(if $(HAVE_CHECKS),racecheck synccheck)

# Both compilers without a check, one of them under each; make check-wide has the other, too.
cxx_of_shared = $(if $(WIDE)$(filter emulate,$(of)),g++ clang++,$(if $(filter memcheck racecheck,$(of)),g++,clang++))
compilers_of_shared = $(or $(filter $(cxx_of_shared),$(cxx_installed)),$(cxx_installed),g++)
cuda-cpp-shared.of = emulate $(if $(HAVE_CHECKS),$(CHECKS))
cuda-cpp-shared.proves = a program, its libraries, libcuda and Python share one CUDA runtime, and a bug in a library is found: $(of)
cuda-cpp-shared.missing = $(without_cxx)
cuda-cpp-shared.files = $(CUDA_FILES) $(wildcard tests/cuda/shared/* tests/cuda/driver/*) tests/cuda/shared.sh tests/cuda/says.sh
cuda-cpp-shared.command = tests/cuda/shared.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-shared-$(of) $(of) $(compilers_of_shared)

cuda-cpp-modules.of = emulate $(if $(HAVE_CHECKS),$(CHECKS))
cuda-cpp-modules.proves = a program loads and links modules at run time, and a bug in one is found: $(of)
cuda-cpp-modules.missing = $(without_cxx)
cuda-cpp-modules.files = $(CUDA_FILES) $(wildcard tests/cuda/modules/*) tests/cuda/driver/expect.h tests/cuda/modules.sh tests/cuda/says.sh
cuda-cpp-modules.command = tests/cuda/modules.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-modules-$(of) $(of) $(if $(WIDE),g++ clang++,$(or $(filter $(if $(filter memcheck,$(of)),clang++),$(cxx_installed)),g++))

cuda-cpp-orders.proves = kernels that ordercheck proves give the same bits in every order, and it finds those that do not
cuda-cpp-orders.missing = $(or $(without_cxx),$(missing_checks))
cuda-cpp-orders.files = $(CUDA_FILES) tests/cuda/orders/proofs.cu tests/cuda/orders.sh host/make/order_search.sh
cuda-cpp-orders.command = tests/cuda/orders.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-orders

cuda-cpp-verdicts.proves = ordercheck tells programs whose order decides from those that wait or commute
cuda-cpp-verdicts.missing = $(or $(without_cxx),$(missing_checks))
cuda-cpp-verdicts.files = $(CUDA_FILES) $(patsubst %,tests/cuda/%.cu,$(verdict_programs)) tests/cuda/orders/verdicts tests/cuda/verdicts.sh
cuda-cpp-verdicts.command = env LEVELS="$(if $(WIDE),-O0 )-O2" tests/cuda/verdicts.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-verdicts $(verdict_programs)
verdict_programs := aliasing barriers_atomics cufft fences intrinsics_memory polling_block

cuda-cpp-math.proves = fpcheck names the lines where -fmad=true, -ftz=true, -prec-div=false, -prec-sqrt=false and -use_fast_math store other values
cuda-cpp-math.missing = $(or $(without_cxx),$(missing_checks))
cuda-cpp-math.files = $(CUDA_FILES) tests/cuda/math/stores.cu tests/cuda/math.sh host/make/compare_math.sh
cuda-cpp-math.command = tests/cuda/math.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-math g++ clang++

cuda-cpp-findings.proves = what the checks report of CUDA C++ that is wrong, word for word
cuda-cpp-findings.missing = $(or $(without_cxx),$(missing_checks))
cuda-cpp-findings.files = $(CUDA_FILES) $(wildcard tests/cuda/findings/*.cu) tests/cuda/findings.sh
cuda-cpp-findings.command = tests/cuda/findings.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-findings g++ clang++

try-cuda.proves = make try-cuda builds and tests a CUDA project, and leaves it as it is
try-cuda.missing = $(or $(without_cxx),$(missing_checks))
try-cuda.files = $(CUDA_FILES) host/nvcc/try.sh tests/cuda/try.sh
try-cuda.command = tests/cuda/try.sh $(NVCC_TREE)/lib/portable/cuda $(CHECK)/try-cuda

cuda-cpp-cmake.proves = CMake takes portable-nvcc for nvcc
cuda-cpp-cmake.missing = $(without_cxx)
cuda-cpp-cmake.files = $(CUDA_FILES) tests/cuda/cmake.sh
cuda-cpp-cmake.command = tests/cuda/cmake.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-cmake

# The ways to build a project: of each build system, those that together have every pair of a
# build type, a library, a compiler and a check. make builds runs them all.
builds.of = command make cmake findcuda meson setuptools
builds.proves = a CUDA project builds, runs and is checked as it is: $(if $(filter command,$(of)),nvcc's command line,$(of))
builds.missing = $(or $(without_cxx),$(missing_checks),$(missing_python3))
builds.files = $(CUDA_FILES) $(BUILDS_FILES)
builds.command = tests/builds/run.py --pairs $(NVCC_TREE)/lib/portable/cuda $(CHECK)/builds-$(of) $(of)

have_cuda := $(and $(HAVE_NVCC),$(HAVE_GPU))
gpu-cpp.of = $(if $(have_cuda),$(basename $(notdir $(CUDA_PROGRAMS))))
gpu-cpp.proves = on the GPU a CUDA C++ program prints the same: $(of)
gpu-cpp.files = $(cuda_program) $(cuda_program:.cu=.out) tests/cuda/run.sh
gpu-cpp.command = tests/cuda/run.sh --gpu $(NVCC) $(CHECK)/gpu-cpp-$(of) $(cuda_program)

$(call steps,project builds install cli cli-robust blocks cli-make cli-limits compare fuzz-corpus fuzz-kernels fuzz-reducer crash examples mistakes bare-refusals steps report \
    mutants mutants-texts verdict verdict-initcheck header header-parts header-nvcc header-weight errors errors-openmp systems \
    ptx ptx-tiles-90a ptx-self-test instructions launch clones editors editors-hover gdb faults barriers aarch64 checked \
    counts model findings levels bugs paths races ranks ranks-cuda ranks-faults ranks-checkpoint ranks-bench ranks-project \
    try-cuda cuda-translate cuda-ptx-page cuda-cpp cuda-cpp-$(OTHER_CXX) cuda-cpp-refusals cuda-cpp-options cuda-cpp-host-files cuda-cpp-cmake \
    cuda-cpp-cccl cuda-cccl cuda-cccl-bugs gpu-cccl gpu-cpp cuda-cpp-findings cuda-cpp-math cuda-cpp-verdicts cuda-cpp-orders cuda-cpp-code cuda-cpp-loops cuda-cpp-split cuda-cpp-ways cuda-cpp-threads cuda-cpp-hosts cuda-cpp-waiting cuda-cpp-versions reports action cuda-cpp-shared cuda-cpp-modules \
    serial openmp emulate cuda unit must-fail names links lists scripts docs-checker layers circles kernels release)
$(refuse_steps)
