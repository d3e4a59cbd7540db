/* SPDX-License-Identifier: BSD-3-Clause */
/* host/compare.h, and the program portable-compare, which prints its results. */
#define _POSIX_C_SOURCE 200809L

#include "host/array.h"
#include "host/compare.h"
#include "host/io.h"
#include "host/npy.h"

#include <float.h>    /* DBL_MAX, FLT_EPSILON, FLT_MAX, FLT_TRUE_MIN */
#include <math.h>     /* fabs, INFINITY, isfinite, NAN, nextafter, nextafterf */
#include <stdio.h>    /* fflush, snprintf */
#include <stdlib.h>   /* mkdtemp */
#include <string.h>   /* memcpy, memset, strlen, strstr */
#include <sys/wait.h> /* waitpid */
#include <unistd.h>   /* dup2, fork, pipe, read, rmdir, unlink */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

/* The program itself, with main renamed. */
int compare_main(int argc, char **argv);
#define main compare_main
#include "host/programs/portable-compare.c"
#undef main

static const char why[] = "the test says so";

/* A one-dimensional array with a test's data. */
static struct array view(enum array_type type, void *data, size_t count)
{
    struct array array;

    memset(&array, 0, sizeof array);
    array.type = type;
    array.rank = 1;
    array.shape[0] = count;
    array.data = data;
    return array;
}

static struct comparison measure_views(struct array expected, struct array actual,
                                       struct policy policy)
{
    struct comparison result;
    struct io_error error;

    memset(&result, 0xff, sizeof result);
    if (compare_arrays(&expected, &actual, policy, &result, &error) != 0)
        fail_msg("%s", error.text);
    assert_true(result.count == array_count(&expected));
    assert_true((result.mismatches > 0) == (result.share > 1.0));
    return result;
}

static struct comparison measure_floats(float expected, float actual, struct policy policy)
{
    return measure_views(view(ARRAY_FLOAT32, &expected, 1), view(ARRAY_FLOAT32, &actual, 1),
                         policy);
}

static struct comparison measure_doubles(double expected, double actual, struct policy policy)
{
    return measure_views(view(ARRAY_FLOAT64, &expected, 1), view(ARRAY_FLOAT64, &actual, 1),
                         policy);
}

static struct comparison measure_int64(int64_t expected, int64_t actual, struct policy policy)
{
    return measure_views(view(ARRAY_INT64, &expected, 1), view(ARRAY_INT64, &actual, 1), policy);
}

static struct comparison measure_uint64(uint64_t expected, uint64_t actual, struct policy policy)
{
    return measure_views(view(ARRAY_UINT64, &expected, 1), view(ARRAY_UINT64, &actual, 1), policy);
}

static int agree(struct comparison result)
{
    return result.mismatches == 0;
}

static int bounded(double expected, double bound, double actual)
{
    struct array array = view(ARRAY_FLOAT64, &actual, 1);
    struct comparison result;

    compare_bounded(&expected, &bound, &array, &result);
    assert_int_equal(result.count, 1);
    assert_true((result.mismatches > 0) == (result.share > 1.0));
    return agree(result);
}

static void test_exact_is_every_bit(void **state)
{
    struct comparison result;

    (void)state;
    result = measure_floats(1.5f, 1.5f, policy_exact());
    assert_true(agree(result));
    assert_true(result.share == 0.0 && result.worst_ulp == 0.0 && result.worst_absolute == 0.0);

    result = measure_floats(1.0f, nextafterf(1.0f, 2.0f), policy_exact());
    assert_int_equal(result.mismatches, 1);
    assert_true(result.share == INFINITY);
    assert_true(result.worst_ulp == 1.0);
    assert_true(result.worst_absolute == FLT_EPSILON);
    assert_false(agree(measure_doubles(1.0, nextafter(1.0, 2.0), policy_exact())));
}

static void test_zeros(void **state)
{
    struct comparison result = measure_floats(-0.0f, 0.0f, policy_exact());

    (void)state;
    assert_false(agree(result));
    assert_true(result.worst_ulp == 0.0 && result.worst_absolute == 0.0);
    assert_false(agree(measure_doubles(0.0, -0.0, policy_exact())));
    assert_true(agree(measure_floats(-0.0f, 0.0f, policy_ulp(0, why))));
    assert_true(agree(measure_doubles(0.0, -0.0, policy_ulp(0, why))));
    assert_true(agree(measure_doubles(0.0, -0.0, policy_absrel(0, 0, why))));
    assert_true(bounded(0.0, 0.0, -0.0));
}

