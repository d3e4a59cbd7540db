/* SPDX-License-Identifier: BSD-3-Clause */
/* The output of gallery bench: the table, and a file for plots and for later comparison. */
#ifndef PORTABLE_HOST_BENCH_BENCH_REPORT_H
#define PORTABLE_HOST_BENCH_BENCH_REPORT_H

#include "host/bench/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bench_row {
    const struct gallery_case *test_case;
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

int bench_report_add(struct bench_report *report, const struct gallery_case *test_case,
                     const struct bench_result *result, struct io_error *error);
void bench_report_free(struct bench_report *report);

/* The table on stdout, line by line as the results come. */
void bench_print_heading(const struct bench_machine *machine);
void bench_print_row(const struct bench_machine *machine, const struct gallery_case *test_case,
                     const struct bench_result *result);

/*
 * A vendor library's routine is a case by the name of LIBRARY:NAME. Its rivals are the cases of its
 * problem. Prints each such routine beside the fastest of its rivals. Prints nothing if there is
 * none.
 */
void bench_print_peers(const struct bench_report *report);

/* How long all took, and how much of it was for the inputs. */
void bench_print_total(const struct bench_report *report, double seconds);

/*
 * Writes the report to the file that io_write_begin opened, and commits it, or gives it up. First
 * come lines "# KEY: VALUE": the machine, `notes`, the measured limits, and "complete", which is
 * yes or, in the line BENCH_INCOMPLETE, no. Then come the names of the columns, and a line for each
 * case and size, with a tab between fields. Times are in seconds, sizes in bytes; the field of an
 * unknown value is empty.
 */
#define BENCH_INCOMPLETE "# complete: no\n"
int bench_report_write(const struct bench_report *report, struct io_writer *writer,
                       const char *const *notes, int note_count, struct io_error *error);

#ifdef __cplusplus
}
#endif

#endif
