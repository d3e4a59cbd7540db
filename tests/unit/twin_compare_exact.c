/* SPDX-License-Identifier: BSD-3-Clause */
/* expect: exact: 1 of 2 differ, the first at 1 */
/* A twin that must fail: numbers 1 ULP apart are not equal. */
#include "host/array.h"
#include "host/compare.h"
#include "host/io.h"

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_must_fail(void **state)
{
    float expected_data[] = {1.0f, 1.0f};
    float actual_data[] = {1.0f, 1.00000012f};
    const struct array expected = {ARRAY_FLOAT32, 1, {2}, expected_data};
    const struct array actual = {ARRAY_FLOAT32, 1, {2}, actual_data};
    const struct policy policy = policy_exact();
    struct comparison result;
    struct io_error error;

    (void)state;
    assert_int_equal(compare_arrays(&expected, &actual, policy, &result, &error), 0);
    if (result.mismatches != 0)
        fail_msg("exact: %zu of %zu differ, the first at %zu", result.mismatches, result.count,
                 result.first[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_must_fail)};

    return cmocka_run_group_tests_name("twin_compare_exact", tests, NULL, NULL) != 0;
}
