/* SPDX-License-Identifier: BSD-3-Clause */
/* host/bench.h: both sides of a ratio are treated alike. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "host/bench.h"
#include "host/timer.h"

#include <math.h>   /* fabs, pow */
#include <string.h> /* memset, strstr */
#include <time.h>   /* nanosleep */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

enum { N = 1000, WARM_UP = 3 };

/* Observations of the fake case. */
static struct {
    int launches, plains, spoilt, elsewhere, plain_first, failing;
    const void *kernel_x;
} seen;

static int prepare(struct run *run, struct io_error *error)
{
    run_input_real(run, "a", N);
    run_update_real(run, "x", N, OWNER_NONE);
    run->bytes = 10;
    run->flops = 20;
    return run_ready(run, error);
}

/* Both sides double x, which must have its initial values. */
static void double_all(const struct run *run, REAL *x)
{
    const REAL *initial = (const REAL *)run->arrays[1].initial;

    seen.spoilt += memcmp(x, initial, N * sizeof(REAL)) != 0;
    for (int i = 0; i < N; i++)
        x[i] *= 2;
}

static portable_status launch(struct run *run)
{
    if (seen.failing && seen.launches == seen.failing)
        return PORTABLE_ERROR_DEVICE;
    seen.launches++;
    seen.kernel_x = run_device(run, "x");
    double_all(run, DEVICE_REALS("x"));
    return PORTABLE_SUCCESS;
}

static void plain(struct run *run)
{
    seen.plain_first += seen.plains == seen.launches;
    seen.plains++;
    seen.elsewhere += seen.kernel_x && HOST_REALS("x") != seen.kernel_x;
    double_all(run, HOST_REALS("x"));
}

static struct gallery_case fake = {.family = "family",
                                   .name = "fake",
                                   .summary = "",
                                   .blocks = {{1}},
                                   .timing_n = N,
                                   .prepare = prepare,
                                   .launch = launch,
                                   .plain = plain};

static int bench(struct gallery_case *which, struct bench_options options,
                 struct bench_result *result, struct io_error *error)
{
    struct run run;

    memset(&run, 0, sizeof run);
    run.which = which;
    run.n = N;
    run.block = case_block(which, 0);
    return bench_run(&run, &options, result, error);
}

static void test_both_sides_alike(void **state)
{
    const struct bench_options options = {10, 0, 0, 0};
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(bench(&fake, options, &result, &error), 0);
    assert_int_equal(seen.launches, WARM_UP + 10);
    assert_int_equal(seen.plains, WARM_UP + 10);
    assert_int_equal(seen.plain_first, (WARM_UP + 10) / 2); /* every second time */
    assert_int_equal(seen.spoilt, 0);
    assert_int_equal(seen.elsewhere, 0);
    assert_int_equal(result.repeats, 10);
    assert_int_equal(result.n, N);
    assert_true(result.compared && result.bytes == 10 && result.flops == 20);
    assert_true(result.arrays == 5.0 * N * sizeof(REAL)); /* both twice, and x's initial values */
}

static void test_itself(void **state)
{
    const struct bench_options options = {10, 1, 0, 0};
    struct gallery_case alone = fake;
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    alone.plain = NULL;
    assert_int_equal(bench(&alone, options, &result, &error), 0);
    assert_int_equal(seen.launches, 2 * (WARM_UP + 10));
    assert_true(result.compared && result.ratio.median > 0);
}

static void test_without_a_plain_loop(void **state)
{
    const struct bench_options options = {1, 0, 0, 0};
    struct gallery_case alone = fake;
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    alone.plain = NULL;
    assert_int_equal(bench(&alone, options, &result, &error), 0);
    assert_false(result.compared);
    assert_int_equal(result.repeats, 1);
}

static void test_late(void **state)
{
    const struct bench_options options = {10, 0, 1e-9, 0}; /* the time is up already */
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(bench(&fake, options, &result, &error), 0);
    assert_int_equal(result.repeats, 3);
    assert_int_equal(seen.launches, 1 + 3);
}

static void test_lasting(void **state)
{
    const struct bench_options options = {10, 0, 0, 10}; /* 10 s are more than 4096 repeats */
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(bench(&fake, options, &result, &error), 0);
    assert_true(result.repeats > 10 && result.repeats <= 4096);
    assert_true(result.least.seconds > 0 && result.plain_least.seconds > 0);
}

/* A millisecond of work, or of waiting. */
static void work(int waits)
{
    const double end = timer_seconds() + 1e-3;

    if (waits)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    while (timer_seconds() < end)
        continue;
}

static portable_status launch_after_waits(struct run *run)
{
    (void)run;
    work(seen.launches++ < 20);
    return PORTABLE_SUCCESS;
}

static void plain_after_waits(struct run *run)
{
    (void)run;
    work(seen.plains++ < 20);
}

/* A size is repeated until three launches, and three plain loops, had the core all the time, and
 * those count. */
static void test_waits(void **state)
{
    const struct bench_options options = {5, 0, 0, 1e-3};
    struct gallery_case alone = fake;
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    alone.plain = NULL;
    alone.launch = launch_after_waits;
    assert_int_equal(bench(&alone, options, &result, &error), 0);
    assert_true(seen.launches > 20 && result.least.seconds > 0.9e-3 && !result.least.estimated);
    memset(&seen, 0, sizeof seen);
    alone.launch = launch;
    alone.plain = plain_after_waits;
    assert_int_equal(bench(&alone, options, &result, &error), 0);
    assert_true(seen.plains > 20 && result.plain_least.seconds > 0.9e-3);
    assert_false(result.plain_least.estimated);
}

