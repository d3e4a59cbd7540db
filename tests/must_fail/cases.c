/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases that are correct unless WRONG in the environment names a fault: then one of them has that
 * fault. For tests/must_fail/run.sh, which knows the gallery's messages for each.
 *
 * Except for `all_runs`, a fault is only in the run with n = 33 and blocks of 32 threads, and in
 * one element: the runs, elements, arrays and cases before and after it are correct. */
#include "host/case.h"

#include <stdlib.h> /* getenv */
#include <string.h> /* strcmp */

static int is_wrong(const char *fault)
{
    const char *const wrong = getenv("WRONG");

    return wrong && strcmp(wrong, fault) == 0;
}

static int is_here(const struct run *run)
{
    return run->n == 33 && run->block.x == 32;
}

/* The element with the fault, or none. */
static int at(const struct run *run, const char *fault)
{
    return is_wrong(fault) && is_here(run) ? run->n / 2 : -1;
}

/* 1 plus one unit in the last place. */
static REAL next_to_one(void)
{
    return (REAL)1 + (REAL)(sizeof(REAL) == sizeof(double) ? 0x1p-52 : 0x1p-23);
}

/* y = 2 x, except for the element `at`. */
KERNEL(doubles)(int n, int at, REAL wrong, const REAL *x, REAL *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = i == at ? 2 * x[i] * wrong : 2 * x[i];
}

/* y = 2 x, but waits for the element `at` to change by itself. */
KERNEL(waits)(int n, int at, const REAL *x, volatile REAL *y)
{
    GRID_STRIDE_LOOP(i, n) {
        while (i == at && y[i] == 0) {
        }
        y[i] = 2 * x[i];
    }
}

/* z += x, except for the element `at`. */
KERNEL(adds)(int n, int at, REAL wrong, const REAL *x, REAL *z)
{
    GRID_STRIDE_LOOP(i, n)
        z[i] += i == at ? wrong * x[i] : x[i];
}

/* Counts up to -1 at the element n / 2, except for the element `at`: the harness fills outputs with
 * the bytes of -1. */
KERNEL(fills)(int n, int at, int *y)
{
    GRID_STRIDE_LOOP(i, n) {
        if (i != at)
            y[i] = i - n / 2 - 1;
    }
}

/* s = x, but for the element `at` of it, which stays as it was. */
KERNEL(keeps)(int n, int at, const REAL *x, REAL *s)
{
    GRID_STRIDE_LOOP(i, n) {
        if (i != at)
            s[i] = x[i];
    }
}

/* y = 2 x, whatever finite numbers are in s. */
KERNEL(doubles_beside)(int n, const REAL *x, const REAL *s, REAL *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = 2 * x[i] + 0 * s[i];
}

/* Writes outside of the array if `at` is less than 0, or not less than its length. */
KERNEL(writes)(int at, REAL *x)
{
    GRID_STRIDE_LOOP(i, 1)
        x[at + i] = 1;
}

static portable_status launch_writes(struct run *run, const char *fault, const char *array,
                                     int write_at)
{
    if (!is_wrong(fault) || !is_here(run))
        return PORTABLE_SUCCESS;
    return KERNEL_LAUNCH(writes, run->grid, run->block, 0, 0, write_at, DEVICE_REALS(array));
}

/* ---- one output ---- */

static int prepare_one(struct run *run, struct io_error *error)
{
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "y", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    return run_ready(run, error);
}

