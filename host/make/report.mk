# SPDX-License-Identifier: BSD-3-Clause
# make report, the page of results that docs/report.md describes, and make accuracy.

# The images are those of cases run on REPORT_INPUTS, the plots those of make bench.
# Files that the user names must exist; the default may be missing.
ifeq ($(origin REPORT_INPUTS),undefined)
REPORT_INPUTS := tests/data
else ifneq ($(and $(REPORT_INPUTS),$(filter report,$(MAKECMDGOALS))),)
ifeq ($(wildcard $(REPORT_INPUTS)),)
$(error REPORT_INPUTS=$(REPORT_INPUTS) does not exist)
endif
endif
REPORTED = serial-exact $(if $(HAVE_OPENMP),openmp-exact) $(if $(HAVE_EMULATE),emulate-exact) \
    $(if $(HAVE_GPU),cuda-exact)
# Targets that the page lacks, and why. A missing GPU can be a failure.
not_reported = $(if $(missing_openmp),--missing "openmp: $(missing_openmp)") \
    $(if $(missing_emulate),--missing "emulate: $(missing_emulate)") \
    $(if $(missing_gpu),$(if $(filter 1,$(REQUIRE_GPU)),--failed,--missing) "cuda: $(or $(missing_cuda),$(missing_gpu))")
# The page names the project, and links to portable.h's if its address is known.
project_notes = --note 'project: $(subst ','\'',$(TITLE))' --note "repository: $$(cat $(PORTABLE_HOME)/url 2>/dev/null || \
    $(PORTABLE_HOME)/host/project/url.sh 2>/dev/null)"
ifeq ($(few_rules),)
report: $(foreach c,$(REPORTED),$(call programs_of,$(c))) ## all results compared, errors, images and plots on one page: build/report/index.html
	$(need_cases)
	@REQUIRE_GPU="$(REQUIRE_GPU)" $(PORTABLE_HOME)/host/report/report.sh $(not_reported) $(project_notes) $(commit_note) $(if $(HAVE_GPU),$(nvcc_note)) \
	    $(if $(RECORDS),--golden "$(GOLDEN)") \
	    $(if $(wildcard $(REPORT_INPUTS)),--inputs "$(REPORT_INPUTS)") \
	    --plots $(B)/bench --plots $(B)/bench/part $(B)/report \
	    $(foreach c,$(REPORTED),$(c:-exact=)=$(B)/$(c)/gallery) $(if $(CASES),-- $(CASES))
endif

# Each precision has its own tree under build/, and needs its own make.
accuracy: ## the digits of each case's results that single precision keeps
	$(need_cases)
	+@for precision in single double; do \
	    $(again) -s PRECISION=$$precision MATH=exact TARGET=serial serial || exit; \
	done >/dev/null
	@rm -rf $(BUILD)/accuracy
	@$(call accuracy_tree,single)/gallery dump $(BUILD)/accuracy/single $(CASES) >/dev/null
	@$(call accuracy_tree,double)/gallery dump $(BUILD)/accuracy/double $(CASES) >/dev/null
	@$(call accuracy_tree,single)/gallery accuracy $(BUILD)/accuracy/single $(BUILD)/accuracy/double $(CASES)
accuracy_tree = $(BUILD)$(if $(filter double,$(1)),/double)$(if $(filter cas,$(ATOMICS)),/cas)/serial-exact
