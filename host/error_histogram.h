/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of elements by the size of their errors, in bins that double from one to the next. */
#ifndef PORTABLE_HOST_ERROR_HISTOGRAM_H
#define PORTABLE_HOST_ERROR_HISTOGRAM_H

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Bin 0 counts zeros, and bin k values above 2^(lowest + k - 2) and at most 2^(lowest + k - 1). Bin
 * 1 begins at 0; the last bin counts values above 2^(lowest + ERROR_BINS - 3), and NaN.
 */
enum { ERROR_BINS = 19 };

struct error_histogram {
    size_t bins[ERROR_BINS];
};

/* `lowest` of the two kinds of errors. A share of a bound ends at 2^0: the last bin is beyond
 * it. */
enum { ERROR_SHARES = -16, ERROR_ULPS = -4 };

/* The bin of a value that is 0 or more, or NaN. */
int error_bin(double value, int lowest);

/* Adds the counts of `more`. */
void error_histogram_add(struct error_histogram *sum, const struct error_histogram *addend);

size_t error_histogram_count(const struct error_histogram *histogram);

#ifdef __cplusplus
}
#endif

#endif
