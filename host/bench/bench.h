/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of a case and of the equivalent plain C loop, and the limits of the machine. */
#ifndef PORTABLE_HOST_BENCH_BENCH_H
#define PORTABLE_HOST_BENCH_BENCH_H

#include "host/case.h"
#include "host/timer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bench_options {
    int repeats;  /* that the medians are of */
    int itself;   /* 1: the kernel in place of the plain loop, which shows the noise of a ratio */
    double until; /* from this timer_seconds() on, no more than three repeats; 0: no limit */
};

/* Times are seconds per launch. */
struct bench_result {
    int n, repeats;
    double bytes, flops; /* of one launch */
    struct timer_summary kernel;
    int compared; /* 1: the case has a baseline, and the target is a CPU */
    struct timer_summary baseline;
    struct timer_summary ratio; /* kernel / baseline, of neighbouring runs */
    double arrays;              /* bytes of the host's memory that the run's arrays have */
    double prepared;            /* seconds that making the inputs took */
};

/*
 * Warms up, then times `repeats` launches, each beside one run of the plain loop, so that a
 * disturbance affects both; which of the two comes first alternates. Both work on the same arrays,
 * those of the kernel, from the same initial values: alignment, page sizes and caches are alike.
 * Slow launches are repeated fewer times, at least five, or three when it is late. On CUDA events
 * time the launch. Returns 0, or IO_BAD with a sentence. The run, set up but not prepared, is
 * released.
 */
int bench_run(struct run *run, const struct bench_options *options, struct bench_result *result,
              struct io_error *error);

/* When the next of `cases` cases should be done if all share the time from `now` to `end` equally:
 * what one leaves goes to the others. 0 if `end` is 0, no limit, and no earlier than `now`. */
double bench_share(double now, double end, int cases);

/*
 * The next smaller size of a sweep, or -1: halved until the work, in bytes or operations, is four
 * decades below the largest; then the smallest size that is checked, which shows the cost of a
 * launch. `spent` are the seconds that the last size took. Half of it takes half the time: with
 * more than that left, or a negative number, no limit, no size is left out.
 */
int bench_next_size(const struct gallery_case *test_case, const struct bench_result *largest,
                    const struct bench_result *last, double spent, double left);

/* The limits of the machine; 0 is unknown. */
struct bench_machine {
    double memory; /* bytes per second, read and written */
    double peak;   /* REAL operations per second, an addition and a multiplication apart */
    double tensor; /* operations per second on halves, summed as floats */
};

/* Measures the memory: on CUDA by copies of 1 GiB from device to device, on a CPU by a copy or
 * an update in place, whichever is faster, of arrays beyond its caches. A GPU's peak follows
 * from its clock and compute capability; a CPU's is measured, with independent multiplications
 * and additions as this compiler translates them. */
int bench_machine_measure(struct bench_machine *machine, struct io_error *error);

/* The least seconds that a launch can take by the roofline: its bytes at the speed of memory or
 * its operations at the peak, whichever is longer. *limit is "memory", "compute", or "" with 0
 * when neither is known. */
double bench_least(const struct bench_machine *machine, const struct gallery_case *test_case,
                   const struct bench_result *result, const char **limit);

#ifdef __cplusplus
}
#endif

#endif
