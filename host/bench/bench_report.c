/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/bench/bench_report.h"

#include "host/outputs.h"

#include <math.h>   /* isfinite */
#include <stdio.h>  /* open_memstream */
#include <stdlib.h> /* realloc, free */
#include <string.h> /* memset, strchr, strcmp, strcspn */

int bench_report_add(struct bench_report *report, const struct gallery_case *test_case,
                     const struct bench_result *result, struct io_error *error)
{
    struct bench_row *rows = (struct bench_row *)realloc(report->rows, ((size_t)report->count + 1) *
                                                                           sizeof *report->rows);

    if (!rows)
        return io_fail(error, "no memory for %d results", report->count + 1);
    report->rows = rows;
    rows[report->count].test_case = test_case;
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

/* A ratio of 1000 or more needs no fraction, for which its column has no room. */
static int decimals(double ratio)
{
    return ratio < 1000 ? 3 : 0;
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

void bench_print_row(const struct bench_machine *machine, const struct gallery_case *test_case,
                     const struct bench_result *result)
{
    const double seconds = result->kernel.median;
    const char *limit;
    const double least = bench_least(machine, test_case, result, &limit);
    char share[SHARE_TEXT_SIZE];

    printf("%-22s %10d %10.2f %5.1f%% %8.1f %8.1f", test_case->name, result->n, 1e6 * seconds,
           100 * spread(result->kernel), 1e-9 * rate(result->bytes, seconds),
           1e-9 * rate(result->flops, seconds));
    if (limit[0])
        printf(" %5s %-7s", share_text(rate(least, seconds), 0, share), limit);
    else
        printf(" %13s", "");
    if (result->compared)
        printf(" %10.1f %7.*f [%.*f, %.*f]", 1e6 * result->baseline.median,
               decimals(result->ratio.median), result->ratio.median, decimals(result->ratio.lower),
               result->ratio.lower, decimals(result->ratio.upper), result->ratio.upper);
    putchar('\n');
    fflush(stdout);
}

/* The routines of a library are cases by the name LIBRARY:NAME. */
static int is_peer(const struct gallery_case *test_case)
{
    return strchr(test_case->name, ':') != NULL;
}

static const struct bench_row *best_rival(const struct bench_report *report,
                                          const struct bench_row *peer)
{
    const struct bench_row *best = NULL;

    for (int k = 0; k < report->count; k++) {
        const struct bench_row *row = &report->rows[k];

        if (is_peer(row->test_case) || row->result.n != peer->result.n ||
            strcmp(case_problem(row->test_case), case_problem(peer->test_case)) != 0)
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

        if (!is_peer(peer->test_case) ||
            (k > 0 && report->rows[k - 1].test_case == peer->test_case) /* a smaller size */)
            continue;
        best = best_rival(report, peer);
        if (!best)
            continue;
        if (count++ == 0)
            printf("\n%-22s %10s %10s  %-22s %10s %7s\n", "library", "n", "us", "our best", "us",
                   "ratio");
        const double ratio = rate(best->result.kernel.median, peer->result.kernel.median);
        printf("%-22s %10d %10.1f  %-22s %10.1f %7.*f\n", peer->test_case->name, peer->result.n,
               1e6 * peer->result.kernel.median, best->test_case->name,
               1e6 * best->result.kernel.median, decimals(ratio), ratio);
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
 * The file
 * --------------------------------------------------------------------------------------------- */

/* A line of fields with tabs between them. */
struct line {
    FILE *stream;
    int fields;
};

static void put_text(struct line *line, const char *text)
{
    if (line->fields++ > 0)
        putc('\t', line->stream);
    for (; *text; text++) /* no text may end a field or a line */
        putc((unsigned char)*text < ' ' ? '?' : *text, line->stream);
}

/* An unknown value is negative or NaN. */
static void put_number(struct line *line, double value)
{
    char text[32] = "";

    if (isfinite(value) && value >= 0)
        snprintf(text, sizeof text, "%.10g", value);
    put_text(line, text);
}

static void put_summary(struct line *line, int known, struct timer_summary summary)
{
    put_number(line, known ? summary.median : -1);
    put_number(line, known ? summary.minimum : -1);
    put_number(line, known ? summary.lower : -1);
    put_number(line, known ? summary.upper : -1);
}

static const char columns[] =
    "target\tfamily\tcase\tproblem\tn\trepeats\tbytes\tflops\tgb_per_second\tgflop_per_second\t"
    "limit\tshare_of_limit\tshare_of_memory\tarray_bytes\tprepare_seconds\t"
    "seconds\tseconds_minimum\tseconds_lower\tseconds_upper\t"
    "plain_seconds\tplain_minimum\tplain_lower\tplain_upper\t"
    "ratio\tratio_minimum\tratio_lower\tratio_upper\n";

static void write_row(FILE *stream, const struct bench_machine *machine,
                      const struct bench_row *row)
{
    const struct bench_result *const result = &row->result;
    const double seconds = result->kernel.median;
    struct line line = {stream, 0};
    const char *limit;
    const double least = bench_least(machine, row->test_case, result, &limit);

    put_text(&line, PORTABLE_TARGET_NAME);
    put_text(&line, row->test_case->family);
    put_text(&line, row->test_case->name);
    put_text(&line, case_problem(row->test_case));
    put_number(&line, result->n);
    put_number(&line, result->repeats);
    put_number(&line, result->bytes);
    put_number(&line, result->flops);
    put_number(&line, 1e-9 * rate(result->bytes, seconds));
    put_number(&line, 1e-9 * rate(result->flops, seconds));
    put_text(&line, limit);
    put_number(&line, limit[0] ? rate(least, seconds) : -1);
    put_number(&line, machine->memory > 0 ? rate(result->bytes, seconds) / machine->memory : -1);
    put_number(&line, result->arrays);
    put_number(&line, result->prepared);
    put_summary(&line, 1, result->kernel);
    put_summary(&line, result->compared, result->baseline);
    put_summary(&line, result->compared, result->ratio);
    putc('\n', stream);
}

static void write_limit(FILE *stream, const char *name, double value)
{
    if (value > 0)
        fprintf(stream, "# %s: %.10g\n", name, value);
}

/* What print_machine prints, each line as a comment. */
static int write_machine(FILE *stream, struct io_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);

    if (lines)
        print_machine(lines);
    if (!lines || fclose(lines) != 0 || !text) {
        free(text);
        return io_fail(error, "no memory to describe the machine");
    }
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");

        fprintf(stream, "# %.*s\n", (int)length, line);
        line += length + (line[length] != '\0');
    }
    free(text);
    return 0;
}

int bench_report_write(const struct bench_report *report, struct io_writer *writer,
                       const char *const *notes, int note_count, struct io_error *error)
{
    FILE *const stream = writer->stream;

    if (write_machine(stream, error) != 0) {
        io_write_abort(writer);
        return IO_BAD;
    }
    for (int k = 0; k < note_count; k++) {
        struct line line = {stream, 0};

        fputs("# ", stream);
        put_text(&line, notes[k]);
        putc('\n', stream);
    }
    write_limit(stream, "memory_bytes_per_second", report->machine.memory);
    write_limit(stream, "flop_per_second", report->machine.peak);
    write_limit(stream, "tensor_flop_per_second", report->machine.tensor);
    fputs(report->complete ? "# complete: yes\n" : BENCH_INCOMPLETE, stream);
    fputs(columns, stream);
    for (int k = 0; k < report->count; k++)
        write_row(stream, &report->machine, &report->rows[k]);
    return io_write_commit(writer, error);
}
