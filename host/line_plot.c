/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/line_plot.h"

#include "host/html.h"

#include <math.h>   /* ceil, floor, isfinite, log10, pow */
#include <stdlib.h> /* abs */
#include <string.h> /* memcpy, strlen */

/* In units of the viewBox. A file's 640 units are 390 pixels, and 17 of them 10; two of a page's
 * plots are side by side. */
enum { TEXT = 17, LETTERS = 54, MOST_POINTS = 500, MOST_TICKS = 7 };

struct frame {
    int width, height, left, top, bottom, y_ticks;
};

static const struct frame of_file = {640, 430, 78, 84, 360, MOST_TICKS};
static const struct frame of_page = {444, 238, 52, 32, 172, 4};

static const char style[] =
    "<style>text{font:17px sans-serif;fill:#24292f}.title{font-weight:600}"
    ".up{font-size:12px}path{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
    ".grid{stroke:#8884;stroke-width:1}.limit{stroke:#888;stroke-dasharray:6}"
    ".back{fill:#fff}.halo{paint-order:stroke;stroke:#fff;stroke-width:5}"
    "path.s0{stroke:#bc4c00}path.s1{stroke:#0969da}path.s2{stroke:#1a7f37}"
    "text.s0{fill:#bc4c00}text.s1{fill:#0969da}text.s2{fill:#1a7f37}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.back{fill:#0d1117}"
    ".halo{stroke:#0d1117}path.s0{stroke:#f0883e}path.s1{stroke:#58a6ff}path.s2{stroke:#3fb950}"
    "text.s0{fill:#f0883e}text.s1{fill:#58a6ff}text.s2{fill:#3fb950}}</style>\n";

/* From `first` to `last` of the values, or of their logarithms to the base `log`, at the positions
 * `from` and `to`. */
struct axis {
    int log;
    double first, last, from, to, step;
};

static double scaled(const struct axis *axis, double value)
{
    if (axis->log == 2)
        return log2(value);
    return axis->log ? log10(value) : value;
}

static int shows(const struct axis *axis, double value)
{
    return fabs(value) < 1e300 && (!axis->log || value > 0);
}

/* Where the axis has `at`, a value or its logarithm. */
static double position(const struct axis *axis, double at)
{
    return axis->from + (at - axis->first) / (axis->last - axis->first) * (axis->to - axis->from);
}

static double place(const struct axis *axis, double value)
{
    return position(axis, scaled(axis, value));
}

static void extend(struct axis *axis, double value)
{
    const double at = scaled(axis, value);

    axis->first = at < axis->first ? at : axis->first;
    axis->last = at > axis->last ? at : axis->last;
}

/* Chooses a step of 1, 2 or 5 times a power of ten (1, 2 or 4, if it is of powers of 2), whole
 * powers on a logarithmic axis, and widens the axis to a multiple of it, or to a whole power, if it
 * is to end there. An axis with less than one power ends at whole ones. */
static void set_ticks(struct axis *axis, int tick_limit, int round)
{
    const double size = fmax(fabs(axis->first), fabs(axis->last));

    /* Equal values, or so close to each other that the ticks would have the same numbers. */
    if (axis->last - axis->first < fmax(1e-5 * size, 1e-290)) {
        const double margin = axis->log || size < 1e-290 ? 0.5 : 0.1 * size;

        axis->first -= margin;
        axis->last += margin;
    }
    if (axis->log && floor(axis->last) - ceil(axis->first) < 1)
        round = 1;
    const double wish = (axis->last - axis->first) / tick_limit;
    const double power = pow(10, floor(log10(wish)));
    const double steps[] = {1, 2, axis->log == 2 ? 4 : 5, 10};

    for (int k = 3; k >= 0; k--)
        if (steps[k] * power >= wish)
            axis->step = steps[k] * power;
    if (axis->log && axis->step < 1)
        axis->step = 1;
    if (round) {
        const double unit = axis->log ? 1 : axis->step;

        axis->first = floor(axis->first / unit) * unit;
        axis->last = ceil(axis->last / unit) * unit;
    }
}

