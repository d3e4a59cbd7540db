/* SPDX-License-Identifier: BSD-3-Clause */
/* host/bench/bench_report.h, and the roofline of host/bench/bench.h. */
#define _POSIX_C_SOURCE 200809L
#include "host/bench/bench_report.h"

#include <math.h>   /* NAN */
#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* free, mkdtemp */
#include <string.h> /* strlen, strstr */
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
    result.kernel = (struct timer_summary){seconds / 4, seconds / 2, seconds, seconds * 1.5};
    return result;
}

static void test_roofline(void **state)
{
    const struct bench_machine machine = {100, 1000, 0}, unknown = {0, 0, 0};
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

static void test_file(void **state)
{
    static const char *const notes[] = {"commit: a\ttab\nand a line"};
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
    result.kernel.median = NAN; /* unknown */
    result.compared = 1;
    result.baseline = (struct timer_summary){0.5, 1, 2, 3};
    result.ratio = (struct timer_summary){0.25, 0.5, 0.75, 1};
    assert_int_equal(bench_report_add(&report, &one, &result, &error), 0);

    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/file", directory);
    assert_int_equal(io_write_begin(&writer, path, &error), 0);
    assert_int_equal(bench_report_write(&report, &writer, notes, 1, &error), 0);
    assert_int_equal(io_read_file(path, &text, &size, &error), 0);
    assert_non_null(strstr(text, "\n# commit: a?tab?and a line\n"));
    assert_non_null(strstr(text, "\n# memory_bytes_per_second: 4000000000\n" BENCH_INCOMPLETE));
    assert_string_equal(
        strstr(text, BENCH_INCOMPLETE) + strlen(BENCH_INCOMPLETE),
        "target\tfamily\tcase\tproblem\tn\trepeats\tbytes\tflops\tgb_per_second\t"
        "gflop_per_second\tlimit\tshare_of_limit\tshare_of_memory\tarray_bytes\t"
        "prepare_seconds\tseconds\tseconds_minimum\tseconds_lower\tseconds_upper\t"
        "plain_seconds\tplain_minimum\tplain_lower\tplain_upper\t"
        "ratio\tratio_minimum\tratio_lower\tratio_upper\n"
        "serial\tfamily\tname\tname\t10\t5\t1000000000\t0\t2\t0\tmemory\t0.5\t0.5\t0\t0\t"
        "0.5\t0.125\t0.25\t0.75\t\t\t\t\t\t\t\t\n"
        "serial\tfamily\tname\tname\t10\t5\t1000000000\t0\t0\t0\tmemory\t0\t0\t0\t0\t"
        "\t0.125\t0.25\t0.75\t2\t0.5\t1\t3\t0.75\t0.25\t0.5\t1\n");
    free(text);
    report.complete = 1;
    assert_int_equal(io_write_begin(&writer, path, &error), 0);
    assert_int_equal(bench_report_write(&report, &writer, notes, 1, &error), 0);
    assert_int_equal(io_read_file(path, &text, &size, &error), 0);
    assert_non_null(strstr(text, "\n# complete: yes\n"));
    assert_null(strstr(text, BENCH_INCOMPLETE));
    free(text);
    unlink(path);
    assert_int_equal(rmdir(directory), 0); /* no partial file is left */
    bench_report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roofline),
        cmocka_unit_test(test_file),
    };

    return cmocka_run_group_tests_name("bench_report", tests, NULL, NULL) != 0;
}