/* Estimates of launches in which a thread waited count only if there are fewer than three others,
 * and then one that is too low does not decide. */
static void test_least(void **state)
{
    static const struct bench_sample samples[] = {
        {9, 2, 1, 0}, {5, 5, 0, 0}, {9, 1, 1, 0}, {4, 4, 0, 0}, {6, 6, 0, 0}};
    double numbers[5];

    (void)state;
    struct bench_least_time least = bench_least_of(samples, numbers, 5);
    assert_true(least.seconds == 4 && !least.estimated);
    least = bench_least_of(samples, numbers, 4);
    assert_true(least.seconds == 3 && least.estimated);
    least = bench_least_of(samples + 1, numbers, 1);
    assert_true(least.seconds == 5 && least.estimated);
    least = bench_least_of(samples, numbers, 0);
    assert_true(least.seconds == 0 && !least.estimated);
}

/* Beyond the cost of a team, which the smallest copy shows. */
static void test_moving(void **state)
{
    struct bench_machine machine;

    (void)state;
    memset(&machine, 0, sizeof machine);
    assert_true(bench_moving(&machine, 1 << 20) == 0); /* not measured */
    machine.copies[0] = 1e-5;
    for (int k = 1; k < BENCH_COPIES; k++)
        machine.copies[k] = 1e-5 + 1e-7 * pow(2, k);
    assert_true(bench_moving(&machine, 1 << 12) == 0);
    for (int k = 1; k < BENCH_COPIES + 3; k++) {
        const double seconds = bench_moving(&machine, pow(2, 12 + k));

        assert_true(fabs(seconds / (1e-7 * pow(2, k)) - 1) < 1e-6);
    }
    assert_true(fabs(bench_moving(&machine, 3 << 13) / 6e-7 - 1) < 1e-6);
    machine.copies[3] = 1e-6; /* no slower than the smallest */
    assert_true(bench_moving(&machine, 1 << 15) == 0);
}

/* The peak of this machine is that of many chains, not that of one, which waits for each result. */
static void test_peak(void **state)
{
    enum { TURNS = 1 << 24 };
    struct bench_machine machine;
    struct io_error error;
    const double start = timer_seconds();
    volatile REAL end;
    REAL one = 2;

    (void)state;
    for (int k = 0; k < TURNS; k++)
        one = one * (REAL)0.999 + (REAL)0.001;
    end = one;
    const double of_one = 2.0 * TURNS / (timer_seconds() - start);
    assert_true(end > 0);
    assert_int_equal(bench_machine_measure(&machine, 0, &error), 0);
    assert_true(machine.memory > 0 && machine.peak > 2 * of_one);
    assert_true(bench_moving(&machine, 1 << 20) == 0);
}

static void test_share(void **state)
{
    (void)state;
    assert_true(bench_share(10, 0, 4) == 0);
    assert_true(bench_share(10, 30, 4) == 15);
    assert_true(bench_share(15, 30, 1) == 30);
    assert_true(bench_share(40, 30, 4) == 40);
}

static void test_seconds_left(void **state)
{
    (void)state;
    assert_true(bench_seconds_left(3, 0, 10, 0) == -1);
    assert_true(bench_seconds_left(3, 0, 10, 150) == 147);
    assert_true(bench_seconds_left(20, 2, 10, 0) == 80);
    assert_true(bench_seconds_left(20, 2, 10, 150) == 80);
    assert_true(bench_seconds_left(20, 2, 10, 60) == 40);
    assert_true(bench_seconds_left(70, 2, 10, 60) == 0);
    assert_true(bench_seconds_left(70, 10, 10, 0) == 0);
}

static int next(int n, int last, double spent, double left)
{
    struct bench_result largest, result;

    memset(&largest, 0, sizeof largest);
    memset(&result, 0, sizeof result);
    largest.n = n;
    result.n = last;
    return bench_next_size(&fake, &largest, &result, spent, left);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(next(1 << 20, 1 << 20, 1, -1), 1 << 19);
    assert_int_equal(next(1 << 20, 1 << 20, 1, 0.5), 1 << 19);
    assert_int_equal(next(1 << 20, 1 << 20, 1, 0.2), 1 << 17); /* of an eighth of the time */
    assert_int_equal(next(1 << 20, 1 << 20, 1, 0), 1);
    assert_int_equal(next(1 << 20, 100, 1, -1),
                     1); /* four decades; 1 is the least that is checked */
    assert_int_equal(next(1 << 20, 1, 1, -1), -1);
}

static void test_a_launch_that_fails(void **state)
{
    const struct bench_options options = {10, 0, 0, 0};
    struct bench_result result;
    struct io_error error;

    (void)state;
    for (int at = 1; at <= WARM_UP + 1; at += WARM_UP) {
        memset(&seen, 0, sizeof seen);
        seen.failing = at;
        assert_int_equal(bench(&fake, options, &result, &error), IO_BAD);
        assert_non_null(strstr(error.text, "case fake"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_sides_alike),
        cmocka_unit_test(test_itself),
        cmocka_unit_test(test_without_a_plain_loop),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_lasting),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_least),
        cmocka_unit_test(test_moving),
        cmocka_unit_test(test_peak),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_seconds_left),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_a_launch_that_fails),
    };

    return cmocka_run_group_tests_name("bench", tests, NULL, NULL) != 0;
}
