/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/* Line plots as SVG, in files and in pages, light and dark, with text that can be read at 390
 * pixels' width. */
#ifndef PORTABLE_HOST_LINE_PLOT_H
#define PORTABLE_HOST_LINE_PLOT_H

#include "host/io.h"

#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

enum { LINE_PLOT_SERIES = 18, LINE_PLOT_COLOURS = 3 }; /* of a file; then they repeat */

struct line_plot_series {
    const char *label; /* at its last point; "" for none */
    size_t count;
    const double *x, *y;
};

struct line_plot {
    const char *title, *x_label, *y_label; /* the title is the finding */
    int log_x, log_y;        /* 0: linear; 2 or 10: logarithmic, with ticks at powers of it */
    double limit;            /* the y of a dashed line */
    const char *limit_label; /* NULL if there is none */
    int series_count;
    struct line_plot_series series[LINE_PLOT_SERIES];
    double zero; /* left of a logarithmic x axis's ticks, to be marked "0"; 0 if there is none */
};

/*
 * Draws each series as a line. Of a long series about 500 points are drawn, so narrower peaks and
 * gaps are lost. Points that an axis cannot show (not finite, or not positive on a logarithmic
 * axis) interrupt the line. Returns IO_BAD if there is no other point, or the file cannot be
 * written.
 */
int line_plot_write(const char *path, const struct line_plot *plot, struct io_error *error);

/*
 * The same within an HTML page: smaller, with the title as its label only, and with axes that end
 * at the points. styles[k] is the class of series k in the page's style sheet, which also has grid,
 * up and halo. Returns IO_BAD, and writes nothing, if there is no point.
 */
int line_plot_embed(FILE *stream, const struct line_plot *plot, const char *const *styles);

#ifdef __cplusplus
}
#endif

#endif
