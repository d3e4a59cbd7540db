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

static int quiet, steps, paths;
static double rate;
static const char *out, *image;

enum { ENTRIES = 6, MOST_WORDS = 6 };
static struct options_entry entries[ENTRIES];

static void set(void)
{
    const struct options_entry all[ENTRIES] = {
        options_flag("--quiet", &quiet, "print less"),
        options_whole("--steps N", &steps, -3, 1000, "time steps"),
        options_power("--paths N", &paths, 4, 1 << 30, "a power of two"),
        options_number("--rate R", &rate, 0, 0.5, "interest"),
        options_text("--out FILE", &out, "the result"),
        options_text("IMAGE", &image, "a picture"),
    };

    memcpy(entries, all, sizeof all);
    quiet = 0;
    steps = 7;
    paths = 0;
    rate = 0.25;
    out = NULL;
    image = "default.pgm";
}

static int parse(const char *const words[MOST_WORDS], struct io_error *error)
{
    int count = 0;

    set();
    while (count < MOST_WORDS && words[count])
        count++;
    return options_parse(count, (char *const *)words, entries, ENTRIES, error);
}

static void test_values(void **state)
{
    const char *const none[MOST_WORDS] = {NULL};
    const char *const numbers[MOST_WORDS] = {"--steps", "-3", "--paths", "1024", "--rate", "5e-1"};
    const char *const texts[MOST_WORDS] = {"a.pgm", "--quiet", "--out", "-rate"};
    const char *const twice[MOST_WORDS] = {"--steps", "1", "--steps", "2"};
    struct io_error error;

    (void)state;
    assert_int_equal(parse(none, &error), 0);
    assert_int_equal(steps, 7);
    assert_string_equal(image, "default.pgm");
    assert_int_equal(parse(numbers, &error), 0);
    assert_int_equal(steps, -3);
    assert_int_equal(paths, 1024);
    assert_true(rate >= 0.5 && rate <= 0.5);
    assert_int_equal(quiet, 0);
    assert_int_equal(parse(texts, &error), 0);
    assert_int_equal(quiet, 1);
    assert_string_equal(image, "a.pgm");
    assert_string_equal(out, "-rate");
    assert_int_equal(parse(twice, &error), 0);
    assert_int_equal(steps, 2);
}

static void test_refused(void **state)
{
    static const struct {
        const char *words[MOST_WORDS], *sentence;
    } bad[] = {
        {{"--what", "1"}, "unknown option --what"},
        {{"-"}, "unknown option -"},
        {{"--step", "1"}, "unknown option --step"},
        {{"--steps=1"}, "unknown option --steps=1"},
        {{"--steps"}, "--steps needs a value"},
        {{"--out", "--rate", "0.1"}, "--out needs a value"},
        {{"--out", ""}, "--out FILE: the value is empty"},
        {{"a", "b"}, "b: expected one IMAGE"},
        {{"--steps", "1001"}, "--steps 1001: expected a whole number from -3 to 1000"},
        {{"--steps", "1.5"}, "--steps 1.5: expected a whole number from -3 to 1000"},
        {{"--steps", "1x"}, "--steps 1x: expected a whole number from -3 to 1000"},
        {{"--steps", ""}, "--steps : expected a whole number from -3 to 1000"},
        {{"--steps", "1e99"}, "--steps 1e99: expected a whole number from -3 to 1000"},
        {{"--paths", "24"}, "--paths 24: expected a power of two from 4 to 1073741824"},
        {{"--paths", "2"}, "--paths 2: expected a power of two from 4 to 1073741824"},
        {{"--rate", "nan"}, "--rate nan: expected a number from 0 to 0.5"},
        {{"--rate", "0.51"}, "--rate 0.51: expected a number from 0 to 0.5"},
    };
    const char *const word[] = {"a.pgm"};
    struct io_error error;

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_int_equal(parse(bad[k].words, &error), IO_BAD);
        assert_string_equal(error.text, bad[k].sentence);
    }
    assert_int_equal(options_parse(1, (char *const *)word, entries, ENTRIES - 1, &error), IO_BAD);
    assert_string_equal(error.text, "unexpected a.pgm");
}

/* The range and the default of each entry; no default outside of its range. */
static void test_help(void **state)
{
    static const char *const expected = "usage: waves [--quiet] [--steps N] [--paths N] [--rate R] "
                                        "[--out FILE] [IMAGE]\n\nWaves.\n\n"
                                        "  --quiet     print less\n"
                                        "  --steps N   time steps (-3 to 1000, default 7)\n"
                                        "  --paths N   a power of two (4 to 1073741824)\n"
                                        "  --rate R    interest (0 to 0.5, default 0.25)\n"
                                        "  --out FILE  the result\n"
                                        "  IMAGE       a picture (default default.pgm)\n";
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
