# SPDX-License-Identifier: BSD-3-Clause
# The checks: memcheck, racecheck, initcheck, synccheck, streamcheck, ordercheck, accesscheck, fpcheck. Line
# numbers and few inlined functions matter more to them than speed. For configuration C, instrument_C are the flags for kernels,
# whole_C those for all files and the linker, wrap_C those for the linker; the runtimes in
# host/emulate/ get none of them.

CHECK_CFLAGS ?= -O1 -g
# DWARF 4, because addr2line of binutils 2.40 misreads DWARF 5 for functions inlined by clang and
# files included under gcc. No _FORTIFY_SOURCE, which some compilers define by themselves: the
# checks do not intercept __memset_chk and similar functions.
cc_check := $(CC_BASE) $(CHECK_CFLAGS) -gdwarf-4 -fno-omit-frame-pointer \
    -fno-optimize-sibling-calls $(CPPFLAGS) -U_FORTIFY_SOURCE -ffp-contract=off $(EMULATE) \
    -DPORTABLE_ISOLATE=0

# An optimiser removes accesses whose results are unused, but the checks must see every access in
# the source. So kernels are instrumented before they are optimised: under clang in two steps
# (compile, in build.mk). gcc instruments late, so the earlier passes are switched off, except those
# that leave memory accesses alone; the warnings that depend on them are switched off too.
# docs/decisions/019-instrumented-as-written.md has the list.
# With -flto gcc would instrument only while linking, by the linker's flags, which do not ask for it.
# Each family of compilers has its own: cc's are those of `family`, and host/make/nvcc.mk uses both.
CHECK_LEVEL := $(lastword -O0 $(filter -O%,$(CHECK_CFLAGS)))
as_written_clang := -fno-lto -O0 -Xclang -disable-O0-optnone
optimised_as_written_gcc := -Og \
    -fno-tree-ccp -fno-tree-copy-prop -fno-tree-dce -fno-tree-forwprop -fno-tree-fre \
    -fno-thread-jumps -fno-optimize-strlen -fno-ipa-pure-const -fno-ipa-modref \
    -fno-ipa-reference-addressable -Wno-maybe-uninitialized
as_written_gcc := -fno-lto $(if $(filter -O0,$(CHECK_LEVEL)),,$(optimised_as_written_gcc))

# Each access becomes a call. Built-in memcpy and memset would become none.
accesses := -fsanitize=thread -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset
accesses_clang := $(accesses) -mllvm -tsan-instrument-func-entry-exit=0 \
    -mllvm -tsan-instrument-read-before-write=1
# gcc instruments no access that is part of a call: the store of a structure that a function
# returns, the load of one that it takes by value. So kernels are flattened: a function that is
# inlined has no such accesses.
accesses_gcc := $(accesses) --param tsan-instrument-func-entry-exit=0 -DPORTABLE_FLATTEN_=1
wrap_racecheck := -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset
wrap_initcheck := $(wrap_racecheck)
wrap_streamcheck := $(wrap_racecheck)
wrap_accesscheck := $(wrap_racecheck)
# In host files, too, for portable-nvcc.
$(foreach f,gcc clang,$(eval host_streamcheck_$(f) = $$(accesses_$(f))))
wrap_ordercheck := $(wrap_racecheck)
# Whether the result of an atomic is used is decided by whether a compiler removes a call (protocol.h),
# for which it has to optimise.
whole_ordercheck_clang := $(if $(filter -O0,$(CHECK_LEVEL)),-O1)

# The address sanitizer covers object-size; pointer-overflow would reject NULL + 0, which CUDA
# allows. The runtime prints most reports itself, because the sanitizer's take a millisecond each.
sanitizers := address,undefined,float-cast-overflow
whole_memcheck_clang := -fsanitize=$(sanitizers) -fsanitize-recover=$(sanitizers) \
    -fno-sanitize=object-size,pointer-overflow
# gcc takes the sanitizer's own comparison of a format with NULL for one that may be true.
whole_memcheck_gcc := $(whole_memcheck_clang) \
    -fsanitize-sections=.portable_shared*,.portable_constant* -Wno-format-overflow -Wno-format-truncation
wrap_memcheck := $(foreach k,load store,$(foreach b,1 2 4 8 16 _n,-Wl,--wrap=__asan_report_$(k)$(b)_noabort))
COMPILER_FAMILIES := gcc clang

# No operation is made that the source would not make, nor for several threads at once, nor becomes a
# lane of a vector.
instrument_fpcheck_gcc := -DPORTABLE_FPCHECK_=1 -fno-math-errno -ftrapping-math -fno-tree-vectorize -fno-tree-slp-vectorize \
    -fno-tree-loop-im -fno-move-loop-invariants -fno-tree-pre -fno-gcse
instrument_fpcheck_clang := -DPORTABLE_FPCHECK_=1 -fno-math-errno -ffp-exception-behavior=maytrap -fno-vectorize -fno-slp-vectorize

# For portable-nvcc --check=fpcheck --stores: a call before each access, and for functions that
# -use_fast_math replaces. gcc contracts a * b + c in one of its expensive optimisations.
stores_fpcheck_gcc = $(accesses_gcc) -fno-math-errno -fexpensive-optimizations -fno-tree-vectorize -fno-tree-slp-vectorize
stores_fpcheck_clang = $(accesses_clang) $(as_written_clang) -fno-math-errno
wrap_fpcheck := $(wrap_racecheck)
wrap_stores_fpcheck := $(foreach f,exp exp10 log log10 pow sin cos tan sincos,-Wl$(comma)--wrap=$(f)f)