/* A power, as short as it can be; the class "up" is an exponent's. */
static void write_power(FILE *stream, int base, int exponent)
{
    if (exponent == 0)
        putc('1', stream);
    else if (base == 10 && exponent == 1)
        fputs("10", stream);
    else if (base == 2 && exponent > 0 && exponent < 31)
        fprintf(stream, "%d", 1 << exponent);
    else if (base == 2 && exponent >= -4 && exponent < 0)
        fprintf(stream, "1/%d", 1 << -exponent);
    else
        fprintf(stream, "%d<tspan class=\"up\" dy=\"-4\">%s%d</tspan>", base,
                exponent < 0 ? "&#8722;" : "", abs(exponent));
}

/* The lines of the grid and their values, along the left or the bottom. */
static void write_ticks(FILE *stream, const struct frame *frame, const struct axis *axis, int is_x,
                        double right)
{
    const double slack = (axis->last - axis->first) * 1e-9;

    for (double k = ceil((axis->first - slack) / axis->step); k * axis->step <= axis->last + slack;
         k++) {
        const double at = k * axis->step;
        const double here = position(axis, at);

        if (is_x)
            fprintf(stream,
                    "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                    "text-anchor=\"middle\">",
                    here, frame->top, frame->bottom, here, frame->bottom + 22);
        else
            fprintf(stream,
                    "<path class=\"grid\" d=\"M%d %.1fH%.1f\"/><text x=\"%d\" y=\"%.1f\" "
                    "text-anchor=\"end\">",
                    frame->left, here, right, frame->left - 8, here + 6);
        if (axis->log)
            write_power(stream, axis->log, (int)at);
        else
            fprintf(stream, "%.6g", at + 0.0);
        fputs("</text>\n", stream);
    }
}

/* The title, in up to two lines. */
static void write_title(FILE *stream, const char *title)
{
    size_t first = strlen(title);

    if (first > LETTERS) {
        for (first = LETTERS; first > 0 && title[first] != ' ';)
            first--;
        first = first > 0 ? first : LETTERS;
    }
    const char *const second = title + first + (title[first] == ' ');

    html_print(stream,
               "<text class=\"title\" x=\"10\" y=\"24\">%.*s</text>\n"
               "<text class=\"title\" x=\"10\" y=\"46\">%.*s</text>\n",
               (int)first, title, LETTERS, second);
}

/* A label, right of the point (x, y). */
struct label {
    const char *text, *style;
    double x, y;
};

static double width_of(const char *text)
{
    return 0.64 * TEXT * (double)strlen(text);
}

/* Returns the label of the line's last point. */
static struct label write_line(FILE *stream, const struct line_plot_series *series,
                               const char *class_of, const struct axis *x, const struct axis *y)
{
    struct label label = {"", class_of, 0, 0};
    const size_t every = 1 + series->count / MOST_POINTS;
    int points = 0; /* since the line began */

    fprintf(stream, "<path class=\"%s\" d=\"", class_of);
    for (size_t k = 0; k < series->count; k += every) {
        if (k + every >= series->count)
            k = series->count - 1;
        if (shows(x, series->x[k]) && shows(y, series->y[k])) {
            label.text = series->label;
            label.x = place(x, series->x[k]);
            label.y = place(y, series->y[k]);
            fprintf(stream, "%c%.1f %.1f", points++ ? 'L' : 'M', label.x, label.y);
        } else {
            fputs(points == 1 ? "h0" : "", stream); /* a dot */
            points = 0;
        }
    }
    fputs(points == 1 ? "h0\"/>\n" : "\"/>\n", stream);
    return label;
}

