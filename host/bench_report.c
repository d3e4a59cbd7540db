/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/bench_report.h"

#include "host/growth.h"
#include "host/report.h"

#include <math.h>   /* isfinite */
#include <stdio.h>  /* open_memstream */
#include <stdlib.h> /* realloc, free */
#include <string.h> /* strchr, strlen */

static const double memory_beyond_arrays = 64.0 * (1 << 20);

int bench_report_add(struct bench_report *report, const struct gallery_case *which,
                     const struct bench_result *result, struct io_error *error)
{
    struct bench_row *rows = (struct bench_row *)realloc(report->rows, ((size_t)report->count + 1) *
                                                                           sizeof *report->rows);

    if (!rows)
        return io_fail(error, "no memory for %d results", report->count + 1);
    report->rows = rows;
    rows[report->count].which = which;
    rows[report->count++].result = *result;
    return 0;
}

void bench_report_free(struct bench_report *report)
{
    free(report->rows);
    memset(report, 0, sizeof *report);
}

/* ------------------------------------------------------------------------------------------------
 * The table
 * --------------------------------------------------------------------------------------------- */

/* Half the distance of the quartiles, relative to the median. */
static double spread(struct timer_summary summary)
{
    return summary.median > 0 ? (summary.upper - summary.lower) / (2 * summary.median) : 0;
}

static double rate(double amount, double seconds)
{
    return seconds > 0 ? amount / seconds : 0;
}

void bench_print_heading(const struct bench_machine *machine)
{
    printf("%s", PORTABLE_TARGET_NAME);
    if (machine->memory > 0)
        printf(": memory moves %.1f GB/s", 1e-9 * machine->memory);
    if (machine->peak > 0)
        printf("; the peak is %.1f GFLOP/s", 1e-9 * machine->peak);
    if (machine->tensor > 0)
        printf(", of tensor cores %.1f", 1e-9 * machine->tensor);
    printf("\n%-22s %10s %10s %6s %8s %8s %13s", "case", "n", "us", "+-", "GB/s", "GFLOP/s",
           "of the limit");
    if (!PORTABLE_TARGET_CUDA)
        printf(" %10s %7s", "plain us", "ratio");
    putchar('\n');
}

void bench_print_row(const struct bench_machine *machine, const struct gallery_case *which,
                     const struct bench_result *result)
{
    const double seconds = result->kernel.median;
    const char *limit;
    const double least = bench_least(machine, which, result, &limit);

    printf("%-22s %10d %10.2f %5.1f%% %8.1f %8.1f", which->name, result->n, 1e6 * seconds,
           100 * spread(result->kernel), 1e-9 * rate(result->bytes, seconds),
           1e-9 * rate(result->flops, seconds));
    if (limit[0])
        printf(" %4.0f%% %-7s", 100 * rate(least, seconds), limit);
    else
        printf(" %13s", "");
    if (result->compared)
        printf(" %10.1f %7.3f [%.3f, %.3f]", 1e6 * result->plain.median, result->ratio.median,
               result->ratio.lower, result->ratio.upper);
    putchar('\n');
    fflush(stdout);
}

/* The routines of a library are cases by the name LIBRARY:NAME. */
static int is_peer(const struct gallery_case *which)
{
    return strchr(which->name, ':') != NULL;
}

static const struct bench_row *best_rival(const struct bench_report *report,
                                          const struct bench_row *peer)
{
    const struct bench_row *best = NULL;

    for (int k = 0; k < report->count; k++) {
        const struct bench_row *row = &report->rows[k];

        if (is_peer(row->which) || row->result.n != peer->result.n ||
            strcmp(case_problem(row->which), case_problem(peer->which)) != 0)
            continue;
        if (!best || row->result.kernel.median < best->result.kernel.median)
            best = row;
    }
    return best;
}

