/* SPDX-License-Identifier: BSD-3-Clause */
/* host/results.h, host/html.h and host/report/page.h: results survive writing and reading, and
 * mismatches show on the page and in the result of page_write. */
#define _POSIX_C_SOURCE 200809L
#include "host/check.h"
#include "host/html.h"
#include "host/report/page.h"

#include <math.h>   /* INFINITY */
#include <stdio.h>  /* open_memstream */
#include <stdlib.h> /* free, mkdtemp */
#include <string.h> /* memset, strlen, strstr */
#include <unistd.h> /* access, rmdir, unlink */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static char scratch[] = "/tmp/test_page-XXXXXX", results_path[64], page_path[64];

static int make_scratch(void **state)
{
    (void)state;
    if (!mkdtemp(scratch))
        return -1;
    snprintf(results_path, sizeof results_path, "%s/a.results", scratch);
    snprintf(page_path, sizeof page_path, "%s/page.html", scratch);
    return 0;
}

static int remove_scratch(void **state)
{
    (void)state;
    unlink(results_path);
    unlink(page_path);
    return rmdir(scratch); /* fails if a partial file was left */
}

static struct gallery_case one = {.family = "family", .name = "name", .summary = "a < b\tc"};

static struct check_result agreeing(void)
{
    struct check_result result;

    memset(&result, 0, sizeof result);
    result.verdict = VERDICT_AGREES;
    result.compared_runs = 3;
    result.row_count = 2;
    result.rows[0].pair = "unused";
    result.rows[0].bounded = 1;
    result.rows[0].runs = 3;
    result.rows[0].worst.count = 1000;
    result.rows[0].worst.share = 0.25;
    result.rows[0].worst.worst_ulp = 2;
    result.rows[0].worst.shares.bins[0] = 400;
    result.rows[0].worst.shares.bins[15] = 600;
    result.rows[0].worst.ulps.bins[0] = 400;
    result.rows[0].worst.ulps.bins[6] = 600;
    result.rows[0].block = DIM3(32, 8, 1);
    result.rows[1].pair = "first";
    result.rows[1].runs = 3;
    result.rows[1].worst.count = 1000;
    result.rows[1].block = DIM3(256, 1, 1);
    return result;
}

/* Writes the results of one case and a problem, unless they are NULL, and reads them. */
static void through_file(const struct check_result *result, const char *problem,
                         struct results *results)
{
    struct io_writer writer;
    struct io_error error;

    assert_int_equal(io_write_begin(&writer, results_path, &error), 0);
    results_write_head(writer.stream);
    results_write_line(writer.stream, "input", "some/file.pgm");
    if (result)
        results_write_case(writer.stream, &one, result);
    if (problem)
        results_write_line(writer.stream, "problem", problem);
    results_write_end(writer.stream, result ? result->compared_runs : 0,
                      result ? result->verdict : VERDICT_NOTHING_COMPARED);
    assert_int_equal(io_write_commit(&writer, &error), 0);
    if (results_read(results_path, results, &error) != 0)
        fail_msg("%s", error.text);
}

/* The page of the results, and the result of page_write. */
static char *page_of(const struct results *results, const struct page_options *options, int *status)
{
    struct io_error error;
    char *text;
    size_t size;

    *status = page_write(page_path, results, 1, options, &error);
    assert_int_equal(io_read_file(page_path, &text, &size, &error), 0);
    return text;
}