static void test_nan_equals_only_nan(void **state)
{
    const struct policy policies[] = {
        policy_exact(),
        policy_ulp(1e300, why),
        policy_absrel(1e300, 1e300, why),
    };
    const uint32_t patterns[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff};
    const double others[] = {0.0, 1.0, -1.0, INFINITY, -INFINITY, FLT_MAX};

    (void)state;
    for (int p = 0; p < 3; p++) {
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                float expected, actual;

                memcpy(&expected, &patterns[i], sizeof expected);
                memcpy(&actual, &patterns[j], sizeof actual);
                assert_true(agree(measure_floats(expected, actual, policies[p])));
                assert_true(agree(measure_doubles(expected, actual, policies[p])));
            }
        }
        for (int i = 0; i < 6; i++) {
            struct comparison result = measure_doubles(NAN, others[i], policies[p]);

            assert_false(agree(result));
            assert_true(result.share == INFINITY);
            assert_true(result.worst_ulp == INFINITY && result.worst_absolute == INFINITY);
            assert_false(agree(measure_doubles(others[i], NAN, policies[p])));
            assert_false(agree(measure_floats(NAN, (float)others[i], policies[p])));
            assert_false(agree(measure_floats((float)others[i], NAN, policies[p])));
        }
    }
    for (int i = 0; i < 6; i++) {
        assert_false(bounded(NAN, 1e300, others[i]));
        assert_false(bounded(NAN, INFINITY, others[i]));
        assert_false(bounded(others[i], INFINITY, NAN));
    }
    assert_true(bounded(NAN, 0.0, NAN));
    assert_true(bounded(NAN, NAN, NAN));
}

static void test_infinity_equals_only_itself(void **state)
{
    const struct policy policies[] = {
        policy_exact(),
        policy_ulp(1e300, why),
        policy_absrel(1e300, 1e300, why),
        policy_absrel(0, 0, why),
    };

    (void)state;
    for (int p = 0; p < 4; p++) {
        assert_true(agree(measure_floats(INFINITY, INFINITY, policies[p])));
        assert_true(agree(measure_doubles(-INFINITY, -INFINITY, policies[p])));
        assert_false(agree(measure_doubles(INFINITY, -INFINITY, policies[p])));
        assert_false(agree(measure_doubles(INFINITY, DBL_MAX, policies[p])));
        assert_false(agree(measure_doubles(DBL_MAX, INFINITY, policies[p])));
        assert_false(agree(measure_floats(FLT_MAX, INFINITY, policies[p]))); /* neighbours */
    }
    assert_true(bounded(INFINITY, 0.0, INFINITY));
    assert_false(bounded(INFINITY, INFINITY, -INFINITY));
    assert_false(bounded(INFINITY, INFINITY, 1.0));
    assert_false(bounded(1.0, INFINITY, INFINITY));
}

/* Steps from one number to the next: the number of steps is the distance. */
static void test_ulp_counts_representable_numbers(void **state)
{
    const float starts[] = {0.0f, 1.0f, 2.0f, -1.0f, 0.1f, -3e-45f, 1.17549435e-38f, 3e38f};

    (void)state;
    for (int k = 0; k < 8; k++) {
        float up = starts[k];
        double up64 = starts[k];

        for (int steps = 1; steps <= 40; steps++) {
            struct comparison result;

            up = nextafterf(up, INFINITY);
            up64 = nextafter(up64, INFINITY);
            result = measure_floats(starts[k], up, policy_ulp(steps, why));
            assert_true(agree(result));
            assert_true(result.worst_ulp == steps && result.share == 1.0);
            assert_true(measure_floats(up, starts[k], policy_exact()).worst_ulp == steps);
            assert_false(agree(measure_floats(starts[k], up, policy_ulp(steps - 1, why))));
            assert_true(measure_doubles(starts[k], up64, policy_exact()).worst_ulp == steps);
            assert_true(measure_doubles(up64, starts[k], policy_exact()).worst_ulp == steps);
        }
    }
    assert_true(measure_floats(-FLT_TRUE_MIN, FLT_TRUE_MIN, policy_exact()).worst_ulp == 2.0);
    assert_true(measure_floats(0.0f, FLT_TRUE_MIN, policy_exact()).worst_ulp == 1.0);
    assert_true(measure_floats(-0.0f, FLT_TRUE_MIN, policy_exact()).worst_ulp == 1.0);
    assert_true(measure_floats(1.0f, 2.0f, policy_exact()).worst_ulp == 8388608.0);
    assert_true(measure_floats(-FLT_MAX, FLT_MAX, policy_exact()).worst_ulp == 4278190078.0);
    assert_true(measure_floats(1.0f, 1.0f + 3 * FLT_EPSILON, policy_ulp(4, why)).share == 0.75);
}

