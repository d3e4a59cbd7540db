/* SPDX-License-Identifier: BSD-3-Clause */
/* host/bench_report.h, and the roofline of host/bench.h. */
#define _POSIX_C_SOURCE 200809L
#include "host/bench_report.h"

#include <math.h>   /* fabs, NAN, pow */
#include <stdio.h>  /* open_memstream */
#include <stdlib.h> /* free, mkdtemp */
#include <string.h> /* strstr */
#include <unistd.h> /* unlink, rmdir */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static struct gallery_case one;

static struct bench_result result_of(double bytes, double flops, double seconds)
{
    struct bench_result result;

    memset(&result, 0, sizeof result);
    result.n = 10;
    result.repeats = 5;
    result.bytes = bytes;
    result.flops = flops;
    result.kernel.median = seconds;
    result.resident = -1;
    return result;
}

static void test_roofline(void **state)
{
    const struct bench_machine machine = {100, 1000, 0, {0}}, unknown = {0, 0, 0, {0}};
    struct bench_result result = result_of(200, 1000, 4);
    const char *limit;

    (void)state;
    one.family = "vector";
    assert_true(bench_least(&machine, &one, &result, &limit) == 2);
    assert_string_equal(limit, "memory");
    result.flops = 3000;
    assert_true(bench_least(&machine, &one, &result, &limit) == 3);
    assert_string_equal(limit, "compute");
    assert_true(bench_least(&unknown, &one, &result, &limit) == 0);
    assert_string_equal(limit, "");
    result = result_of(0, 0, 4);
    assert_true(bench_least(&machine, &one, &result, &limit) == 0);
    assert_string_equal(limit, "");
}

static void test_json_string(void **state)
{
    static const char *const pairs[][2] = {
        {"", "\"\""},
        {"-O3 -g", "\"-O3 -g\""},
        {"-DX='\"a\\b\"'", "\"-DX='\\\"a\\\\b\\\"'\""},
        {"two\nlines\t", "\"two\\u000alines\\u0009\""},
        {"\xc3\xa9", "\"\xc3\xa9\""},
    };

    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);

        assert_non_null(stream);
        json_string(stream, pairs[k][0], strlen(pairs[k][0]));
        fclose(stream);
        assert_string_equal(text, pairs[k][1]);
        free(text);
    }
}

static void test_file(void **state)
{
    static const char *const notes[] = {"commit: a \"quoted\" one"};
    char directory[] = "/tmp/test_bench_report-XXXXXX", path[64], *text;
    struct bench_report report;
    struct bench_result result = result_of(1e9, 0, 0.5);
    struct io_writer writer;
    struct io_error error;
    size_t size;

    (void)state;
    memset(&report, 0, sizeof report);
    report.machine.memory = 4e9;
    one.family = "family";
    one.name = "name";
    assert_int_equal(bench_report_add(&report, &one, &result, &error), 0);
    result.kernel.median = NAN;
    assert_int_equal(bench_report_add(&report, &one, &result, &error), 0);

    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/file", directory);
    assert_int_equal(io_write_begin(&writer, path, &error), 0);
    assert_int_equal(bench_report_write(&report, &writer, notes, 1, &error), 0);
    assert_int_equal(io_read_file(path, &text, &size, &error), 0);
    assert_non_null(strstr(text, "\"commit\": \"a \\\"quoted\\\" one\"\n  },\n"));
    assert_non_null(strstr(text, BENCH_INCOMPLETE));
    assert_non_null(strstr(text, "\"memory_bytes_per_second\": 4000000000, "
                                 "\"flop_per_second\": null"));
    assert_non_null(strstr(text,
                           "\"case\": \"name\", \"problem\": \"name\", \"n\": 10, \"repeats\": 5, "
                           "\"bytes\": 1000000000, "));
    assert_non_null(strstr(text, "\"gb_per_second\": 2, "));
    assert_non_null(strstr(text, "\"share_of_limit\": 0.5, "));
    assert_non_null(strstr(text, "\"plain_seconds\": null, \"ratio\": null, \"hint\": null},\n"));
    assert_null(strstr(text, "nan"));
    free(text);
    report.complete = 1;
    assert_int_equal(io_write_begin(&writer, path, &error), 0);
    assert_int_equal(bench_report_write(&report, &writer, notes, 1, &error), 0);
    assert_int_equal(io_read_file(path, &text, &size, &error), 0);
    assert_non_null(strstr(text, "\n  \"complete\": true,\n"));
    assert_null(strstr(text, BENCH_INCOMPLETE));
    free(text);
    unlink(path);
    assert_int_equal(rmdir(directory), 0); /* no partial file is left */
    bench_report_free(&report);
}

