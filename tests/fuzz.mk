# SPDX-License-Identifier: BSD-3-Clause
# Fuzzing: see docs/CONTRIBUTING.md. Each tests/fuzz/fuzz_NAME.c is a target with the corpus
# tests/fuzz/corpus/NAME. `make fuzz` links it with clang's libFuzzer in build/fuzz; `make check`
# links it with tests/fuzz/replay.c, under any compiler, and runs it on the corpus.

FUZZ_SECONDS ?= 60
FUZZ_CC ?= $(if $(CC_IS_CLANG),$(firstword $(CC)),clang)
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ ?= $(FUZZ_NAMES)

# The sources linked with a target.
fuzz_harness_manifest := $(filter-out host/isolate.c,$(HARNESS_SOURCES)) host/cases/vector.c
fuzz_harness_options := $(HARNESS_SOURCES) host/cases/sparse.c host/cases/vector.c
fuzz_harness_environment := host/io.c
fuzz_harness_findings := host/io.c host/checks/finding.c host/checks/reports.c host/checks/suppressions.c
fuzz_harness_suppressions := host/io.c host/checks/finding.c
fuzz_harness_translate := host/nvcc/translate.c host/nvcc/ptx.c host/nvcc/text.c host/io.c
fuzz_harness_image := host/cudart/image.c host/io.c
fuzz_harness = $(or $(fuzz_harness_$(1)),$(HARNESS_SOURCES))

fuzz_replay_of = $(B)/serial-exact/tests/fuzz/fuzz_$(1)
FUZZ_REPLAYS := $(foreach n,$(FUZZ_NAMES),$(call fuzz_replay_of,$(n)))
$(eval $(call cc_rules,serial-exact,$(wildcard tests/fuzz/*.c) $(filter host/nvcc/%,$(fuzz_harness_translate)) \
    $(filter host/cudart/%,$(fuzz_harness_image)) $(filter host/checks/%,$(fuzz_harness_findings))))
$(foreach n,$(FUZZ_NAMES),$(eval $(call link_rule,serial-exact,tests/fuzz/fuzz_$(n),tests/fuzz/fuzz_$(n).c \
    tests/fuzz/replay.c $(call fuzz_harness,$(n)),)))

# Random CUDA kernels, which tests/fuzz/kernels.c makes and tests/fuzz/kernels.sh runs.
KERNELS ?= 1000
FUZZ_KERNELS := $(B)/serial-exact/tests/fuzz/kernels
$(eval $(call link_rule,serial-exact,tests/fuzz/kernels,tests/fuzz/kernels.c,))
.PHONY: fuzz-kernels-all
fuzz-kernels-all: $(FUZZ_KERNELS) $(if $(missing_emulate)$(missing_cxx),,$(NVCC_FILES))
	$(or $(call refuse_target,emulate),$(if $(missing_cxx),$(call refuse,CUDA C++,$(missing_cxx)),@CUDA_NVCC="$(if \
	    $(and $(HAVE_NVCC),$(HAVE_GPU)),$(NVCC))" tests/fuzz/kernels.sh $(FUZZ_KERNELS) $(PORTABLE_NVCC) \
	    $(B)/fuzz/kernels "$(or $(SEED),1)" "$(KERNELS)" $(WAYS)))

# float-cast-overflow: NaN and numbers too large for an integer are input as well.
fuzz_sanitizers := address,undefined,float-cast-overflow
cc_fuzz := $(CC_BASE) -O1 -g -fno-omit-frame-pointer $(CPPFLAGS) \
    -fsanitize=$(fuzz_sanitizers) -fno-sanitize-recover=all
flags_fuzz := $(FUZZ_CC) $(cc_fuzz)
$(B)/fuzz/flags: FORCE
	$(call keep,$(flags_fuzz))

# $(call fuzz_rule,object,source,flags)
define fuzz_rule
$(1): $(2) $(call embedded_in,$(2)) $(B)/fuzz/flags | fuzz-compiler
	@mkdir -p $$(@D)
	$$(call quiet,cc    $$@)$$(FUZZ_CC) $$(cc_fuzz) -fsanitize=fuzzer-no-link $(call includes_of,$(2)) $(3) -MMD -MP -MT $$@ -MF $$(@:.o=.d) -c $(2) -o $$@
-include $(1:.o=.d)
endef
# $(call fuzz_link_rule,program,objects)
define fuzz_link_rule
$(1): $(2)
	$$(call quiet,link  $$@)$$(FUZZ_CC) $$(cc_fuzz) -fsanitize=fuzzer $$^ $$(LDFLAGS) $$(LDLIBS) -lm -o $$@
endef
fuzz_object = $(B)/fuzz/$(1:.c=.o)
$(foreach s,$(sort $(wildcard tests/fuzz/fuzz_*.c) $(foreach n,$(FUZZ_NAMES),$(call fuzz_harness,$(n)))),$(eval $(call \
    fuzz_rule,$(call fuzz_object,$(s)),$(s),)))
$(foreach n,$(FUZZ_NAMES),$(eval $(call fuzz_link_rule,$(B)/fuzz/$(n),$(foreach s,tests/fuzz/fuzz_$(n).c $(call \
    fuzz_harness,$(n)),$(call fuzz_object,$(s))))))
# The planted bug, which must be found.
$(eval $(call fuzz_rule,$(B)/fuzz/planted.o,tests/fuzz/fuzz_npy.c,-DFUZZ_PLANTED=1))
$(eval $(call fuzz_link_rule,$(B)/fuzz/planted,$(B)/fuzz/planted.o $(foreach s,$(call fuzz_harness,npy),$(call fuzz_object,$(s)))))

.PHONY: fuzz-compiler fuzz-all
fuzz-compiler:
	@$(make_build_directory)
	@tests/fuzz/compiler.sh "$(FUZZ_CC)" $(B)/fuzz
# With -k, because the other targets still run after a finding.
fuzz-all: fuzz-compiler
	$(if $(filter-out $(FUZZ_NAMES),$(FUZZ))$(if $(strip $(FUZZ)),,none),@echo "FUZZ=$(FUZZ): the targets are $(FUZZ_NAMES)" >&2; exit 2)
	+@$(again) -k $(foreach n,$(FUZZ),fuzz-run/$(n)) fuzz-run-planted
.PHONY: fuzz-run-planted $(foreach n,$(FUZZ_NAMES),fuzz-run/$(n))
$(foreach n,$(FUZZ_NAMES),fuzz-run/$(n)): fuzz-run/%: $(B)/fuzz/%
	@tests/fuzz/run.sh $< tests/fuzz/corpus/$* $(B)/fuzz/work/$* "$(FUZZ_SECONDS)"
fuzz-run-planted: $(B)/fuzz/planted
	@tests/fuzz/run.sh --planted $< tests/fuzz/corpus/npy $(B)/fuzz/work/planted 120
