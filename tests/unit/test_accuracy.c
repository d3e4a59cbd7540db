/* SPDX-License-Identifier: BSD-3-Clause */
/* host/accuracy.h: the digits of a result that single precision keeps. */
#include "host/accuracy.h"

#include <float.h> /* FLT_EPSILON */
#include <math.h>  /* fabs, INFINITY, isinf, NAN */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

enum { N = 3 };

static double error_of(float *single, double *reference)
{
    struct array a = {ARRAY_FLOAT32, 1, {N}, NULL}, b = {ARRAY_FLOAT64, 1, {N}, NULL};

    a.data = single;
    b.data = reference;
    return accuracy_error(&a, &b);
}

static void test_error(void **state)
{
    float single[N] = {1, -4, 0};
    double reference[N] = {1, -4, 0};

    (void)state;
    assert_true(error_of(single, reference) == 0);
    /* The largest difference counts, relative to the largest magnitude, not to its own. */
    single[0] = 1.5f;
    assert_true(error_of(single, reference) == 0.125);
    single[2] = -1;
    assert_true(error_of(single, reference) == 0.25);
    single[1] = 4;
    assert_true(error_of(single, reference) == 2);
}

static void test_error_of_what_is_not_finite(void **state)
{
    float single[N] = {1, NAN, -INFINITY};
    double reference[N] = {1, NAN, -INFINITY};

    (void)state;
    assert_true(error_of(single, reference) == 0);
    single[0] = 2;
    assert_true(error_of(single, reference) == 1);
    single[0] = 1;
    single[2] = INFINITY;
    assert_true(isinf(error_of(single, reference)));
    single[2] = 5;
    assert_true(isinf(error_of(single, reference)));
    single[2] = -INFINITY;
    single[1] = 0;
    assert_true(isinf(error_of(single, reference)));
    single[1] = NAN;
    reference[0] = 1e300;
    single[0] = INFINITY; /* double's range is larger */
    assert_true(isinf(error_of(single, reference)));
}

static void test_error_beside_zeros(void **state)
{
    float single[N] = {0, 0, 0};
    double reference[N] = {0, 0, 0};

    (void)state;
    assert_true(error_of(single, reference) == 0);
    single[1] = 1e-30f;
    assert_true(isinf(error_of(single, reference)));
}

static void test_digits(void **state)
{
    (void)state;
    assert_true(fabs(accuracy_digits(1e-3) - 3) < 1e-12);
    assert_true(fabs(accuracy_digits((double)FLT_EPSILON / 2) - 7.2247) < 1e-4);
    assert_true(accuracy_digits(1) == 0);
    assert_true(accuracy_digits(7) == 0);
    assert_true(accuracy_digits(INFINITY) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_error_of_what_is_not_finite),
        cmocka_unit_test(test_error_beside_zeros),
        cmocka_unit_test(test_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
