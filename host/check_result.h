/* SPDX-License-Identifier: BSD-3-Clause */
/* The outcome of a check: host/check.c fills it in, host/results.c writes it to a file. */
#ifndef PORTABLE_HOST_CHECK_RESULT_H
#define PORTABLE_HOST_CHECK_RESULT_H

#include "host/compare.h"
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

enum { CHECK_PAIRS = 2 }; /* the reference; the other target */

/* The messages about what does not agree, as they were printed; cut if they are too long. */
struct check_told {
    char text[4096];
    size_t length;
};

struct check_result {
    int runs, compared_runs; /* compared: with the reference or with another target */
    size_t elements;         /* that were compared */
    long begins;             /* the case's offset in the file of results */
    struct check_row rows[CHECK_PAIRS];
    int row_count;
    int told_one; /* a failure was printed in full; later ones are only counted */
    struct check_told told;
};

#ifdef __cplusplus
}
#endif

#endif