static void test_results(void **state)
{
    struct check_result result = agreeing();
    struct results results;

    (void)state;
    result.rows[1].failures = 2;
    result.rows[1].worst.mismatches = 7;
    result.rows[1].worst.share = INFINITY;
    snprintf(result.rows[1].where, sizeof result.rows[1].where, "y[7] block (0, 0, 0)");
    result.rows[1].n = 33;
    check_diagnose(&result.diagnostics, "  first\n    second %d\n", 2);
    result.verdict = VERDICT_DIFFERS;
    through_file(&result, NULL, &results);
    assert_string_equal(results.target, PORTABLE_TARGET_NAME);
    assert_non_null(results_fact(&results, "precision"));
    assert_null(results_fact(&results, "nothing"));
    assert_int_equal(results.input_count, 1);
    assert_string_equal(results.inputs[0], "some/file.pgm");
    assert_int_equal(results.verdict, VERDICT_DIFFERS);
    assert_null(results_find(&results, "other"));
    const struct results_case *const got = results_find(&results, "name");

    assert_non_null(got);
    assert_string_equal(got->family, "family");
    assert_string_equal(got->summary, "a < b?c");
    assert_string_equal(got->policy, "exact");
    assert_string_equal(got->reason, "");
    assert_int_equal(got->verdict, VERDICT_DIFFERS);
    assert_true(got->runs == 3);
    assert_int_equal(got->row_count, 2);
    assert_int_equal(got->rows[0].kind, RESULTS_REFERENCE);
    assert_true(got->rows[0].share == 0.25 && got->rows[0].ulp == 2);
    assert_string_equal(got->rows[0].block, "32x8");
    assert_int_equal(got->rows[1].kind, RESULTS_TARGET);
    assert_string_equal(got->rows[1].against, "first");
    assert_true(got->rows[1].failures == 2 && got->rows[1].mismatches == 7);
    assert_true(got->rows[1].share == INFINITY);
    assert_string_equal(got->rows[1].where, "y[7] block (0, 0, 0)");
    assert_string_equal(got->rows[1].n, "33");
    assert_int_equal(got->rows[0].shares.bins[15], 600);
    assert_int_equal(got->rows[0].ulps.bins[6], 600);
    assert_int_equal(got->diagnostic_count, 2);
    assert_string_equal(got->diagnostics[1], "    second 2");
    results_free(&results);
}

/* A case, and a row of one run and ten elements, the end of which is never reached. */
#define CASE_OF_RESULTS "portable.h results 1\ntarget: a\n\ncase\tf\tn\ts\texact\t\n"
#define ROW_OF_RESULTS(failures, mismatches, share)                                                \
    "reference\tx\t1\t" failures "\t10\t" mismatches "\t0\t0\t" share "\t1\t1\t\n"

/* Each of these is refused, with a reason. */
static void test_bad_results(void **state)
{
    static const char *const files[][2] = {
        {"", "which begin with"},
        {"portable.h results 1\n", "the file is cut"},
        {"portable.h results 1\ntarget: a\n\ncase\tf\tn\ts\texact\t\n", "the file is cut"},
        {"portable.h results 1\ntarget: a\n\nend\t1\t0", "the file is cut"},
        {"portable.h results 1\n\nend\t1\t0\n", "name no target"},
        {"portable.h results 1\nno fact\n\nend\t1\t0\n", "line 2"},
        {"portable.h results 1\ntarget: a\n\nfrobnicate\n", "line 4"},
        {"portable.h results 1\ntarget: a\n\ndone\t1\t0\n", "line 4"},
        {"portable.h results 1\ntarget: a\n\ncase\tf\tn\ts\texact\t\nend\t1\t0\n", "line 5"},
        {"portable.h results 1\ntarget: a\n\ncase\tf\tn\ts\texact\t\nshares\t1\n", "line 5"},
        {"portable.h results 1\ntarget: a\n\ncase\tf\tn\ts\texact\t\nreference\tx\n", "line 5"},
        {"portable.h results 1\ntarget: a\n\nend\t1\t3\n", "line 4"},
        {"portable.h results 1\ntarget: a\n\nend\t1\t0\nend\t1\t0\n", "follows the end"},
        {"portable.h results 2\ntarget: a\n\nend\t1\t0\n", "which begin with"},
        {"portable.h results 10\ntarget: a\n\nend\t1\t0\n", "which begin with"},
        {"portable.h results 1\ntarget: a\n\nend\t1\t0\n", "lines are missing"},
        {"portable.h results 1\ntarget: a\n\nend\t-5\t0\n", "line 4"},
        {"portable.h results 1\ntarget: a\n\nend\tnan\t0\n", "line 4"},
        {CASE_OF_RESULTS "done\t1\t0\nend\t2\t0\n", "lines are missing"},
        {CASE_OF_RESULTS "told\twrong\ndone\t1\t0\nend\t1\t0\n", "line 6"},
        {CASE_OF_RESULTS "done\t1\t2\tDIFFERS\nend\t1\t2\n", "line 5"},
        {CASE_OF_RESULTS "done\t1\t1\tFRIGHTENS\nend\t1\t1\n", "line 5"},
        {CASE_OF_RESULTS ROW_OF_RESULTS("0", "5", "0"), "line 5"},
        {CASE_OF_RESULTS ROW_OF_RESULTS("nan", "0", "0"), "line 5"},
        {CASE_OF_RESULTS ROW_OF_RESULTS("-1", "0", "0"), "line 5"},
        {CASE_OF_RESULTS ROW_OF_RESULTS("2", "0", "0"), "line 5"},
        {CASE_OF_RESULTS ROW_OF_RESULTS("0.5", "0", "0"), "line 5"},
        {CASE_OF_RESULTS ROW_OF_RESULTS("1", "11", "0"), "line 5"},
        {CASE_OF_RESULTS ROW_OF_RESULTS("0", "0", "inf"), "line 5"},
        {CASE_OF_RESULTS ROW_OF_RESULTS("0", "0", "nan"), "line 5"},
    };
    static const char with_nul[] = "portable.h results 1\ntarget: a\n\nend\t1\t0\n\0case\n";

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        struct results results;
        struct io_error error;

        assert_int_equal(io_write_file(results_path, files[k][0], strlen(files[k][0]), &error), 0);
        assert_int_equal(results_read(results_path, &results, &error), IO_BAD);
        if (!strstr(error.text, files[k][1]))
            fail_msg("file %zu: %s", k, error.text);
        assert_null(results.text);
    }
    struct results results;
    struct io_error error;

    assert_int_equal(io_write_file(results_path, with_nul, sizeof with_nul - 1, &error), 0);
    assert_int_equal(results_read(results_path, &results, &error), IO_BAD);
}

