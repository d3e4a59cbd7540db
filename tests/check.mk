# SPDX-License-Identifier: BSD-3-Clause
# The steps of `make check` before the cross-validation; host/make/check.mk explains steps. The
# longest come first. Each names the files that it depends on; programs have their own dependencies.

# Variables of other goals must not reach a make inside a step.
unexport TARGET ARGS SOURCES N REPEATS SEEDS MATH V

# CC, gcc and clang, as NAME=PATH: each once, if it exists; if two have one name, the second is
# named by its path.
COMPILERS := $(shell for c in $(firstword $(CC)) gcc clang; do path=$$(command -v $$c) && \
    echo "$$(readlink -f $$path) $$(basename $$c) $$path"; done | awk '!($$1 in path) { \
    path[$$1]; if ($$2 in name) { $$2 = $$3; gsub("/", "-", $$2) } name[$$2]; print $$2 "=" $$3 }')
compiler_name = $(firstword $(subst =, ,$(1)))
compiler_path = $(lastword $(subst =, ,$(1)))
HEADER_FILES := portable.h host/openmp.sh $(wildcard tests/header/* tests/target/* host/emulate/*.[ch])
MAKE_FILES := Makefile $(wildcard host/*.mk host/*/*.mk tests/*.mk host/*.sh)
INSTALLED := portable.h $(MAKE_FILES) $(wildcard host/*.[ch] host/*.css host/*/*.[ch] host/package/* host/new/* host/new/*/* \
    host/new/.github/workflows/* host/gdb/* docs/man/* tests/install/* tests/install/*/*) LICENSE