void bench_print_peers(const struct bench_report *report)
{
    int count = 0;

    for (int k = 0; k < report->count; k++) {
        const struct bench_row *peer = &report->rows[k], *best;

        if (!is_peer(peer->which) ||
            (k > 0 && report->rows[k - 1].which == peer->which) /* a smaller size */)
            continue;
        best = best_rival(report, peer);
        if (!best)
            continue;
        if (count++ == 0)
            printf("\n%-22s %10s %10s  %-22s %10s %7s\n", "library", "n", "us", "our best", "us",
                   "ratio");
        printf("%-22s %10d %10.1f  %-22s %10.1f %7.3f\n", peer->which->name, peer->result.n,
               1e6 * peer->result.kernel.median, best->which->name,
               1e6 * best->result.kernel.median,
               rate(best->result.kernel.median, peer->result.kernel.median));
    }
}

void bench_print_total(const struct bench_report *report, double seconds)
{
    double prepared = 0;

    for (int k = 0; k < report->count; k++)
        prepared += report->rows[k].result.prepared;
    printf("\n%.0f s, %.0f of them for inputs\n", seconds, prepared);
}

/* ------------------------------------------------------------------------------------------------
 * Growth
 * --------------------------------------------------------------------------------------------- */

/* The number of rows of one case from row `first` on. */
static int rows_of_case(const struct bench_report *report, int first)
{
    int count = 1;

    while (first + count < report->count &&
           report->rows[first + count].which == report->rows[first].which)
        count++;
    return count;
}

static void print_or_dash(int known, int width, int digits, double value)
{
    if (known)
        printf(" %*.*f", width, digits, value);
    else
        printf(" %*s", width, "-");
}

enum { GROWTH_POINTS = 64 };

/* A GPU takes as long for few elements as for those that fill it, and emulate for a block's threads
 * whether or not they have one. */
static const int sizes_fill = !PORTABLE_TARGET_CUDA && !PORTABLE_TARGET_EMULATE;

/* The growth of the case of row `first`, of its `count` sizes or as many as there is room for. */
static struct growth growth_of_case(const struct bench_report *report, int first, int count)
{
    const struct bench_row *const rows = &report->rows[first];
    struct growth_point points[GROWTH_POINTS];
    const int kept = count < GROWTH_POINTS ? count : GROWTH_POINTS;
    const char *limit;

    /* The work that time should grow with is what limits the largest size. */
    bench_least(&report->machine, rows->which, &rows->result, &limit);
    const int by_memory = strcmp(limit, "memory") == 0, by_peak = strcmp(limit, "compute") == 0;
    for (int k = 0; k < kept; k++) {
        const struct bench_result *const result = &rows[kept - 1 - k].result;

        points[k].work = by_memory ? result->bytes : by_peak ? result->flops : result->n;
        points[k].seconds = result->least.seconds;
        points[k].plain = result->plain_least.seconds;
        points[k].memory = by_memory ? bench_moving(&report->machine, result->bytes) : 0;
        points[k].partial = result->partial;
    }
    return growth_of(points, kept);
}

int bench_growth_is_good(const struct bench_report *report, int first)
{
    const struct growth growth = growth_of_case(report, first, rows_of_case(report, first));

    return growth.points >= 3 && !growth_broken(&growth, sizes_fill);
}

/* A time that was measured is better than an estimate; of two of a kind, the shorter one. */
static struct bench_least_time better(struct bench_least_time one, struct bench_least_time other)
{
    if (one.estimated != other.estimated)
        return one.estimated ? other : one;
    return other.seconds < one.seconds ? other : one;
}

void bench_report_again(struct bench_report *report, int row, const struct bench_result *result)
{
    struct bench_result *const before = &report->rows[row].result;

    before->least = better(before->least, result->least);
    before->plain_least = better(before->plain_least, result->plain_least);
}

