# SPDX-License-Identifier: BSD-3-Clause
# Sources, objects and programs of each configuration, and the goals serial, openmp, emulate and
# cuda.

# ---------------------------------------------------------------------------------------------
# Sources
# ---------------------------------------------------------------------------------------------

CASE_SOURCES ?= $(sort $(wildcard cases/*.c))
# The harness: this project's own in portable.h's repository, elsewhere a library.
HARNESS := $(if $(filter-out $(CURDIR),$(PORTABLE_HOME)),$(PORTABLE_HOME)/)
HARNESS_SOURCES := $(sort $(wildcard $(addprefix $(HARNESS)host/,*.c report/*.c bench/*.c)))
HARNESS_PROGRAMS := $(if $(strip $(CASE_SOURCES)),$(addprefix $(HARNESS)host/programs/,gallery.c portable-compare.c))

# Target-independent parts of the harness are compiled once for all configurations but -debug; they
# must not include portable.h.
NEUTRAL_SOURCES := $(addprefix $(HARNESS)host/,$(addsuffix .c,accuracy array compare error_histogram html io \
    line_plot matrix_market npy options output png pnm timer $(addprefix report/,figures page summary)))
# $(call compiled_for,C,sources): those that C has objects of
compiled_for = $(if $(filter %-debug,$(1)),$(2),$(filter-out $(if $(filter neutral,$(1)),,$(NEUTRAL_SOURCES)),$(2)))

include $(PORTABLE_HOME)/host/make/ranks.mk

# Programs that use portable_algorithms.h are linked with its kernels. Where a source includes it
# through
# another header, the source must have its name in a comment.
ALGORITHMS := $(HARNESS)host/algorithms/algorithms.c
algorithm_users = $(if $(strip $(1)),$(shell grep -ls portable_algorithms.h $(1)))
# $(call with_algorithms,sources): the sources, and ALGORITHMS if one of them uses it: first, as it
# takes the longest to compile
with_algorithms = $(if $(filter $(ALGORITHM_USERS),$(1)),$(filter-out $(1),$(ALGORITHMS))) $(1)

# For the CUDA target nvcc compiles the first, cc the second.
NVCC_SOURCES := $(sort $(CASE_SOURCES) $(KERNEL_SOURCES) $(KERNEL_TESTS) $(PROGRAMS) $(RANK_KERNEL_SOURCES))
CC_SOURCES := $(sort $(HOST_SOURCES) $(TESTS) $(HARNESS_SOURCES) $(HARNESS_PROGRAMS) $(RANK_HOST_SOURCES))
ALGORITHM_USERS := $(call algorithm_users,$(NVCC_SOURCES) $(HOST_SOURCES))
NVCC_SOURCES := $(sort $(NVCC_SOURCES) $(if $(ALGORITHM_USERS),$(ALGORITHMS)))
$(foreach s,$(NVCC_SOURCES) $(CC_SOURCES) $(CHECK_STEPS),$(if $(wildcard $(s)),,$(error There is no $(s))))

# A program's name must be unique in build/C.
program_name = $(basename $(notdir $(1)))
PROGRAM_NAMES := $(foreach p,$(PROGRAMS) $(RANK_PROGRAMS),$(call program_name,$(p)))
TAKEN := flags sources gallery portable-compare portable up \
    $(foreach s,$(NVCC_SOURCES) $(CC_SOURCES),$(if $(findstring /,$(s)),$(firstword $(subst /, ,$(s)))))
$(foreach n,$(filter $(TAKEN),$(PROGRAM_NAMES)),$(error A program cannot have the name $(n), which is taken in build/))
$(if $(filter-out $(words $(sort $(PROGRAM_NAMES))),$(words $(PROGRAM_NAMES))),$(error PROGRAMS=$(strip $(PROGRAMS) $(RANK_PROGRAMS)): two programs have one name))

# $(call sources_of,program): the sources linked into it
sources_of = $(call with_algorithms,$(call own_sources_of,$(1)))
own_sources_of = $(1) $(if $(filter $(HARNESS_PROGRAMS),$(1)),$(HARNESS_SOURCES)) \
    $(if $(filter %/gallery.c,$(filter $(HARNESS_PROGRAMS),$(1))),$(CASE_SOURCES)) \
    $(if $(filter %/portable-compare.c,$(filter $(HARNESS_PROGRAMS),$(1))),,$(KERNEL_SOURCES) $(HOST_SOURCES))
# $(call programs_of,C): the programs of a configuration
programs_of = $(foreach p,$(PROGRAMS) $(HARNESS_PROGRAMS),$(B)/$(1)/$(call program_name,$(p)))

# ---------------------------------------------------------------------------------------------
# Objects
# ---------------------------------------------------------------------------------------------

# $(call objects,C,sources): those that are linked for C
objects = $(call objects_in,$(1),$(call compiled_for,$(1),$(2))) \
    $(call objects_in,neutral,$(filter-out $(call compiled_for,$(1),$(2)),$(2)))
objects_in = $(patsubst %,$(B)/$(1)/%.o,$(subst ../,up/,$(basename $(patsubst $(PORTABLE_HOME)/%,portable/%,$(2)))))

# Kernels that launch kernels are compiled as relocatable device code (-rdc=true); nvcc links it,
# and the device runtime. A source that only includes a DEVICE_LAUNCH must have the word in a
# comment.
device_launch_sources = $(if $(strip $(1)),$(shell grep -l DEVICE_LAUNCH $(1)))
# Evaluated once, when something is compiled by nvcc.
DEVICE_LAUNCH_SOURCES = $(eval DEVICE_LAUNCH_SOURCES := $$(call device_launch_sources,$$(NVCC_SOURCES)))$(DEVICE_LAUNCH_SOURCES)
rdc_of = $(if $(filter $(DEVICE_LAUNCH_SOURCES),$(1)),-rdc=true)

# host/report/page.css as a C string, which host/report/page.c includes.
PAGE_CSS := $(B)/harness/page_css.h
$(PAGE_CSS): $(PORTABLE_HOME)/host/report/page.css
	@$(make_build_directory) && mkdir -p $(@D)
	@{ echo 'static const char page_css[] ='; sed 's/[\\"]/\\&/g; s/.*/    "&\\n"/' $<; echo '    ;'; } >$@
embedded_in = $(if $(filter $(HARNESS)host/report/page.c,$(1)),$(PAGE_CSS))
# Before all other -I: the harness must find its own host/, even if the project has one too.
includes_of = $(if $(HARNESS),$(if $(filter $(PORTABLE_HOME)/%,$(1)),-I$(PORTABLE_HOME))) \
    $(if $(call embedded_in,$(1)),-I$(patsubst %/,%,$(dir $(PAGE_CSS)))) $(call ranks_flags,$(1),-ffp-contract=off)

# bench.c measures the machine's peak with the user's flags.
quickly_in = $(filter-out $(HARNESS)host/bench/bench.c,$(HARNESS_SOURCES)) $(HARNESS_PROGRAMS) $(TESTS)
# With WIDE=1 the serial tests are optimised like programs. On other targets only their results matter.
level_of_test = $(if $(filter serial%,$(1)),$(if $(WIDE),,$(QUICKLY)),-O0 -g1)

# The flags that results are recorded with.
build_flags = -DPORTABLE_BUILD_FLAGS='"$(subst ','"'"',$(subst ",\",$(strip $(cc_$(configuration_of)) $(nvcc_$(configuration_of)))))"'
configuration_of = $(word 2,$(subst /, ,$(patsubst $(B)%,build%,$@)))

# $(call compile,C,source,object,instrumentation,more flags)
compile = $(if $(and $(CC_IS_CLANG),$(strip $(4))),$(CC) $(call includes_of,$(2)) $(cc_$(1)) $(4) $(5) -emit-llvm -c $(2) -o $(3:.o=.bc) && \
	    $(CC) $(cc_$(1)) -fno-sanitize=all -Qunused-arguments -c $(3:.o=.bc) -o $(3) && rm -f $(3:.o=.bc), \
	    $(CC) $(call includes_of,$(2)) $(cc_$(1)) $(4) $(5) -c $(2) -o $(3))

# $(call compile_source,C,source): compiles it to the target. Not a part of the rule below, which make
# expands for each object, whatever the goal.
compile_source = $(call compile,$(1),$(2),$@,$(if $(filter $(NVCC_SOURCES),$(2)),$(instrument_$(1))), \
	    $(if $(filter %-debug,$(1)),,$(if $(filter $(quickly_in),$(2)),$(QUICKLY))$(if $(filter $(KERNEL_TESTS),$(2)),$(call level_of_test,$(1)))) \
	    $(if $(filter $(HOST_SOURCES),$(2)),-Wno-c++-compat) \
	    $(if $(filter $(HARNESS)host/outputs.c,$(2)),$(build_flags)) -MD -MP -MT $@ -MF $(@:.o=.d))

# $(call cc_rules,C,sources), $(call nvcc_rules,C,sources): the rules for their objects, a few for all
# sources, because make spends most of its start on rules. -MD, because headers that only portable.h
# includes count as the system's, and -MMD leaves these out.
define cc_rules
$(call rules_by_place,$(1),$(2),cc)
$(call also_needs,$(1),$(filter $(HARNESS)host/report/page.c,$(2)),$(PAGE_CSS))
$(call also_needs,$(1),$(filter $(RANKS_HOST),$(2)),$(B)/ranks/flags)
$(if $(missing_harness),$(call also_needs,$(1),$(filter $(HARNESS_SOURCES) $(HARNESS_PROGRAMS),$(2)),| need-linux))
endef
also_needs = $(if $(2),$(call objects,$(1),$(2)): $(3))
define cc_recipe
	@mkdir -p $$(@D)
	$$(call quiet,cc    $$@)$$(call compile_source,$(1),$$<)
endef

nvcc_rules = $(call rules_by_place,$(1),$(2),nvcc)
define nvcc_recipe
	@mkdir -p $$(@D)
	$$(call quiet,nvcc  $$@)$$(NVCC) $$(nvcc_$(1)) $$(call ranks_flags,$$<,-fmad=false) $$(call rdc_of,$$<) -MMD -MP -MF $$(@:.o=.d) -MT $$@ -c $$< -o $$@
endef

# One rule for the sources of the project, one for those of portable.h, and one for each source whose
# path has another form.
define rules_by_place
$(call rule_for,$(1),$(filter-out $(PORTABLE_HOME)/% $(odd_sources),$(2)),$(3),$(B)/$(1)/%.o: %.c)
$(call rule_for,$(1),$(filter-out $(odd_sources),$(filter $(PORTABLE_HOME)/%,$(2))),$(3),$(B)/$(1)/portable/%.o: $(PORTABLE_HOME)/%.c)
$(foreach s,$(odd_sources),$(call rule_for,$(1),$(s),$(3),$(s)))
endef
odd_sources = $(sort $(filter-out %.c,$(2)) $(if $(findstring ./,$(2)),$(foreach s,$(2),$(if $(findstring ./,$(s)),$(s)))))
rule_for = $(if $(2),$(call rule_of_objects,$(1),$(call objects,$(1),$(2)),$(3),$(4)))
define rule_of_objects

$(2): $(4) $(B)/$(1)/flags
$(call $(3)_recipe,$(1))
-include $(wildcard $(addsuffix *.d,$(sort $(dir $(2)))))

endef

.PHONY: need-linux
need-linux:
	$(call refuse,The gallery and portable-compare,$(missing_harness))

# Old .d files may name headers under a prefix that has moved.
/%.c: ;

# $(call runtime_of,C): the runtime objects linked into a program of an emulate configuration. They
# come first, because memcheck's guards must precede all other objects of their sections.
findings_parts := findings finding suppressions reports
runtime_of = $(if $(filter emulate% $(ALL_CHECKS),$(1)),$(addprefix $(B)/emulate-runtime/,$(addsuffix .o, \
    $(if $(filter memcheck,$(1)),guards) $(if $(filter $(ALL_CHECKS),$(1)),$(1) $(findings_parts)) $(if $(filter racecheck initcheck streamcheck ordercheck accesscheck fpcheck,$(1)),accesses) \
    emulate objects)))
# gdb's commands read variables of host/emulate, and of the other parts backtraces need the lines.
# The costs of these are bounded: -O3 makes racecheck 8% faster, and doubles the
# compile time.
runtime_level = $(if $(filter racecheck streamcheck ordercheck accesscheck,$(1)),-O3) $(if $(filter accesscheck,$(1)),-fomit-frame-pointer)
define runtime_rule
$(B)/emulate-runtime/%.o: $(PORTABLE_HOME)/host/$(1)/%.c $(B)/emulate-runtime/flags
	$$(call quiet,cc    $$@)$$(CC) -I$(PORTABLE_HOME) $$(cc_emulate-runtime) $(if $(filter checks,$(1)),$(LINES_ALONE)) $$(call runtime_level,$$*) -MD -MP -c $$< -o $$@
endef
$(foreach room,emulate checks,$(eval $(call runtime_rule,$(room))))
-include $(wildcard $(B)/emulate-runtime/*.d)

# ---------------------------------------------------------------------------------------------
# Programs
# ---------------------------------------------------------------------------------------------

# nvcc does not take -Wl.
ldflags_of = $(if $(filter cuda%,$(1)),$(patsubst -Wl$(comma)%,-Xlinker %,$(LDFLAGS)),$(LDFLAGS))
linker_of = $(if $(filter cuda%,$(1)),$(NVCC) $(call arch_of,$(1)) $(NVCC_OPENMP) $(if $(NVCC_CCBIN),-ccbin $(NVCC_CCBIN)), \
    $(CC) $(cc_$(1)) $(wrap_$(1))) $(ldflags_of)
arch_of = -arch=$(if $(filter %-exact,$(1)),$(CUDA_CHECK_ARCH),$(CUDA_ARCH))

# $(call link_rule,C,name,sources,libraries)
check_registered = @$(PORTABLE_HOME)/host/make/registered.sh $(foreach s,$(CASE_SOURCES),$(s) $(call objects,$(1),$(s)))
define link_rule

$(B)/$(1)/$(2): $(call runtime_of,$(1)) $(call objects,$(1),$(3)) $(B)/$(1)/sources
	$(if $(filter gallery,$(2)),$$(call check_registered,$(1)))
	$$(call quiet,link  $$@)$$(call linker_of,$(1)) $$(filter-out %/sources,$$^) $(4) $$(LDLIBS) -lm -o $$@
endef

# $(call keep,text): writes the text to the target, unless it is there already. Objects depend on a
# file with their flags, programs on one with the list of sources.
keep = @$(make_build_directory) && mkdir -p $(@D) && printf '%s\n' '$(subst ','"'"',$(1))' | cmp -s - $@ || \
	    printf '%s\n' '$(subst ','"'"',$(1))' >$@

# $(call configuration,C): all rules of build/C
define configuration
$(B)/$(1)/flags: FORCE
	$$(call keep,$$(flags_$(1)))
$(B)/$(1)/sources: FORCE
	$$(call keep,$$(NVCC_SOURCES) $$(CC_SOURCES))
flags_$(1) = $$(CC) $$(cc_$(1)) $$(instrument_$(1)) $$(wrap_$(1)) \
    $$(if $$(filter cuda%,$(1)),$$(NVCC) $$(nvcc_$(1))) $$(LDFLAGS) $$(LDLIBS)

$(call cc_rules,$(1),$(call compiled_for,$(1),$(CC_SOURCES) $(if $(filter cuda%,$(1)),,$(NVCC_SOURCES))))
$(if $(filter cuda%,$(1)),$(call nvcc_rules,$(1),$(NVCC_SOURCES)))

$(foreach p,$(PROGRAMS) $(HARNESS_PROGRAMS),$(call link_rule,$(1),$(call program_name,$(p)),$(call sources_of,$(p)),))
$(foreach p,$(RANK_PROGRAMS_BUILT),$(call link_rule,$(1),$(call program_name,$(p)),$(p) $(RANKS_KERNELS) $(RANK_SOURCES) \
    $(RANK_HOST_SOURCES),$$(call ranks_libraries,$(1))))
endef
$(foreach c,$(CONFIGURATIONS),$(eval $(call configuration,$(c))))

# MPI's flags, for the objects that every program for many ranks has and no other: a machine that
# gets MPI need not compile the rest again.
$(B)/ranks/flags: FORCE
	$(call keep,$(MPI_CFLAGS) $(MPI_LIBS))
flags_neutral := $(CC) $(cc_neutral)
$(B)/neutral/flags: FORCE
	$(call keep,$(flags_neutral))
$(eval $(call cc_rules,neutral,$(filter $(NEUTRAL_SOURCES),$(CC_SOURCES))))

flags_emulate-runtime := $(CC) $(cc_emulate-runtime) checks: $(LINES_ALONE) racecheck: $(call runtime_level,racecheck)
$(B)/emulate-runtime/flags: FORCE
	$(call keep,$(flags_emulate-runtime))

# ---------------------------------------------------------------------------------------------
# Goals
# ---------------------------------------------------------------------------------------------

serial: ## for the CPU: build/serial/
openmp: ## for all cores of the CPU: build/openmp/
emulate: ## for the CPU, a stack for each thread: build/emulate/
cuda: ## for the GPU: build/cuda/
define target_rule
$(1): $(if $(missing_$(1)),,$(call programs_of,$(call variant,$(1))) $(call rank_programs_of,$(call variant,$(1))))
	$$(or $$(call refuse_target,$(1)),$$(call built,$$(call variant,$(1))))
	$(if $(and $(missing_mpi),$(RANK_PROGRAMS)),@echo "left out: $(foreach p,$(RANK_PROGRAMS),$(call program_name,$(p))): $(missing_mpi)")
endef
$(foreach t,serial $(if $(few_rules),,openmp) emulate cuda,$(eval $(call target_rule,$(t))))

# $(call built,C): prints the programs that make has built
built = @$(if $(call shown_of,$(1)),echo "$(call shown_of,$(1))",$(no_programs))
shown_of = $(filter-out %/portable-compare,$(call programs_of,$(1)) $(call rank_programs_of,$(1)))
no_programs = $(if $(and $(missing_mpi),$(RANK_PROGRAMS)),echo "Nothing to build: $(missing_mpi)." >&2; exit 1,$(no_sources))
no_sources = echo "Nothing to build: there is no cases/*.c$(comma) and PROGRAMS is not set." >&2; exit 1
need_cases = @$(if $(HARNESS_PROGRAMS),,echo "make $@ needs cases$(comma) and there is no cases/*.c." >&2; exit 1)
