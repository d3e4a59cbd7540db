/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/vector.c"

#include "host/case.h"

#include <math.h> /* fabs */

#define A ((REAL)1.75)

static int prepare_add(struct run *run, struct io_error *error)
{
    run_input_real(run, "a", (size_t)run->n);
    run_input_real(run, "b", (size_t)run->n);
    run_output_real(run, "c", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 3.0 * run->n * sizeof(REAL);
    run->flops = run->n;
    return run_ready(run, error);
}

static portable_status launch_add(struct run *run)
{
    return KERNEL_LAUNCH(vector_add, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("a"),
                         DEVICE_REALS("b"), DEVICE_REALS("c"));
}

static void reference_add(struct run *run)
{
    const REAL *a = HOST_REALS("a"), *b = HOST_REALS("b");

    for (int i = 0; i < run->n; i++) {
        const double sum = (double)a[i] + (double)b[i];
        run_expect(run, "c", (size_t)i, sum, run_roundings(1) * fabs(sum));
    }
}

static void baseline_add(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT a = HOST_REALS("a"), *RESTRICT b = HOST_REALS("b");
    REAL *RESTRICT c = HOST_REALS("c");

    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

static int prepare_saxpy(struct run *run, struct io_error *error)
{
    run_input_real(run, "x", (size_t)run->n);
    run_update_real(run, "y", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 3.0 * run->n * sizeof(REAL);
    run->flops = 2.0 * run->n;
    return run_ready(run, error);
}

static int prepare_saxpy_cover(struct run *run, struct io_error *error)
{
    const int status = prepare_saxpy(run, error);

    run_cover(run, run->n);
    return status;
}

static portable_status launch_saxpy_per_thread(struct run *run)
{
    return KERNEL_LAUNCH(saxpy_per_thread, run->grid, run->block, 0, 0, run->n, A,
                         DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static portable_status launch_saxpy(struct run *run)
{
    return KERNEL_LAUNCH(saxpy, run->grid, run->block, 0, 0, run->n, A, DEVICE_REALS("x"),
                         DEVICE_REALS("y"));
}

static portable_status launch_saxpy_by_hand(struct run *run)
{
    return KERNEL_LAUNCH(saxpy_by_hand, run->grid, run->block, 0, 0, run->n, A, DEVICE_REALS("x"),
                         DEVICE_REALS("y"));
}

static void reference_saxpy(struct run *run)
{
    const REAL *x = HOST_REALS("x"), *y = HOST_REALS("y");

    for (int i = 0; i < run->n; i++) {
        const double product = (double)A * (double)x[i];
        run_expect(run, "y", (size_t)i, product + (double)y[i],
                   run_roundings(2) * (fabs(product) + fabs((double)y[i])));
    }
}

static void baseline_saxpy(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT x = HOST_REALS("x");
    REAL *RESTRICT y = HOST_REALS("y");

    for (int i = 0; i < n; i++)
        y[i] = A * x[i] + y[i];
}

/* To time, a grid that covers all: what a block that ends makes room for comes sooner than another
 * turn of a loop. */
static int prepare_float4(struct run *run, struct io_error *error)
{
    run_input_float(run, "x", (size_t)run->n);
    run_update_float(run, "y", (size_t)run->n, OWNER_NONE);
    run_stride(run, (run->n + 3) / 4);
    if (run->timing)
        run_cover(run, (run->n + 3) / 4);
    run->bytes = 3.0 * run->n * sizeof(float);
    run->flops = 2.0 * run->n;
    return run_ready(run, error);
}

static portable_status launch_float4(struct run *run)
{
    return KERNEL_LAUNCH(saxpy_float4, run->grid, run->block, 0, 0, run->n, (float)A,
                         DEVICE_FLOATS("x"), DEVICE_FLOATS("y"));
}

static void reference_float4(struct run *run)
{
    const float *x = HOST_FLOATS("x"), *y = HOST_FLOATS("y");

    for (int i = 0; i < run->n; i++) {
        const double product = (double)A * (double)x[i];
        run_expect(run, "y", (size_t)i, product + (double)y[i],
                   (double)FLT_EPSILON * (fabs(product) + fabs((double)y[i])));
    }
}

static void baseline_float4(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT x = HOST_FLOATS("x");
    float *RESTRICT y = HOST_FLOATS("y");

    for (int i = 0; i < n; i++)
        y[i] = (float)A * x[i] + y[i];
}

static int prepare_square(struct run *run, struct io_error *error)
{
    run_update_real(run, "x", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 2.0 * run->n * sizeof(REAL);
    run->flops = run->n;
    return run_ready(run, error);
}

static portable_status launch_square(struct run *run)
{
    return KERNEL_LAUNCH(square, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"));
}

static void reference_square(struct run *run)
{
    const REAL *x = HOST_REALS("x");

    for (int i = 0; i < run->n; i++) {
        const double value = (double)x[i] * (double)x[i];
        run_expect(run, "x", (size_t)i, value, run_roundings(1) * value);
    }
}

static void baseline_square(struct run *run)
{
    const int n = run->n;
    REAL *x = HOST_REALS("x");

    for (int i = 0; i < n; i++)
        x[i] = x[i] * x[i];
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "vector", .name = "vector_add", .summary = "c = a + b",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_add, .launch = launch_add, .reference = reference_add, .baseline = baseline_add},
    {.family = "vector", .name = "saxpy_per_thread",
     .summary = "y = a x + y, one element per thread", .problem = "saxpy",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_saxpy_cover, .launch = launch_saxpy_per_thread,
     .reference = reference_saxpy, .baseline = baseline_saxpy},
    {.family = "vector", .name = "saxpy", .summary = "y = a x + y in a grid-stride loop",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_saxpy, .launch = launch_saxpy, .reference = reference_saxpy,
     .baseline = baseline_saxpy},
    {.family = "vector", .name = "saxpy_by_hand",
     .summary = "y = a x + y, the loop written by hand", .problem = "saxpy",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_saxpy, .launch = launch_saxpy_by_hand, .reference = reference_saxpy,
     .baseline = baseline_saxpy},
    {.family = "vector", .name = "saxpy_float4", .summary = "y = a x + y, four floats per access",
     .problem = "saxpy", .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_float4, .launch = launch_float4, .reference = reference_float4,
     .baseline = baseline_float4},
    {.family = "vector", .name = "square", .summary = "x = x x in place",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_square, .launch = launch_square, .reference = reference_square,
     .baseline = baseline_square},
};
/* clang-format on */
GALLERY_CASES(cases)