int bench_print_growth(const struct bench_report *report)
{
    int broken = 0;

    printf("\n%-22s %10s %8s %7s %6s %6s %6s %7s %10s %9s\n", "growth of time", "n up to",
           "decades", "points", "slope", "plain", "memory", "cliff", "at n", "MiB more");
    for (int first = 0, count; first < report->count; first += count) {
        const struct bench_row *const rows = &report->rows[first];
        double beyond = 0;
        int known = 1;

        count = rows_of_case(report, first);
        const int kept = count < GROWTH_POINTS ? count : GROWTH_POINTS;
        for (int k = 0; k < kept; k++) {
            const struct bench_result *const result = &rows[k].result;

            known = known && result->resident >= 0;
            if (result->resident - result->arrays > beyond)
                beyond = result->resident - result->arrays;
        }
        const struct growth growth = growth_of_case(report, first, count);
        const char *const verdict = growth_broken(&growth, sizes_fill);
        const int excess = beyond > memory_beyond_arrays;

        printf("%-22s %10d %8.1f %7d", rows->which->name, rows->result.n, growth.spread,
               growth.points);
        print_or_dash(growth.points >= 3, 6, 2, growth.slope);
        print_or_dash(growth.plain_slope > 0, 6, 2, growth.plain_slope);
        print_or_dash(growth.memory_slope > 0, 6, 2, growth.memory_slope);
        print_or_dash(growth.cliff_at >= 0, 7, 2, growth.cliff);
        print_or_dash(growth.cliff_at >= 0, 10, 0,
                      growth.cliff_at >= 0 ? rows[kept - 1 - growth.cliff_at].result.n : 0);
        print_or_dash(known, 9, 1, beyond / (1 << 20));
        printf("%s%s%s\n",
               verdict             ? "  BROKEN: "
               : excess            ? "  BROKEN:"
               : growth.points < 3 ? "  not judged"
                                   : "",
               verdict ? verdict : "", excess ? " memory" : "");
        broken += verdict || excess;
    }
    printf("%d of the cases break a promise: a slope in [%.2f, %.2f], no step of more than %.1f, "
           "%.0f MiB beyond the arrays\n",
           broken, GROWTH_SLOPE_LEAST, GROWTH_SLOPE_MOST, GROWTH_CLIFF_MOST,
           memory_beyond_arrays / (1 << 20));
    return broken;
}

/* ------------------------------------------------------------------------------------------------
 * The file
 * --------------------------------------------------------------------------------------------- */

void json_string(FILE *stream, const char *text, size_t length)
{
    putc('"', stream);
    for (size_t k = 0; k < length; k++) {
        const unsigned char c = (unsigned char)text[k];

        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < ' ' || c == 127)
            fprintf(stream, "\\u%04x", c);
        else
            putc(c, stream);
    }
    putc('"', stream);
}

static void json_text(FILE *stream, const char *text)
{
    json_string(stream, text, strlen(text));
}

/* A member; an unknown value is negative or NaN. */
static void json_number(FILE *stream, const char *before, const char *name, double value)
{
    fprintf(stream, "%s\"%s\": ", before, name);
    if (isfinite(value) && value >= 0)
        fprintf(stream, "%.10g", value);
    else
        fputs("null", stream);
}

static void json_summary(FILE *stream, const char *name, int known, struct timer_summary summary)
{
    fprintf(stream, ", \"%s\": %s", name, known ? "{" : "null");
    if (!known)
        return;
    json_number(stream, "", "minimum", summary.minimum);
    json_number(stream, ", ", "lower", summary.lower);
    json_number(stream, ", ", "median", summary.median);
    json_number(stream, ", ", "upper", summary.upper);
    putc('}', stream);
}

/* "KEY: VALUE" as a member. */
static void json_note(FILE *stream, const char *note, size_t length, int first)
{
    const char *colon = strstr(note, ": ");
    const size_t key = colon && colon < note + length ? (size_t)(colon - note) : length;
    const size_t value = key + 2 < length ? key + 2 : length;

    fputs(first ? "\n    " : ",\n    ", stream);
    json_string(stream, note, key);
    fputs(": ", stream);
    json_string(stream, note + value, length - value);
}

