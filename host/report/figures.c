/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/report/figures.h"

#include "host/html.h"
#include "host/line_plot.h"
#include "host/matrix_market.h"
#include "host/png.h"
#include "host/pnm.h"

#include <dirent.h> /* scandir */
#include <math.h>   /* exp2, NAN, sqrt */
#include <stdlib.h> /* free, abs */
#include <string.h> /* memcmp, memset, strcmp, strlen */

/* The most bytes of the page that pictures take, encoded as text. */
enum { MOST_BYTES = 8 << 20 };

/* The class of target t or, after the targets, of a device's record. */
static const char *curve_class(const struct summary *summary, int t)
{
    static const char *const classes[] = {"t0", "t1", "t2", "t3", "t4",
                                          "t5", "t6", "t7", "r0", "r1"};

    if (t < summary->target_count)
        return classes[t];
    return classes[SUMMARY_TARGETS + (t - summary->target_count) % 2];
}

static void legend(FILE *stream, const struct summary *summary)
{
    fputs("<p class=\"legend\">", stream);
    for (int t = 0; t < summary->target_count + summary->record_count; t++) {
        const int record = t - summary->target_count;

        html_print(stream, "<span><i class=\"key %s\"></i>%s%s</span> ", curve_class(summary, t),
                   record < 0 ? summary->targets[t] : summary->records[record],
                   record < 0 ? "" : ", recorded: of fewer runs");
    }
    fputs("</p>\n", stream);
}

/* ------------------------------------------------------------------------------------------------
 * Histograms
 * --------------------------------------------------------------------------------------------- */

/* The errors of target t or, after the targets, of a device's record; NULL if there are none. */
static const struct results_row *errors_of(const struct summary *summary, int t, const char *name)
{
    const char *const device =
        t < summary->target_count ? NULL : summary->records[t - summary->target_count];

    for (int f = 0; f < summary->count; f++) {
        const struct results_case *const entry = results_find(&summary->results[f], name);

        if (!entry || (!device && strcmp(summary->results[f].target, summary->targets[t]) != 0))
            continue;
        for (int r = 0; r < entry->row_count; r++)
            if (entry->rows[r].has_histograms &&
                (device ? entry->rows[r].kind == RESULTS_RECORD &&
                              strcmp(entry->rows[r].against, device) == 0
                        : entry->rows[r].kind == RESULTS_REFERENCE))
                return &entry->rows[r];
    }
    return NULL;
}

/* Counts are on a logarithmic axis that begins below 1. */
static const double foot = 0.45;

struct steps {
    double x[5 * ERROR_BINS], y[5 * ERROR_BINS];
    size_t count;
};

static void add_point(struct steps *steps, double x, double y)
{
    steps->x[steps->count] = x;
    steps->y[steps->count++] = y;
}

/* Bin 0, of the zeros, is apart from the others, left of them. */
static double bin_left(int bin, int lowest)
{
    return exp2(bin == 0 ? lowest - 3.5 : lowest + bin - 2);
}

static double bin_right(int bin, int lowest)
{
    return exp2(lowest + (bin == 0 ? -2 : bin - 1));
}

/* Steps over the bins with counts, each run of them from the axis up and back down. */
static void add_steps(struct steps *steps, const struct error_histogram *counts, int lowest)
{
    for (int k = 0; k < ERROR_BINS; k++) {
        const double left = bin_left(k, lowest), right = bin_right(k, lowest);

        if (counts->bins[k] == 0)
            continue;
        if (k <= 1 || counts->bins[k - 1] == 0)
            add_point(steps, left, foot);
        add_point(steps, left, (double)counts->bins[k]);
        add_point(steps, right, (double)counts->bins[k]);
        if (k == 0 || k + 1 == ERROR_BINS || counts->bins[k + 1] == 0) {
            add_point(steps, right, foot);
            add_point(steps, NAN, NAN);
        }
    }
}

