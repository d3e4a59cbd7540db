/* SPDX-License-Identifier: 0BSD */
/* A kick of a random cluster, and sixteen steps of leapfrog for up to 32 planets. */
#include "kernels/cluster.c"
#include "kernels/planets.c"

#include "plain.c"

#include "host/case.h"

#include <math.h>   /* fabs */
#include <string.h> /* memcpy */

static const char *const axes[6] = {"x", "y", "z", "vx", "vy", "vz"};
static const REAL soft = (REAL)0.01, step = (REAL)0.125;

static int prepare_kick(struct run *run, struct io_error *error)
{
    run_input_real(run, "mass", (size_t)run->n);
    for (int k = 0; k < 6; k++) {
        if (k < 3)
            run_input_real(run, axes[k], (size_t)run->n);
        else
            run_update_real(run, axes[k], (size_t)run->n, OWNER_ELEMENT);
    }
    run_cover(run, run->n);
    run->bytes = 10.0 * run->n * (double)sizeof(REAL);
    run->flops = 20.0 * run->n * run->n;
    return run_ready(run, error);
}

static portable_status launch_kick(struct run *run)
{
    return KERNEL_LAUNCH(kick, run->grid, run->block, 0, 0, run->n, step, soft,
                         DEVICE_REALS("mass"), DEVICE_REALS("x"), DEVICE_REALS("y"),
                         DEVICE_REALS("z"), DEVICE_REALS("vx"), DEVICE_REALS("vy"),
                         DEVICE_REALS("vz"));
}

static void run_plain_kick(struct run *run)
{
    plain_kick(run->n, step, soft, HOST_REALS("mass"), HOST_REALS("x"), HOST_REALS("y"),
               HOST_REALS("z"), HOST_REALS("vx"), HOST_REALS("vy"), HOST_REALS("vz"));
}

/* The square of a distance takes 5 roundings after the differences, which may cancel: the
 * difference itself has one, so the pull errs by a relative 1.5 (2 + 5) + 3. */
static void reference_kick(struct run *run)
{
    const REAL *const x[3] = {HOST_REALS("x"), HOST_REALS("y"), HOST_REALS("z")};
    const double rounding = run_roundings(16 + (double)run->n);

    for (int i = 0; i < run->n; i++) {
        double a[3] = {0, 0, 0}, magnitude[3] = {0, 0, 0};

        for (int j = 0; j < run->n; j++) {
            double d[3], square = (double)soft;

            for (int k = 0; k < 3; k++) {
                d[k] = (double)x[k][j] - (double)x[k][i];
                square += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++) {
                const double pull = (double)HOST_REALS("mass")[j] * d[k] / (square * sqrt(square));
                a[k] += pull;
                magnitude[k] += fabs(pull);
            }
        }
        for (int k = 0; k < 3; k++) {
            const double v = (double)HOST_REALS(axes[3 + k])[i];
            run_expect(run, axes[3 + k], (size_t)i, v + (double)step * a[k],
                       rounding * (double)step * magnitude[k] +
                           run_roundings(2) * (fabs(v) + (double)step * fabs(a[k])));
        }
    }
}

static int prepare_planets(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;
    double *const gm = (double *)run_input_array(run, "gm", ARRAY_FLOAT64, n);
    double *const x0 = (double *)run_input_array(run, "start", ARRAY_FLOAT64, 6 * n);

    run_output_array(run, "position", ARRAY_FLOAT64, 3 * n, OWNER_NONE);
    run_output_array(run, "velocity", ARRAY_FLOAT64, 3 * n, OWNER_NONE);
    RUN_FILL(x0 ? gm : NULL, i, n) {
        gm[i] = 0.01 + run_random(run, "gm", i) * 0x1p-36;
        for (size_t k = 0; k < 6; k++)
            x0[(k < 3 ? 0 : 3 * n) + 3 * i + k % 3] =
                (k < 3 ? 4.0 : 0.5) * (run_random(run, "start", 6 * i + k) * 0x1p-31 - 1) +
                (k == 0 ? 8.0 * (double)i : 0);
    }
    run->grid.x = 1;
    run->flops = 16 * 20.0 * run->n * run->n;
    return run_ready(run, error);
}

static portable_status launch_planets(struct run *run)
{
    const struct forces newton = {0, -1, 0};
    const size_t bytes = 3 * (size_t)run->n * sizeof(double);
    double *const x = DEVICE_DOUBLES("position");
    double *const v = DEVICE_DOUBLES("velocity");

    portable_copy_on_device(x, run_device(run, "start"), bytes);
    portable_copy_on_device(v, DEVICE_DOUBLES("start") + 3 * run->n, bytes);
    return KERNEL_LAUNCH(integrate, 1, MOST_PLANETS, 0, 0, run->n, 16, 0.125, 2, newton,
                         DEVICE_DOUBLES("gm"), x, v);
}

static void run_plain_planets(struct run *run)
{
    const double *const start = HOST_DOUBLES("start");
    const size_t bytes = 3 * (size_t)run->n * sizeof *start;
    double *const x = HOST_DOUBLES("position");
    double *const v = HOST_DOUBLES("velocity");

    memcpy(x, start, bytes);
    memcpy(v, start + 3 * run->n, bytes);
    plain_leapfrog(run->n, 16, 0.125, HOST_DOUBLES("gm"), x, v);
}

/* The results of plain C, before those of the kernel replace them. The kernel adds up accelerations
 * in another place: 2^-44 of the largest coordinate, 256, is 16 times what 16 steps lose. */
static void reference_planets(struct run *run)
{
    run_plain_planets(run);
    for (int i = 0; i < 3 * run->n; i++) {
        run_expect(run, "position", (size_t)i, HOST_DOUBLES("position")[i], 0x1p-36);
        run_expect(run, "velocity", (size_t)i, HOST_DOUBLES("velocity")[i], 0x1p-40);
    }
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "nbody", .name = "kick", .summary = "the forces between all pairs",
     .blocks = {{TILE}}, .sizes = {1, 2, 255, 256, 257, 1000}, .timing_n = 8192, .counts = CASE_FIXED,
     .prepare = prepare_kick, .launch = launch_kick, .reference = reference_kick,
     .baseline = run_plain_kick},
    {.family = "nbody", .name = "planets", .summary = "steps of leapfrog in one block",
     .blocks = {{MOST_PLANETS}}, .sizes = {1, 2, 10, 32}, .timing_n = 10, .counts = CASE_FIXED,
     .prepare = prepare_planets, .launch = launch_planets, .reference = reference_planets,
     .baseline = run_plain_planets},
};
/* clang-format on */
GALLERY_CASES(cases)