static void test_absrel(void **state)
{
    (void)state;
    assert_true(agree(measure_doubles(1.0, 1.5, policy_absrel(0.5, 0, why))));
    assert_true(agree(measure_doubles(1.0, 0.5, policy_absrel(0.5, 0, why))));
    assert_false(agree(measure_doubles(1.0, nextafter(1.5, 2.0), policy_absrel(0.5, 0, why))));
    assert_true(measure_doubles(1.0, 1.25, policy_absrel(0.5, 0, why)).share == 0.5);
    /* Both parts add up, and the relative one is relative to the expected value. */
    assert_true(agree(measure_doubles(-4.0, -7.0, policy_absrel(1.0, 0.5, why))));
    assert_false(agree(measure_doubles(-4.0, -7.25, policy_absrel(1.0, 0.5, why))));
    assert_true(agree(measure_doubles(4.0, 6.0, policy_absrel(0, 0.5, why))));
    assert_false(agree(measure_doubles(6.0, 4.0, policy_absrel(0, 0.25, why))));
    assert_true(agree(measure_doubles(6.0, 4.0, policy_absrel(0, 0.5, why))));
    /* Zero tolerance: the same value, with either sign of zero. */
    assert_true(agree(measure_doubles(2.0, 2.0, policy_absrel(0, 0, why))));
    assert_true(measure_doubles(2.0, 3.0, policy_absrel(0, 0, why)).share == INFINITY);
    assert_false(agree(measure_doubles(0.0, 1e-300, policy_absrel(0, 1, why))));
    /* The difference of two floats is computed in double: here it is not a float. */
    assert_true(measure_floats(1.0f, -1e-20f, policy_absrel(1, 0, why)).mismatches == 0);
    assert_true(measure_floats(16777216.0f, -1.0f, policy_exact()).worst_absolute == 16777217.0);
}

static void test_overflow_is_no_agreement(void **state)
{
    struct comparison result = measure_doubles(DBL_MAX, -DBL_MAX, policy_absrel(DBL_MAX, 1, why));

    (void)state;
    assert_false(agree(result));
    assert_true(result.worst_absolute == INFINITY && isfinite(result.worst_ulp));
    assert_true(agree(measure_doubles(DBL_MAX, 1.0, policy_absrel(DBL_MAX, 1, why))));
    assert_false(bounded(DBL_MAX, INFINITY, -DBL_MAX));
}

/* No quotient may round to 1 and hide a mismatch. */
static void test_share_is_above_1_for_every_mismatch(void **state)
{
    double tolerance = 1.0;

    (void)state;
    for (int k = 0; k < 1000; k++) {
        double beyond;

        tolerance = tolerance * 1.37 + 1e-3 * k;
        if (tolerance > 1e6)
            tolerance /= 3e9;
        beyond = nextafter(tolerance, INFINITY);
        assert_true(measure_doubles(0.0, tolerance, policy_absrel(tolerance, 0, why)).share == 1);
        assert_true(measure_doubles(0.0, beyond, policy_absrel(tolerance, 0, why)).share > 1);
        assert_true(bounded(0.0, tolerance, tolerance));
        assert_false(bounded(0.0, tolerance, beyond));
    }
}

static void test_integers(void **state)
{
    const int64_t large = INT64_C(1) << 53;
    uint8_t bytes[] = {0, 255}, other_bytes[] = {2, 250};
    int32_t ints[] = {INT32_MIN, -1}, other_ints[] = {INT32_MAX, 1};
    uint32_t unsigneds[] = {0, 7}, other_unsigneds[] = {UINT32_MAX, 7};
    struct comparison result;

    (void)state;
    result = measure_views(view(ARRAY_UINT8, bytes, 2), view(ARRAY_UINT8, other_bytes, 2),
                           policy_ulp(4, why));
    assert_int_equal(result.mismatches, 1);
    assert_int_equal(result.first[0], 1);
    assert_true(result.worst_ulp == 5.0 && result.worst_absolute == 5.0 && result.share == 1.25);
    result = measure_views(view(ARRAY_INT32, ints, 2), view(ARRAY_INT32, other_ints, 2),
                           policy_absrel(2, 0, why));
    assert_int_equal(result.mismatches, 1);
    assert_int_equal(result.first[0], 0);
    assert_true(result.worst_absolute == 4294967295.0);
    result = measure_views(view(ARRAY_UINT32, unsigneds, 2), view(ARRAY_UINT32, other_unsigneds, 2),
                           policy_exact());
    assert_int_equal(result.mismatches, 1);
    assert_true(result.worst_ulp == 4294967295.0);

    /* These are the same double. */
    assert_true(agree(measure_int64(large + 1, large + 1, policy_exact())));
    assert_false(agree(measure_int64(large, large + 1, policy_exact())));
    assert_false(agree(measure_int64(large, large + 1, policy_ulp(0, why))));
    assert_false(agree(measure_int64(large, large + 1, policy_absrel(0.5, 0, why))));
    assert_true(agree(measure_int64(large, large + 1, policy_absrel(1, 0, why))));
    assert_true(measure_uint64(UINT64_MAX, UINT64_MAX - 1, policy_exact()).worst_absolute == 1.0);
    /* The difference does not fit the type. */
    assert_true(measure_int64(INT64_MIN, INT64_MAX, policy_exact()).worst_ulp == 0x1p64);
    assert_true(measure_int64(-1, 1, policy_exact()).worst_ulp == 2.0);
    assert_true(measure_uint64(0, UINT64_MAX, policy_exact()).worst_absolute == 0x1p64);
    assert_false(agree(measure_uint64(0, UINT64_MAX, policy_absrel(1e19, 0, why))));
    assert_true(agree(measure_uint64(UINT64_MAX, 0, policy_absrel(0, 1, why))));
}