/* One curve for each target; coinciding curves lie inside one another. */
static void histogram(FILE *stream, const struct summary *summary, const char *name, int is_ulp)
{
    const int lowest = is_ulp ? ERROR_ULPS : ERROR_SHARES;
    const double left = bin_left(0, lowest), right = bin_right(ERROR_BINS - 1, lowest);
    struct steps steps[2 * SUMMARY_TARGETS];
    char title[256];
    const char *styles[LINE_PLOT_SERIES] = {"axes", "bound"};
    int curves = is_ulp ? 1 : 2; /* after the axes and the bound, which are as high as these */
    double top = 10;
    struct line_plot plot = {.title = title,
                             .x_label = is_ulp ? "error in ULP" : "error as a share of its bound",
                             .y_label = "elements",
                             .log_x = 2,
                             .log_y = 10,
                             .zero = sqrt(left * bin_right(0, lowest))};

    snprintf(title, sizeof title,
             "%.100s: how many elements have an error of how many %s, by target", name,
             is_ulp ? "ULPs" : "shares of the bound");
    for (int t = 0; t < summary->target_count + summary->record_count; t++) {
        const struct results_row *const row = errors_of(summary, t, name);

        if (!row)
            continue;
        steps[t].count = 0;
        add_steps(&steps[t], is_ulp ? &row->ulps : &row->shares, lowest);
        for (size_t k = 0; k < steps[t].count; k++)
            while (steps[t].y[k] > top)
                top *= 10;
        styles[curves] = curve_class(summary, t);
        plot.series[curves++] =
            (struct line_plot_series){"", steps[t].count, steps[t].x, steps[t].y};
    }
    const double axes_x[] = {left, left, right}, axes_y[] = {top, foot, foot};
    const double bound_x[] = {1, 1}, bound_y[] = {foot, top};

    plot.series_count = curves;
    plot.series[0] = (struct line_plot_series){"", 3, axes_x, axes_y};
    if (!is_ulp)
        plot.series[1] = (struct line_plot_series){"bound", 2, bound_x, bound_y};
    line_plot_embed(stream, &plot, styles);
}

/* What there is to see in a case's histograms. */
enum matter {
    DIFFERS, /* errors that are not the same on all targets, or beyond the bound */
    AGREES,  /* errors that are the same on all targets */
    EXACT,   /* no errors */
    NOTHING, /* no histograms */
    MATTERS
};

/* A case's errors on all targets together. */
struct agreement {
    const struct results_row *first; /* of the first target that has any, or NULL */
    int others;                      /* targets after the first */
    int same;                        /* all have the same histograms */
    double beyond;                   /* elements beyond the bound */
    enum matter matter;
};

static struct agreement agreement_of(const struct summary *summary, const char *name)
{
    struct agreement all = {NULL, 0, 1, 0, NOTHING};
    int wrong = 0;

    for (int t = 0; t < summary->target_count; t++) {
        const struct results_row *const row = errors_of(summary, t, name);

        if (!row)
            continue;
        all.beyond += (double)row->shares.bins[ERROR_BINS - 1];
        all.others += all.first != NULL;
        all.first = all.first ? all.first : row;
        all.same = all.same && memcmp(&all.first->shares, &row->shares, sizeof row->shares) == 0 &&
                   memcmp(&all.first->ulps, &row->ulps, sizeof row->ulps) == 0;
        wrong |= error_histogram_count(&row->shares) > row->shares.bins[0];
    }
    if (all.first && !wrong)
        all.matter = EXACT;
    else if (all.first)
        all.matter = all.beyond > 0 || !all.same ? DIFFERS : AGREES;
    return all;
}

/* The percentage of a target's elements without error. */
static double percent_exact(const struct results_row *row)
{
    const double count = (double)error_histogram_count(&row->shares);

    return count > 0 ? 100 * (double)row->shares.bins[0] / count : 0;
}

/* The curves in words. */
static void histogram_caption(FILE *stream, const struct summary *summary, const char *name)
{
    const struct agreement all = agreement_of(summary, name);

    html_print(stream, "<figcaption><b>%s</b> ", name);
    if (all.beyond > 0) {
        fputs("<span class=\"chip bad\">&#10007; ", stream);
        html_count(stream, all.beyond);
        fputs(" beyond the bound</span>", stream);
    } else if (all.others > 0 && all.same)
        fprintf(stream, "<span class=\"same\">= the same on all %d targets</span>", all.others + 1);
    else if (all.others > 0)
        fputs("<span class=\"differ\">&#8800; not the same on all targets</span>", stream);
    fputs("<br>", stream);
    html_count(stream, (double)error_histogram_count(&all.first->shares));
    fputs(" elements, without any error ", stream);
    if (all.same)
        fprintf(stream, "%.0f%% of them", percent_exact(all.first));
    for (int t = 0, listed = 0; t < summary->target_count && !all.same; t++) {
        const struct results_row *const row = errors_of(summary, t, name);

        if (row)
            html_print(stream, "%s%s %.0f%%", listed++ ? ", " : "", summary->targets[t],
                       percent_exact(row));
    }
    fputs("</figcaption>", stream);
}

