/* SPDX-License-Identifier: BSD-3-Clause */
/* A case's expected values and bounds, and the thread that wrote a result. */
#define _POSIX_C_SOURCE 200809L
#include "host/case.h"

#include <math.h>   /* fabs, INFINITY, NAN */
#include <setjmp.h> /* cmocka.h needs it */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>    /* freopen */
#include <signal.h>   /* SIGABRT */
#include <string.h>   /* memset */
#include <sys/wait.h> /* waitpid */
#include <unistd.h>   /* fork */

#include <cmocka.h>

static const struct gallery_case one = {.family = "family", .name = "one"};

static struct run run_of_one(size_t count, enum owner owner)
{
    struct run run;

    memset(&run, 0, sizeof run);
    run.which = &one;
    run.n = (int)count;
    run.block = DIM3(32, 1, 1);
    run.grid = DIM3(3, 1, 1);
    assert_non_null(run_output_real(&run, "y", count, owner));
    return run;
}

/* k u / (1 - k u), with 8 sqrt(k) in place of k from 64 on; twice that if the reference rounds as
 * coarsely. */
static void test_roundings(void **state)
{
    const double u = (double)REAL_EPSILON / 2, sides = sizeof(REAL) == sizeof(double) ? 2 : 1;
    const struct {
        double k, chain;
    } cases[] = {{0, 0}, {1, 1}, {10, 10}, {63, 63}, {64, 64}, {100, 80}, {10000, 800}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double expected = sides * cases[i].chain * u / (1 - cases[i].chain * u);

        assert_true(fabs(run_roundings(cases[i].k) - expected) <= 1e-12 * expected);
    }
}

static void test_expectations(void **state)
{
    struct run run = run_of_one(4, OWNER_ELEMENT);

    (void)state;
    for (size_t k = 0; k < 4; k++)
        run_expect(&run, "y", k, 10.0 + (double)k, 0.5 * (double)k);
    for (size_t k = 0; k < 4; k++) {
        assert_true(run.arrays[0].expected[k] == 10.0 + (double)k);
        assert_true(run.arrays[0].bound[k] == 0.5 * (double)k);
    }
    assert_int_equal(run.arrays[0].elsewhere, 0);
    run_expect_elsewhere(&run, "y");
    assert_int_equal(run.arrays[0].elsewhere, 1);
    run_release(&run);
}

/* A meaningless bound, or an unknown element or array, is a mistake in a case. */
static void test_mistakes(void **state)
{
    const struct {
        const char *name;
        size_t index;
        double bound;
    } mistakes[] = {{"y", 0, INFINITY}, {"y", 0, NAN}, {"y", 0, -1}, {"y", 4, 0}, {"z", 0, 0}};

    (void)state;
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        const pid_t child = fork();
        int status;

        assert_true(child >= 0);
        if (child == 0) {
            struct run run = run_of_one(4, OWNER_ELEMENT);

            if (freopen("/dev/null", "w", stderr))
                run_expect(&run, mistakes[k].name, mistakes[k].index, 0, mistakes[k].bound);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

/* The thread that writes element 200, of three blocks of 32. */
static void test_owners(void **state)
{
    static const struct {
        enum owner owner;
        size_t index;
        const char *text;
    } cases[] = {{OWNER_NONE, 200, ""},
                 {OWNER_ELEMENT, 70, "block (2, 0, 0) thread (6, 0, 0)"},
                 {OWNER_ELEMENT, 200, "block (0, 0, 0) thread (8, 0, 0)"},
                 {OWNER_BLOCK, 2, "block (2, 0, 0) thread (0, 0, 0)"},
                 {OWNER_WARP, 2, "block (2, 0, 0) thread (0, 0, 0)"}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct run run = run_of_one(256, cases[k].owner);
        char text[96];

        run_owner_text(&run, &run.arrays[0], cases[k].index, text, sizeof text);
        assert_string_equal(text, cases[k].text);
        run_release(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roundings),
        cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_owners),
    };

    return cmocka_run_group_tests_name("case", tests, NULL, NULL) != 0;
}