static void test_report(void **state)
{
    double expected[20], actual[20];
    struct comparison result;

    (void)state;
    for (int i = 0; i < 20; i++)
        expected[i] = actual[i] = i;
    actual[3] += 0.5;
    actual[7] -= 1.0;
    actual[11] += 1.0;
    result = measure_views(view(ARRAY_FLOAT64, expected, 20), view(ARRAY_FLOAT64, actual, 20),
                           policy_absrel(0.75, 0, why));
    assert_int_equal(result.count, 20);
    assert_int_equal(result.mismatches, 2);
    assert_int_equal(result.first[0], 7);
    assert_int_equal(result.first[1], 11);
    assert_int_equal(result.first[2], 0);
    assert_true(result.worst_absolute == 1.0);
    assert_int_equal(result.worst_index, 7); /* the same share as 11, more ULPs */

    result = measure_views(view(ARRAY_FLOAT64, expected, 20), view(ARRAY_FLOAT64, actual, 20),
                           policy_exact());
    assert_int_equal(result.mismatches, 3);
    assert_int_equal(result.worst_index, 3); /* the first of two with as many ULPs */

    actual[0] = 0x1p-1000; /* tiny, but very many ULPs */
    result = measure_views(view(ARRAY_FLOAT64, expected, 20), view(ARRAY_FLOAT64, actual, 20),
                           policy_absrel(2, 0, why));
    assert_true(agree(result));
    assert_true(result.worst_ulp > 1e15 && result.share == 0.5);
    assert_int_equal(result.worst_index, 7);

    expected[7] = 0.5; /* more ULPs than 3 and 11, which use as much; fewer than 0 */
    actual[7] = 1.5;
    actual[3] = 4.0;
    result = measure_views(view(ARRAY_FLOAT64, expected, 20), view(ARRAY_FLOAT64, actual, 20),
                           policy_absrel(2, 0, why));
    assert_int_equal(result.worst_index, 7);

    for (int i = 0; i < 20; i++)
        actual[i] = -1;
    actual[0] = 0;
    result = measure_views(view(ARRAY_FLOAT64, expected, 20), view(ARRAY_FLOAT64, actual, 20),
                           policy_exact());
    assert_int_equal(result.mismatches, 19);
    for (size_t k = 0; k < COMPARISON_FIRST; k++)
        assert_int_equal(result.first[k], k + 1);
}

static void test_empty_arrays_agree(void **state)
{
    double unused = 0.0;
    struct array array = view(ARRAY_FLOAT64, &unused, 0);
    struct comparison result = measure_views(array, array, policy_exact());

    (void)state;
    assert_int_equal(result.count, 0);
    assert_true(agree(result));
    compare_bounded(&unused, &unused, &array, &result);
    assert_int_equal(result.count, 0);
    assert_true(agree(result));
}

static void assert_incomparable(struct array expected, struct array actual, struct policy policy,
                                const char *words)
{
    struct comparison result;
    struct io_error error;

    memset(&result, 0xff, sizeof result);
    assert_int_equal(compare_arrays(&expected, &actual, policy, &result, &error), IO_BAD);
    if (strstr(error.text, words) == NULL)
        fail_msg("expected a sentence with '%s', found '%s'", words, error.text);
    assert_int_equal(result.count, 0);
    assert_int_equal(result.mismatches, 0);
}