/* The histograms of the cases of this matter, or only their names. */
static void show_cases(FILE *stream, const struct summary *summary, enum matter matter)
{
    int listed = 0;

    for (int k = 0; k < summary->name_count; k++) {
        const char *const name = summary->names[k];

        if (agreement_of(summary, name).matter != matter)
            continue;
        if (matter >= EXACT) {
            html_print(stream, "%s<code>%s</code>", listed++ ? ", " : "", name);
            continue;
        }
        fputs("<figure>", stream);
        histogram_caption(stream, summary, name);
        fputs("<div class=\"pair\">", stream);
        histogram(stream, summary, name, 0);
        histogram(stream, summary, name, 1);
        fputs("</div></figure>\n", stream);
    }
}

void figures_histograms(FILE *stream, const struct summary *summary)
{
    static const char *const around[MATTERS][2] = {
        {"<div class=\"histograms\">\n", "</div>\n"},
        {"</summary>\n<div class=\"histograms\">\n", "</div>\n</details>\n"},
        {"<p>Every element of these is exactly that of the reference, on every target: ",
         ".</p>\n"},
        {"<p>These have no reference, and are compared between targets, if with anything: ",
         ".</p>\n"}};
    int counts[MATTERS] = {0};

    for (int k = 0; k < summary->name_count; k++)
        counts[agreement_of(summary, summary->names[k]).matter]++;
    fputs("<section id=\"errors\"><h2>Errors</h2>\n"
          "<p>How far results are from the reference in double precision: the number of elements, "
          "over all runs of a case, by the size of their error. On the left the error is a share "
          "of the element's bound from the reference, so elements beyond the line fail. On the "
          "right it is in spacings of floating-point numbers (ULP); correct rounding costs at most "
          "half of one. Both axes are logarithmic; elements without error are at 0. Curves that "
          "coincide lie inside one another.</p>\n",
          stream);
    legend(stream, summary);
    for (int matter = DIFFERS; matter < MATTERS; matter++) {
        if (counts[matter] == 0)
            continue;
        if (matter == AGREES)
            fprintf(stream, "<details><summary>%d case%s within the bound%s", counts[AGREES],
                    counts[AGREES] == 1 ? " is" : "s are",
                    summary->target_count > 1 ? ", with the same errors on all targets" : "");
        fputs(around[matter][0], stream);
        show_cases(stream, summary, (enum matter)matter);
        fputs(around[matter][1], stream);
    }
    fputs("</section>\n", stream);
}

/* ------------------------------------------------------------------------------------------------
 * Images
 * --------------------------------------------------------------------------------------------- */

/* Pixels of an image's longer side on the page. A difference has no more than the page shows, so
 * that a browser does not blend a single pixel with its neighbours. */
enum { IMAGE_SIDE = 640, DIFFERENCE_SIDE = 280 };

/* How many samples of a row or column become one on the page. */
static size_t shrinking(const struct array *image, size_t limit)
{
    const size_t longest = image->shape[0] > image->shape[1] ? image->shape[0] : image->shape[1];

    return (longest + limit - 1) / limit;
}

/* Writes an image into the page, smaller if it is large: the mean of each square of samples, or the
 * largest, so that no difference is lost. */
static int put_image(FILE *stream, const struct array *image, int largest, struct io_error *error)
{
    const size_t step = shrinking(image, largest ? DIFFERENCE_SIDE : IMAGE_SIDE);
    const size_t channels = image->rank == 3 ? 3 : 1;
    const size_t rows = image->shape[0], columns = image->shape[1];
    const size_t shape[3] = {(rows + step - 1) / step, (columns + step - 1) / step, 3};
    const unsigned char *const from = (const unsigned char *)image->data;
    unsigned char *data;
    struct array small;
    size_t size;

    if (array_allocate(&small, ARRAY_UINT8, image->rank, shape, error) != 0)
        return IO_BAD;
    for (size_t y = 0; y < shape[0]; y++)
        for (size_t x = 0; x < shape[1]; x++)
            for (size_t c = 0; c < channels; c++) {
                unsigned sum = 0, maximum = 0, count = 0;

                for (size_t v = y * step; v < (y + 1) * step && v < rows; v++)
                    for (size_t u = x * step; u < (x + 1) * step && u < columns; u++) {
                        const unsigned sample = from[(v * columns + u) * channels + c];

                        sum += sample;
                        maximum = sample > maximum ? sample : maximum;
                        count++;
                    }
                ((unsigned char *)small.data)[(y * shape[1] + x) * channels + c] =
                    (unsigned char)(largest ? maximum : (sum + count / 2) / count);
            }
    const int status = png_encode(&small, &data, &size, error);

    array_free(&small);
    if (status != 0)
        return status;
    html_data(stream, "image/png", data, size);
    free(data);
    return 0;
}

