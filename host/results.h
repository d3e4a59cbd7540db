/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The results of gallery check as a file, for gallery report and for awk or Python. It begins with
 * "portable.h results 1" and lines "key: value" about the build. After an empty line each line has
 * fields with a tab between them; the last is "end":
 *
 *     case       FAMILY NAME SUMMARY POLICY REASON
 *     image      before|after ARRAY WHAT FILE
 *     reference  TARGET RUNS FAILURES ELEMENTS MISMATCHES ULP ABSOLUTE SHARE N BLOCK WHERE
 *     target     OTHER, and the same
 *     record     DEVICE, and the same
 *     shares     COUNT of each bin of host/error_histogram.h
 *     ulps       COUNT of each
 *     told       LINE
 *     done       RUNS STATUS, and VERDICT if it is a failure
 *     input      FILE
 *     problem    SENTENCE
 *     end        RUNS STATUS
 *
 * Lines belong to the case before them. shares and ulps belong to the row before them: the
 * distances from the reference of the target or record that it names. ELEMENTS and the numbers up
 * to SHARE are those of check_row's `worst`, N to WHERE those of its worst element. STATUS is the
 * exit status of a failure in host/verdict.h, otherwise 0; VERDICT is its name there.
 */
#ifndef PORTABLE_HOST_RESULTS_H
#define PORTABLE_HOST_RESULTS_H

#include "host/error_histogram.h"
#include "host/io.h"
#include "host/verdict.h"

#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

struct gallery_case; /* host/case.h */
struct check_result; /* host/check_result.h */

/* Writing, in the order of the file. Control characters in texts become '?'. */
void results_write_head(FILE *stream);
/* A case, its pictures, rows, histograms and diagnostics, how many runs it had, and its verdict. */
void results_write_case(FILE *stream, const struct gallery_case *test_case,
                        const struct check_result *result);
void results_write_line(FILE *stream, const char *kind, const char *text);
void results_write_end(FILE *stream, int runs, enum verdict verdict);

/* Reading. All texts are parts of results.text. */
enum results_kind { RESULTS_REFERENCE, RESULTS_TARGET, RESULTS_RECORD };

struct results_row {
    enum results_kind kind;
    const char *against;
    double runs, failures, elements, mismatches, ulp, absolute, share;
    const char *n, *block, *where;
    enum verdict verdict;
    int has_histograms;
    struct error_histogram shares, ulps;
};

struct results_image {
    const char *role, *array, *what, *file;
};

struct results_case {
    const char *family, *name, *summary, *policy, *reason;
    struct results_row *rows;
    int row_count;
    struct results_image *images;
    int image_count;
    const char **diagnostics;
    int diagnostic_count, read_count; /* read: before the last "done" */
    double runs;
    enum verdict verdict; /* of its rows and of each "done" */
};

struct results {
    char *text;
    /* Its name on the page, which the reader may replace; at first the fact "target". */
    const char *target;
    const char **facts; /* keys and values alternate */
    int fact_count;     /* of pairs */
    struct results_case *cases;
    int case_count;
    const char **inputs, **problems;
    int input_count, problem_count;
    double runs, done_runs; /* the second is the sum over the cases */
    enum verdict verdict;   /* of "end" and of all cases and problems */
};

/* 0, or IO_BAD with a sentence that names the file and the line. The caller calls results_free. */
int results_read(const char *path, struct results *results, struct io_error *error);
void results_free(struct results *results);

/* A fact's value, or NULL; a case, or NULL. */
const char *results_fact(const struct results *results, const char *key);
const struct results_case *results_find(const struct results *results, const char *name);

/* Whether the case was compared with records. */
int results_case_is_record(const struct results_case *entry);

#ifdef __cplusplus
}
#endif

#endif
