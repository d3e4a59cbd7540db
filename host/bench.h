/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a case takes, beside the loop that a C programmer would write. */
#ifndef PORTABLE_HOST_BENCH_H
#define PORTABLE_HOST_BENCH_H

#include "host/case.h"
#include "host/timer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times are seconds per launch. */
struct bench_result {
    double bytes, flops; /* of one launch */
    struct timer_summary kernel;
    int compared; /* 1: the case has a plain loop, and the target is a CPU */
    struct timer_summary plain;
    struct timer_summary ratio; /* kernel / plain, of neighbouring runs */
    int n;
};

/*
 * Warms up, then times `repeats` launches, each followed by one run of the plain loop, both from
 * the same initial values, so that what disturbs the machine disturbs both. On CUDA events time the
 * launch. Returns 0, or IO_BAD with a sentence. The run, set up but not prepared, is released.
 */
int bench_run(struct run *run, int repeats, struct bench_result *result, struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
