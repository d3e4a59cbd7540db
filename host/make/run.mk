# SPDX-License-Identifier: BSD-3-Clause
# Programs of the user's SOURCES, built as a whole: make run, and make compare, on every target. And
# the commands for gdb: make debug.

# $(sources_readable): the first line of a recipe that builds SOURCES
define sources_readable
@$(if $(strip $(SOURCES)),,echo "make $@ needs SOURCES=\"a.c b.c\"" >&2; exit 2;) \
	$(foreach s,$(SOURCES),{ test -f "$(s)" && test -r "$(s)"; } || { echo "make $@: cannot read $(s)" >&2; exit 2; };) \
	$(make_build_directory) && mkdir -p $(B)/run
endef
# The program's name is that of the first file with a checksum of all files and flags, so that two
# different programs can be built and run at once; a program replaces its predecessor in one step. A
# link with the configuration's name alone points to the latest program.
own_name = $(basename $(notdir $(firstword $(SOURCES))))-$(1)-$(firstword $(shell \
    printf '%s\n' '$(subst ','"'"',$(SOURCES) $(flags_$(1)))' | cksum))
# The object's name has the whole path, because two files may have one name.
own_object = $$made/$(subst /,-,$(basename $(1))).o
# SOURCES, and the algorithms if one of them uses them.
own_sources = $(SOURCES) $(if $(call algorithm_users,$(SOURCES)),$(filter-out $(SOURCES),$(ALGORITHMS)))
own_by_nvcc = $(NVCC) $(nvcc_$(1)) $(if $(call device_launch_sources,$(SOURCES)),-rdc=true) \
	$(call ldflags_of,cuda) $(own_sources) $(LDLIBS)
# Files from outside the project get the compiler's default warnings: their style is not ours.
foreign_warnings = $(if $(filter $(CURDIR)/% $(abspath $(PORTABLE_HOME))/%,$(abspath $(1))),,$(WARNINGS:-W%=-Wno-%))
# C++, without the options that are for C alone.
cxx_sources = $(filter %.cpp %.cc %.cxx,$(1))
only_for_c := -std=c11 $(foreach w,strict-prototypes c++-compat,-W$(w) -Wno-$(w)) -Werror=implicit-function-declaration
own_compile = $(call compile,$(1),$(2),$(call own_object,$(2)),$(instrument_$(1)),$(OWN_DEFINES) $(call foreign_warnings,$(2)) $(3))
own_by_cc = $(foreach s,$(own_sources), \
	$(if $(call cxx_sources,$(s)),$(filter-out $(only_for_c),$(call own_compile,$(1),$(s),-std=c++17)),$(call own_compile,$(1),$(s))) &&) \
	$(call linker_of,$(1)) $(call runtime_of,$(1)) \
	$(foreach s,$(own_sources),$(call own_object,$(s))) $(if $(call cxx_sources,$(SOURCES)),-lstdc++ $(if $(CC_IS_CLANG),-fsanitize-link-c++-runtime)) $(LDLIBS) -lm
# CUDA C++ goes to portable-nvcc, which nvcc.mk builds.
own_by_portable_nvcc = $(PORTABLE_NVCC) $(addprefix -ccbin ,$(HAVE_CXX)) $(CPPFLAGS) $(if $(filter $(ALL_CHECKS),$(1)),--check=$(1),-g \
	$(if $(filter %-debug,$(1)),-O0)) $(filter-out -I$(PORTABLE_HOME),$(PORTABLE_INCLUDES)) $(SOURCES) $(LDLIBS)
own_compiler = $(if $(filter cuda%,$(1)),nvcc,$(if $(filter %.cu,$(SOURCES)),portable_nvcc,cc))
own_needs = $(if $(filter %.cu,$(SOURCES)),$(NVCC_FILES),$(call runtime_of,$(1)))
cu_elsewhere = $(if $(filter %.cu,$(SOURCES)),$(if $(filter serial% openmp%,$(1)),@echo "make $@: $(firstword $(filter %.cu,$(SOURCES))) is CUDA C++$(comma) which runs with TARGET=emulate or cuda" >&2; exit 2))
# $(call build_own,C,name): builds build/run/NAME of SOURCES
build_own = $(call quiet,$(if $(filter cuda%,$(1)),nvcc ,cc   ) $(SOURCES))made=$$(mktemp -d $(B)/run/tmp.XXXXXX) && \
	trap 'rm -rf "$$made"' EXIT && trap 'exit 1' HUP INT TERM && \
	$(call own_by_$(call own_compiler,$(1)),$(1)) -o "$$made/program" && \
	mv "$$made/program" $(B)/run/$(2) && \
	ln -s $(2) "$$made/link" && mv -f "$$made/link" $(B)/run/$(1:-exact=)

run: $(if $(missing_$(TARGET)),,$(call own_needs,$(TARGET))) ## your own files: make run SOURCES="a.c b.c" TARGET=serial|openmp|emulate|cuda ARGS=...
	$(sources_readable)
ifneq ($(missing_$(TARGET)),)
	$(call refuse_target,$(TARGET))
else ifneq ($(call cu_elsewhere,$(TARGET)),)
	$(call cu_elsewhere,$(TARGET))
else
	$(call build_own,$(call variant,$(TARGET)),$(call own_name,$(call variant,$(TARGET))))
	@$(B)/run/$(call own_name,$(call variant,$(TARGET))) $(ARGS)
endif

# ---------------------------------------------------------------------------------------------
# A program on every target
# ---------------------------------------------------------------------------------------------

# $(accept_loops): a command that sets $loops to 1 if SOURCES compile for serial, which alone refuses a
# name outside of its scope, and to nothing if they are for emulate and cuda alone: CUDA C, and C++
# with kernels. Ends the recipe if they do not compile.
accept_loops = loops=1; $(if $(filter %.cu,$(SOURCES)),loops=,$(PORTABLE_HOME)/host/make/loops.sh $(CC) $(CC_BASE) $(CHECK_CFLAGS) $(CPPFLAGS) \
    -- $(SOURCES) || { test $$? = 3 && loops=; } || { \
    echo "make $@: SOURCES must also compile for serial, unless they are CUDA C (__global__), for emulate and cuda." >&2; exit 1; })

# The exact builds, as in make check. LOOPS is what accept_loops has found.
COMPARABLE := serial openmp emulate cuda
not_compared = $(or $(missing_$(1)),$(if $(filter cuda,$(1)),$(missing_gpu)))
compared = $(foreach t,$(if $(LOOPS),$(COMPARABLE),emulate cuda),$(if $(call not_compared,$(t)),,$(t)))
left_out_of_comparison = $(if $(LOOPS),,--missing "serial and openmp: they run neither CUDA C nor kernels in C++") \
    $(foreach t,$(if $(LOOPS),$(COMPARABLE),emulate cuda),$(if $(call not_compared,$(t)),--missing "$(t): $(call not_compared,$(t))"))
flags_compare = $(flags_serial-exact)
define compared_rule
.PHONY: compare/$(1)
compare/$(1): $(if $(filter compare/runs,$(MAKECMDGOALS)),$(call own_needs,$(1)-exact))
	$$(call build_own,$(1)-exact,$$(call own_name,$(1)-exact))
endef
$(foreach t,$(COMPARABLE),$(eval $(call compared_rule,$(t))))
compare: ## a program of yours on every target, which must print and write the same: SOURCES="a.c b.c" ARGS=... IGNORE='regular expression' LIMIT=600 (seconds)
	$(sources_readable)
	+@$(accept_loops); $(again) compare/runs LOOPS=$$loops
.PHONY: compare/runs
compare/runs: $(if $(filter compare/runs,$(MAKECMDGOALS)),$(if $(word 2,$(compared)),$(compared:%=compare/%)))
	@IGNORE='$(subst ','"'"',$(value IGNORE))' LIMIT="$(LIMIT)" SKIP="$(patsubst $(CURDIR)/%,%,$(abspath $(B)/run))" \
	    PORTABLE_COMPARE="$(firstword $(wildcard $(B)/serial-exact/portable-compare $(B)/serial/portable-compare \
	    $(abspath $(PORTABLE_HOME)/../../bin/portable-compare)))" $(PORTABLE_HOME)/host/steps/compare.sh $(left_out_of_comparison) \
	    $(B)/run/$(call own_name,compare) $(foreach t,$(compared),$(t)=$(B)/run/$(call own_name,$(t)-exact)) -- $(ARGS) || \
	    { test $$? = 77 && test -n "$(COMPARE_IF_ANY)"; }

# ---------------------------------------------------------------------------------------------
# gdb
# ---------------------------------------------------------------------------------------------

DEBUGGED := $(TARGET)-debug
define no_cuda_debug
@echo "make debug is for the CPU targets; for the GPU: make cuda NVCCFLAGS='-g -G', and cuda-gdb." >&2; exit 2
endef
no_debug = $(or $(if $(filter cuda,$(TARGET)),$(no_cuda_debug),$(call refuse_target,$(TARGET))),$(call cu_elsewhere,$(TARGET)))
debug: $(if $(no_debug),,$(if $(SOURCES),$(call own_needs,$(DEBUGGED)),$(call programs_of,$(DEBUGGED)))) ## build for gdb (-O0 -g3) and print the gdb command; TARGET=emulate, SOURCES
ifneq ($(no_debug),)
	$(no_debug)
else ifneq ($(SOURCES),)
	$(sources_readable)
	$(call build_own,$(DEBUGGED),$(call own_name,$(DEBUGGED)))
	@$(call gdb_command,$(B)/run/$(call own_name,$(DEBUGGED)) $(ARGS))
else
	@$(if $(call shown_of,$(DEBUGGED)),,$(no_programs))
	@$(foreach p,$(call shown_of,$(DEBUGGED)),$(call gdb_command,$(p) $(call debug_args,$(p)));)
endif
GDB ?= gdb
# The gallery runs one case: the first, unless the Makefile sets DEBUG_ARGS.
debug_args = $(or $(ARGS),$(if $(filter %/gallery,$(1)),$(or $(if $(CASES),,$(DEBUG_ARGS)),run $(call first_case,$(1)))))
first_case = $(or $(firstword $(CASES)),$$($(1) list | sed -n 's/^  \([^ ]*\).*/\1/p' | head -n 1))
gdb_extension := $(patsubst $(CURDIR)/%,%,$(PORTABLE_HOME)/host/project/gdb/portable.py)
gdb_command = if test "$$($(GDB) -nx -batch -ex 'python print(1)' 2>/dev/null)" = 1; then \
	    echo "$(GDB) -x $(gdb_extension) --args $(strip $(1))"; \
	else \
	    echo "$(GDB) --args $(strip $(1))"; \
	    echo "without $(gdb_extension), which needs a gdb with Python (Debian: gdb)" >&2; \
	fi
