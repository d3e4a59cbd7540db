/* SPDX-License-Identifier: BSD-3-Clause */
/* host/line_plot.h: where points, ticks and labels are. */
#define _POSIX_C_SOURCE 200809L
#include "host/line_plot.h"

#include <math.h>   /* fabs, HUGE_VAL, NAN */
#include <stdio.h>  /* open_memstream, remove */
#include <stdlib.h> /* free, strtod */
#include <string.h> /* strstr */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static const char path[] = "build/test_line_plot.svg";

/* The text of the plot, which the caller frees. */
static char *draw(const struct line_plot *plot)
{
    struct io_error error;
    char *text;
    size_t size;

    if (io_make_directory("build", &error) != 0 || line_plot_write(path, plot, &error) != 0 ||
        io_read_text(path, &text, &size, &error) != 0)
        fail_msg("%s", error.text);
    remove(path);
    return text;
}

static int count(const char *text, const char *what)
{
    int found = 0;

    for (; (text = strstr(text, what)) != NULL; text++)
        found++;
    return found;
}

static void test_linear(void **state)
{
    const double x[] = {0, 1, 2, 3, 4}, y[] = {0, 10, NAN, 30, 40};
    const struct line_plot plot = {.title = "A <finding>",
                                   .x_label = "seconds",
                                   .y_label = "metres",
                                   .series_count = 1,
                                   .series = {{"", 5, x, y}}};
    char *const text = draw(&plot);

    (void)state;
    assert_non_null(strstr(text, "<title>A &lt;finding&gt;</title>"));
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
    assert_non_null(strstr(text, ">seconds<"));
    assert_non_null(strstr(text, ">metres<"));
    assert_non_null(strstr(text, ">40<"));
    assert_null(strstr(text, ">50<"));
    /* The corners of the plot, and a gap at the NaN. */
    assert_non_null(strstr(text, "<path class=\"s0\" d=\"M78.0 360.0L"));
    assert_non_null(strstr(text, "L620.0 84.0\""));
    const char *const line = strstr(text, "class=\"s0\"");
    const char *const end = strchr(line, '>');
    int begins = 0;
    for (const char *c = line; c < end; c++)
        begins += *c == 'M';
    assert_int_equal(begins, 2);
    free(text);
}

static void test_logarithmic(void **state)
{
    const double x[] = {10, 100, 1000}, falls[] = {1, 1e-2, 1e-4}, zero[] = {1, 1e-3, 0};
    const struct line_plot plot = {
        .title =
            "A title of so many words that it does not fit into the width of the plot in one line",
        .x_label = "paths",
        .y_label = "error",
        .log_x = 10,
        .log_y = 10,
        .limit = 1e-5,
        .limit_label = "tolerance",
        .series_count = 2,
        .series = {{"falls", 3, x, falls}, {"to zero", 3, x, zero}}};
    char *const text = draw(&plot);

    (void)state;
    assert_non_null(strstr(text, "10<tspan class=\"up\" dy=\"-4\">&#8722;4</tspan>"));
    assert_non_null(strstr(text, ">tolerance<"));
    assert_int_equal(count(text, "<text class=\"title\""), 2);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    /* The limit is the lowest decade; the middle of the three points is in the middle. */
    assert_non_null(strstr(text, "class=\"limit\" d=\"M78 360.0H"));
    const char *const line = strstr(text, "<path class=\"s0\"");
    double at[6];
    const char *next = strchr(line, 'M');
    for (int k = 0; k < 6; k++) {
        char *end;
        at[k] = strtod(next + 1, &end);
        next = end;
    }
    assert_true(fabs(at[2] - (at[0] + at[4]) / 2) < 0.11);
    assert_true(fabs(at[3] - (at[1] + at[5]) / 2) < 0.11);
    free(text);
}

/* Labels of lines that end in one point are below each other; a long line is thinned and still ends
 * at its last point. */
static void test_labels(void **state)
{
    enum { N = 100000 };
    double *const x = (double *)malloc(N * sizeof *x), *const y = (double *)malloc(N * sizeof *y);
    const struct line_plot plot = {
        .title = "",
        .x_label = "",
        .y_label = "",
        .series_count = 3,
        .series = {{"one", N, x, y}, {"two", N, x, y}, {"three", N, x, y}}};

    (void)state;
    assert_non_null(x);
    assert_non_null(y);
    for (int k = 0; k < N; k++)
        x[k] = y[k] = k;
    char *const text = draw(&plot);
    double at[3];
    static const char *const labels[3] = {"text class=\"s0", "text class=\"s1", "text class=\"s2"};
    for (int k = 0; k < 3; k++) {
        const char *const label = strstr(text, labels[k]);
        assert_non_null(label);
        at[k] = strtod(strstr(label, "y=\"") + 3, NULL);
    }
    assert_true(at[1] - at[0] >= 17 && at[2] - at[1] >= 17);
    assert_true(strlen(text) < 60000);
    assert_int_equal(count(text, "84.0\"/>"), 3); /* the end of each line */
    free(text);
    free(x);
    free(y);
}

