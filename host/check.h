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

/* How to check. Pointers may be NULL. */
struct check_options {
    const char *dump;         /* a directory: results go to CASE/N-BLOCK/ARRAY.npy */
    const char *against;      /* such a directory, of another target */
    const char *against_name; /* that target's name */
    int every_run;            /* 1: a row for each run; 0: for each case, its worst run */
    /* Called with each run after its results are fetched. Returns 0, 1 when something differs,
     * or IO_BAD with a sentence. */
    int (*visit)(struct run *run, void *context, struct io_error *error);
    void *context;
    FILE *results; /* an open file, for host/results.h, or NULL */
    /* Input files: check_case also runs the case on those that it takes. */
    const char *const *inputs;
    int input_count;
    const struct run *only; /* check_case: only this run */
    int show_images;        /* 1: results name the images that a run dumps */
};

/* Prints on stdout, and adds to *told. */
void check_tell(struct check_told *told, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Compares an output of a fetched run with `expected` under the case's policy, adds what it finds
 * to *row, and unless `told` is NULL prints the first mismatches. Returns as check_run does.
 */
int check_array(const struct run *run, const struct run_array *array, const struct array *expected,
                struct check_row *row, struct check_told *told, struct io_error *error);

/*
 * Runs the case as *run is set up (which, n, block, seed, input, timing), compares, and adds what
 * it finds to *result. Prints the first mismatches. Returns 0 when everything agrees, 1 when not,
 * and IO_BAD with a sentence when nothing could be compared. The run is released.
 */
int check_run(struct run *run, const char *directory, const struct check_options *options,
              struct check_result *result, struct io_error *error);

/* The table's heading, and its rows for one case. */
void check_print_heading(void);
void check_print(const char *name, const struct check_result *result);

/*
 * Runs the case at each of its sizes and blocks, fills *result and prints its rows. Returns as
 * check_run does; a run that fails does not stop the others. After a crash, which host/isolate.h
 * survives, check_case_crashed completes the case with the rows that *result has by then.
 */
int check_case(const struct gallery_case *which, const struct check_options *options,
               struct check_result *result);
void check_case_crashed(const struct gallery_case *which, const struct check_options *options,
                        const char *sentence, struct check_result *result);

/* Whether the case takes files with the extension of `input`. */
int check_takes(const struct gallery_case *which, const char *input);

#ifdef __cplusplus
}
#endif

#endif