PAGES_OF_DOCS := README.md $(wildcard docs/*.md docs/decisions/*.md)

# $(call steps,...): evaluates step at once
steps = $(eval $(call step,$(1),$(2),$(3),$(4)))

# Packages
$(call steps,project-check,a project by portable-new: its checks and its workflow,$(INSTALLED),tests/install/project.sh check)
$(call steps,project-use,a project by portable-new: what it builds and refuses,$(INSTALLED),tests/install/project.sh use)
$(call steps,install,an installation used by make$(comma) pkg-config and CMake,$(INSTALLED),tests/install/run.sh)

# The harness
gallery_of_cli := $(call programs_of,serial-exact)
$(call steps,cli,the command line of the gallery,$(gallery_of_cli) $(MAKE_FILES) tests/data/img/camera.pgm $(wildcard tests/cli/*),tests/cli/run.sh $(B)/serial-exact $(CHECK)/cli)
$(call steps,cli-robust,blocks$(comma) options$(comma) manifests$(comma) records and streams that are not as they should be,$(gallery_of_cli) host/portable-new.sh $(wildcard tests/cli/*),tests/cli/robust.sh $(B)/serial-exact $(CHECK)/cli-robust)
$(foreach t,serial $(if $(HAVE_OPENMP),openmp) $(if $(HAVE_EMULATE),emulate),$(call steps,blocks-$(t),$(t): every case with blocks that it may not take,\
    $(call programs_of,$(t)-exact) $(wildcard tests/cli/*),tests/cli/blocks.sh $(B)/$(t)-exact/gallery $(CHECK)/blocks-$(t)))
$(call steps,cli-make,the command line of make,$(MAKE_FILES) $(gallery_of_cli) host/page.css $(wildcard tests/cli/* tests/emulate/faults*) tests/bugs/levels.sh tests/install/project.sh,tests/cli/make.sh $(B)/serial-exact $(CHECK)/cli-make)
$(call steps,cli-limits,files too large$(comma) claims of headers$(comma) long paths,$(gallery_of_cli) tests/cli/limits.sh tests/cli/expect.sh,tests/cli/limits.sh $(B)/serial-exact $(CHECK)/cli-limits)
$(call steps,fuzz-corpus,the corpus of make fuzz$(comma) and what it refuses,$(FUZZ_REPLAYS) $(wildcard tests/fuzz/*.sh tests/fuzz/corpus/*/*),tests/fuzz/replay.sh $(FUZZ_REPLAYS))
$(call steps,crash,a case that crashes$(comma) and no memory,portable.h $(MAKE_FILES) $(wildcard host/*.[ch] host/*/*.[ch] tests/cli/* tests/cli/*/*),tests/cli/crash.sh "$(CC)" $(CHECK)/crash)
$(call steps,examples,the example of host/case.h,$(gallery_of_cli) host/case.h tests/cli/examples.sh,tests/cli/examples.sh "$(CC)" $(B)/serial-exact $(CHECK)/examples)
$(call steps,bare-refusals,what make check-bare refuses,README.md $(wildcard tests/bare/*),tests/bare/refusals.sh $(CHECK)/bare-refusals)
$(call steps,steps,the steps of make check,$(MAKE_FILES) $(wildcard tests/cli/*),tests/cli/steps.sh $(CHECK)/steps-of-check)
$(call steps,report,the report,$(gallery_of_cli) $(wildcard tests/report/* tests/data/img/* host/*.sh) host/page.css,tests/report/run.sh $(B)/serial-exact/gallery $(CHECK)/report)

$(call steps,mutants,the mutants: what is caught$(comma) survives and is wrong,$(wildcard tests/mutants/*.sh tests/mutants/*.py tests/cli/expect.sh),tests/mutants/self.sh $(CHECK)/mutants)
$(call steps,mutants-texts,the mutants: their texts are in the sources,FORCE,tests/mutants/texts.sh)

# The verdict, of each target
MUST_FAIL_TARGETS := serial $(if $(HAVE_OPENMP),openmp) $(if $(HAVE_EMULATE),emulate) $(if $(HAVE_NVCC),cuda)
must_fail_gallery = $(B)/$(1)-exact/$(dir $(MUST_FAIL))gallery
$(foreach t,$(MUST_FAIL_TARGETS),$(call steps,verdict-$(t),must fail: the verdict of $(t),$(call must_fail_gallery,$(t)) $(call \
    must_fail_gallery,serial) $(wildcard tests/must_fail/* tests/cli/expect.sh host/*.sh),\
    tests/must_fail/run.sh $(t) $(call must_fail_gallery,$(t)) $(call must_fail_gallery,serial) $(CHECK)/verdict-$(t)))
growth_gallery = $(B)/$(1)/$(dir $(GROWTH))gallery
$(foreach t,$(filter-out cuda,$(MUST_FAIL_TARGETS)),$(call steps,growth-$(t),must fail: the growth of time and memory of $(t),$(call growth_gallery,$(t)) \
    $(wildcard tests/growth/* tests/cli/expect.sh),tests/growth/run.sh $(t) $(call growth_gallery,$(t)) $(CHECK)/growth-$(t)))
ifneq ($(HAVE_CHECKS),)
$(call steps,verdict-initcheck,must fail: what initcheck sees of outputs and scratch,$(INIT_MUST_FAIL) $(wildcard tests/must_fail/* tests/cli/expect.sh),\
    tests/must_fail/initcheck.sh $(INIT_MUST_FAIL) $(CHECK)/verdict-initcheck)
endif

# The header
HEADER_PARTS := serial openmp emulate cpp
$(foreach c,$(COMPILERS),$(foreach part,$(HEADER_PARTS),$(call steps,header-$(part)-$(call compiler_name,$(c)),the header for $(part) under $(call compiler_name,$(c)): alone$(comma) in two files$(comma) with each flag,$(HEADER_FILES),\
    tests/header/run.sh $(CHECK)/header-$(part)-$(call compiler_name,$(c)) $(call compiler_path,$(c)) $(part))))
$(call steps,header-parts,the two parts of the header,portable.h tests/header/parts.sh,sh -c "tests/header/parts.sh && tests/header/parts.sh --self-test")
ifneq ($(HAVE_NVCC),)
$(call steps,header-nvcc,the header under nvcc: alone$(comma) in two files$(comma) with each flag,$(HEADER_FILES),tests/header/run.sh $(CHECK)/header-nvcc $(call compiler_path,$(firstword $(COMPILERS))) cuda)
$(call steps,header-weight,the cost of the header under nvcc$(comma) and CUDA headers before and after it,portable.h $(wildcard tests/header/*),tests/header/weight.sh "$(NVCC)" $(CHECK)/header-weight)
else
$(eval $(call skip_step,header-nvcc,the header under nvcc,$(missing_cuda)))
endif
$(foreach c,$(COMPILERS),$(call steps,errors-$(call compiler_name,$(c)),compile errors of $(call compiler_name,$(c)),portable.h $(wildcard tests/compile_fail/*),\
    tests/compile_fail/run.sh $(call compiler_path,$(c))))
$(if $(OPENMP_TESTS),$(call steps,errors-openmp,compile errors of openmp,portable.h $(wildcard tests/compile_fail/*),\
    tests/compile_fail/run.sh "$(CC) -fopenmp"))

$(call steps,systems,macOS$(comma) Windows and musl by other compilers,portable.h README.md $(MAKE_FILES) $(wildcard tests/systems/* tests/header/* host/emulate/*.[ch]),\
    tests/systems/run.sh $(CHECK)/systems)

# Kernels against code that they must not cost more than
FAMILIES := $(filter-out $(if $(HAVE_RANDOM123),,random),$(notdir $(basename $(wildcard kernels/*.c))))
ifneq ($(HAVE_NVCC),)
$(foreach f,$(FAMILIES),$(call steps,ptx-$(f),PTX of $(f) against CUDA by hand,portable.h kernels/$(f).c $(wildcard tests/ptx/*),\
    env SASS=0 sh tests/ptx/compare.sh "$(NVCC) $(CPPFLAGS) -Ihost/tiles" sm_80 $(CHECK)/ptx-$(f) $(f)))
$(call steps,ptx-tiles-90a,PTX of tiles with wgmma against CUDA by hand,portable.h kernels/tiles.c host/tiles/portable_tiles.h $(wildcard tests/ptx/*),\
    env SASS=0 sh tests/ptx/compare.sh "$(NVCC) $(CPPFLAGS) -Ihost/tiles" sm_90a $(CHECK)/ptx-tiles-90a tiles)
$(call steps,ptx-self-test,PTX: the comparison can fail,portable.h $(wildcard tests/ptx/*),\
    tests/must_fail.sh 1 sh tests/ptx/compare.sh --self-test "$(NVCC)" sm_80 $(CHECK)/ptx-self-test)
else
$(eval $(call skip_step,ptx,PTX against CUDA by hand,$(missing_cuda)))
endif
$(foreach c,$(COMPILERS),$(call steps,instructions-$(call compiler_name,$(c)),instructions against the plain loops under $(call compiler_name,$(c)),\
    portable.h tests/instructions.c tests/instructions.sh $(wildcard kernels/* host/*.[ch] host/cases/*),\
    tests/instructions.sh $(CHECK)/instructions-$(call compiler_name,$(c)) $(call compiler_path,$(c))))

$(foreach c,$(COMPILERS),$(call steps,launch-$(call compiler_name,$(c)),the cost of a launch under $(call compiler_name,$(c)),portable.h host/openmp.sh tests/launch.c tests/launch.sh,\
    tests/launch.sh $(CHECK)/launch-$(call compiler_name,$(c)) $(call compiler_path,$(c))))
$(foreach c,$(COMPILERS),$(call steps,clones-$(call compiler_name,$(c)),kernels for each instruction set by $(call compiler_name,$(c)): the same bits,\
    portable.h host/openmp.sh $(wildcard tests/clones/*),tests/clones/run.sh $(CHECK)/clones-$(call compiler_name,$(c)) $(call compiler_path,$(c))))

# Tools
EDITED := portable.h .clangd $(MAKE_FILES) $(wildcard host/*.[ch] host/*.css host/*/* kernels/* tests/editors/* tests/*.c tests/*/*.[ch] tests/*/*.cu)
$(foreach view,serial cuda own,$(call steps,editors-$(view),clangd and compile_commands.json: $(view),$(EDITED),\
    tests/editors/run.sh "$(CC)" $(CHECK)/editors-$(view) $(view)))
$(call steps,editors-hover,clangd: contracts on hovering$(comma) no warnings,$(EDITED) tests/docs.sh,tests/editors/hover.sh $(CHECK)/editors-hover)
$(call steps,gdb,gdb: a breakpoint in one thread$(comma) and portable.py,portable.h host/openmp.sh $(wildcard tests/gdb/* host/gdb/* host/emulate/*.[ch]),\
    tests/gdb/run.sh "$(CC)" $(CHECK)/gdb)

# emulate and its checks
ifneq ($(HAVE_EMULATE),)
$(call steps,faults,emulate: faults$(comma) options$(comma) gdb,portable.h $(wildcard host/emulate/*.[ch] tests/emulate/faults*),\
    tests/emulate/faults.sh "$(CC)" $(CHECK)/faults)
$(call steps,barriers,emulate: the cost of a barrier,portable.h $(wildcard host/emulate/*.[ch] tests/emulate/*),\
    tests/emulate/cost.sh barriers "$(CC)")
$(call steps,aarch64,emulate: aarch64 by qemu,portable.h $(wildcard host/emulate/*.[ch] tests/emulate/*),tests/emulate/aarch64.sh)
ifneq ($(HAVE_CHECKS),)
$(call steps,hints,the hints of make bench$(comma) and what they count,$(B)/counts/gallery host/hints.sh host/fields.awk $(wildcard tests/hints/*) tests/cli/expect.sh,\
    tests/hints/run.sh $(B)/counts/gallery $(CHECK)/hints)
$(call steps,race-model,racecheck: its verdicts against an oracle,$(RACE_MODEL),$(RACE_MODEL))
$(call steps,init-model,initcheck: every hook at every place,$(INIT_MODEL),$(INIT_MODEL))
$(call steps,sync-model,synccheck: what it reports once,$(SYNC_MODEL),$(SYNC_MODEL))
$(call steps,findings,how the checks sum up,$(FINDINGS_MODEL),$(FINDINGS_MODEL))
$(call steps,levels,the checks see what an optimiser would remove,portable.h $(MAKE_FILES) $(wildcard host/emulate/*.[ch] tests/bugs/*),\
    env LEVELS="-O1 -O3" tests/bugs/levels.sh "$(CC)" $(CHECK)/levels)
$(call steps,bugs,each kind of finding of the four checks,portable.h $(MAKE_FILES) $(wildcard host/emulate/*.[ch] tests/bugs/*),\
    tests/bugs/sample.sh "$(CC)" $(CHECK)/bugs)
$(call steps,paths,the checks on a path with blanks and " at ",portable.h $(MAKE_FILES) tests/cli/expect.sh $(wildcard host/emulate/*.[ch] tests/emulate/paths.sh),\
    tests/emulate/paths.sh "$(CC)" $(CHECK)/paths)
$(call steps,races,racecheck: every size of element$(comma) block and grid,$(RACES),$(RACES))
endif
endif

# Many ranks: the layer and its cases with each number of ranks in RANKS.
RANKS ?= 1 2 3 4
rank_programs_to_test = $(call rank_programs_of,$(1)-exact) $(foreach t,$(RANK_TESTS),$(B)/$(1)-exact/$(basename $(t)))
RANK_TEST_FILES := $(wildcard tests/ranks/*.sh tests/data/mtx/*) tests/ranks/faults.c tests/cli/expect.sh $(if $(filter command,$(origin RANKS)),FORCE)
RANK_TARGETS := serial $(if $(HAVE_OPENMP),openmp)
ifneq ($(missing_mpiexec),)
$(eval $(call skip_step,ranks,cases on many ranks,$(missing_mpiexec)))
else
$(foreach t,$(RANK_TARGETS),$(call steps,ranks-$(t),$(t): cases on many ranks: $(RANKS),$(call rank_programs_to_test,$(t)) $(call \
    rank_programs_to_test,serial) $(RANK_TEST_FILES),env MPIEXEC="$(MPIEXEC)" tests/ranks/run.sh $(B)/$(t)-exact $(CHECK)/ranks-$(t) $(B)/serial-exact "$(RANKS)"))
ifeq ($(missing_cuda),)
$(call steps,ranks-cuda,cuda: cases on many ranks: $(RANKS),$(call rank_programs_to_test,cuda) $(call \
    rank_programs_to_test,serial) $(RANK_TEST_FILES),$(if $(HAVE_GPU),env MPIEXEC="$(MPIEXEC)" tests/ranks/run.sh $(B)/cuda-exact $(CHECK)/ranks-cuda $(B)/serial-exact \
    "$(RANKS)",sh -c "echo skipped: compiled and not run: $(missing_gpu); exit 77"))
endif
$(call steps,ranks-faults,many ranks: failures$(comma) and ranks that differ,$(foreach t,$(RANK_TARGETS),$(call rank_programs_to_test,$(t))) $(RANK_TEST_FILES),\
    env MPIEXEC="$(MPIEXEC)" MPI_CFLAGS="$(MPI_CFLAGS)" tests/ranks/faults.sh "$(CC)" $(B)/serial-exact $(B)/$(lastword $(RANK_TARGETS))-exact $(CHECK)/ranks-faults)
$(call steps,ranks-checkpoint,many ranks: runs that are killed and continue,$(call rank_programs_to_test,serial) $(RANK_TEST_FILES),\
    env MPIEXEC="$(MPIEXEC)" MPI_CFLAGS="$(MPI_CFLAGS)" tests/ranks/checkpoint.sh "$(CC)" $(B)/serial-exact $(CHECK)/ranks-checkpoint)
$(call steps,ranks-bench,many ranks: what gallery-ranks bench counts and refuses,$(call rank_programs_of,serial-exact) $(wildcard host/ranks/*.sh) $(RANK_TEST_FILES),\
    env MPIEXEC="$(MPIEXEC)" tests/ranks/bench.sh $(B)/serial-exact/gallery-ranks $(CHECK)/ranks-bench)
endif

ifneq ($(HAVE_CHECKS),)
ifeq ($(missing_mpiexec),)
$(call steps,ranks-project,many ranks: a project$(comma) and initcheck of an exchange,portable.h $(MAKE_FILES) $(wildcard host/ranks/*.[ch] host/emulate/*.[ch] \
    tests/ranks/project/*) $(RANK_TEST_FILES),env MPIEXEC="$(MPIEXEC)" tests/ranks/project.sh "$(CC)" $(CHECK)/ranks-project)
endif
endif

# CUDA C++ on emulate: each program under racecheck too, and a few under every check, compiled by
# the other compiler; make check-cuda runs the rest. On a GPU the same programs, compiled by CUDA's
# own nvcc, print the same.
CUDA_PROGRAMS := $(sort $(wildcard tests/cuda/*.cu))
# What CUDA 13 has no more, and the CPU has.
CUDA_CPU_PROGRAMS := $(sort $(wildcard tests/cuda/cpu/*.cu))
CUDA_FAILS := $(sort $(wildcard tests/cuda/fail/*.cu))
$(call steps,cuda-translate,the translator of CUDA C++,host/cuda/translate.c host/cuda/translate.h $(wildcard tests/cuda/translate/*),\
    tests/cuda/translate/run.sh "$(CC)" $(CHECK)/cuda-translate)
program_of_cuda = $(basename $(notdir $(1)))
# memcheck's padding does not count towards the limits; initcheck sees the store of a call's value.
checks_of_limits := memcheck
checks_of_struct_values := initcheck
CUDA_FILES := $(if $(missing_cxx),,$(NVCC_FILES)) $(CUDA_HEADERS) tests/cuda/run.sh
ifneq ($(HAVE_EMULATE),)
ifneq ($(missing_cxx),)
$(eval $(call skip_step,cuda-cpp,CUDA C++ on emulate,$(missing_cxx)))
else
$(foreach p,$(CUDA_PROGRAMS) $(CUDA_CPU_PROGRAMS),$(call steps,cuda-cpp-$(call program_of_cuda,$(p)),CUDA C++ on emulate: $(call program_of_cuda,$(p)),\
    $(CUDA_FILES) $(p) $(p:.cu=.out),tests/cuda/run.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-$(call program_of_cuda,$(p)) $(p) emulate \
    $(if $(HAVE_CHECKS),racecheck $(checks_of_$(call program_of_cuda,$(p))))))
OTHER_CXX := $(if $(filter clang,$(family)),g++,clang++)
ifneq ($(and $(HAVE_CHECKS),$(shell command -v $(OTHER_CXX))),)
$(foreach p,launches memory_spaces struct_values,$(call steps,cuda-cpp-$(OTHER_CXX)-$(p),CUDA C++ under the checks by $(OTHER_CXX): $(p),\
    $(CUDA_FILES) tests/cuda/$(p).cu tests/cuda/$(p).out,env NVCC_CCBIN=$(OTHER_CXX) tests/cuda/run.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-$(OTHER_CXX)-$(p) tests/cuda/$(p).cu $(CHECKS)))
else
$(eval $(call skip_step,cuda-cpp-$(OTHER_CXX),CUDA C++ under the checks by $(OTHER_CXX),$(or $(missing_checks),there is no $(OTHER_CXX))))
endif
$(call steps,cuda-cpp-refusals,CUDA C++ on emulate: what does not compile,$(CUDA_FILES) $(CUDA_FAILS) tests/cuda/refusals.sh,\
    tests/cuda/refusals.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-refusals)
$(call steps,cuda-cpp-options,CUDA C++ on emulate: the command line of portable-nvcc,$(CUDA_FILES) tests/cuda/options.sh,\
    tests/cuda/options.sh $(PORTABLE_NVCC) $(CHECK)/cuda-cpp-options)
endif
endif
ifneq ($(and $(HAVE_NVCC),$(HAVE_GPU)),)
$(call steps,gpu-launch,the cost of KERNEL_LAUNCH beside <<<>>>,portable.h $(wildcard tests/launch/*),tests/launch/run.sh $(NVCC) $(CHECK)/gpu-launch)
$(foreach p,$(CUDA_PROGRAMS),$(call steps,gpu-cpp-$(call program_of_cuda,$(p)),CUDA C++ on the GPU: $(call program_of_cuda,$(p)),\
    $(p) $(p:.cu=.out) tests/cuda/run.sh,tests/cuda/run.sh --gpu $(NVCC) $(CHECK)/gpu-cpp-$(call program_of_cuda,$(p)) $(p)))
endif

# cmocka programs. OpenMP gets more OS threads than cores, so that they are interrupted anywhere.
test_name = $(patsubst test_%,%,$(notdir $(1)))
$(foreach t,$(SERIAL_TESTS),$(call steps,serial-$(call test_name,$(t)),serial: $(call test_name,$(t)),$(t),$(t)))
$(foreach t,$(OPENMP_TESTS),$(call steps,openmp-$(call test_name,$(t)),openmp: $(call test_name,$(t)),$(t),env OMP_NUM_THREADS=3 $(t)))
$(foreach t,$(EMULATE_TESTS),$(call steps,emulate-$(call test_name,$(t)),emulate: $(call test_name,$(t)),$(t),$(t)))
$(foreach t,$(CUDA_TESTS),$(call steps,cuda-$(call test_name,$(t)),cuda: $(call test_name,$(t)),$(t),$(t)))
$(foreach t,$(UNIT_TESTS),$(call steps,unit-$(call test_name,$(t)),the harness: $(call test_name,$(t)),$(t) $(wildcard tests/data/*/*),$(t)))
twin_name = $(patsubst twin_%,%,$(notdir $(1)))
$(foreach t,$(TWINS),$(call steps,must-fail-$(call twin_name,$(t)),must fail: $(call twin_name,$(t)),$(t) tests/unit/twin.sh,tests/unit/twin.sh $(t)))