/* Axes without a width, or with less than their numbers can tell apart; a point alone is a dot. */
static void test_narrow(void **state)
{
    static const struct {
        double x[2], y[2];
        int log;
    } narrow[] = {
        {{1, 1}, {2, 2}, 0},
        {{1e20, 1e20}, {-1e20, -1e20}, 0},
        {{1e17, 1e17 + 64}, {0, 5e-324}, 0},
        {{1000000.1, 1000000.7}, {-1e308, 1e299}, 0},
        {{200, 900}, {3, 3}, 10},
    };

    (void)state;
    for (size_t k = 0; k < sizeof narrow / sizeof narrow[0]; k++) {
        const struct line_plot plot = {
            .title = "a-title-without-a-blank-that-is-longer-than-the-lines-of-it",
            .x_label = "",
            .y_label = "",
            .log_x = narrow[k].log,
            .log_y = narrow[k].log,
            .series_count = 1,
            .series = {{"", 2, narrow[k].x, narrow[k].y}}};
        char *const text = draw(&plot);

        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        assert_true(count(text, "class=\"grid\"") >= 4);
        assert_true(count(text, "class=\"grid\"") <= 24);
        free(text);
    }
    const double x[] = {0, 1, 2}, y[] = {0, NAN, 2};
    const struct line_plot dots = {
        .title = "", .x_label = "", .y_label = "", .series_count = 1, .series = {{"", 3, x, y}}};
    char *const text = draw(&dots);
    assert_non_null(strstr(text, "M78.0 360.0h0M620.0 84.0h0\"/>"));
    free(text);
}

/* In a page: classes of the page's style sheet, axes that end at the points, powers of two on the x
 * axis, and a zero left of them. */
static void test_embedded(void **state)
{
    const double x[] = {1.0 / 1024, 1}, y[] = {0.5, 1000}, none[] = {0, 0};
    static const char *const styles[LINE_PLOT_SERIES] = {"mine"};
    struct line_plot plot = {.title = "<title>",
                             .x_label = "share",
                             .y_label = "elements",
                             .log_x = 2,
                             .log_y = 10,
                             .series_count = 1,
                             .series = {{"end", 2, x, y}},
                             .zero = 1.0 / 512};
    char *text = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);

    (void)state;
    assert_non_null(stream);
    assert_int_equal(line_plot_embed(stream, &plot, styles), 0);
    fflush(stream);
    const size_t whole = size;
    plot.series[0].y = none;
    assert_int_equal(line_plot_embed(stream, &plot, styles), IO_BAD);
    fclose(stream);
    assert_int_equal(size, whole);
    assert_null(strstr(text, "xmlns"));
    assert_null(strstr(text, "<style>"));
    assert_null(strstr(text, "<title>"));
    assert_non_null(strstr(text, "aria-label=\"&lt;title&gt;\""));
    /* 2^-10, 2^-8 and so on; 2^-9 is a tenth of the way from 52 to 444 - 20 - the label's width. */
    assert_non_null(strstr(text, ">2<tspan class=\"up\" dy=\"-4\">&#8722;10</tspan><"));
    assert_null(strstr(text, "&#8722;9<"));
    assert_non_null(strstr(text, ">1/4<"));
    assert_non_null(strstr(text, "<text x=\"85.9\" y=\"194\" text-anchor=\"middle\">0</text>"));
    /* The y axis: 1 to 1000, three of 3.3 decades. */
    assert_non_null(strstr(text, "<path class=\"mine\" d=\"M52.0 172.0L391.4 32.0\"/>"));
    assert_non_null(strstr(text, "<path class=\"grid\" d=\"M52 159.2H391.4\"/>"));
    assert_non_null(strstr(text, "<text class=\"mine halo\" x=\"399.4\""));
    free(text);
}

static void test_refused(void **state)
{
    const double x[] = {1, 2}, bad[] = {-1, HUGE_VAL};
    const struct line_plot plot = {.title = "",
                                   .x_label = "",
                                   .y_label = "",
                                   .log_y = 10,
                                   .series_count = 1,
                                   .series = {{"", 2, x, bad}}};
    struct line_plot none = plot, nowhere = plot;
    struct io_error error;

    (void)state;
    assert_int_equal(line_plot_write(path, &plot, &error), IO_BAD);
    assert_non_null(strstr(error.text, "the plot has no point"));
    none.series_count = 0;
    assert_int_equal(line_plot_write(path, &none, &error), IO_BAD);
    nowhere.series[0].y = x;
    assert_int_equal(line_plot_write("build/no/such/plot.svg", &nowhere, &error), IO_BAD);
    assert_non_null(strstr(error.text, "build/no/such/plot.svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),   cmocka_unit_test(test_logarithmic),
        cmocka_unit_test(test_labels),   cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_embedded), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests_name("line_plot", tests, NULL, NULL) != 0;
}
