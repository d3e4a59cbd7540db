/* SPDX-License-Identifier: BSD-3-Clause */
/* host/growth.h. */
#include "host/growth.h"

#include <math.h>   /* fabs, pow */
#include <string.h> /* strcmp */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

enum { POINTS = 16 };

/* A launch of 1 us, and 1 ns for each unit of work to the power of `slope`. */
static void fill(struct growth_point *points, double slope)
{
    for (int k = 0; k < POINTS; k++) {
        points[k].work = pow(2, k);
        points[k].seconds = 1e-6 + 1e-9 * pow(points[k].work, slope);
        points[k].plain = points[k].memory = 0;
        points[k].partial = 0;
    }
    points[0].seconds = 1e-6;
}

static void test_slope(void **state)
{
    static const double slopes[] = {0.9, 1, 1.2, 2};
    struct growth_point points[POINTS];

    (void)state;
    for (int k = 0; k < 4; k++) {
        fill(points, slopes[k]);
        const struct growth growth = growth_of(points, POINTS);
        if (fabs(growth.slope - slopes[k]) > 1e-9)
            fail_msg("slope %g was fitted as %g", slopes[k], growth.slope);
        assert_true(fabs(growth.spread - 15 * log10(2)) < 1e-12);
        assert_true((growth_broken(&growth, 1) != NULL) == (slopes[k] == 2));
    }
}

static void test_small_sizes_are_left_out(void **state)
{
    struct growth_point points[POINTS];

    (void)state;
    fill(points, 1);
    const struct growth growth = growth_of(points, POINTS);
    assert_int_equal(growth.points, 4); /* 2^12 ns to 2^15 ns: over three times the launch */
}

/* A step of 5 at the last point but one, in the kernel and, if asked for, in the plain loop. */
static struct growth growth_of_step(int of_both)
{
    struct growth_point points[POINTS];

    fill(points, 1);
    for (int k = 0; k < POINTS; k++)
        points[k].plain = 1e-9 * points[k].work;
    for (int k = POINTS - 2; k < POINTS; k++) {
        points[k].seconds += 4e-9 * points[k].work;
        points[k].plain *= of_both ? 5 : 1;
    }
    return growth_of(points, POINTS);
}

static void test_cliff(void **state)
{
    const struct growth growth = growth_of_step(0);

    (void)state;
    assert_true(fabs(growth.cliff - 5) < 1e-9);
    assert_int_equal(growth.cliff_at, POINTS - 2);
    assert_non_null(growth_broken(&growth, 1));
}

static void test_step_of_the_plain_loop_too(void **state)
{
    const struct growth growth = growth_of_step(1);

    (void)state;
    assert_true(growth.cliff < 1 + 1e-9);
    assert_true(fabs(growth.slope - growth.plain_slope) < 1e-9);
    assert_true(growth.slope > GROWTH_SLOPE_MOST);
    assert_null(growth_broken(&growth, 1));
}

/* A cost of every launch that is much higher in others than in the first is not growth; times that
 * grow as slowly to the end are. */
static void test_cost_of_a_launch(void **state)
{
    static const double costs[] = {4e-6, 17e-6, 30e-6, 20e-6};
    struct growth_point points[POINTS];

    (void)state;
    for (int k = 0; k < POINTS; k++) {
        points[k] = (struct growth_point){pow(2, k), 0, 0, 0, 0};
        points[k].seconds = costs[k < 4 ? k : 3] + 8e-8 * points[k].work;
    }
    struct growth growth = growth_of(points, POINTS);
    assert_true(growth.slope < GROWTH_SLOPE_LEAST && growth.end_slope > GROWTH_SLOPE_LEAST);
    assert_null(growth_broken(&growth, 1));
    for (int k = 0; k < POINTS; k++)
        points[k].seconds = 1e-6 * pow(points[k].work, 0.6);
    growth = growth_of(points, POINTS);
    assert_string_equal(growth_broken(&growth, 1), "slope");
}

/* Sizes that do not fill a GPU take the same time, which breaks no promise. */
static void test_low_slope(void **state)
{
    const struct growth growth = {6, 0.3, 0.3, 0, 0, 1, -1, 4};

    (void)state;
    assert_non_null(growth_broken(&growth, 1));
    assert_null(growth_broken(&growth, 0));
}

/* A low slope does not hide a steep end. */
static void test_steep_end(void **state)
{
    struct growth_point points[POINTS];

    (void)state;
    for (int k = 0; k < POINTS; k++) {
        points[k] = (struct growth_point){pow(2, k), 0, 0, 0, 0};
        points[k].seconds = (k == 0 ? 4e-6 : 30e-6) + 5e-11 * pow(points[k].work, 2);
    }
    struct growth growth = growth_of(points, POINTS);
    assert_true(growth.slope < GROWTH_SLOPE_LEAST && growth.end_slope > GROWTH_SLOPE_MOST);
    assert_string_equal(growth_broken(&growth, 1), "slope");
    growth.end_slope = 1;
    assert_null(growth_broken(&growth, 1));
    /* Nor do three points make an end of twelve. */
    for (int k = 0; k < POINTS; k++)
        points[k].seconds =
            1e-6 * pow(points[k].work, 0.4) * (k > POINTS - 3 ? pow(2, 0.6 * (k - POINTS + 3)) : 1);
    growth = growth_of(points, POINTS);
    assert_true(growth.points > 6 && growth.end_slope < GROWTH_SLOPE_LEAST);
    assert_string_equal(growth_broken(&growth, 1), "slope");
}

