/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation: a case's results against its reference, and against those of another target. */
#ifndef PORTABLE_HOST_CHECK_H
#define PORTABLE_HOST_CHECK_H

#include "host/case.h"
#include "host/check_result.h"

#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers may be NULL. */
struct check_options {
    const char *dump;         /* a directory: results go to CASE/N-BLOCK/ARRAY.npy */
    const char *against;      /* such a directory, of another target */
    const char *against_name; /* that target's name */
    int quick;                /* 1: the largest size with the first block alone */
    int every_run;            /* 1: a row for each run; 0: for each case, its worst run */
    /* Called with each run after its results are fetched; VERDICT_ERROR comes with a sentence. */
    enum verdict (*visit)(struct run *run, void *context, struct io_error *error);
    void *context;
    FILE *results; /* an open file, for host/results.h, or NULL */
    /* Input files: check_case also runs the case on those that it takes. */
    const char *const *inputs;
    int input_count;
    const struct run *only; /* check_case: only this run */
    int show_pictures;      /* 1: results name the pictures that a run dumps */
};

/* Prints on stdout, and adds to *diagnostics. */
void check_diagnose(struct check_diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Compares an output of a fetched run with `expected` under the case's policy, adds the comparison
 * to *row, and unless `diagnostics` is NULL prints the first mismatches. VERDICT_ERROR comes with a
 * sentence.
 */
enum verdict check_array(const struct run *run, const struct run_array *array,
                         const struct array *expected, struct check_row *row,
                         struct check_diagnostics *diagnostics, struct io_error *error);

/*
 * Runs the case as *run is set up (test_case, n, block, seed, input, timing), compares, and adds
 * what it finds to *result. Prints the first mismatches. Returns the verdict of this run,
 * VERDICT_ERROR with a sentence. The run is released.
 */
enum verdict check_run(struct run *run, const char *directory, const struct check_options *options,
                       struct check_result *result, struct io_error *error);

/* The table's heading, and its rows for one case. */
void check_print_heading(void);
void check_print(const char *name, const struct check_result *result);

/*
 * Runs the case at each of its sizes and blocks, fills *result, prints its rows and writes them to
 * the file of results. A run that fails does not stop the others. After a crash, or a mistake in
 * the case, which host/isolate.h survives, check_case_crashed completes *result as far as it was
 * filled.
 */
void check_case(const struct gallery_case *test_case, const struct check_options *options,
                struct check_result *result);
void check_case_crashed(const struct gallery_case *test_case, const struct check_options *options,
                        enum verdict verdict, const char *sentence, struct check_result *result);

/* Whether the case takes files with the extension of `input`. */
int check_takes(const struct gallery_case *test_case, const char *input);

#ifdef __cplusplus
}
#endif

#endif