/* One picture with its caption; `what` is its alternative text too. */
static void shot(FILE *stream, const struct array *image, int is_difference, const char *what,
                 const char *rest)
{
    struct io_error error;

    html_print(stream,
               "<figure class=\"shot%s\"><img width=\"%zu\" height=\"%zu\" alt=\"%s\" src=\"",
               is_difference ? " difference" : "", image->shape[1], image->shape[0], what);
    if (put_image(stream, image, is_difference, &error) != 0)
        fputs("data:,", stream);
    html_print(stream, "\"><figcaption>%s<br><small>%s</small></figcaption></figure>\n", what,
               rest);
}

static void cannot_show(FILE *stream, const char *sentence)
{
    html_print(stream, "<p class=\"problem\">%s</p>\n", sentence);
}

/* The same result of a run on another target, or NULL. */
static const struct results_image *on_target(const struct summary *summary, int t, const char *name,
                                             const struct results_image *image)
{
    const struct results_case *const entry = summary_case(summary, summary->targets[t], name);

    for (int k = 0; entry && k < entry->image_count; k++)
        if (strcmp(entry->images[k].role, "after") == 0 &&
            strcmp(entry->images[k].what, image->what) == 0 &&
            strcmp(entry->images[k].array, image->array) == 0)
            return &entry->images[k];
    return NULL;
}

/* A result on another target, and its difference from that on the first, amplified by the largest
 * factor that fits into a byte; nothing if they are identical. */
static void show_counterpart(FILE *stream, const struct array *first, const char *first_target,
                             const char *target, const char *file)
{
    const unsigned char *const from = (const unsigned char *)first->data;
    size_t differ = 0;
    int largest = 1;
    struct array image;
    struct io_error error;
    char what[160], rest[160];

    if (pnm_read(file, &image, &error) != 0) {
        cannot_show(stream, error.text);
        return;
    }
    const size_t count = array_count(&image);
    const int alike =
        first->rank == image.rank && memcmp(first->shape, image.shape, sizeof image.shape) == 0;
    unsigned char *const to = (unsigned char *)image.data;

    for (size_t i = 0; i < count && alike; i++) {
        const int difference = abs(to[i] - from[i]);

        differ += difference > 0;
        largest = difference > largest ? difference : largest;
    }
    snprintf(what, sizeof what, "%s, after", target);
    if (!alike || differ > 0)
        shot(stream, &image, 0, what, alike ? "" : "of another size than the first target's");
    if (differ > 0) {
        for (size_t i = 0; i < count; i++)
            to[i] = (unsigned char)(abs(to[i] - from[i]) * (255 / largest));
        snprintf(what, sizeof what, "%s minus %s, amplified %d times", target, first_target,
                 255 / largest);
        snprintf(rest, sizeof rest, "%zu of %zu samples differ, by %d of 255 at most", differ,
                 count, largest);
        shot(stream, &image, 1, what, rest);
    }
    array_free(&image);
}

static int same_files(const char *first, const char *second)
{
    struct io_error error;
    size_t sizes[2];
    char *texts[2] = {NULL, NULL};
    const int same = io_read_file(first, &texts[0], &sizes[0], &error) == 0 &&
                     io_read_file(second, &texts[1], &sizes[1], &error) == 0 &&
                     sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0;

    free(texts[0]);
    free(texts[1]);
    return same;
}

/* Whether a result of a run is not the same image on all targets that have it. */
static int run_differs(const struct summary *summary, const char *name, const char *what)
{
    const struct results_case *const lead = summary_case(summary, summary->targets[0], name);
    int differs = 0;

    for (int k = 0; k < lead->image_count; k++)
        for (int t = 1; t < summary->target_count && !differs; t++) {
            const struct results_image *const image = &lead->images[k];
            const struct results_image *const counterpart = on_target(summary, t, name, image);

            differs = counterpart && strcmp(image->what, what) == 0 &&
                      strcmp(image->role, "before") != 0 &&
                      !same_files(image->file, counterpart->file);
        }
    return differs;
}

