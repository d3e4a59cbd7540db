/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of several checks together: their targets, their cases, and what failed. */
#ifndef PORTABLE_HOST_REPORT_SUMMARY_H
#define PORTABLE_HOST_REPORT_SUMMARY_H

#include "host/results.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SUMMARY_TARGETS = 8 };

struct summary {
    const struct results *results;
    int count;
    const char *targets[SUMMARY_TARGETS]; /* that ran, in order, each once */
    int target_count;
    const char *records[SUMMARY_TARGETS]; /* devices with recorded results, each once */
    int record_count;
    const char **names; /* of all cases, each once, in order of first appearance */
    int name_count;
};

/* Points into `results`. Returns 0, or IO_BAD with a sentence: too many targets or devices, or no
 * memory. The caller calls summary_free. */
int summary_make(struct summary *summary, const struct results *results, int count,
                 struct io_error *error);
void summary_free(struct summary *summary);

/* A case as a target's own check found it, not one against records; NULL if the target did not
 * run it. */
const struct results_case *summary_case(const struct summary *summary, const char *target,
                                        const char *name);

/* A case of any results that have it: family, policy and so on are the same in all. */
const struct results_case *summary_any_case(const struct summary *summary, const char *name);

/* The verdict of the case on all targets and against all records. */
enum verdict summary_verdict(const struct summary *summary, const char *name);

#ifdef __cplusplus
}
#endif

#endif