/* Writes labels from the top down, each below those that it would overlap. */
static void write_labels(FILE *stream, struct label *labels, int count)
{
    for (int k = 0; k < count; k++) {
        for (int j = k + 1; j < count; j++)
            if (labels[j].y < labels[k].y) {
                const struct label higher = labels[j];

                labels[j] = labels[k];
                labels[k] = higher;
            }
        for (int j = 0; j < k; j++)
            if (labels[k].y < labels[j].y + TEXT + 4 &&
                labels[k].x < labels[j].x + width_of(labels[j].text) &&
                labels[j].x < labels[k].x + width_of(labels[k].text))
                labels[k].y = labels[j].y + TEXT + 4;
        if (!labels[k].text[0])
            continue;
        html_print(stream, "<text class=\"%s halo\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                   labels[k].style, labels[k].x + 8, labels[k].y + 6, labels[k].text);
    }
}

/* Writes the plot; or nothing, and IO_BAD, if it has no point. */
static int draw(FILE *stream, const struct line_plot *plot, const struct frame *frame,
                const char *const *styles, int style_count)
{
    const int is_file = frame == &of_file, right = frame->width - 20;
    struct axis x = {plot->log_x, HUGE_VAL, -HUGE_VAL, frame->left, right, 1};
    struct axis y = {plot->log_y, HUGE_VAL, -HUGE_VAL, frame->bottom, frame->top, 1};
    const int has_limit = plot->limit_label && shows(&y, plot->limit);
    double room = has_limit ? width_of(plot->limit_label) : 0;
    struct label labels[LINE_PLOT_SERIES + 1];
    int count = 0;

    for (int s = 0; s < plot->series_count; s++) {
        const struct line_plot_series *const series = &plot->series[s];

        room = fmax(room, width_of(series->label));
        for (size_t k = 0; k < series->count; k++)
            if (shows(&x, series->x[k]) && shows(&y, series->y[k])) {
                extend(&x, series->x[k]);
                extend(&y, series->y[k]);
            }
    }
    if (x.first > x.last)
        return IO_BAD;
    if (has_limit)
        extend(&y, plot->limit);
    x.to = fmax(frame->width / 2, right - room);
    set_ticks(&x, MOST_TICKS, 0);
    set_ticks(&y, frame->y_ticks, is_file);
    fputs(is_file ? "<svg xmlns=\"http://www.w3.org/2000/svg\"" : "<svg", stream);
    html_print(stream, " viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", frame->width,
               frame->height, plot->title);
    if (is_file) {
        html_print(stream, "<title>%s</title>\n", plot->title);
        fprintf(stream, "%s<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n", style,
                frame->width, frame->height);
        write_title(stream, plot->title);
    }
    write_ticks(stream, frame, &x, 1, x.to);
    write_ticks(stream, frame, &y, 0, x.to);
    if (plot->zero > 0)
        fprintf(stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">0</text>\n",
                place(&x, plot->zero), frame->bottom + 22);
    html_print(stream,
               "<text x=\"10\" y=\"%d\">%s</text>\n"
               "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
               frame->top - 14, plot->y_label, (frame->left + x.to) / 2, frame->bottom + 52,
               plot->x_label);
    if (has_limit) {
        const struct label label = {plot->limit_label, "", x.to, place(&y, plot->limit)};

        fprintf(stream, "<path class=\"limit\" d=\"M%d %.1fH%.1f\"/>", frame->left, label.y, x.to);
        labels[count++] = label;
    }
    for (int s = 0; s < plot->series_count; s++)
        labels[count++] = write_line(stream, &plot->series[s], styles[s % style_count], &x, &y);
    write_labels(stream, labels, count);
    fputs("</svg>\n", stream);
    return 0;
}

int line_plot_embed(FILE *stream, const struct line_plot *plot, const char *const *styles)
{
    return draw(stream, plot, &of_page, styles, LINE_PLOT_SERIES);
}

int line_plot_write(const char *path, const struct line_plot *plot, struct io_error *error)
{
    static const char *const colours[LINE_PLOT_COLOURS] = {"s0", "s1", "s2"};
    struct io_writer writer;

    if (io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    if (draw(writer.stream, plot, &of_file, colours, LINE_PLOT_COLOURS) == 0)
        return io_write_commit(&writer, error);
    io_write_abort(&writer);
    return io_fail(error, "%s: the plot has no point", path);
}