/* One failure in a row is enough, whatever the case's status says. */
static void test_one_failure(void **state)
{
    struct check_result result = agreeing();
    struct page_options options;
    struct results results;
    char *text;
    int status;

    (void)state;
    result.rows[1].failures = 1;
    memset(&options, 0, sizeof options);
    through_file(&result, NULL, &results);
    text = page_of(&results, &options, &status);
    assert_int_equal(status, 1);
    assert_non_null(strstr(text, "1 of 1 cases fails"));
    free(text);
    results_free(&results);
}

/* A case has one row for each record that it is compared with: the worst counts, first or last. */
static void test_worst_of_a_case(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        struct page_options options;
        struct results results;
        struct io_error error;
        char text[256], *page;
        int status;

        snprintf(text, sizeof text,
                 "portable.h results 1\ntarget: a\n\n"
                 "case\tf\tn\ts\texact\t\ndone\t1\t%d\n"
                 "case\tf\tn\ts\texact\t\ndone\t1\t%d\nend\t2\t0\n",
                 first ? 2 : 0, first ? 0 : 2);
        assert_int_equal(io_write_file(results_path, text, strlen(text), &error), 0);
        assert_int_equal(results_read(results_path, &results, &error), 0);
        assert_int_equal(results.case_count, 1);
        assert_int_equal(results.cases[0].verdict, VERDICT_ERROR);
        memset(&options, 0, sizeof options);
        page = page_of(&results, &options, &status);
        assert_int_equal(status, 1);
        assert_non_null(strstr(page, "1 of 1 cases fails"));
        free(page);
        results_free(&results);
    }
}

static void test_html(void **state)
{
    static const char *const pairs[][2] = {
        {"", "data:t;base64,"},
        {"f", "data:t;base64,Zg=="},
        {"fo", "data:t;base64,Zm8="},
        {"foo", "data:t;base64,Zm9v"},
        {"\xff\xfe\xfd\xfc", "data:t;base64,//79/A=="},
    };
    static const char *volatile nothing; /* NULL, which the compiler is not to see */

    (void)state;
    for (size_t k = 0; k <= sizeof pairs / sizeof pairs[0]; k++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);

        assert_non_null(stream);
        if (k < sizeof pairs / sizeof pairs[0])
            html_data(stream, "t", pairs[k][0], strlen(pairs[k][0]));
        else {
            html_print(stream, "<a href=\"%s\">%.*s%s%d %zu %.1f %.2g%%</a>\n", "&\"", 2, "<>'",
                       nothing, -1, (size_t)2, 0.5, 1.5);
            html_count(stream, 1234567);
        }
        fclose(stream);
        assert_string_equal(text, k < sizeof pairs / sizeof pairs[0]
                                      ? pairs[k][1]
                                      : "<a href=\"&amp;&quot;\">&lt;&gt;-1 2 0.5 1.5%</a>\n"
                                        "1&#8239;234&#8239;567");
        free(text);
    }
}

