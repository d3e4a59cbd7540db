/* SPDX-License-Identifier: BSD-3-Clause */
/* The output of gallery bench: the table, the growth of each case, and a file for plots and for
 * later comparison. */
#ifndef PORTABLE_HOST_BENCH_REPORT_H
#define PORTABLE_HOST_BENCH_REPORT_H

#include "host/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bench_row {
    const struct gallery_case *which;
    struct bench_result result;
};

/* All zeros is an empty report. Rows of one case are together, the size of the table first, then
 * from the largest on. */
struct bench_report {
    struct bench_machine machine;
    struct bench_row *rows;
    int count;
    int complete; /* 1: of all cases that were asked for */
};

int bench_report_add(struct bench_report *report, const struct gallery_case *which,
                     const struct bench_result *result, struct io_error *error);
void bench_report_free(struct bench_report *report);

/* The table on stdout, line by line as the results come. */
void bench_print_heading(const struct bench_machine *machine);
void bench_print_row(const struct bench_machine *machine, const struct gallery_case *which,
                     const struct bench_result *result);

/*
 * A vendor library's routine is a case by the name of LIBRARY:NAME. Its rivals are the cases of its
 * problem. Prints each such routine beside the fastest of its rivals. Prints nothing if there is
 * none.
 */
void bench_print_peers(const struct bench_report *report);

/* How long all took, and how much of it was for the inputs. */
void bench_print_total(const struct bench_report *report, double seconds);

/* 1 if the case whose rows begin with `first` can be judged, and its time grows as host/growth.h
 * asks. Times are those of bench_least_of. */
int bench_growth_is_good(const struct bench_report *report, int first);

/* Another measurement of a row: of both, the least times count, and estimates only if both are. */
void bench_report_again(struct bench_report *report, int row, const struct bench_result *result);

/* The table of growth, of a report with many sizes of each case; returns how many cases break what
 * host/growth.h asks, or took more than 64 MiB of the host's memory beyond their arrays. */
int bench_print_growth(const struct bench_report *report);

/*
 * Writes the report to the file that io_write_begin opened, and commits it, or gives it up. It is
 * one JSON object: "complete" is true or, in a line that is BENCH_INCOMPLETE, false; "machine" has
 * strings, those of `notes` ("KEY: VALUE") among them, "limits" the measured ones, and "results"
 * one object per case and size, one per line with its members in the same order, so that awk can
 * read it. Times are in seconds, sizes in bytes; an unknown value is null.
 */
#define BENCH_INCOMPLETE "\n  \"complete\": false,\n"
int bench_report_write(const struct bench_report *report, struct io_writer *writer,
                       const char *const *notes, int note_count, struct io_error *error);

/* For the file, and its test: a JSON string of the text. Bytes beyond ASCII stay as they are. */
void json_string(FILE *stream, const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