/* Time may grow as fast as the plain loop's, and less fast, but not faster. */
static void test_growth_of_the_plain_loop(void **state)
{
    struct growth growth = {6, 1.6, 1.6, 1.8, 0, 1, -1, 4};

    (void)state;
    assert_null(growth_broken(&growth, 1));
    growth.slope = growth.end_slope = 1.9;
    assert_null(growth_broken(&growth, 1));
    growth.slope = growth.end_slope = 2;
    assert_string_equal(growth_broken(&growth, 1), "slope");
    growth = (struct growth){6, 0.5, 0.5, 0.6, 0, 1, -1, 4};
    assert_null(growth_broken(&growth, 1));
    growth.slope = 0.4;
    assert_null(growth_broken(&growth, 1));
    growth.end_slope = 0.4;
    assert_string_equal(growth_broken(&growth, 1), "slope");
}

/* The memory's slope excuses no low slope, and no high one without bound. */
static void test_bounds_of_the_memory(void **state)
{
    struct growth growth = {6, 0.7, 0.7, 0, 0.6, 1, -1, 4};

    (void)state;
    assert_string_equal(growth_broken(&growth, 1), "slope");
    growth = (struct growth){6, 1.8, 1.8, 0, 2, 1, -1, 4};
    assert_null(growth_broken(&growth, 1));
    growth.slope = growth.end_slope = 1.9;
    assert_string_equal(growth_broken(&growth, 1), "slope");
}

/* Time may grow as fast as the memory's, and less fast, but not faster. */
static void test_growth_of_the_memory(void **state)
{
    struct growth_point points[POINTS];

    (void)state;
    for (int k = 0; k < 2; k++) {
        fill(points, k == 0 ? 1.6 : 1.8);
        struct growth growth = growth_of(points, POINTS);
        assert_true(growth.memory_slope == 0);
        assert_string_equal(growth_broken(&growth, 1), "slope");
        for (int p = 0; p < POINTS; p++)
            points[p].memory = 1e-12 * pow(points[p].work, 1.62);
        growth = growth_of(points, POINTS);
        assert_true(fabs(growth.memory_slope - 1.62) < 1e-9);
        assert_int_equal(growth_broken(&growth, 1) != NULL, k);
        points[POINTS - 1].memory = 0; /* unknown for one of the points */
        growth = growth_of(points, POINTS);
        assert_true(growth.memory_slope == 0);
    }
    fill(points, 1.6);
    for (int p = 0; p < POINTS; p++)
        points[p].memory = 1e-12 * points[p].work;
    const struct growth growth = growth_of(points, POINTS);
    assert_string_equal(growth_broken(&growth, 1), "slope");
}

static void test_no_cliff_where_time_falls(void **state)
{
    struct growth_point points[POINTS];

    (void)state;
    fill(points, 1);
    points[15].seconds = points[14].seconds * 1.5;
    const struct growth growth = growth_of(points, POINTS);
    assert_true(growth.cliff == 1 || growth.cliff < 1.0001);
}

static void test_too_few_points(void **state)
{
    struct growth_point points[3] = {{1, 1e-6, 0, 0, 0}, {2, 1e-5, 0, 0, 0}, {4, 2e-5, 0, 0, 0}};

    (void)state;
    struct growth growth = growth_of(points, 3);
    assert_int_equal(growth.points, 2);
    assert_true(growth.slope == 0);
    assert_null(growth_broken(&growth, 1));
    growth = growth_of(points, 0);
    assert_int_equal(growth.points, 0);
    assert_null(growth_broken(&growth, 1));
}

/* Two threads contend from the fourth size on: each element takes 50 times as long from there. */
static void test_partial_sizes_are_left_out(void **state)
{
    struct growth_point points[POINTS];

    (void)state;
    fill(points, 1);
    for (int k = 0; k < POINTS; k++)
        points[k].seconds = 1e-9 * points[k].work * (k < 3 ? 1 : 50);
    struct growth growth = growth_of(points, POINTS);
    assert_string_equal(growth_broken(&growth, 1), "cliff");
    for (int k = 0; k < 3; k++)
        points[k].partial = 1;
    growth = growth_of(points, POINTS);
    assert_null(growth_broken(&growth, 1));
    assert_int_equal(growth.points, POINTS - 5); /* nor are the fourth, the least, and the fifth */
    assert_true(growth.slope < 1.1);
    for (int k = 0; k < POINTS; k++)
        points[k].partial = 1;
    growth = growth_of(points, POINTS);
    assert_string_equal(growth_broken(&growth, 1), "cliff");
}

static void test_no_work(void **state)
{
    struct growth_point points[4] = {
        {0, 1e-6, 0, 0, 0}, {0, 1e-5, 0, 0, 0}, {0, 2e-5, 0, 0, 0}, {0, 4e-5, 0, 0, 0}};

    (void)state;
    const struct growth growth = growth_of(points, 4);
    assert_int_equal(growth.points, 0);
    assert_true(growth.spread == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_small_sizes_are_left_out),
        cmocka_unit_test(test_cliff),
        cmocka_unit_test(test_step_of_the_plain_loop_too),
        cmocka_unit_test(test_cost_of_a_launch),
        cmocka_unit_test(test_low_slope),
        cmocka_unit_test(test_steep_end),
        cmocka_unit_test(test_growth_of_the_plain_loop),
        cmocka_unit_test(test_bounds_of_the_memory),
        cmocka_unit_test(test_growth_of_the_memory),
        cmocka_unit_test(test_no_cliff_where_time_falls),
        cmocka_unit_test(test_too_few_points),
        cmocka_unit_test(test_no_work),
        cmocka_unit_test(test_partial_sizes_are_left_out),
    };

    return cmocka_run_group_tests_name("growth", tests, NULL, NULL) != 0;
}