static portable_status launch_doubles(struct run *run, int wrong_at)
{
    return KERNEL_LAUNCH(doubles, run->grid, run->block, 0, 0, run->n, wrong_at, next_to_one(),
                         DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static void expect_doubles(struct run *run, int wrong_at, double bound)
{
    for (int i = 0; i < run->n; i++)
        run_expect(run, "y", (size_t)i, (i == wrong_at ? 3 : 2) * (double)HOST_REALS("x")[i],
                   bound);
}

static portable_status launch_waits(struct run *run)
{
    const int wrong_at = at(run, "endless");
    portable_status status = portable_memset(DEVICE_REALS("y") + wrong_at, 0, sizeof(REAL));

    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(waits, run->grid, run->block, 0, 0, run->n, wrong_at,
                               DEVICE_REALS("x"), DEVICE_REALS("y"));
    return status;
}

static portable_status launch_begins(struct run *run)
{
    portable_status status;

    if (at(run, "endless") >= 0)
        return launch_waits(run);
    status = launch_doubles(run, is_wrong("all_runs") ? 0 : at(run, "last_place"));
    if (status == PORTABLE_SUCCESS)
        status = launch_writes(run, "beyond_output", "y", run->n);
    if (status == PORTABLE_SUCCESS)
        status = launch_writes(run, "before_input", "x", -1);
    return status;
}

static void reference_begins(struct run *run)
{
    expect_doubles(run, at(run, "reference"), 0);
}

/* ---- one output, and scratch that must not matter ---- */

static int prepare_ends(struct run *run, struct io_error *error)
{
    run_scratch_real(run, "scratch", (size_t)run->n);
    return prepare_one(run, error);
}

/* A launch that fails leaves no results. */
static portable_status launch_ends(struct run *run)
{
    portable_status status;

    if (is_wrong("launch") && is_here(run))
        return KERNEL_LAUNCH(doubles, run->grid, 2048, 0, 0, run->n, -1, 1, DEVICE_REALS("x"),
                             DEVICE_REALS("y"));
    status = KERNEL_LAUNCH(keeps, run->grid, run->block, 0, 0, run->n, at(run, "scratch"),
                           DEVICE_REALS("x"), DEVICE_REALS("scratch"));
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(doubles_beside, run->grid, run->block, 0, 0, run->n,
                               DEVICE_REALS("x"), DEVICE_REALS("scratch"), DEVICE_REALS("y"));
    if (status == PORTABLE_SUCCESS)
        status = launch_writes(run, "far_beyond_scratch", "scratch", run->n + 20);
    return status;
}

static void reference_ends(struct run *run)
{
    expect_doubles(run, -1, 0);
}

/* ---- two outputs and an updated array, with an exact reference ---- */

static int prepare_three(struct run *run, struct io_error *error)
{
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "first", (size_t)run->n, OWNER_ELEMENT);
    run_update_real(run, "updated", (size_t)run->n, OWNER_ELEMENT);
    run_output_real(run, "last", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    return run_ready(run, error);
}

static portable_status launch_faults(struct run *run, const char *first, const char *updated,
                                     const char *last, REAL wrong)
{
    portable_status status =
        KERNEL_LAUNCH(doubles, run->grid, run->block, 0, 0, run->n, at(run, first), wrong,
                      DEVICE_REALS("x"), DEVICE_REALS("first"));

    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(adds, run->grid, run->block, 0, 0, run->n, at(run, updated), wrong,
                               DEVICE_REALS("x"), DEVICE_REALS("updated"));
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(doubles, run->grid, run->block, 0, 0, run->n, at(run, last), wrong,
                               DEVICE_REALS("x"), DEVICE_REALS("last"));
    return status;
}

static portable_status launch_outputs(struct run *run)
{
    return launch_faults(run, "first_output", "updated_array", "last_output", 3);
}

/* The tolerance, relative to the sum of the terms' magnitudes. */
static void expect_three(struct run *run, double relative)
{
    for (int i = 0; i < run->n; i++) {
        const double x = HOST_REALS("x")[i], z = HOST_REALS("updated")[i];
        const double size = (x < 0 ? -x : x) + (z < 0 ? -z : z);

        run_expect(run, "first", (size_t)i, 2 * x, 2 * relative * size);
        run_expect(run, "updated", (size_t)i, (double)(REAL)(z + x), relative * size);
        run_expect(run, "last", (size_t)i, 2 * x, 2 * relative * size);
    }
}

static void reference_outputs(struct run *run)
{
    expect_three(run, 0);
}

/* ---- the same, with a reference that leaves room for another target's error ---- */

static portable_status launch_target(struct run *run)
{
    return launch_faults(run, "target_first", "target_updated", "target_last", next_to_one());
}

static void reference_target(struct run *run)
{
    expect_three(run, run_roundings(8));
}

/* ---- a tolerance of 2^-10 between targets ---- */

static portable_status launch_tolerance(struct run *run)
{
    const int above = at(run, "above_tolerance"), below = at(run, "below_tolerance");
    const REAL x = HOST_REALS("x")[run->n / 2], step = (REAL)(above >= 0 ? 0x1.01p-10 : 0x1.f8p-11);

    return KERNEL_LAUNCH(doubles, run->grid, run->block, 0, 0, run->n, above >= 0 ? above : below,
                         1 + step / (2 * x), DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static void reference_tolerance(struct run *run)
{
    expect_doubles(run, -1, 0x1p-8);
}

/* ---- outputs that look as if one element had not been written ---- */

static int prepare_filled(struct run *run, struct io_error *error)
{
    run_output_array(run, "first", ARRAY_INT32, (size_t)run->n, OWNER_ELEMENT);
    run_output_array(run, "last", ARRAY_INT32, (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    return run_ready(run, error);
}

static portable_status launch_filled(struct run *run)
{
    portable_status status = KERNEL_LAUNCH(fills, run->grid, run->block, 0, 0, run->n,
                                           at(run, "unwritten_first"), DEVICE_INTS("first"));

    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(fills, run->grid, run->block, 0, 0, run->n,
                               at(run, "unwritten_last"), DEVICE_INTS("last"));
    return status;
}

static void reference_filled(struct run *run)
{
    for (int i = 0; i < run->n; i++) {
        run_expect(run, "first", (size_t)i, i - run->n / 2 - 1, 0);
        if (!is_wrong("no_reference"))
            run_expect(run, "last", (size_t)i, i - run->n / 2 - 1, 0);
    }
}

/* clang-format off */
#define SIZES {1, 33, 100}
static const struct gallery_case cases[] = {
    {.family = "verdict", .name = "begins", .summary = "y = 2 x",
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 100,
     .prepare = prepare_one, .launch = launch_begins, .reference = reference_begins},
    {.family = "verdict", .name = "outputs", .summary = "two outputs, an updated array",
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 100,
     .prepare = prepare_three, .launch = launch_outputs, .reference = reference_outputs},
    {.family = "verdict", .name = "targets", .summary = "the same, of a rounded reference",
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 100,
     .prepare = prepare_three, .launch = launch_target, .reference = reference_target},
    {.family = "verdict", .name = "tolerance", .summary = "y = 2 x, give or take 2^-10",
     .policy = CASE_ABSREL(0x1p-10, 0, "to be tried"),
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 100,
     .prepare = prepare_one, .launch = launch_tolerance, .reference = reference_tolerance},
    {.family = "verdict", .name = "filled", .summary = "integers up to and above -1",
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 100,
     .prepare = prepare_filled, .launch = launch_filled, .reference = reference_filled},
    {.family = "verdict", .name = "ends", .summary = "y = 2 x",
     .takes = CASE_LINES, .sizes = SIZES, .timing_n = 100,
     .prepare = prepare_ends, .launch = launch_ends, .reference = reference_ends},
};
/* clang-format on */
GALLERY_CASES(cases)