static int write_machine(FILE *stream, const char *const *notes, int note_count,
                         struct io_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    int count = 0;

    if (!lines)
        return io_fail(error, "no memory to describe the machine");
    print_machine(lines);
    if (fclose(lines) != 0 || !text) {
        free(text);
        return io_fail(error, "no memory to describe the machine");
    }
    fputs("  \"machine\": {", stream);
    for (const char *line = text; *line; count++) {
        const size_t length = strcspn(line, "\n");

        json_note(stream, line, length, count == 0);
        line += length + (line[length] != '\0');
    }
    for (int k = 0; k < note_count; k++)
        json_note(stream, notes[k], strlen(notes[k]), count++ == 0);
    fputs("\n  },\n", stream);
    free(text);
    return 0;
}

static void write_row(FILE *stream, const struct bench_machine *machine,
                      const struct bench_row *row)
{
    const struct bench_result *const result = &row->result;
    const double seconds = result->kernel.median;
    const char *limit;
    const double least = bench_least(machine, row->which, result, &limit);

    fputs("    {\"family\": ", stream);
    json_text(stream, row->which->family);
    fputs(", \"case\": ", stream);
    json_text(stream, row->which->name);
    fputs(", \"problem\": ", stream);
    json_text(stream, case_problem(row->which));
    fprintf(stream, ", \"n\": %d, \"repeats\": %d", result->n, result->repeats);
    json_number(stream, ", ", "bytes", result->bytes);
    json_number(stream, ", ", "flops", result->flops);
    json_number(stream, ", ", "gb_per_second", 1e-9 * rate(result->bytes, seconds));
    json_number(stream, ", ", "gflop_per_second", 1e-9 * rate(result->flops, seconds));
    fputs(", \"limit\": ", stream);
    if (limit[0])
        json_text(stream, limit);
    else
        fputs("null", stream);
    json_number(stream, ", ", "share_of_limit", limit[0] ? rate(least, seconds) : -1);
    json_number(stream, ", ", "share_of_memory",
                machine->memory > 0 ? rate(result->bytes, seconds) / machine->memory : -1);
    json_number(stream, ", ", "array_bytes", result->arrays);
    json_number(stream, ", ", "resident_bytes", result->resident);
    json_number(stream, ", ", "prepare_seconds", result->prepared);
    json_number(stream, ", ", "least_seconds",
                result->least.seconds > 0 ? result->least.seconds : -1);
    json_summary(stream, "seconds", 1, result->kernel);
    json_summary(stream, "plain_seconds", result->compared, result->plain);
    json_summary(stream, "ratio", result->compared, result->ratio);
    fputs(", \"hint\": null}", stream); /* host/hints.sh fills it in */
}

int bench_report_write(const struct bench_report *report, struct io_writer *writer,
                       const char *const *notes, int note_count, struct io_error *error)
{
    FILE *const stream = writer->stream;

    fputs("{\n", stream);
    if (write_machine(stream, notes, note_count, error) != 0) {
        io_write_abort(writer);
        return IO_BAD;
    }
    fputs(report->complete ? "  \"complete\": true,\n" : &BENCH_INCOMPLETE[1], stream);
    fputs("  \"quantiles\": \"minimum, quartiles and median of the repeats, interpolated\",\n",
          stream);
    fprintf(stream, "  \"limits\": {\"target\": \"%s\"", PORTABLE_TARGET_NAME);
    json_number(stream, ", ", "memory_bytes_per_second", report->machine.memory);
    json_number(stream, ", ", "flop_per_second",
                report->machine.peak > 0 ? report->machine.peak : -1);
    json_number(stream, ", ", "tensor_flop_per_second",
                report->machine.tensor > 0 ? report->machine.tensor : -1);
    fputs("},\n  \"results\": [\n", stream);
    for (int k = 0; k < report->count; k++) {
        write_row(stream, &report->machine, &report->rows[k]);
        fputs(k + 1 < report->count ? ",\n" : "\n", stream);
    }
    fputs("  ]\n}\n", stream);
    return io_write_commit(writer, error);
}
