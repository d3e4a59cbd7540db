/* SPDX-License-Identifier: BSD-3-Clause */
/* host/timer.h. */
#include "host/timer.h"

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_seconds_never_go_back(void **state)
{
    double last = timer_seconds();

    (void)state;
    for (int k = 0; k < 1000; k++) {
        double now = timer_seconds();

        assert_true(now >= last);
        last = now;
    }
}

static void test_summary_of_an_odd_count(void **state)
{
    double samples[] = {3.0, 1.0, 100.0, 2.0, 6.0};
    struct timer_summary summary = timer_summarise(samples, 5);

    (void)state;
    assert_true(summary.minimum == 1.0);
    assert_true(summary.lower == 2.0);
    assert_true(summary.median == 3.0);
    assert_true(summary.upper == 6.0);
}

static void test_summary_of_an_even_count(void **state)
{
    double samples[] = {4.0, 1.0, 2.0, 8.0}; /* quartiles at 0.75, 1.5 and 2.25 */
    struct timer_summary summary = timer_summarise(samples, 4);

    (void)state;
    assert_true(summary.minimum == 1.0);
    assert_true(summary.lower == 1.75);
    assert_true(summary.median == 3.0);
    assert_true(summary.upper == 5.0);
}

static void test_summary_of_one(void **state)
{
    double sample = 7.0;
    struct timer_summary summary = timer_summarise(&sample, 1);

    (void)state;
    assert_true(summary.minimum == 7.0);
    assert_true(summary.lower == 7.0);
    assert_true(summary.median == 7.0);
    assert_true(summary.upper == 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seconds_never_go_back),
        cmocka_unit_test(test_summary_of_an_odd_count),
        cmocka_unit_test(test_summary_of_an_even_count),
        cmocka_unit_test(test_summary_of_one),
    };

    return cmocka_run_group_tests_name("timer", tests, NULL, NULL) != 0;
}