static void test_refuses_what_cannot_be_compared(void **state)
{
    double data[6] = {0};
    struct array row = view(ARRAY_FLOAT64, data, 6);
    struct array matrix = row, turned = row, singles = row, narrow;

    (void)state;
    matrix.rank = turned.rank = 2;
    matrix.shape[0] = turned.shape[1] = 2;
    matrix.shape[1] = turned.shape[0] = 3;
    singles.type = ARRAY_FLOAT32;
    assert_incomparable(row, singles, policy_exact(),
                        "expected float64 of shape (6,), found float32 of shape (6,)");
    assert_incomparable(row, matrix, policy_exact(),
                        "expected float64 of shape (6,), found float64 of shape (2, 3)");
    assert_incomparable(matrix, turned, policy_exact(),
                        "expected float64 of shape (2, 3), found float64 of shape (3, 2)");
    narrow = matrix;
    narrow.shape[1] = 2;
    assert_incomparable(matrix, narrow, policy_exact(),
                        "expected float64 of shape (2, 3), found float64 of shape (2, 2)");
    assert_incomparable(row, row, policy_ulp(-1, why),
                        "expected a finite tolerance of 0 or more, found ulp(-1)");
    assert_incomparable(row, row, policy_ulp(NAN, why), "found ulp(nan)");
    assert_incomparable(row, row, policy_ulp(INFINITY, why), "found ulp(inf)");
    assert_incomparable(row, row, policy_absrel(-1, 0, why), "found absrel(-1, 0)");
    assert_incomparable(row, row, policy_absrel(0, NAN, why), "found absrel(0, nan)");
}

static void test_bounded(void **state)
{
    const double expected[] = {1.0, 1.0, 1.0, 1.0, 1.0};
    const double bound[] = {0.0, 0.5, 0.5, -1.0, NAN};
    float actual[] = {1.0f, 1.5f, 0.25f, 1.0f, 1.0f};
    struct array array = view(ARRAY_FLOAT32, actual, 5);
    struct comparison result;
    int32_t whole = 3;
    const double third = 10.0 / 3.0, one = 1.0;

    (void)state;
    compare_bounded(expected, bound, &array, &result);
    assert_int_equal(result.count, 5);
    assert_int_equal(result.mismatches, 1);
    assert_int_equal(result.first[0], 2);
    assert_int_equal(result.worst_index, 2);
    assert_true(result.share == 1.5 && result.worst_absolute == 0.75);
    assert_true(result.worst_ulp == 16777216.0); /* of float32: twice 2^23 */

    assert_false(bounded(1.0, 0.0, nextafter(1.0, 2.0)));
    assert_false(bounded(1.0, -1.0, 1.5));
    assert_false(bounded(1.0, NAN, 1.5));
    assert_true(bounded(1.0, INFINITY, -1e300));

    /* The bound is a double: the float nearest to the expected value may miss it. */
    actual[0] = 0.1f;
    array.shape[0] = 1;
    compare_bounded(&(const double){0.1}, &(const double){1e-12}, &array, &result);
    assert_int_equal(result.mismatches, 1);
    assert_true(result.worst_ulp == 0.0 && result.worst_absolute > 1e-9);

    array = view(ARRAY_INT32, &whole, 1);
    compare_bounded(&third, &one, &array, &result);
    assert_true(agree(result));
    assert_true(fabs(result.share - 1.0 / 3.0) < 1e-15);
    assert_true(result.worst_ulp == result.worst_absolute); /* from one integer to the next */

    double beside_one = nextafter(1.0, 2.0);

    array = view(ARRAY_FLOAT64, &beside_one, 1);
    compare_bounded(&one, &one, &array, &result);
    assert_true(result.worst_ulp == 1.0);
}

/* Beyond 2^53 a double is but near a 64-bit integer: the distance counts. */
static void test_bounded_large_integers(void **state)
{
    const double expected[] = {9007199254740992.0, -9007199254740992.0, 18446744073709551616.0};
    const double exact[] = {0.0, 0.0, 0.0};
    uint64_t above[] = {(UINT64_C(1) << 53) + 1, 0, UINT64_MAX};
    int64_t below[] = {-(INT64_C(1) << 53) - 1, -(INT64_C(1) << 53)};
    struct array array = view(ARRAY_UINT64, above, 1);
    struct comparison result;

    (void)state;
    compare_bounded(expected, exact, &array, &result);
    assert_int_equal(result.mismatches, 1);
    assert_true(result.worst_absolute == 1.0);
    array = view(ARRAY_UINT64, above + 2, 1);
    compare_bounded(expected + 2, exact, &array, &result);
    assert_int_equal(result.mismatches, 1);
    array = view(ARRAY_INT64, below, 2);
    compare_bounded((const double[]){expected[1], expected[1]}, exact, &array, &result);
    assert_int_equal(result.mismatches, 1);
    assert_int_equal(result.first[0], 0);
}

static void test_policy_text(void **state)
{
    char text[ARRAY_TEXT_SIZE];

    (void)state;
    policy_text(policy_exact(), text, sizeof text);
    assert_string_equal(text, "exact");
    policy_text(policy_ulp(4, why), text, sizeof text);
    assert_string_equal(text, "ulp(4)");
    policy_text(policy_ulp(16777216, why), text, sizeof text);
    assert_string_equal(text, "ulp(16777216)");
    policy_text(policy_absrel(1e-6, 0.00125, why), text, sizeof text);
    assert_string_equal(text, "absrel(1e-06, 0.00125)");
    policy_text(policy_absrel(1e-6, 0.00125, why), text, 4);
    assert_string_equal(text, "abs");
    assert_string_equal(policy_ulp(4, why).reason, why);
    assert_string_equal(policy_absrel(1, 1, why).reason, why);
}

