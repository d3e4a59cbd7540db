/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/half.c"

#include "host/case.h"

#include <math.h>   /* fabs, ldexp */
#include <string.h> /* memcpy */

#define A 1.75f

/* Numbers of 16 bits are pairs of bytes to the harness, so each case also unpacks its result. */
#define HALVES(name) ((half *)(void *)DEVICE_BYTES(name))
#define BFLOATS(name) ((bfloat16 *)(void *)DEVICE_BYTES(name))
#define HOST_HALVES(name) ((half *)run_host(run, name))
#define HOST_BFLOATS(name) ((bfloat16 *)run_host(run, name))

/* In (-4, 4), of all magnitudes down to where half has only subnormal numbers. */
static float varied(const struct run *run, const char *name, size_t i)
{
    const unsigned bits = run_random(run, name, i);

    return (float)(((double)(bits >> 8) / (1 << 23) - 1) * 4 / (1 << bits % 19));
}

static int prepare_saxpy(struct run *run, struct io_error *error, int is_half)
{
    const size_t n = (size_t)run->n, pairs[2] = {n, 2};
    void *x = run_input_bytes(run, "x_bits", 2, pairs);
    void *y = run_update_bytes(run, "y_bits", 2, pairs);

    RUN_FILL(x &&y, i, n) {
        const float from[2] = {varied(run, "x", i), varied(run, "y", i)};

        if (is_half) {
            ((half *)x)[i] = float_to_half(from[0]);
            ((half *)y)[i] = float_to_half(from[1]);
        } else {
            ((bfloat16 *)x)[i] = float_to_bfloat16(from[0]);
            ((bfloat16 *)y)[i] = float_to_bfloat16(from[1]);
        }
    }
    run_output_float(run, "y", 1, &n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 3.0 * run->n * sizeof(half);
    run->flops = 2.0 * run->n;
    return run_ready(run, error);
}

static int prepare_half_saxpy(struct run *run, struct io_error *error)
{
    return prepare_saxpy(run, error, 1);
}

static int prepare_bfloat16_saxpy(struct run *run, struct io_error *error)
{
    return prepare_saxpy(run, error, 0);
}

/* Only saxpy is timed. */
static portable_status launch_half_saxpy(struct run *run)
{
    const portable_status status = KERNEL_LAUNCH(half_saxpy, run->grid, run->block, 0, 0, run->n, A,
                                                 HALVES("x_bits"), HALVES("y_bits"));

    if (status != PORTABLE_SUCCESS || run->timing)
        return status;
    return KERNEL_LAUNCH(half_unpack, run->grid, run->block, 0, 0, run->n, HALVES("y_bits"),
                         DEVICE_FLOATS("y"));
}

static portable_status launch_bfloat16_saxpy(struct run *run)
{
    const portable_status status = KERNEL_LAUNCH(bfloat16_saxpy, run->grid, run->block, 0, 0,
                                                 run->n, A, BFLOATS("x_bits"), BFLOATS("y_bits"));

    if (status != PORTABLE_SUCCESS || run->timing)
        return status;
    return KERNEL_LAUNCH(bfloat16_unpack, run->grid, run->block, 0, 0, run->n, BFLOATS("y_bits"),
                         DEVICE_FLOATS("y"));
}

/* Two roundings of float, and one of half the last place of `digits` bits of precision, or of the
 * smallest number. */
static void expect(struct run *run, size_t i, double x, double y, int digits, double smallest)
{
    const double value = (double)A * x + y;
    const double in_float = (double)FLT_EPSILON * (fabs((double)A * x) + fabs(value));

    run_expect(run, "y", i, value,
               in_float + ldexp(fabs(value) + in_float, -digits) + smallest / 2);
}

/* A value from its bits, by the formats' definition. */
static double value_of(unsigned bits, int fraction_bits, int bias)
{
    const int exponent = (int)((bits & 0x7fffu) >> fraction_bits);
    const int fraction = (int)(bits & ((1u << fraction_bits) - 1));
    const double size =
        exponent == 0 ? ldexp(fraction, 1 - bias - fraction_bits)
                      : ldexp(fraction + ldexp(1, fraction_bits), exponent - bias - fraction_bits);

    return bits & 0x8000u ? -size : size;
}

static void reference_saxpy(struct run *run, int fraction_bits, int bias)
{
    const unsigned char *x = HOST_BYTES("x_bits"), *y = HOST_BYTES("y_bits");
    const double smallest = ldexp(1, 1 - bias - fraction_bits);

    run_expect_elsewhere(run, "y_bits"); /* y unpacks them */
    for (size_t i = 0; i < (size_t)run->n; i++) {
        unsigned short x_bits, y_bits;

        memcpy(&x_bits, x + 2 * i, sizeof x_bits);
        memcpy(&y_bits, y + 2 * i, sizeof y_bits);
        expect(run, i, value_of(x_bits, fraction_bits, bias), value_of(y_bits, fraction_bits, bias),
               fraction_bits + 1, smallest);
    }
}

static void reference_half_saxpy(struct run *run)
{
    reference_saxpy(run, 10, 15);
}

static void reference_bfloat16_saxpy(struct run *run)
{
    reference_saxpy(run, 7, 127);
}

static void baseline_half_saxpy(struct run *run)
{
    const int n = run->n;
    const half *RESTRICT x = HOST_HALVES("x_bits");
    half *RESTRICT y = HOST_HALVES("y_bits");

    for (int i = 0; i < n; i++)
        y[i] = float_to_half(A * half_to_float(x[i]) + half_to_float(y[i]));
}

static void baseline_bfloat16_saxpy(struct run *run)
{
    const int n = run->n;
    const bfloat16 *RESTRICT x = HOST_BFLOATS("x_bits");
    bfloat16 *RESTRICT y = HOST_BFLOATS("y_bits");

    for (int i = 0; i < n; i++)
        y[i] = float_to_bfloat16(A * bfloat16_to_float(x[i]) + bfloat16_to_float(y[i]));
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "half", .name = "half_saxpy", .summary = "y = a x + y in float, stored as half",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_half_saxpy, .launch = launch_half_saxpy, .reference = reference_half_saxpy,
     .baseline = baseline_half_saxpy},
    {.family = "half", .name = "bfloat16_saxpy", .summary = "the same stored as bfloat16",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_bfloat16_saxpy, .launch = launch_bfloat16_saxpy,
     .reference = reference_bfloat16_saxpy, .baseline = baseline_bfloat16_saxpy},
};
/* clang-format on */
GALLERY_CASES(cases)
