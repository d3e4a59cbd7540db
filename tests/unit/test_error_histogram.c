/* SPDX-License-Identifier: BSD-3-Clause */
/* host/error_histogram.h, and the histograms of host/compare.h. */
#include "host/compare.h"

#include <float.h>  /* DBL_MAX, FLT_MAX */
#include <math.h>   /* INFINITY, NAN, ldexp */
#include <string.h> /* memset */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

/* Bin k ends at 2^(lowest + k - 1), inclusive; the next larger number is in the next bin. */
static void test_edges(void **state)
{
    static const int lowests[] = {ERROR_SHARES, ERROR_ULPS};

    (void)state;
    for (size_t l = 0; l < sizeof lowests / sizeof lowests[0]; l++) {
        const int lowest = lowests[l];

        assert_int_equal(error_bin(0, lowest), 0);
        assert_int_equal(error_bin(5e-324, lowest), 1);
        assert_int_equal(error_bin(INFINITY, lowest), ERROR_BINS - 1);
        assert_int_equal(error_bin(NAN, lowest), ERROR_BINS - 1);
        for (int k = 1; k < ERROR_BINS - 1; k++) {
            const double end = ldexp(1, lowest + k - 1);

            assert_int_equal(error_bin(end, lowest), k);
            assert_int_equal(error_bin(nextafter(end, INFINITY), lowest), k + 1);
        }
    }
    assert_int_equal(error_bin(1, ERROR_SHARES), ERROR_BINS - 2);
    assert_int_equal(error_bin(nextafter(1, 2), ERROR_SHARES), ERROR_BINS - 1);
}

static void test_sum(void **state)
{
    struct error_histogram a, b;

    (void)state;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.bins[0] = 3;
    b.bins[0] = 4;
    b.bins[ERROR_BINS - 1] = 5;
    error_histogram_add(&a, &b);
    assert_int_equal(a.bins[0], 7);
    assert_int_equal(a.bins[ERROR_BINS - 1], 5);
    assert_int_equal(error_histogram_count(&a), 12);
}

/* Errors of 0, half a spacing, the bound, and more. */
static void test_floats(void **state)
{
    const float spacing = ldexpf(1, -23);
    float values[] = {1, 1, 1 + 4 * spacing, 1 + 5 * spacing, NAN};
    const double expected[] = {1, 1 + 0.5 * (double)spacing, 1, 1, 1};
    const double bound[] = {0, 1, 4 * (double)spacing, 4 * (double)spacing, 1};
    const struct array array = {ARRAY_FLOAT32, 1, {5}, values};
    struct comparison result;

    (void)state;
    compare_bounded(expected, bound, &array, &result);
    assert_int_equal(result.mismatches, 2);
    assert_int_equal(result.shares.bins[0], 1);
    assert_int_equal(result.shares.bins[ERROR_BINS - 2], 1);
    assert_int_equal(result.shares.bins[ERROR_BINS - 1], 2);
    assert_int_equal(error_histogram_count(&result.shares), 5);
    assert_int_equal(result.ulps.bins[0], 1);
    assert_int_equal(result.ulps.bins[error_bin(0.5, ERROR_ULPS)], 1);
    assert_int_equal(result.ulps.bins[error_bin(4, ERROR_ULPS)], 1);
    assert_int_equal(result.ulps.bins[error_bin(5, ERROR_ULPS)], 1);
    assert_int_equal(result.ulps.bins[ERROR_BINS - 1], 1);
}

/* There is no spacing above the largest number: the one below it counts. */
static void test_largest(void **state)
{
    float single = nextafterf(FLT_MAX, 0);
    double double_value = nextafter(DBL_MAX, 0);
    const double largest[] = {(double)FLT_MAX, DBL_MAX}, bound[] = {(double)FLT_MAX, DBL_MAX};
    const struct array arrays[] = {{ARRAY_FLOAT32, 1, {1}, &single},
                                   {ARRAY_FLOAT64, 1, {1}, &double_value}};

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct comparison result;

        compare_bounded(&largest[k], &bound[k], &arrays[k], &result);
        assert_int_equal(result.ulps.bins[error_bin(1, ERROR_ULPS)], 1);
    }
}

/* A ULP of an integer is 1. */
static void test_integers(void **state)
{
    int32_t values[] = {7, 10};
    const double expected[] = {7, 7}, bound[] = {0, 0};
    const struct array array = {ARRAY_INT32, 1, {2}, values};
    struct comparison result;

    (void)state;
    compare_bounded(expected, bound, &array, &result);
    assert_true(result.worst_ulp == 3);
    assert_int_equal(result.ulps.bins[0], 1);
    assert_int_equal(result.ulps.bins[error_bin(3, ERROR_ULPS)], 1);
    assert_int_equal(result.shares.bins[ERROR_BINS - 1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),    cmocka_unit_test(test_sum),
        cmocka_unit_test(test_floats),   cmocka_unit_test(test_largest),
        cmocka_unit_test(test_integers),
    };

    return cmocka_run_group_tests_name("error_histogram", tests, NULL, NULL) != 0;
}