# Documentation and releases
$(call steps,names,an entry in the documentation for every name,portable.h docs/kernel-language.md tests/docs.sh,tests/docs.sh)
$(call steps,links,the links of the documentation,$(PAGES_OF_DOCS) tests/docs/links.sh FORCE,tests/docs/links.sh $(PAGES_OF_DOCS))
$(call steps,docs-checker,the checker of the documentation,portable.h $(wildcard tests/docs/* tests/docs/pages/*),tests/docs/run.sh "$(CC)" $(CHECK)/docs)
$(call steps,layers,the harness has no circular dependencies,$(wildcard host/*.[ch]) tests/layers.sh,tests/layers.sh)
$(call steps,layers-self-test,layers: a circle is found,$(wildcard host/*.[ch]) tests/layers.sh,tests/must_fail.sh 1 tests/layers.sh "case check")
WITHOUT_TARGET := $(wildcard kernels/*.[ch] host/algorithms/*.h docs/examples/*/kernels/*.[ch])
$(call steps,kernels,no kernel asks which target it is on,$(WITHOUT_TARGET) tests/kernels.sh,tests/kernels.sh)
$(call steps,kernels-self-test,kernels: a source that asks is found,portable.h tests/kernels.sh,tests/must_fail.sh 1 tests/kernels.sh portable.h)
$(call steps,release,one version$(comma) and a licence in each file,FORCE,tests/install/release.sh)
