/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of gallery check on each target, as one self-contained HTML page without scripts:
 * docs/report.md describes it. */
#ifndef PORTABLE_HOST_REPORT_PAGE_H
#define PORTABLE_HOST_REPORT_PAGE_H

#include "host/options.h"
#include "host/results.h"

#ifdef __cplusplus
extern "C" {
#endif

struct page_options {
    struct options_texts notes;   /* "KEY: VALUE", for the header */
    struct options_texts missing; /* "TARGET: WHY", of targets that were not run */
    struct options_texts failed;  /* the same, of those that should have run: a failure */
    struct options_texts plots;   /* directories whose .svg files are shown */
};

/*
 * Writes the page to `path`, or leaves the old file. Other targets are compared with that of the
 * first results. Returns 0 when all agree, 1 when something differs or failed, or nothing was
 * compared, and IO_BAD with a sentence when it could not be written.
 */
int page_write(const char *path, const struct results *results, int count,
               const struct page_options *options, struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
