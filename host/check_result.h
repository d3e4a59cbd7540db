/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a check: host/check.c fills it in, host/results.c writes it to a file. */
#ifndef PORTABLE_HOST_CHECK_RESULT_H
#define PORTABLE_HOST_CHECK_RESULT_H

#include "host/compare.h"
#include "host/outputs.h"
#include "host/verdict.h"
#include "portable.h"

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

/* One comparison, with the place of its worst element. */
struct check_row {
    const char *pair;
    struct policy policy;
    int bounded;  /* with the reference, which has a bound for each element */
    int recorded; /* with a device's recorded results: host/golden.h */
    struct comparison worst;
    int n; /* of the run that was worst */
    dim3 block;
    char where[192]; /* array, index, block, thread; "" if nothing differs */
    int runs, failures;
};

enum { CHECK_PAIRS = 2 }; /* the reference; another target, or a record */

/* The messages about failures, as they were printed; cut if they are too long. */
struct check_diagnostics {
    char text[4096];
    size_t length;
};

/* A picture that a run dumped, for a report. */
struct check_picture {
    struct image_file file;
    char label[256]; /* the run: "n = 200", or the name of its input file */
};

struct check_result {
    enum verdict verdict;    /* of all runs so far */
    int runs, compared_runs; /* compared: with the reference or with another target */
    struct check_row rows[CHECK_PAIRS];
    int row_count;
    int is_diagnosed; /* a failure was printed in full; later ones are only counted */
    struct check_diagnostics diagnostics;
    struct check_picture *pictures; /* only in the process of the runs, until they are written */
    int picture_count;
};

#ifdef __cplusplus
}
#endif

#endif
