/* SPDX-License-Identifier: BSD-3-Clause */
/* host/bench/bench.h: both sides of a ratio are treated alike. */
#include "host/bench/bench.h"
#include "host/timer.h"

#include <string.h> /* memset, strstr */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

enum { N = 1000, WARM_UP = 3 };

/* Observations of the fake case. */
static struct {
    int launches, baselines, spoilt, elsewhere, baseline_first, failing;
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

static void baseline(struct run *run)
{
    seen.baseline_first += seen.baselines == seen.launches;
    seen.baselines++;
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
                                   .baseline = baseline};

static int bench(struct gallery_case *test_case, struct bench_options options,
                 struct bench_result *result, struct io_error *error)
{
    struct run run;

    memset(&run, 0, sizeof run);
    run.test_case = test_case;
    run.n = N;
    run.block = case_block(test_case, 0);
    return bench_run(&run, &options, result, error);
}

static void test_both_sides_alike(void **state)
{
    const struct bench_options options = {10, 0, 0};
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(bench(&fake, options, &result, &error), 0);
    const int warm_up = seen.launches - result.repeats;
    assert_true(warm_up >= 1 && warm_up <= WARM_UP); /* fewer on a machine that is very busy */
    assert_true(result.repeats >= 5 && result.repeats <= 10);
    assert_int_equal(seen.baselines, seen.launches);
    assert_int_equal(seen.baseline_first, warm_up / 2 + result.repeats / 2); /* every second time */
    assert_int_equal(seen.spoilt, 0);
    assert_int_equal(seen.elsewhere, 0);
    assert_int_equal(result.n, N);
    assert_true(result.compared && result.bytes == 10 && result.flops == 20);
    assert_true(result.arrays == 5.0 * N * sizeof(REAL)); /* both twice, and x's initial values */
}

static void test_itself(void **state)
{
    const struct bench_options options = {10, 1, 0};
    struct gallery_case alone = fake;
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    alone.baseline = NULL;
    assert_int_equal(bench(&alone, options, &result, &error), 0);
    assert_true(seen.launches >= 2 * (1 + 5) && seen.launches <= 2 * (WARM_UP + 10));
    assert_true(result.compared && result.ratio.median > 0);
}

/* Of cases of version 0.1.0: .plain and which. */
static void test_former_names(void **state)
{
    const struct gallery_case older = {.name = "older", .plain = baseline};
    const struct run run = {.test_case = &older};

    (void)state;
    assert_ptr_equal(older.baseline, baseline);
    assert_ptr_equal(run.which, &older);
}

static void test_without_a_baseline(void **state)
{
    const struct bench_options options = {1, 0, 0};
    struct gallery_case alone = fake;
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    alone.baseline = NULL;
    assert_int_equal(bench(&alone, options, &result, &error), 0);
    assert_false(result.compared);
    assert_int_equal(result.repeats, 1);
}

static void test_late(void **state)
{
    const struct bench_options options = {10, 0, 1e-9}; /* the time is up already */
    struct bench_result result;
    struct io_error error;

    (void)state;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(bench(&fake, options, &result, &error), 0);
    assert_int_equal(result.repeats, 3);
    assert_int_equal(seen.launches, 1 + 3);
}

static void test_machine(void **state)
{
    struct bench_machine machine;
    struct io_error error;

    (void)state;
    assert_int_equal(bench_machine_measure(&machine, &error), 0);
    assert_true(machine.memory > 0 && machine.peak > 0);
}

static void test_share(void **state)
{
    (void)state;
    assert_true(bench_share(10, 0, 4) == 0);
    assert_true(bench_share(10, 30, 4) == 15);
    assert_true(bench_share(15, 30, 1) == 30);
    assert_true(bench_share(40, 30, 4) == 40);
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
    const struct bench_options options = {10, 0, 0};
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
        cmocka_unit_test(test_former_names),
        cmocka_unit_test(test_without_a_baseline),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_a_launch_that_fails),
    };

    return cmocka_run_group_tests_name("bench", tests, NULL, NULL) != 0;
}