/* All pictures of one run: those of its inputs, then each result on the first target, and on those
 * whose result differs. */
static void show_run(FILE *stream, const struct summary *summary, const char *name,
                     const char *what, int differs)
{
    const struct results_case *const lead = summary_case(summary, summary->targets[0], name);
    struct io_error error;

    html_print(stream, "<div class=\"run\"><h3><code>%s</code> %s</h3><div class=\"strip\">\n",
               name, what);
    for (int k = 0; k < lead->image_count; k++) {
        const struct results_image *const image = &lead->images[k];
        const int is_before = strcmp(image->role, "before") == 0;
        struct array first;
        char text[160], rest[160];
        int targets = 1;

        if (strcmp(image->what, what) != 0)
            continue;
        if (pnm_read(image->file, &first, &error) != 0) {
            cannot_show(stream, error.text);
            continue;
        }
        snprintf(rest, sizeof rest, "%s, %zu x %zu%s", image->array, first.shape[1], first.shape[0],
                 shrinking(&first, IMAGE_SIDE) > 1 ? ", shown smaller" : "");
        for (int t = 1; t < summary->target_count; t++)
            targets += on_target(summary, t, name, image) != NULL;
        if (is_before)
            snprintf(text, sizeof text, "before");
        else if (differs || targets == 1)
            snprintf(text, sizeof text, "%s, after", summary->targets[0]);
        else
            snprintf(text, sizeof text, "after, identical on %d targets", targets);
        shot(stream, &first, 0, text, rest);
        for (int t = 1; t < summary->target_count && !is_before; t++) {
            const struct results_image *const counterpart = on_target(summary, t, name, image);

            if (counterpart)
                show_counterpart(stream, &first, summary->targets[0], summary->targets[t],
                                 counterpart->file);
        }
        array_free(&first);
    }
    fputs("</div></div>\n", stream);
}

/* The sparsity pattern of a matrix: a pixel for each entry, or for a square of them. */
static void show_matrix(FILE *stream, const char *path)
{
    struct csr_matrix matrix;
    struct io_error error;
    struct array image;
    char what[160], rest[160];

    if (matrix_market_read(path, &matrix, &error) != 0) {
        cannot_show(stream, error.text);
        return;
    }
    const int longest = matrix.rows > matrix.columns ? matrix.rows : matrix.columns;
    const int step = longest > 0 ? (longest - 1) / 256 + 1 : 1;
    const size_t shape[2] = {((size_t)matrix.rows + (size_t)step - 1) / (size_t)step,
                             ((size_t)matrix.columns + (size_t)step - 1) / (size_t)step};

    if (array_allocate(&image, ARRAY_UINT8, 2, shape, &error) != 0) {
        csr_free(&matrix);
        cannot_show(stream, error.text);
        return;
    }
    memset(image.data, 255, array_count(&image));
    for (int r = 0; r < matrix.rows; r++)
        for (int k = matrix.row_offsets[r]; k < matrix.row_offsets[r + 1]; k++) {
            unsigned char *const pixel = (unsigned char *)image.data +
                                         (size_t)(r / step) * shape[1] +
                                         (size_t)(matrix.column_indices[k] / step);

            if (*pixel == 255)
                *pixel = 110;
            else
                *pixel = (unsigned char)(*pixel > 12 ? *pixel - 12 : 0);
        }
    snprintf(what, sizeof what, "%.100s", io_base_name(path));
    snprintf(rest, sizeof rest, "%d x %d, %d entries%s", matrix.rows, matrix.columns,
             matrix.nonzeros, step > 1 ? ": darker where there are more" : "");
    if (array_count(&image) > 0)
        shot(stream, &image, 0, what, rest);
    array_free(&image);
    csr_free(&matrix);
}

/* Whether there is room for more pictures after `begin`; writes a sentence the first time there is
 * not, and makes `begin` negative. */
static int room(FILE *stream, long *begin)
{
    if (*begin >= 0 && ftell(stream) - *begin < MOST_BYTES)
        return 1;
    if (*begin >= 0)
        fprintf(stream, "<p>More were left out: the page holds at most %d MiB of them.</p>\n",
                MOST_BYTES >> 20);
    *begin = -1;
    return 0;
}

/* Shows each run with images once: those that differ between targets, or those that do not.
 * Returns how many. */