/* A size that was disturbed breaks a promise until it is measured again. */
static void test_measured_again(void **state)
{
    struct bench_report report;
    struct io_error error;

    (void)state;
    memset(&report, 0, sizeof report);
    one.family = "family";
    for (int k = 12; k >= 0; k--) {
        struct bench_result result = result_of(0, 0, 1);

        result.n = 1 << k;
        result.compared = 1;
        result.least.seconds = (k == 9 ? 10 : 1) * 1e-6 * result.n;
        result.plain_least.seconds = 1e-6 * result.n;
        assert_int_equal(bench_report_add(&report, &one, &result, &error), 0);
    }
    assert_false(bench_growth_is_good(&report, 0));
    struct bench_result again = report.rows[3].result;
    again.least.seconds = 1e-6 * again.n;
    bench_report_again(&report, 3, &again);
    assert_true(bench_growth_is_good(&report, 0));
    again.least.seconds = again.plain_least.seconds = 1;
    bench_report_again(&report, 3, &again);
    assert_true(report.rows[3].result.least.seconds == 1e-6 * again.n);
    assert_true(bench_growth_is_good(&report, 0));
    again.least = again.plain_least = (struct bench_least_time){1e-9, 1};
    bench_report_again(&report, 3, &again);
    assert_true(report.rows[3].result.least.seconds == 1e-6 * again.n);
    assert_true(report.rows[3].result.plain_least.seconds == 1e-6 * again.n);
    report.rows[3].result.least.estimated = 1;
    again.least = (struct bench_least_time){1, 0};
    bench_report_again(&report, 3, &again);
    assert_true(report.rows[3].result.least.seconds == 1);
    assert_false(report.rows[3].result.least.estimated);
    report.count = 3; /* too few to judge */
    assert_false(bench_growth_is_good(&report, 0));
    bench_report_free(&report);
}

/* Time that is the memory's may grow as a copy's does, and that of operations may not. */
static void test_growth_of_the_memory(void **state)
{
    struct bench_report report;
    struct io_error error;

    (void)state;
    for (int by_memory = 0; by_memory < 2; by_memory++) {
        memset(&report, 0, sizeof report);
        report.machine.memory = by_memory ? 1e6 : 1e12;
        report.machine.peak = by_memory ? 1e12 : 1e6;
        for (int k = 12; k >= 0; k--) {
            struct bench_result result = result_of(2 * (2048 << k), 2 * (2048 << k), 1);

            result.n = 1 << k;
            result.least.seconds = 1e-6 * pow(result.n, 1.6);
            assert_int_equal(bench_report_add(&report, &one, &result, &error), 0);
        }
        assert_false(bench_growth_is_good(&report, 0)); /* the copies are unknown */
        for (int k = 0; k < BENCH_COPIES; k++)
            report.machine.copies[k] = 1e-6 * pow(2, 1.6 * k);
        assert_int_equal(bench_growth_is_good(&report, 0), by_memory);
        bench_report_free(&report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roofline),
        cmocka_unit_test(test_json_string),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_measured_again),
        cmocka_unit_test(test_growth_of_the_memory),
    };

    return cmocka_run_group_tests_name("bench_report", tests, NULL, NULL) != 0;
}