/* A page that declares UTF-8 must not contain anything else. */
static void test_utf8(void **state)
{
    static const char *const pairs[][2] = {
        {"\xc3\xa9\xe2\x89\xa0\xf0\x9f\x8c\x8a", "\xc3\xa9\xe2\x89\xa0\xf0\x9f\x8c\x8a"},
        {"a\xe9z", "a?z"},
        {"\xc3", "?"},
        {"\xe2\x89<", "??&lt;"},
        {"\xc0\xaf", "??"},
        {"\xed\xa0\x80", "???"},
        {"\xf4\x90\x80\x80", "????"},
        {"\xe0\x80\xaf", "???"},
        {"\x80\xff\t", "?? "},
    };

    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);

        assert_non_null(stream);
        html_text(stream, pairs[k][0]);
        fclose(stream);
        assert_string_equal(text, pairs[k][1]);
        free(text);
    }
}

static void test_agrees(void **state)
{
    const struct check_result result = agreeing();
    struct page_options options;
    struct results results;
    char *text;
    int status;

    (void)state;
    memset(&options, 0, sizeof options);
    options.missing.texts[options.missing.count++] = "cuda: no <device>";
    through_file(&result, NULL, &results);
    text = page_of(&results, &options, &status);
    assert_int_equal(status, 0);
    assert_non_null(strstr(text, "All results agree"));
    assert_non_null(strstr(text, "25% of the bound"));
    assert_non_null(strstr(text, "= first"));
    assert_non_null(strstr(text, "a &lt; b?c"));
    assert_non_null(strstr(text, "cuda: no &lt;device&gt;"));
    assert_non_null(strstr(text, "without any error 40% of them"));
    assert_null(strstr(text, "&#10007;"));
    assert_null(strstr(text, "class=\"verdict failed\""));
    free(text);
    results_free(&results);
}

/* A failure must show, and must not be 0. */
static void test_fails(void **state)
{
    enum { ROW, CASE, FILE_STATUS, PROBLEM, TARGET, NOTHING, EMPTY, WAYS };
    static const char *const says[WAYS] = {
        "1 of 1 cases fails",  "1 of 1 cases fails", "Not everything could be checked",
        "a broken record",     "openmp: crashed",    "Nothing was compared",
        "Nothing was compared"};

    (void)state;
    for (int way = 0; way < WAYS; way++) {
        struct check_result result = agreeing();
        struct page_options options;
        struct results results;
        char *text;
        int status;

        memset(&options, 0, sizeof options);
        if (way == ROW)
            result.rows[1].failures = 1;
        if (way == CASE)
            check_diagnose(&result.diagnostics, "  never written\n");
        if (way == ROW || way == CASE)
            result.verdict = VERDICT_DIFFERS;
        if (way == EMPTY) { /* arrays without elements */
            result.rows[0].worst.count = result.rows[1].worst.count = 0;
            result.verdict = verdict_of(0, 0);
        }
        through_file(way == NOTHING ? NULL : &result, way == PROBLEM ? "a broken record" : NULL,
                     &results);
        if (way == FILE_STATUS)
            results.verdict = VERDICT_DIFFERS;
        if (way == TARGET)
            options.failed.texts[options.failed.count++] = "openmp: crashed";
        text = page_of(&results, &options, &status);
        assert_int_equal(status, 1);
        if (!strstr(text, says[way]) || !strstr(text, "&#10007;"))
            fail_msg("way %d: the page does not say: %s", way, says[way]);
        assert_null(strstr(text, "All results agree"));
        assert_non_null(strstr(text, "class=\"verdict failed\""));
        if (way == CASE)
            assert_non_null(strstr(text, "never written"));
        free(text);
        results_free(&results);
    }
}

/* Reads the results of a target, of which `how` tells: o agrees with the reference, w does not; d
 * agrees with it, and differs from another target; n has no reference, x neither, and differs; u
 * has an element that was never written; c crashes; e is an error; r differs from a record. */
