# SPDX-License-Identifier: BSD-3-Clause
# make bench, and make counts and make growth, which need no clock.

# The program that is timed; a project may have one with more cases.
BENCHED = $(B)/$(call variant,$(TARGET))/gallery

# The results of all targets are plotted together. Those of a few cases, or of one size, go to a
# separate directory, so that they do not replace the rest.
BENCH_RESULTS := $(B)/bench$(if $(strip $(CASES)$(N)),/part)
run_bench = $(BENCHED) bench $(CASES) $(if $(N),--n $(N),--sweep) $(if $(REPEATS),--repeats $(REPEATS)) \
    $(if $(BUDGET),--budget $(BUDGET)) \
    --results $(BENCH_RESULTS)/$(TARGET).tsv $(commit_note) \
    $(if $(filter cuda,$(TARGET)),$(nvcc_note) $(driver_note)) $(ARGS)
.PHONY: bench-build
bench-build: $(TARGET)
	$(need_cases)
	@mkdir -p $(BENCH_RESULTS)
bench: bench-build ## each case beside the plain C loop: a table, and results and plots in build/bench; N=, REPEATS=, BUDGET=
	@$(run_bench)
	@$(PORTABLE_HOME)/host/bench/portability.sh $(BENCH_RESULTS)
	@$(PORTABLE_HOME)/host/report/plot.sh $(BENCH_RESULTS)

counts: ## what each case does to memory, counted on emulate: accesses, sectors, bank conflicts, idle lanes, atomics; N=
growth: ## whether each case's accesses to memory grow as its work does, counted on emulate at three sizes
counts growth: $(if $(HAVE_CHECKS),$(B)/accesscheck/gallery)
	$(need_cases)
	$(or $(if $(missing_emulate),$(call refuse_target,emulate)),$(if $(missing_checks),$(call refuse,The counts,$(missing_checks))),\
	    @$(B)/accesscheck/gallery counts $(if $(filter growth,$@),--growth) $(CASES) $(if $(N),--n $(N)))
