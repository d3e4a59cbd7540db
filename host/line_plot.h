/* SPDX-License-Identifier: BSD-3-Clause */
/* Line plots as SVG, for light and dark pages, with text that can be read at 390 pixels' width. */
#ifndef PORTABLE_HOST_LINE_PLOT_H
#define PORTABLE_HOST_LINE_PLOT_H

#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LINE_PLOT_SERIES = 3 }; /* the most: one for each colour */

struct line_plot_series {
    const char *label; /* at its last point; "" for none */
    size_t count;
    const double *x, *y;
};

struct line_plot {
    const char *title, *x_label, *y_label; /* the title is the finding */
    int log_x, log_y;
    double limit;            /* the y of a dashed line */
    const char *limit_label; /* NULL if there is none */
    int series_count;
    struct line_plot_series series[LINE_PLOT_SERIES];
};

/*
 * Draws each series as a line. Of a long series about 500 points are drawn, so narrower peaks and
 * gaps are lost. Points that an axis cannot show (not finite, or not positive on a logarithmic
 * axis) interrupt the line. Returns IO_BAD if there is no other point, or the file cannot be
 * written.
 */
int line_plot_write(const char *path, const struct line_plot *plot, struct io_error *error);

/* Writes a power as the text of an SVG, as short as it can be; the class "up" is an exponent's. */
void line_plot_power(FILE *stream, int base, int exponent);

#ifdef __cplusplus
}
#endif

#endif