static void read_target(const char *target, char how, struct results *results)
{
    static const char *const ends[][2] = {
        {"wdxr", "1\tDIFFERS"}, {"u", "1\tUNWRITTEN"}, {"c", "1\tCRASHED"}, {"e", "2\tERROR"}};
    const char *end = "0", *const wrong = "1\t10\t9\t1\t1\t9e40\t1\t1\ty\n",
               *const right = "0\t10\t0\t0\t0\t0\t1\t1\t\n";
    char text[512];
    struct io_error error;

    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++)
        if (strchr(ends[k][0], how))
            end = ends[k][1];
    snprintf(text, sizeof text,
             "portable.h results 1\ntarget: %s\n\ncase\tf\tn\ts\texact\t\n%s%s%s%s%s%s"
             "done\t1\t%s\nend\t1\t%c\n",
             target, strchr("nxr", how) ? "" : "reference\tx\t1\t",
             strchr("nxr", how)    ? ""
             : strchr("wuce", how) ? wrong
                                   : right,
             strchr("dnx", how) ? "target\tserial\t1\t" : "",
             strchr("dx", how) ? wrong
             : how == 'n'      ? right
                               : "",
             how == 'r' ? "record\tGPU\t1\t" : "", how == 'r' ? wrong : "", end, end[0]);
    assert_int_equal(io_write_file(results_path, text, strlen(text), &error), 0);
    if (results_read(results_path, results, &error) != 0)
        fail_msg("%s: %s", error.text, text);
}

/* The command for a failure, by what happens on serial, openmp and emulate; - did not run. */
static void test_next_step(void **state)
{
    static const char *const steps[][2] = {
        {"oow", "racecheck"}, {"-ow", "racecheck"}, {"owo", "racecheck"},  {"oww", "racecheck"},
        {"woo", "debug"},     {"wwo", "debug"},     {"www", "checks"},     {"wow", "checks"},
        {"w--", "checks"},    {"--w", "checks"},    {"ood", "ordercheck"}, {"odo", "ordercheck"},
        {"nnx", "checks"},    {"oou", "initcheck"}, {"wuw", "initcheck"},  {"ccc", "memcheck"},
        {"coe", "memcheck"},  {"uuc", "memcheck"},  {"ooe", NULL},         {"eee", NULL},
        {"rrr", NULL},        {"ooo", NULL}};
    static const char *const targets[] = {"serial", "openmp", "emulate"};

    (void)state;
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        struct page_options options;
        struct results results[3];
        struct io_error error;
        char command[64], *text;
        size_t size;
        int count = 0, found = 0;

        memset(&options, 0, sizeof options);
        for (int t = 0; t < 3; t++)
            if (steps[k][0][t] != '-')
                read_target(targets[t], steps[k][0][t], &results[count++]);
        assert_int_equal(page_write(page_path, results, count, &options, &error),
                         strcmp(steps[k][0], "ooo") != 0);
        assert_int_equal(io_read_file(page_path, &text, &size, &error), 0);
        snprintf(command, sizeof command, "<b>Next:</b> <code>make %s CASES=n</code>",
                 steps[k][1] ? steps[k][1] : "");
        for (const char *at = text; (at = strstr(at, "<b>Next:</b>")) != NULL; at++)
            found++;
        if (found != (steps[k][1] != NULL) || (steps[k][1] && !strstr(text, command)))
            fail_msg("%s: %d commands, not %s", steps[k][0], found, command);
        assert_null(strstr(text, "e+4"));
        assert_null(strstr(text, "900000"));
        free(text);
        for (int t = 0; t < count; t++)
            results_free(&results[t]);
    }
}

/* A page that cannot be written is bad input, and leaves no file. */
static void test_unwritable(void **state)
{
    const struct check_result result = agreeing();
    struct page_options options;
    struct results results;
    struct io_error error;

    (void)state;
    memset(&options, 0, sizeof options);
    through_file(&result, NULL, &results);
    assert_int_equal(page_write("/nonexistent/page.html", &results, 1, &options, &error), IO_BAD);
    assert_non_null(strstr(error.text, "/nonexistent/page.html"));
    results_free(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_bad_results),
        cmocka_unit_test(test_worst_of_a_case),
        cmocka_unit_test(test_one_failure),
        cmocka_unit_test(test_html),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_agrees),
        cmocka_unit_test(test_fails),
        cmocka_unit_test(test_next_step),
        cmocka_unit_test(test_unwritable),
    };

    return cmocka_run_group_tests_name("page", tests, make_scratch, remove_scratch) != 0;
}
