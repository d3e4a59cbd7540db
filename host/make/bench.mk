# SPDX-License-Identifier: BSD-3-Clause
# make bench and make bench-growth.

# The program that is timed; a project may have one with more cases.
BENCHED = $(B)/$(call variant,$(TARGET))/gallery

# The results of all targets are plotted together. Those of a few cases, or of one size, go to a
# directory of their own, so that they do not replace the rest.
BENCH_RESULTS := $(B)/bench$(if $(strip $(CASES)$(N)),/part)
run_bench = $(BENCHED) bench $(CASES) $(if $(N),--n $(N)) $(1) $(if $(REPEATS),--repeats $(REPEATS)) \
    $(if $(BUDGET),--budget $(BUDGET)) \
    --json $(BENCH_RESULTS)/$(TARGET).json $(commit_note) \
    $(if $(filter cuda,$(TARGET)),$(nvcc_note) $(driver_note)) $(ARGS)
# What is counted of the cases that are far from their limit. The program that counts is built only
# if there is one.
HINTS := $(PORTABLE_HOME)/host/hints.sh
hints = far=$$($(HINTS) --far $(BENCH_RESULTS)/$(TARGET).json); [ -z "$$far" ] || { $(if $(HAVE_CHECKS),$(again) -s $(B)/counts/gallery &&) \
	    $(HINTS) $(BENCH_RESULTS)/$(TARGET).json $(B)/bench/counts $(if $(HAVE_CHECKS),$(B)/counts/gallery); }
.PHONY: bench-build
bench-build: $(TARGET)
	$(need_cases)
	@mkdir -p $(BENCH_RESULTS)
bench: bench-build ## each case beside the plain C loop: a table, and JSON and plots in build/bench; N=, REPEATS=, BUDGET=
	@$(call run_bench,$(if $(N),,--sweep))
	$(if $(findstring n,$(short_options)),,+)@$(hints)
	@$(PORTABLE_HOME)/host/portability.sh $(BENCH_RESULTS)
	@$(PORTABLE_HOME)/host/plot.sh $(BENCH_RESULTS)
# OpenMP's threads must sleep when they wait for one another, not turn in a loop: host/timer.h.
bench-growth: bench-build ## how the time and memory of each case grow over four decades of work
	@$(if $(filter openmp,$(TARGET)),OMP_WAIT_POLICY=passive )$(call run_bench,--growth)
