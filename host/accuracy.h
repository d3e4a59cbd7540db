/* SPDX-License-Identifier: BSD-3-Clause */
/* How many digits of double precision's results single precision keeps. */
#ifndef PORTABLE_HOST_ACCURACY_H
#define PORTABLE_HOST_ACCURACY_H

#include "host/array.h"
#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest |single - reference| of two arrays, by the largest finite |reference|. 0 when all are
 * the same, infinite when a NaN or an infinity met anything else, or a number a zero array. */
double accuracy_error(const struct array *single, const struct array *reference);

/* Decimal digits: -log10 of a relative error; at least 0. */
double accuracy_digits(double relative_error);

/*
 * A table of two directories that `gallery dump` left, one of a single-precision build and one of a
 * double-precision build: its heading, and a case's rows, one for each output. Each returns 0, or
 * IO_BAD with a sentence when the directories are not that, or lack the case.
 */
int accuracy_print_heading(const char *single_directory, const char *double_directory,
                           struct io_error *error);
int accuracy_print_case(const char *name, const char *single_directory,
                        const char *double_directory, struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
