/* SPDX-License-Identifier: BSD-3-Clause */
/* The pictures of the page: histograms of errors, images, matrices, plots. */
#ifndef PORTABLE_HOST_FIGURES_H
#define PORTABLE_HOST_FIGURES_H

#include "host/page.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PAGE_TARGETS = 8 };

/* The results of the page, by what they were compared with. */
struct page {
    const struct results *results;
    int count;
    const char *targets[PAGE_TARGETS]; /* that ran, in order, each once */
    int target_count;
    const char *records[PAGE_TARGETS]; /* devices whose recorded results there are */
    int record_count;
    const struct page_options *options;
};

/* What a target's own check, not that against records, says of a case; NULL if it did not run. */
const struct results_case *page_case(const struct page *page, const char *target, const char *name);

/* The sections of the page, each with its heading, in the order of the cases' names. */
void figures_histograms(FILE *stream, const struct page *page, const char *const *names, int count);
void figures_images(FILE *stream, const struct page *page, const char *const *names, int count);
void figures_plots(FILE *stream, const struct page *page);

#ifdef __cplusplus
}
#endif

#endif