# For portable-nvcc --warps=lockstep, a call before each access, in the configurations that have
# none; step_C are flags for kernels, wrap_step_C those for the linker.
$(foreach f,$(COMPILER_FAMILIES),$(foreach c,emulate synccheck fpcheck,$(eval step_$(c)_$(f) = -fno-optimize-sibling-calls \
    $$(accesses_$(f)) $$(as_written_$(f)))))
step_memcheck_gcc := --param asan-instrumentation-with-call-threshold=0
step_memcheck_clang := -mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-opt=0
$(foreach c,emulate synccheck fpcheck,$(eval wrap_step_$(c) := $(wrap_racecheck)))
wrap_step_memcheck := $(foreach k,load store,$(foreach b,1 2 4 8 16 N,-Wl,--wrap=__asan_$(k)$(b)_noabort))
$(foreach f,$(COMPILER_FAMILIES),$(eval instrument_racecheck_$(f) := $(accesses_$(f)) $(as_written_$(f)))$(eval \
    instrument_initcheck_$(f) := $(accesses_$(f)) $(as_written_$(f)))$(eval \
    instrument_streamcheck_$(f) := $(accesses_$(f)))$(eval \
    instrument_accesscheck_$(f) := $(accesses_$(f)) $(as_written_$(f)))$(eval \
    instrument_memcheck_$(f) := $(as_written_$(f))))
instrument_ordercheck_gcc := $(accesses_gcc) -fno-lto $(optimised_as_written_gcc) -ftree-dce -DPORTABLE_ORDERCHECK_=1
instrument_ordercheck_clang := $(instrument_racecheck_clang) -DPORTABLE_ORDERCHECK_=1
family := $(if $(CC_IS_CLANG),clang,gcc)
$(foreach c,$(ALL_CHECKS),$(eval instrument_$(c) := $(instrument_$(c)_$(family)))$(eval \
    whole_$(c) := $(whole_$(c)_$(family))))
$(foreach c,$(ALL_CHECKS),$(eval cc_$(c) := $(cc_check) $(whole_$(c))))

# On the cases, on PROGRAMS, or on the user's own SOURCES.
memcheck: ## find out-of-bounds accesses, host/device mix-ups, double frees and leaks: all cases, or SOURCES="a.c b.c"
racecheck: ## data races: two threads access one byte, with no barrier between them
initcheck: ## reads of uninitialised memory
synccheck: ## barriers that some threads never reach
streamcheck: ## work in streams, or host code, that does not wait for other work on the same bytes
accesscheck: ## what each line's accesses cost on a GPU: sectors, bank conflicts, atomics, idle threads; PORTABLE_ACCESS_LIMITS="sectors=2"
fpcheck: ## operations that make a NaN or an infinity, with their operands; PORTABLE_FP_SUBNORMALS=1
ordercheck: ## whether every order of the threads gives the same bits, or where the order decides
define check_rule
$(1): $(if $(HAVE_CHECKS),$(if $(SOURCES),$(call own_needs,$(1)),$(call runtime_of,$(1)) $(call programs_of,$(1))))
ifneq ($(missing_emulate),)
	$$(call refuse_target,emulate)
else ifneq ($(missing_checks),)
	$$(call refuse,The checks,$$(missing_checks))
else ifneq ($(SOURCES),)
	$$(sources_readable)
	@$$(accept_loops)
	$$(call build_own,$(1),$$(call own_name,$(1)))
	@$(B)/run/$$(call own_name,$(1)) $$(ARGS)
else ifneq ($(HARNESS_PROGRAMS),)
	@$(B)/$(1)/gallery check $$(CASES) $$(ARGS)
else
	@$(if $(PROGRAMS),,echo "Nothing to check: there is no cases/*.c$(comma) and neither PROGRAMS nor SOURCES is set." >&2; exit 1)
	@$(foreach p,$(call programs_of,$(1)),$(p) $$(ARGS) &&) true
endif
endef
$(foreach c,$(ALL_CHECKS),$(eval $(call check_rule,$(c))))
ifneq ($(missing_traps),)
fpcheck:
	$(call refuse,fpcheck,$(missing_traps))
endif
# A project adds goals to CHECKS_MORE; they do not run for SOURCES or CASES. A program is compared on
# all targets, if it can run on two, with the flags of the checks if the user has set them.
compare_checked = $(if $(SOURCES),$(again) compare COMPARE_IF_ANY=1 $(if $(filter file,$(origin CHECK_CFLAGS)),,CFLAGS='$(subst ','"'"',$(CHECK_CFLAGS))'),true)
checks: ## memcheck, racecheck, initcheck, synccheck and streamcheck, one after another; SOURCES also by make compare
	$(if $(SOURCES),@$(accept_loops))
	+@status=0; for check in $(CHECKS) $(if $(SOURCES)$(CASES),,$(CHECKS_MORE)); do \
	    $(again) $$check || status=1; \
	done; $(compare_checked) || status=1; exit $$status
