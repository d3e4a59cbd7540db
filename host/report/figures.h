/* SPDX-License-Identifier: BSD-3-Clause */
/* The pictures of the page: histograms of errors, images, matrices, plots. */
#ifndef PORTABLE_HOST_REPORT_FIGURES_H
#define PORTABLE_HOST_REPORT_FIGURES_H

#include "host/report/summary.h"

#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* Sections of the page, each with its heading. Plots are the .svg files of the directories. Without
 * an image or a plot there is no such section: it returns 0, otherwise 1. */
void figures_histograms(FILE *stream, const struct summary *summary);
int figures_images(FILE *stream, const struct summary *summary);
int figures_plots(FILE *stream, const char *const *directories, int count);

#ifdef __cplusplus
}
#endif

#endif
