/* SPDX-License-Identifier: BSD-3-Clause */
/* These kernels are launched by DEVICE_LAUNCH too: the make rules look for that word. */
#include "kernels/dynamic_parallelism.c"

#include "host/case.h"

#include <math.h> /* atan, fabs, sqrt */

/* Halvings at most, and the error that all parts together may have, of a result of 97. */
enum { LEVELS = 8 };
static const double tolerance = 1e-3;

static int prepare(struct run *run, struct io_error *error)
{
    run->rows = run->n << (LEVELS + 1);
    run_output_real(run, "areas", (size_t)run->rows, OWNER_NONE);
    run_output_real(run, "total", 1, OWNER_NONE);
    run_stride(run, run->n);
    return run_ready(run, error);
}

static portable_status launch(struct run *run)
{
    portable_status status =
        portable_memset(run_device(run, "areas"), 0, (size_t)run->rows * sizeof(REAL));

    if (status == PORTABLE_SUCCESS)
        status =
            KERNEL_LAUNCH(quadrature, run->grid, run->block, 0, 0, run->n, run->n, run->rows,
                          (REAL)-1, (REAL)1, (REAL)(tolerance / run->n), DEVICE_REALS("areas"));
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(quadrature_total, 1, run->block, 0, 0, run->rows,
                               DEVICE_REALS("areas"), DEVICE_REALS("total"));
    return status;
}

/* The integral from -1 to 1 is 2 atan(1 / w) / w with w^2 = 0.001. The extrapolated Simpson rule is
 * far below its error estimate, so the tolerance bounds it; the depth of the tree does not cut it
 * short. Roundings: some twenty per area, one per node in the sum, of positive numbers. */
static void reference(struct run *run)
{
    const double w = sqrt(0.001), integral = 2 * atan(1 / w) / w;

    /* A node has the part of the integral that its place in the tree determines, or nothing. */
    for (int node = 0; node < run->rows; node++) {
        int level = 0;

        while (node >> level >= 2 * run->n)
            level++;
        const double width = 2.0 / run->n / (1 << level);
        const double a = -1 + width * (node - (run->n << level)), b = a + width;
        const double part = node < run->n ? 0 : (atan(b / w) - atan(a / w)) / w;

        run_expect(run, "areas", (size_t)node, part / 2,
                   part / 2 + (node < run->n ? 0 : tolerance + run_roundings(20) * part));
    }
    run_expect(run, "total", 0, run->n > 0 ? integral : 0,
               tolerance + run_roundings((double)run->rows + 20) * integral);
}

static REAL baseline_part(REAL a, REAL b, REAL limit, int level)
{
    const REAL width = b - a, middle = a + width / 2;
    const REAL at_a = integrand(a), at_middle = integrand(middle), at_b = integrand(b);
    const REAL coarse = simpson(width, at_a, at_middle, at_b);
    const REAL fine = simpson(width / 2, at_a, integrand(a + width / 4), at_middle) +
                      simpson(width / 2, at_middle, integrand(middle + width / 4), at_b);
    const REAL error = (fine - coarse) / 15;

    if ((error <= limit && -error <= limit) || level == LEVELS)
        return fine + error;
    return baseline_part(a, middle, limit / 2, level + 1) +
           baseline_part(middle, b, limit / 2, level + 1);
}

static void baseline(struct run *run)
{
    const REAL width = 2 / (REAL)run->n;
    REAL sum = 0;

    for (int i = 0; i < run->n; i++)
        sum += baseline_part(-1 + width * (REAL)i, -1 + width * (REAL)(i + 1),
                             (REAL)(tolerance / run->n), 0);
    HOST_REALS("total")[0] = sum;
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "dynamic_parallelism", .name = "quadrature",
     .summary = "an integral by halving intervals: child grids",
     .takes = CASE_LINES, .sizes = {0, 1, 3, 32, 100}, .timing_n = 32, .counts = CASE_FIXED,
     .prepare = prepare, .launch = launch, .reference = reference, .baseline = baseline},
};
/* clang-format on */
GALLERY_CASES(cases)
