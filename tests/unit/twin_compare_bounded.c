/* SPDX-License-Identifier: BSD-3-Clause */
/* expect: bounded: 1 of 2 differ, the first at 1 */
/* A twin that must fail: 0.75 exceeds a bound of 0.5, and no other element does. */
#include "host/array.h"
#include "host/compare.h"

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_must_fail(void **state)
{
    const double expected[] = {1.0, 1.0};
    const double bound[] = {1.0, 0.5};
    double actual_data[] = {1.75, 1.75};
    const struct array actual = {ARRAY_FLOAT64, 1, {2}, actual_data};
    struct comparison result;

    (void)state;
    compare_bounded(expected, bound, &actual, &result);
    if (result.mismatches != 0)
        fail_msg("bounded: %zu of %zu differ, the first at %zu", result.mismatches, result.count,
                 result.first[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_must_fail)};

    return cmocka_run_group_tests_name("twin_compare_bounded", tests, NULL, NULL) != 0;
}