/*
 * The program. `expected` and `actual` are directories with a test's files.
 */
static char directory[] = "/tmp/test_compare-XXXXXX";
static char expected_path[48], actual_path[48];

/* The program's output, both streams. */
static char output[8192];

static int make_directories(void **state)
{
    struct io_error error;

    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(expected_path, sizeof expected_path, "%s/expected", directory);
    snprintf(actual_path, sizeof actual_path, "%s/actual", directory);
    return io_make_directory(expected_path, &error) != 0 ||
           io_make_directory(actual_path, &error) != 0;
}

static int remove_directories(void **state)
{
    (void)state;
    return rmdir(expected_path) != 0 || rmdir(actual_path) != 0 || rmdir(directory) != 0;
}

static int remove_files(void **state)
{
    static const char *const names[] = {"a.npy", "b.npy", "c.npy", "notes.txt"};
    char path[64];

    (void)state;
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s/%s", expected_path, names[k]);
        unlink(path);
        snprintf(path, sizeof path, "%s/%s", actual_path, names[k]);
        unlink(path);
    }
    return 0;
}

/* Removes the files after the test, even if it failed. */
#define PROGRAM_TEST(name) cmocka_unit_test_teardown(name, remove_files)

static void put_floats(const char *parent, const char *name, float first, float last)
{
    float data[] = {first, 2.0f, last};
    struct array array = view(ARRAY_FLOAT32, data, 3);
    struct io_error error;
    char path[64];

    snprintf(path, sizeof path, "%s/%s", parent, name);
    if (npy_write(path, &array, &error) != 0)
        fail_msg("%s", error.text);
}

static void put_text(const char *parent, const char *name, const char *text)
{
    struct io_error error;
    char path[64];

    snprintf(path, sizeof path, "%s/%s", parent, name);
    if (io_write_file(path, text, strlen(text), &error) != 0)
        fail_msg("%s", error.text);
}

