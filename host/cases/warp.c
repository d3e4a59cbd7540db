/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/warp.c"

#include "host/case.h"

#include <math.h> /* fabs */

/* Every thread of the grid has an element; returns how many there are. n asks for a number,
 * which is rounded up to whole blocks; the last warp of a block may be partial. */
static size_t threads(struct run *run)
{
    run_cover(run, run->n);
    const size_t count = (size_t)run->grid.x * run->block.x;

    run->bytes = 4.0 * (double)count * sizeof(REAL);
    return count;
}

/* Calls f for each warp of the grid, with its first thread and the number of its lanes. */
static void for_warps(struct run *run, void (*f)(struct run *, size_t first, unsigned lanes))
{
    for (unsigned block = 0; block < run->grid.x; block++)
        for (unsigned warp = 0; warp < run->block.x; warp += WARP_SIZE) {
            const unsigned rest = run->block.x - warp;

            f(run, (size_t)block * run->block.x + warp, rest < WARP_SIZE ? rest : WARP_SIZE);
        }
}

static int prepare_reduce(struct run *run, struct io_error *error)
{
    const size_t count = threads(run);

    run_input_real(run, "x", count);
    run_output_real(run, "sums", count, OWNER_ELEMENT);
    run_output_real(run, "lows", count, OWNER_ELEMENT);
    run_output_real(run, "highs", count, OWNER_ELEMENT);
    return run_ready(run, error);
}

static portable_status launch_reduce(struct run *run)
{
    return KERNEL_LAUNCH(warp_reduce_real, run->grid, run->block, 0, 0, DEVICE_REALS("x"),
                         DEVICE_REALS("sums"), DEVICE_REALS("lows"), DEVICE_REALS("highs"));
}

static void expect_reduce(struct run *run, size_t first, unsigned lanes)
{
    const REAL *x = HOST_REALS("x") + first;
    double sum = 0, magnitude = 0, low = (double)x[0], high = (double)x[0];

    for (unsigned lane = 0; lane < lanes; lane++) {
        sum += (double)x[lane];
        magnitude += fabs((double)x[lane]);
        low = (double)x[lane] < low ? (double)x[lane] : low;
        high = (double)x[lane] > high ? (double)x[lane] : high;
    }
    for (unsigned lane = 0; lane < lanes; lane++) {
        run_expect(run, "sums", first + lane, sum, run_roundings(5) * magnitude);
        run_expect(run, "lows", first + lane, low, 0);
        run_expect(run, "highs", first + lane, high, 0);
    }
}

static void reference_reduce(struct run *run)
{
    for_warps(run, expect_reduce);
}

static int prepare_int(struct run *run, struct io_error *error)
{
    const size_t count = threads(run);
    int *x = run_input_int(run, "x", count);

    RUN_FILL(x, i, count)
        x[i] = (int)(run_random(run, "x", i) >> 8) - (1 << 23);
    run_output_array(run, "sums", ARRAY_INT32, count, OWNER_ELEMENT);
    return run_ready(run, error);
}

static portable_status launch_int(struct run *run)
{
    return KERNEL_LAUNCH(warp_sum_int, run->grid, run->block, 0, 0, DEVICE_INTS("x"),
                         DEVICE_INTS("sums"));
}

static void expect_int(struct run *run, size_t first, unsigned lanes)
{
    const int *x = HOST_INTS("x") + first;
    int sum = 0;

    for (unsigned lane = 0; lane < lanes; lane++) {
        sum += x[lane];
        run_expect(run, "sums", first + lane, 0, 0);
    }
    run_expect(run, "sums", first, sum, 0);
}

static void reference_int(struct run *run)
{
    for_warps(run, expect_int);
}

static int prepare_ull(struct run *run, struct io_error *error)
{
    const size_t count = threads(run);
    unsigned long long *x = (unsigned long long *)run_input_array(run, "x", ARRAY_UINT64, count);

    RUN_FILL(x, i, count) /* sums stay below 2^53, where doubles are exact */
        x[i] = (unsigned long long)run_random(run, "x", i) << 15;
    run_output_array(run, "sums", ARRAY_UINT64, count, OWNER_ELEMENT);
    return run_ready(run, error);
}

static portable_status launch_ull(struct run *run)
{
    return KERNEL_LAUNCH(warp_sum_ull, run->grid, run->block, 0, 0, DEVICE_LONG_WORDS("x"),
                         DEVICE_LONG_WORDS("sums"));
}

static void expect_ull(struct run *run, size_t first, unsigned lanes)
{
    const unsigned long long *x = HOST_LONG_WORDS("x") + first;
    unsigned long long sum = 0;

    for (unsigned lane = 0; lane < lanes; lane++) {
        sum += x[lane];
        run_expect(run, "sums", first + lane, 0, 0);
    }
    run_expect(run, "sums", first, (double)sum, 0);
}

static void reference_ull(struct run *run)
{
    for_warps(run, expect_ull);
}

