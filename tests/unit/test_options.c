/* SPDX-License-Identifier: BSD-3-Clause */
/* host/options.h: what is read, refused and printed. */
#include "host/options.h"

#include <stdlib.h> /* free */
#include <string.h> /* strcmp, strstr */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static int quiet, steps;
static double rate;
static struct options_texts notes;
static const char *out, *image;

enum { ENTRIES = 6, MOST_WORDS = 6 };
static struct options_entry entries[ENTRIES];

static void set(void)
{
    const struct options_entry all[ENTRIES] = {
        options_flag("--quiet", &quiet, "print less"),
        options_whole("--steps N", &steps, -3, 1000, "time steps"),
        options_texts("--note TEXT", &notes, "a remark"),
        options_number("--rate R", &rate, 0, 0.5, "interest"),
        options_text("--out FILE", &out, "the result"),
        options_text("IMAGE", &image, "a picture"),
    };

    memcpy(entries, all, sizeof all);
    quiet = 0;
    steps = 7;
    notes.count = 0;
    rate = 0.25;
    out = NULL;
    image = "default.pgm";
}

static int parse(const char *const words[MOST_WORDS], struct io_error *error)
{
    const char *arguments[MOST_WORDS + 2] = {"waves"};
    int count = 1;

    set();
    for (; count <= MOST_WORDS && words[count - 1]; count++)
        arguments[count] = words[count - 1];
    return options_parse(count, (char *const *)arguments, entries, ENTRIES, error);
}

static void test_values(void **state)
{
    const char *const none[MOST_WORDS] = {NULL};
    const char *const numbers[MOST_WORDS] = {"--steps", "-3", "--rate", "5e-1"};
    const char *const texts[MOST_WORDS] = {"a.pgm", "--quiet", "--out", "-rate"};
    const char *const equals[MOST_WORDS] = {"--note=a", "--steps=1", "--note", "b=c", "--out=--x"};
    const char *const ended[MOST_WORDS] = {"--quiet", "--", "--steps"};
    struct io_error error;

    (void)state;
    assert_int_equal(parse(none, &error), 0);
    assert_int_equal(steps, 7);
    assert_string_equal(image, "default.pgm");
    assert_int_equal(parse(numbers, &error), 0);
    assert_int_equal(steps, -3);
    assert_true(rate >= 0.5 && rate <= 0.5);
    assert_int_equal(quiet, 0);
    assert_int_equal(parse(texts, &error), 0);
    assert_int_equal(quiet, 1);
    assert_string_equal(image, "a.pgm");
    assert_string_equal(out, "-rate");
    assert_int_equal(parse(equals, &error), 0);
    assert_int_equal(steps, 1);
    assert_int_equal(notes.count, 2);
    assert_string_equal(notes.texts[0], "a");
    assert_string_equal(notes.texts[1], "b=c");
    assert_string_equal(out, "--x");
    assert_int_equal(parse(ended, &error), 0);
    assert_int_equal(quiet, 1);
    assert_string_equal(image, "--steps");
}

static void test_refused(void **state)
{
    static const struct {
        const char *words[MOST_WORDS], *sentence;
    } bad[] = {
        {{"--what", "1"}, "takes no --what"},
        {{"-q"}, "takes no -q"},
        {{"--step", "1"}, "takes no --step"},
        {{"--step=1"}, "takes no --step=1"},
        {{"--quiet=1"}, "takes no --quiet=1"},
        {{"--steps", "1", "--steps", "2"}, "--steps is given twice"},
        {{"--steps"}, "--steps needs a value"},
        {{"--out", "--rate", "0.1"}, "--out needs a value"},
        {{"--out", ""}, "--out needs a value"},
        {{"--steps="}, "--steps needs a value"},
        {{"a", "b"}, "IMAGE is given twice"},
        {{"a", "--", "--quiet"}, "IMAGE is given twice"},
        {{"--steps", "1001"}, "--steps takes an integer from -3 to 1000, not 1001"},
        {{"--steps", "1.5"}, "--steps takes an integer from -3 to 1000, not 1.5"},
        {{"--steps", "1x"}, "--steps takes an integer from -3 to 1000, not 1x"},
        {{"--steps", "1e2"}, "--steps takes an integer from -3 to 1000, not 1e2"},
        {{"--steps=99999999999999999999"},
         "--steps takes an integer from -3 to 1000, not 99999999999999999999"},
        {{"--rate", "nan"}, "--rate takes a number from 0 to 0.5, not nan"},
        {{"--rate", "0.51"}, "--rate takes a number from 0 to 0.5, not 0.51"},
    };
    const char *many[OPTIONS_MOST + 2] = {"waves", "a.pgm"};
    struct io_error error;

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_int_equal(parse(bad[k].words, &error), IO_BAD);
        assert_string_equal(error.text, bad[k].sentence);
    }
    assert_int_equal(options_parse(2, (char *const *)many, entries, ENTRIES - 1, &error), IO_BAD);
    assert_string_equal(error.text, "takes no a.pgm");
    for (int k = 1; k < OPTIONS_MOST + 2; k++)
        many[k] = "--note=a";
    set();
    assert_int_equal(options_parse(OPTIONS_MOST + 1, (char *const *)many, entries, ENTRIES, &error),
                     0);
    set();
    assert_int_equal(options_parse(OPTIONS_MOST + 2, (char *const *)many, entries, ENTRIES, &error),
                     IO_BAD);
    assert_string_equal(error.text, "takes 64 of --note TEXT at most");
}

/* The range and the default of each entry; no default outside of its range. */
static void test_help(void **state)
{
    static const char *const expected = "usage: waves [--quiet] [--steps N] [--note TEXT]... "
                                        "[--rate R] [--out FILE]\n             [IMAGE]\n\n"
                                        "Waves.\n\n"
                                        "  --quiet      print less\n"
                                        "  --steps N    time steps (-3 to 1000, default 7)\n"
                                        "  --note TEXT  a remark\n"
                                        "  --rate R     interest (0 to 0.5, default 0.25)\n"
                                        "  --out FILE   the result\n"
                                        "  IMAGE        a picture (default default.pgm)\n";
    FILE *const file = tmpfile();
    char text[1000] = "";

    (void)state;
    assert_non_null(file);
    set();
    options_print_help(file, "waves", "Waves.", entries, ENTRIES);
    rewind(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_help),
    };

    return cmocka_run_group_tests_name("options", tests, NULL, NULL) != 0;
}
