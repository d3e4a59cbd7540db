# SPDX-License-Identifier: BSD-3-Clause
# portable.h: one kernel source, as CUDA and as plain C. `make help` says what to type.

.DEFAULT_GOAL := help

KERNEL_SOURCES := $(sort $(wildcard host/cases/*.c))
HOST_SOURCES := $(sort $(wildcard host/*.c))
PROGRAMS := $(sort $(wildcard host/programs/*.c))
TESTS := $(sort $(wildcard tests/unit/*.c))
KERNEL_TESTS := $(sort $(wildcard tests/target/test_*.c))
RAW_TEST := tests/emulate/test_raw.c

include host/portable.mk

# Random numbers come from Random123 (Debian: librandom123-dev); without it they are left out.
hash := \#
HAVE_RANDOM123 := $(shell echo '$(hash)include <Random123/philox.h>' | \
    $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo 1)
ifeq ($(HAVE_RANDOM123),)
LEFT_OUT := random
NO_RANDOM123 := the random numbers are left out: there is no Random123 (make deps installs it)
KERNEL_SOURCES := $(filter-out host/cases/random.c,$(KERNEL_SOURCES))
KERNEL_TESTS := $(filter-out tests/target/test_random.c,$(KERNEL_TESTS))
endif

# The results say what they were built with.
DEFINES_report = -DPORTABLE_BUILD_FLAGS='"$(strip $(cc_$(word 2,$(subst /, ,$(patsubst $(B)%,build%,$@)))) $(nvcc_$(word 2,$(subst /, ,$(patsubst $(B)%,build%,$@)))))"'

$(foreach c,$(CONFIGURATIONS),$(eval $(call configuration,$(c))))
unit_tests_of = $(foreach t,$(TESTS),$(eval $(call link_rule,$(1),$(basename $(t)),$(t) $(HOST_SOURCES),-lcmocka)))
kernel_tests_of = $(foreach t,$(KERNEL_TESTS),$(eval $(call link_rule,$(1),$(basename $(t)),$(t),-lcmocka)))
$(call unit_tests_of,serial-exact)
$(call kernel_tests_of,serial-exact)
$(call kernel_tests_of,openmp-exact)
$(call kernel_tests_of,emulate-exact)
$(eval $(call cc_rule,emulate-exact,$(RAW_TEST)))
$(eval $(call link_rule,emulate-exact,$(basename $(RAW_TEST)),$(RAW_TEST),-lcmocka))
$(call kernel_tests_of,cuda-exact)

RACES := $(B)/run/races.racecheck
# What racecheck says of random accesses, against an oracle.
RACE_MODEL := $(B)/emulate-runtime/tests/test_race_model
$(RACE_MODEL): tests/emulate/test_race_model.c $(addprefix $(B)/emulate-runtime/,accesses.o findings.o) \
    $(wildcard host/emulate/*.[ch])
	@mkdir -p $(@D)
	$(call quiet,cc    $@)$(CC) $(cc_emulate-runtime) $(LDFLAGS) $(filter-out %.h host/%,$^) -lcmocka -o $@

UNIT_TESTS := $(patsubst %.c,$(B)/serial-exact/%,$(filter tests/unit/test_%,$(TESTS)))
TWINS := $(patsubst %.c,$(B)/serial-exact/%,$(filter tests/unit/twin_%,$(TESTS)))
SERIAL_TESTS := $(patsubst %.c,$(B)/serial-exact/%,$(KERNEL_TESTS))
OPENMP_TESTS := $(if $(HAVE_OPENMP),$(patsubst %.c,$(B)/openmp-exact/%,$(KERNEL_TESTS)))
EMULATE_TESTS := $(if $(HAVE_EMULATE),$(patsubst %.c,$(B)/emulate-exact/%,$(KERNEL_TESTS) $(RAW_TEST)))
CUDA_TESTS := $(patsubst %.c,$(B)/cuda-exact/%,$(KERNEL_TESTS))

.PHONY: help demo check record accuracy serial openmp emulate cuda run debug bench deps info clean format \
    lint checks $(CHECKS) check-bugs check-cost orders

help: ## this list
	@echo "portable.h: one kernel source, as CUDA and as plain C"
	@echo
	@awk -F':.*## ' '/^[a-z%-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile
	@echo
	@echo "  Variables: CC CFLAGS CPPFLAGS LDFLAGS LDLIBS NVCC NVCCFLAGS NVCC_CCBIN CUDA_HOME CUDA_ARCH"
	@echo "  BUILD V=1 REQUIRE_GPU=1 PRECISION=single|double ATOMICS=native|cas MATH=fast|exact"
	@echo "  TARGET=serial|openmp|emulate|cuda SOURCES ARGS CASES CHECK_CFLAGS ORDER=forward|reverse|shuffle:SEED;"
	@echo "  make bench: N REPEATS PEERS=1;"
	@echo "  from the command line, the environment, or config.mk"

demo: $(call programs_of,serial-exact) $(if $(HAVE_NVCC),$(call programs_of,cuda-exact)) ## the main job on real matrices and images, on every target that there is
	@host/demo.sh $(B) "$(HAVE_NVCC)"

serial: $(call programs_of,$(call variant,serial)) ## the gallery for the CPU: build/serial/gallery
	@echo "$(B)/$(call variant,serial)/gallery"

ifneq ($(HAVE_OPENMP),)
openmp: $(call programs_of,$(call variant,openmp)) ## the gallery for all cores: build/openmp/gallery
	@echo "$(B)/$(call variant,openmp)/gallery"
else
openmp: ; $(no_openmp)
endif

ifneq ($(HAVE_EMULATE),)
emulate: $(call programs_of,$(call variant,emulate)) ## the gallery with a stack for each thread: build/emulate/gallery
	@echo "$(B)/$(call variant,emulate)/gallery"
else
emulate: ; $(no_emulate)
endif

ifneq ($(HAVE_NVCC),)
cuda: $(call programs_of,$(call variant,cuda)) ## the gallery for the GPU: build/cuda/gallery
	@echo "$(B)/$(call variant,cuda)/gallery"
else
cuda: ; $(no_nvcc)
endif

DEBUGGED := $(if $(filter emulate,$(TARGET)),emulate,serial)
debug: $(call programs_of,$(DEBUGGED)-debug) ## the gallery for gdb: -O0 -g3, build/serial-debug/gallery; TARGET=emulate
	@echo "gdb --args $(B)/$(DEBUGGED)-debug/gallery run sum_tree --n 1000"

check: check-build ## every test, and every case on every target, compared
	@$(if $(NO_RANDOM123),echo "$(NO_RANDOM123)")
	@CC="$(CC)" NVCC="$(if $(HAVE_NVCC),$(NVCC))" CUDA_HOME="$(CUDA_HOME)" BUILD="$(B)" \
	    HAVE_GPU="$(HAVE_GPU)" REQUIRE_GPU="$(REQUIRE_GPU)" UNIT_TESTS="$(UNIT_TESTS)" \
	    GOLDEN="$(GOLDEN)" PRECISION="$(PRECISION)" TWINS="$(TWINS)" SERIAL_TESTS="$(SERIAL_TESTS)" \
	    LEFT_OUT="$(LEFT_OUT)" HAVE_OPENMP="$(HAVE_OPENMP)" OPENMP_TESTS="$(OPENMP_TESTS)" HAVE_EMULATE="$(HAVE_EMULATE)" EMULATE_TESTS="$(EMULATE_TESTS)" \
	    RACE_MODEL="$(RACE_MODEL)" RACES="$(RACES)" \
	    CUDA_TESTS="$(if $(HAVE_NVCC),$(CUDA_TESTS))" tests/check.sh

.PHONY: check-build
check-build: $(call programs_of,serial-exact) $(UNIT_TESTS) $(TWINS) $(SERIAL_TESTS) \
    $(call programs_of,serial-checked) \
    $(if $(HAVE_OPENMP),$(call programs_of,openmp-exact) $(OPENMP_TESTS)) \
    $(if $(HAVE_EMULATE),$(call programs_of,emulate-exact) $(EMULATE_TESTS) $(RACE_MODEL) $(RACES)) \
    $(if $(HAVE_NVCC),$(call programs_of,cuda-exact) $(CUDA_TESTS))

# What a GPU computed, for machines that have none: host/golden.h says what a record is.
GOLDEN ?= tests/golden
ifneq ($(HAVE_GPU),)
COMMIT ?= $(shell git rev-parse --verify -q HEAD || echo unknown)$(shell git diff --quiet HEAD -- . ':!$(GOLDEN)' 2>/dev/null || test $$? != 1 || echo ' with changes')
record: $(call programs_of,cuda-exact) ## keep this GPU's results in tests/golden, for make check anywhere
	@$(B)/cuda-exact/gallery record "$(GOLDEN)" \
	    --note "driver: $$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)" \
	    --note "nvcc: $$($(NVCC) --version | sed -n 's/.*release .*, //p')" \
	    --note "commit: $(COMMIT)"
else
record:
	@echo "make record needs a GPU, and nvcc, to record what they compute: $(if $(HAVE_NVCC),no GPU was found,there is no nvcc) here." >&2; exit 1
endif

# One tree of build/ has one precision, so each gets a make of its own.
accuracy: ## the digits of each case's results that single precision keeps
	+@for precision in single double; do \
	    $(MAKE) --no-print-directory -s PRECISION=$$precision MATH=exact TARGET=serial serial || exit; \
	done >/dev/null
	@rm -rf $(BUILD)/accuracy
	@$(call accuracy_tree,single)/gallery dump $(BUILD)/accuracy/single >/dev/null
	@$(call accuracy_tree,double)/gallery dump $(BUILD)/accuracy/double >/dev/null
	@$(call accuracy_tree,single)/gallery accuracy $(BUILD)/accuracy/single $(BUILD)/accuracy/double
accuracy_tree = $(BUILD)$(if $(filter double,$(1)),/double)$(if $(filter cas,$(ATOMICS)),/cas)/serial-exact

# The kernels beside the vendor libraries' routines: host/peers/peer.h says how.
ifneq ($(filter-out 0,$(PEERS)),)
PEER_SOURCES := $(sort $(wildcard host/peers/*.cu))
PEER_LIBRARY_DIR := $(firstword $(patsubst %/libcublas.so,%,$(wildcard $(addsuffix /libcublas.so, \
    $(CUDA_HOME)/lib64 $(CUDA_HOME)/lib $(CUDA_HOME)/targets/*/lib /usr/lib/*-linux-gnu))))
PEERS_LACK := $(strip $(if $(HAVE_NVCC),,nvcc) \
    $(foreach h,cublas_v2.h cusparse.h,$(if $(wildcard $(CUDA_HOME)/include/$(h)),,$(h))) \
    $(if $(wildcard $(CUDA_HOME)/include/cub/cub.cuh $(CUDA_HOME)/include/cccl/cub/cub.cuh),,cub/cub.cuh) \
    $(if $(PEER_LIBRARY_DIR),$(if $(wildcard $(PEER_LIBRARY_DIR)/libcusparse.so),,libcusparse.so),libcublas.so))
peer_libraries = -L$(PEER_LIBRARY_DIR) -lcublas -lcusparse -Xlinker -rpath,$(PEER_LIBRARY_DIR)
$(foreach s,$(PEER_SOURCES),$(eval $(call nvcc_rule,$(call variant,cuda),$(s))))
$(eval $(call link_rule,$(call variant,cuda),gallery-peers,host/programs/gallery.c $(KERNEL_SOURCES) $(PEER_SOURCES) $(HOST_SOURCES),$$(peer_libraries)))
endif
define no_peers
$(if $(filter cuda,$(TARGET)),,@echo "PEERS=1 compares with libraries for the GPU: make bench TARGET=cuda PEERS=1" >&2; exit 2)
$(if $(PEERS_LACK),@echo "PEERS=1 needs cuBLAS$(comma) cuSPARSE and CUB of the CUDA Toolkit; not found: $(PEERS_LACK)" >&2; exit 1)
endef
comma := ,

BENCHED := $(B)/$(call variant,$(TARGET))/gallery$(if $(PEER_SOURCES),-peers)
NO_PEERS := $(if $(PEER_SOURCES),$(PEERS_LACK)$(filter-out cuda,$(TARGET)))
.PHONY: bench-build bench-growth
bench-build: $(if $(NO_PEERS),,$(TARGET) $(if $(PEER_SOURCES),$(BENCHED)))
	$(if $(NO_PEERS),$(no_peers))
	@mkdir -p $(BENCH_RESULTS)

# Results of all targets lie in build/bench, and are plotted together; those of some cases, or of
# one size, lie apart, so that they do not take the place of the rest.
BENCH_RESULTS := $(B)/bench$(if $(strip $(CASES)$(N)),/part)
run_bench = $(BENCHED) bench $(CASES) $(if $(N),--n $(N)) $(1) $(if $(REPEATS),--repeats $(REPEATS)) \
    --json $(BENCH_RESULTS)/$(TARGET).json \
    --note "commit: $$(git describe --always --dirty 2>/dev/null || echo unknown)" \
    $(if $(filter cuda,$(TARGET)),--note "nvcc: $$($(NVCC) --version | sed -n 's/.*release .*$(comma) //p')" \
        --note "driver: $$(nvidia-smi --query-gpu=driver_version --format=csv$(comma)noheader 2>/dev/null | head -n 1)") \
    $(ARGS)
bench: bench-build ## each case beside the plain C loop: a table, and JSON and plots in build/bench; N=, REPEATS=, PEERS=1
	@$(call run_bench,$(if $(N),,--sweep))
	@host/plot.sh $(BENCH_RESULTS)
bench-growth: bench-build ## how the time and memory of each case grow over four decades of work
	@$(call run_bench,--growth)

# A program of the user's own files: checked, built whole, run; its exit status is make's.
define sources_readable
@$(if $(strip $(SOURCES)),,echo "make $@ needs SOURCES=\"a.c b.c\"" >&2; exit 2;) \
	$(foreach s,$(SOURCES),{ test -f "$(s)" && test -r "$(s)"; } || { echo "make $@: $(s) cannot be read" >&2; exit 2; };) \
	mkdir -p $(B)/run
endef
# Of the whole path: two files may have one name.
own_object = $(B)/run/$(1)-$(subst /,-,$(basename $(2))).o
build_own = $(call quiet,cc    $(SOURCES))$(foreach s,$(SOURCES),$(CC) $(cc_$(1)) $(instrument_$(1)) $(OWN_DEFINES) -c $(s) -o $(call own_object,$(2),$(s)) &&) \
	$(CC) $(cc_$(1)) $(wrap_$(1)) $(LDFLAGS) $(call runtime_of,$(1)) $(foreach s,$(SOURCES),$(call own_object,$(2),$(s))) $(LDLIBS) -lm -o $(B)/run/$(2)

run: $(if $(HAVE_EMULATE),$(if $(filter emulate,$(TARGET)),$(call runtime_of,emulate))) ## your own files: make run SOURCES="a.c b.c" TARGET=serial|openmp|emulate|cuda ARGS=...
	$(sources_readable)
ifeq ($(TARGET),serial)
	$(call build_own,$(call variant,serial),serial)
else ifeq ($(TARGET)$(HAVE_OPENMP),openmp1)
	$(call build_own,$(call variant,openmp),openmp)
else ifeq ($(TARGET),openmp)
	$(no_openmp)
else ifeq ($(TARGET)$(HAVE_EMULATE),emulate1)
	$(call build_own,$(call variant,emulate),emulate)
else ifeq ($(TARGET),emulate)
	$(no_emulate)
else ifneq ($(HAVE_NVCC),)
	$(call quiet,nvcc  $(SOURCES))$(NVCC) $(nvcc_$(call variant,cuda)) $(if $(call nested_sources,$(SOURCES)),-rdc=true) $(LDFLAGS) $(SOURCES) $(LDLIBS) -o $(B)/run/cuda
else
	$(no_nvcc)
endif
	@$(B)/run/$(TARGET) $(ARGS)

# Races of every size of element, block and grid.
$(RACES): private SOURCES = tests/emulate/races.c
$(RACES): tests/emulate/races.c tests/emulate/race_kernels.h portable.h $(call runtime_of,racecheck) \
    $(B)/racecheck/flags
	@mkdir -p $(@D)
	$(call build_own,racecheck,$(@F))

# Each check on the gallery, or on your own files. OWN names the program, so that several can be
# built at once.
OWN ?= $@
memcheck: ## out of bounds, wrong side, freed twice, leaked: the gallery, or SOURCES="a.c b.c"
racecheck: ## two threads, one byte, no barrier between them
initcheck: ## what is read and nothing wrote
synccheck: ## barriers that not all threads come to
define check_rule
$(1): $(if $(HAVE_EMULATE),$(call runtime_of,$(1)) $(if $(SOURCES),,$(call programs_of,$(1))))
ifeq ($(HAVE_EMULATE),)
	$$(no_emulate)
else ifneq ($(SOURCES),)
	$$(sources_readable)
	$$(call build_own,$(1),$$(OWN))
	@$(B)/run/$$(OWN) $$(ARGS)
else
	@$(B)/$(1)/gallery check $$(CASES) $$(ARGS)
endif
endef
$(eval $(call check_rule,memcheck))
$(eval $(call check_rule,racecheck))
$(eval $(call check_rule,initcheck))
$(eval $(call check_rule,synccheck))
checks: ## all four, one after another
	+@status=0; for check in $(CHECKS); do \
	    if $(MAKE) --no-print-directory $$check; then echo "$$check: nothing found"; \
	    else status=1; fi; \
	done; exit $$status

check-bugs: ## the known bugs of tests/bugs, each found, each corrected twin clean
	@mkdir -p $(B)
	@tests/bugs/run.sh --table $(B)/bugs.md "$(CC)" $(B)/bugs
	@$(if $(CC_IS_CLANG),,tests/bugs/splice.sh $(B)/bugs.md docs/checks.md)

check-cost: emulate $(call programs_of,racecheck) ## what racecheck costs, case by case: at most 30 times the emulate target
	@BUILD=$(B) tests/emulate/cost.sh racecheck $(CASES)

SEEDS ?= 20
ORDERED := serial-checked $(if $(HAVE_EMULATE),emulate-exact)
orders: $(foreach c,serial-exact $(ORDERED),$(call programs_of,$(c))) ## the gallery in SEEDS=20 shuffled orders of blocks and threads
	@tests/orders.sh $(B) $(SEEDS) $(ORDERED)

deps: ## install what the tests need, on Debian and Ubuntu
	@tests/deps.sh

info: ## what was found, and how it is used
	@echo "cc:    $(CC) ($(shell $(CC) --version | head -n 1))"
	@echo "nvcc:  $(if $(HAVE_NVCC),$(NVCC) ($(shell $(NVCC) --version | sed -n 's/.*release //p')),none: the cuda target cannot be built)"
	@echo "GPU:   $(if $(HAVE_GPU),$(shell nvidia-smi -L | head -n 1),none: the cuda target cannot be run)"
	@echo "CUDA:  $(or $(CUDA_HOME),none)"
	@echo "Random123: $(or $(NO_RANDOM123),found)"
	@echo "build: $(B)"
	@$(foreach c,$(filter-out cuda%,$(CONFIGURATIONS)),echo "$(c): $(CC) $(cc_$(c))";)
	@$(if $(HAVE_NVCC),$(foreach c,cuda cuda-exact,echo "$(c): $(NVCC) $(nvcc_$(c))";))

print-%: ## the value of a variable: make print-CFLAGS
	@echo '$* = $($*)'

# The page of results: the exact builds of every target that can run here. Its images are those of
# REPORT_INPUTS, its plots those of make bench.
REPORT_INPUTS ?= tests/data
REPORTED := serial-exact $(if $(HAVE_OPENMP),openmp-exact) $(if $(HAVE_EMULATE),emulate-exact) $(if $(HAVE_GPU),cuda-exact)
NO_CUDA := $(if $(HAVE_NVCC),there is no GPU$(comma) so it was not run,there is no nvcc$(comma) so it was not built and not run)
.PHONY: report
report: $(foreach c,$(REPORTED),$(call programs_of,$(c))) ## all results compared, errors, images and plots on one page: build/report/index.html
	@REQUIRE_GPU="$(REQUIRE_GPU)" $(PORTABLE_HOME)/host/report.sh --note "commit: $$(git describe --always --dirty 2>/dev/null || echo unknown)" \
	    $(if $(HAVE_GPU),--note "nvcc: $$($(NVCC) --version | sed -n 's/.*release .*$(comma) //p')",$(if $(filter 1,$(REQUIRE_GPU)),--failed,--missing) "cuda: $(NO_CUDA)") \
	    $(if $(wildcard $(GOLDEN)/*/$(PRECISION)),--golden "$(GOLDEN)") $(if $(wildcard $(REPORT_INPUTS)),--inputs "$(REPORT_INPUTS)") \
	    --plots $(B)/bench --plots $(B)/bench/part $(B)/report \
	    $(foreach c,$(REPORTED),$(c:-exact=)=$(B)/$(c)/gallery) $(if $(CASES),-- $(CASES))

FORMATTED := $(sort $(wildcard portable.h kernels/*.c host/*.[ch] host/*/*.[ch] host/peers/*.cu tests/*.c tests/*/*.[ch] \
    tests/ptx/*.cu))

format: ## lay the sources out by .clang-format
	@host/format.sh $(FORMATTED)

lint: ## formatting and static checks; changes nothing
	@host/format.sh --check $(FORMATTED)
	@if command -v cppcheck >/dev/null; then \
	    cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr -I. \
	        --enable=warning,portability --suppress=missingIncludeSystem \
	        --suppress=toomanyconfigs --suppress=ctuuninitvar \
	        --suppress=arithOperationsOnVoidPointer \
	        $(filter-out tests/ptx/%,$(filter %.c,$(HOST_SOURCES) $(PROGRAMS))); \
	else echo "cppcheck is not installed: static checks were not run"; fi

clean: ## remove everything that was built
	rm -rf $(BUILD)