static int show_runs(FILE *stream, const struct summary *summary, int differ, const char *heading,
                     long *begin)
{
    int runs = 0;

    for (int k = 0; k < summary->name_count; k++) {
        const char *const name = summary->names[k];
        const struct results_case *const entry = summary_case(summary, summary->targets[0], name);

        for (int i = 0; entry && i < entry->image_count; i++) {
            const char *const what = entry->images[i].what;
            int shown = 0;

            for (int j = 0; j < i; j++)
                shown = shown || strcmp(entry->images[j].what, what) == 0;
            if (shown || run_differs(summary, name, what) != differ || !room(stream, begin))
                continue;
            if (runs++ == 0)
                fprintf(stream, "%s\n<div class=\"%s\">\n", heading,
                        differ ? "differing" : "agreeing");
            show_run(stream, summary, name, what, differ);
        }
    }
    return runs;
}

/* Whether a case of the first target has an image, or ran on a matrix. */
static int has_images(const struct summary *summary)
{
    const struct results *const first = &summary->results[0];

    for (int k = 0; k < first->case_count; k++)
        if (first->cases[k].image_count > 0)
            return 1;
    for (int k = 0; k < first->input_count; k++)
        if (io_ends_with(first->inputs[k], ".mtx"))
            return 1;
    return 0;
}

int figures_images(FILE *stream, const struct summary *summary)
{
    const struct results *const first = &summary->results[0];
    long begin = ftell(stream);
    int matrices = 0;

    if (!has_images(summary))
        return 0;
    fputs("<section id=\"images\"><h2>Images</h2>\n", stream);
    const int differ = show_runs(
        stream, summary, 1,
        "<p>What went in, what came out on the first target, and each other target's result with "
        "its difference from that: black is no difference, and the largest one is near "
        "white.</p>",
        &begin);
    fputs(differ > 0 ? "</div>\n" : "", stream);

    const char *others = "<details open><summary>What went in, and what came out</summary>";

    if (differ > 0)
        others = "<details><summary>No other image differs between targets</summary>";
    else if (summary->target_count > 1)
        others = "<details open><summary>No image differs between targets</summary>";
    const int agree = show_runs(stream, summary, 0, others, &begin);

    fputs(agree > 0 ? "</div></details>\n" : "", stream);
    for (int k = 0; k < first->input_count; k++)
        if (io_ends_with(first->inputs[k], ".mtx") && room(stream, &begin)) {
            if (matrices++ == 0)
                fputs("<h3>Matrices</h3><p>Where the sparse matrices that cases ran on have their "
                      "entries.</p>\n<div class=\"strip matrices\">\n",
                      stream);
            show_matrix(stream, first->inputs[k]);
        }
    fputs(matrices ? "</div></section>\n" : "</section>\n", stream);
    return 1;
}

/* ------------------------------------------------------------------------------------------------
 * Plots
 * --------------------------------------------------------------------------------------------- */

static int is_plot(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && io_ends_with(entry->d_name, ".svg");
}

int figures_plots(FILE *stream, const char *const *directories, int count)
{
    long begin = ftell(stream);
    int shown = 0;

    for (int d = 0; d < count; d++) {
        const char *const directory = directories[d];
        struct dirent **entries;
        const int plots = scandir(directory, &entries, is_plot, alphasort);

        for (int k = 0; k < plots; k++) {
            char path[IO_PATH_SIZE], *data;
            struct io_error error;
            size_t size;

            snprintf(path, sizeof path, "%s/%s", directory, entries[k]->d_name);
            if (!room(stream, &begin)) {
                free(entries[k]);
                continue;
            }
            if (shown++ == 0)
                fputs("<section id=\"speed\"><h2>Speed</h2>\n<p>Plots of <code>make bench</code>: "
                      "the speed of each case against its size, and rooflines.</p>\n"
                      "<div class=\"plots\">\n",
                      stream);
            if (io_read_file(path, &data, &size, &error) == 0) {
                html_print(stream, "<figure><img loading=\"lazy\" alt=\"plot %.*s\" src=\"",
                           (int)strlen(entries[k]->d_name) - 4, entries[k]->d_name);
                html_data(stream, "image/svg+xml", data, size);
                fputs("\"></figure>\n", stream);
                free(data);
            } else
                cannot_show(stream, error.text);
            free(entries[k]);
        }
        if (plots >= 0)
            free(entries);
    }
    fputs(shown ? "</div></section>\n" : "", stream);
    return shown > 0;
}