static int prepare_scan(struct run *run, struct io_error *error)
{
    const size_t count = threads(run);
    double *x = (double *)run_input_array(run, "x", ARRAY_FLOAT64, count);

    RUN_FILL(x, i, count)
        x[i] = (double)run_random(run, "x", i) / 4294967296.0 - 0.5;
    run_output_array(run, "scanned", ARRAY_FLOAT64, count, OWNER_ELEMENT);
    return run_ready(run, error);
}

static portable_status launch_scan(struct run *run)
{
    return KERNEL_LAUNCH(warp_scan_double, run->grid, run->block, 0, 0, DEVICE_DOUBLES("x"),
                         DEVICE_DOUBLES("scanned"));
}

static void expect_scan(struct run *run, size_t first, unsigned lanes)
{
    const double *x = HOST_DOUBLES("x") + first;
    double sum = 0, magnitude = 0;

    for (unsigned lane = 0; lane < lanes; lane++) {
        sum += x[lane];
        magnitude += fabs(x[lane]);
        run_expect(run, "scanned", first + lane, sum, 2 * WARP_SIZE * DBL_EPSILON * magnitude);
    }
}

static void reference_scan(struct run *run)
{
    for_warps(run, expect_scan);
}

static int prepare_votes(struct run *run, struct io_error *error)
{
    const size_t count = threads(run);
    REAL *x = run_input_real(run, "x", count);

    RUN_FILL(x, i, count) /* some warps agree */
        x[i] += i / WARP_SIZE % 3 == 1 ? 2 : i / WARP_SIZE % 3 == 2 ? -2 : 0;
    run_output_array(run, "ballots", ARRAY_UINT32, count, OWNER_ELEMENT);
    run_output_array(run, "anys", ARRAY_INT32, count, OWNER_ELEMENT);
    run_output_array(run, "alls", ARRAY_INT32, count, OWNER_ELEMENT);
    return run_ready(run, error);
}

static portable_status launch_votes(struct run *run)
{
    return KERNEL_LAUNCH(warp_votes, run->grid, run->block, 0, 0, DEVICE_REALS("x"),
                         DEVICE_WORDS("ballots"), DEVICE_INTS("anys"), DEVICE_INTS("alls"));
}

static void expect_votes(struct run *run, size_t first, unsigned lanes)
{
    const REAL *x = HOST_REALS("x") + first;
    unsigned ballot = 0, positive = 0;

    for (unsigned lane = 0; lane < lanes; lane++)
        if (x[lane] > 0) {
            ballot |= 1u << lane;
            positive++;
        }
    for (unsigned lane = 0; lane < lanes; lane++) {
        run_expect(run, "ballots", first + lane, ballot, 0);
        run_expect(run, "anys", first + lane, positive > 0, 0);
        run_expect(run, "alls", first + lane, positive == lanes, 0);
    }
}

static void reference_votes(struct run *run)
{
    for_warps(run, expect_votes);
}

static int prepare_gather(struct run *run, struct io_error *error)
{
    const size_t count = threads(run);
    int *lanes = run_input_int(run, "lanes", count);

    RUN_FILL(lanes, i, count)
        lanes[i] = (int)(run_random(run, "lanes", i) % WARP_SIZE);
    run_input_real(run, "x", count);
    run_output_real(run, "y", count, OWNER_ELEMENT);
    return run_ready(run, error);
}

static portable_status launch_gather(struct run *run)
{
    return KERNEL_LAUNCH(warp_gather, run->grid, run->block, 0, 0, DEVICE_REALS("x"),
                         DEVICE_INTS("lanes"), DEVICE_REALS("y"));
}

static void expect_gather(struct run *run, size_t first, unsigned lanes)
{
    const REAL *x = HOST_REALS("x") + first;
    const int *source = HOST_INTS("lanes") + first;

    for (unsigned lane = 0; lane < lanes; lane++)
        run_expect(run, "y", first + lane, (double)x[(unsigned)source[lane] % lanes], 0);
}

static void reference_gather(struct run *run)
{
    for_warps(run, expect_gather);
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "warp", .name = "warp_reduce_real",
     .summary = "sum, minimum and maximum of each warp",
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare_reduce, .launch = launch_reduce, .reference = reference_reduce},
    {.family = "warp", .name = "warp_sum_int", .summary = "the sum by SHUFFLE_DOWN, int",
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare_int, .launch = launch_int, .reference = reference_int},
    {.family = "warp", .name = "warp_sum_ull", .summary = "the same, unsigned long long",
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare_ull, .launch = launch_ull, .reference = reference_ull},
    {.family = "warp", .name = "warp_scan_double",
     .summary = "the inclusive scan by SHUFFLE_UP, double",
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare_scan, .launch = launch_scan, .reference = reference_scan},
    {.family = "warp", .name = "warp_votes", .summary = "BALLOT, ANY and ALL",
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare_votes, .launch = launch_votes, .reference = reference_votes},
    {.family = "warp", .name = "warp_gather", .summary = "SHUFFLE with a source lane per lane",
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare_gather, .launch = launch_gather, .reference = reference_gather},
};
/* clang-format on */
GALLERY_CASES(cases)