/* Runs the program in a child process with up to six arguments; returns its exit status. */
static int run(const char *a, const char *b, const char *c, const char *d, const char *e,
               const char *f)
{
    const char *const arguments[] = {"compare", a, b, c, d, e, f};
    char words[7][64];
    char *argv[8];
    int count = 0, ends[2], status = 0;
    size_t length = 0;
    ssize_t got;
    pid_t child;

    while (count < 7 && arguments[count] != NULL) {
        snprintf(words[count], sizeof words[count], "%s", arguments[count]);
        argv[count] = words[count];
        count++;
    }
    argv[count] = NULL;
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        status = compare_main(count, argv);
        fflush(stdout);
        _exit(status);
    }
    close(ends[1]);
    while ((got = read(ends[0], output + length, sizeof output - 1 - length)) > 0)
        length += (size_t)got;
    output[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int run_directories(void)
{
    return run(expected_path, actual_path, NULL, NULL, NULL, NULL);
}

static void assert_printed(const char *words)
{
    if (strstr(output, words) == NULL)
        fail_msg("expected '%s' in:\n%s", words, output);
}

static void test_program_agrees(void **state)
{
    (void)state;
    put_floats(expected_path, "a.npy", 1.0f, NAN);
    put_floats(actual_path, "a.npy", 1.0f, NAN);
    put_floats(expected_path, "b.npy", 4.0f, 5.0f);
    put_floats(actual_path, "b.npy", 4.0f, 5.0f);
    put_text(actual_path, "notes.txt", "not compared");
    assert_int_equal(run_directories(), 0);
    assert_printed("file                     type     shape            policy");
    assert_printed("a.npy                    float32  (3,)             exact                  "
                   "0          0          -              agree\n");
    assert_printed("b.npy                    float32");
    assert_printed("2 of 2 files agree\n");
    assert_null(strstr(output, "notes"));
}

static void test_program_shows_differences(void **state)
{
    (void)state;
    put_floats(expected_path, "a.npy", 1.0f, 3.0f);
    put_floats(actual_path, "a.npy", 1.0f, NAN);
    put_floats(expected_path, "b.npy", 1.0f, 3.0f);
    put_floats(actual_path, "b.npy", 1.00000012f, 3.0f);
    assert_int_equal(run_directories(), 1);
    assert_printed("inf        inf        [2]            DIFFER: 1 of 3\n"
                   "    [2]: expected 3, found nan\n");
    assert_printed("1          1.192e-07  [0]            DIFFER: 1 of 3\n"
                   "    [0]: expected 1, found 1.00000012\n");
    assert_printed("0 of 2 files agree\n");
}

static void test_program_uses_tolerances(void **state)
{
    (void)state;
    put_floats(expected_path, "a.npy", 1.0f, 3.0f);
    put_floats(actual_path, "a.npy", 1.00000012f, 3.0f);
    assert_int_equal(run("--ulp", "1", expected_path, actual_path, NULL, NULL), 0);
    assert_printed("ulp(1)                 1          1.192e-07  [0]            agree");
    assert_int_equal(run("--ulp=0.5", expected_path, actual_path, NULL, NULL, NULL), 1);
    assert_int_equal(run("--abs", "1e-6", expected_path, actual_path, NULL, NULL), 0);
    assert_printed("absrel(1e-06, 0)");
    assert_int_equal(run("--rel", "1e-8", expected_path, actual_path, NULL, NULL), 1);
    assert_printed("absrel(0, 1e-08)");
    assert_int_equal(run("--abs", "1e-8", "--rel", "1e-6", expected_path, actual_path), 0);
    assert_printed("absrel(1e-08, 1e-06)");
}

static void test_program_counts_a_missing_file_as_a_difference(void **state)
{
    (void)state;
    put_floats(expected_path, "a.npy", 1.0f, 3.0f);
    put_floats(expected_path, "b.npy", 1.0f, 3.0f);
    put_floats(actual_path, "b.npy", 1.0f, 3.0f);
    put_floats(actual_path, "c.npy", 1.0f, 3.0f);
    assert_int_equal(run_directories(), 1);
    assert_printed("DIFFER: only in the first directory\nb.npy");
    assert_printed("DIFFER: only in the second directory\n1 of 3 files agree\n");
}

static void test_program_counts_another_shape_as_a_difference(void **state)
{
    double data = 1.0;
    struct array array = view(ARRAY_FLOAT64, &data, 1);
    struct io_error error;
    char path[64];

    (void)state;
    put_floats(expected_path, "a.npy", 1.0f, 3.0f);
    snprintf(path, sizeof path, "%s/a.npy", actual_path);
    assert_int_equal(npy_write(path, &array, &error), 0);
    assert_int_equal(run_directories(), 1);
    assert_printed("DIFFER: expected float32 of shape (3,), found float64 of shape (1,)");
}

static void test_program_goes_on_after_a_bad_file(void **state)
{
    (void)state;
    put_text(expected_path, "a.npy", "nonsense");
    put_floats(actual_path, "a.npy", 1.0f, 3.0f);
    put_floats(expected_path, "b.npy", 1.0f, 3.0f);
    put_text(actual_path, "b.npy", "");
    put_floats(expected_path, "c.npy", 1.0f, 3.0f);
    put_floats(actual_path, "c.npy", 1.0f, 4.0f);
    assert_int_equal(run_directories(), 2);
    assert_printed("expected/a.npy: expected an NPY file");
    assert_printed("actual/b.npy: expected an NPY file");
    assert_printed("BAD INPUT");
    assert_printed("[2]: expected 3, found 4");
    assert_printed("0 of 3 files agree\n");
}

static void test_program_compares_two_files(void **state)
{
    char expected_file[64], actual_file[64];

    (void)state;
    snprintf(expected_file, sizeof expected_file, "%s/a.npy", expected_path);
    snprintf(actual_file, sizeof actual_file, "%s/b.npy", actual_path);
    put_floats(expected_path, "a.npy", 1.0f, 3.0f);
    put_floats(actual_path, "b.npy", 1.0f, 3.0f);
    assert_int_equal(run(expected_file, actual_file, NULL, NULL, NULL, NULL), 0);
    put_floats(actual_path, "b.npy", 1.0f, 4.0f);
    assert_int_equal(run(expected_file, actual_file, NULL, NULL, NULL, NULL), 1);
    assert_printed("[2]: expected 3, found 4");
    assert_int_equal(run(expected_file, actual_path, NULL, NULL, NULL, NULL), 2);
    assert_printed("expected two directories or two files");
    assert_int_equal(run(expected_file, "/nowhere/b.npy", NULL, NULL, NULL, NULL), 2);
    assert_printed("/nowhere/b.npy: cannot read: No such file");
}

static void test_program_shows_the_first_mismatches(void **state)
{
    int64_t expected[12], actual[12];
    struct array array = view(ARRAY_INT64, expected, 12);
    struct io_error error;
    char path[64];

    (void)state;
    array.rank = 2;
    array.shape[0] = 3;
    array.shape[1] = 4;
    for (int i = 0; i < 12; i++) {
        expected[i] = (INT64_C(1) << 53) + 2 * i;
        actual[i] = expected[i] + 1;
    }
    snprintf(path, sizeof path, "%s/a.npy", expected_path);
    assert_int_equal(npy_write(path, &array, &error), 0);
    array.data = actual;
    snprintf(path, sizeof path, "%s/a.npy", actual_path);
    assert_int_equal(npy_write(path, &array, &error), 0);
    assert_int_equal(run_directories(), 1);
    assert_printed("    [0, 0]: expected 9007199254740992, found 9007199254740993\n");
    assert_printed("    [1, 3]: expected 9007199254741006, found 9007199254741007\n"
                   "    and 4 more\n");
}

static void test_program_refuses_what_it_cannot_compare(void **state)
{
    (void)state;
    assert_int_equal(run_directories(), 2);
    assert_printed("expected .npy files in");
    assert_printed("found none");
    assert_int_equal(run(expected_path, NULL, NULL, NULL, NULL, NULL), 2);
    assert_printed("portable-compare: expected two directories or two files; see portable-compare");
    assert_int_equal(run(NULL, NULL, NULL, NULL, NULL, NULL), 2);
    assert_int_equal(run("a", "b", "c", NULL, NULL, NULL), 2);
    assert_int_equal(run(expected_path, "/nowhere", NULL, NULL, NULL, NULL), 2);
    assert_int_equal(run("--ulp", "many", expected_path, actual_path, NULL, NULL), 2);
    assert_printed("--ulp takes a number from 0 to 1e+308, not many");
    assert_int_equal(run("--ulp", "-1", expected_path, actual_path, NULL, NULL), 2);
    assert_int_equal(run("--abs", "nan", expected_path, actual_path, NULL, NULL), 2);
    assert_int_equal(run("--abs", "", expected_path, actual_path, NULL, NULL), 2);
    assert_int_equal(run("--ulp", "1", "--rel", "1", expected_path, actual_path), 2);
    assert_printed("expected --ulp or --abs and --rel, found both");
    assert_int_equal(run("--exact", expected_path, actual_path, NULL, NULL, NULL), 2);
    assert_printed("portable-compare: takes no --exact;");
    assert_int_equal(run(expected_path, actual_path, "--ulp", NULL, NULL, NULL), 2);
}

static void test_program_helps(void **state)
{
    (void)state;
    assert_int_equal(run("--help", NULL, NULL, NULL, NULL, NULL), 0);
    assert_printed("usage: portable-compare A B [--ulp N] [--abs T] [--rel R]");
    assert_printed("Exit status: 0 all agree, 1 something differs, 2 bad input.\n");
}

/* A share fits into its column, however wrong the result, and one above 1 never reads as 100%. */
static void test_share_text(void **state)
{
    static const struct {
        double share;
        int decimals;
        const char *text;
    } shares[] = {{0, 0, "0%"},          {0.361, 0, "36%"},       {0.361, 1, "36.1%"},
                  {1, 0, "100%"},        {1 + 1e-15, 0, ">100%"}, {1.0049, 0, ">100%"},
                  {1.0049, 1, "100.5%"}, {1.0004, 1, ">100.0%"},  {1.01, 0, "101%"},
                  {999.9, 0, "99990%"},  {1001, 0, ">1000x"},     {7e38, 1, ">1000x"},
                  {1e308, 0, ">1000x"},  {INFINITY, 0, ">1000x"}, {NAN, 0, ">1000x"}};
    char text[SHARE_TEXT_SIZE];

    (void)state;
    for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++)
        assert_string_equal(share_text(shares[k].share, shares[k].decimals, text), shares[k].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share_text),
        cmocka_unit_test(test_exact_is_every_bit),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_nan_equals_only_nan),
        cmocka_unit_test(test_infinity_equals_only_itself),
        cmocka_unit_test(test_ulp_counts_representable_numbers),
        cmocka_unit_test(test_absrel),
        cmocka_unit_test(test_overflow_is_no_agreement),
        cmocka_unit_test(test_share_is_above_1_for_every_mismatch),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_empty_arrays_agree),
        cmocka_unit_test(test_refuses_what_cannot_be_compared),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_bounded_large_integers),
        cmocka_unit_test(test_policy_text),
        PROGRAM_TEST(test_program_agrees),
        PROGRAM_TEST(test_program_shows_differences),
        PROGRAM_TEST(test_program_uses_tolerances),
        PROGRAM_TEST(test_program_counts_a_missing_file_as_a_difference),
        PROGRAM_TEST(test_program_counts_another_shape_as_a_difference),
        PROGRAM_TEST(test_program_goes_on_after_a_bad_file),
        PROGRAM_TEST(test_program_compares_two_files),
        PROGRAM_TEST(test_program_shows_the_first_mismatches),
        PROGRAM_TEST(test_program_refuses_what_it_cannot_compare),
        PROGRAM_TEST(test_program_helps),
    };

    return cmocka_run_group_tests_name("compare", tests, make_directories, remove_directories) != 0;
}
