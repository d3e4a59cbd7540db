/* SPDX-License-Identifier: 0BSD */
#include "kernels/smooth.c"

#include "host/case.h"

#include <math.h> /* fabs */

/* The arrays for n elements, and a grid with a thread for each. */
static int prepare_smooth(struct run *run, struct io_error *error)
{
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "y", (size_t)run->n, OWNER_ELEMENT);
    run_cover(run, run->n);
    run->bytes = 2.0 * run->n * sizeof(REAL);
    run->flops = 4.0 * run->n;
    return run_ready(run, error);
}

static portable_status launch_smooth(struct run *run)
{
    return KERNEL_LAUNCH(smooth, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"),
                         DEVICE_REALS("y"));
}

/* The expected values in double precision, and the error bound of each: two additions. The
 * multiplication and the division by powers of two are exact. */
static void reference_smooth(struct run *run)
{
    const int n = run->n;
    const REAL *x = HOST_REALS("x");

    for (int i = 0; i < n; i++) {
        const double left = (double)x[i > 0 ? i - 1 : 0];
        const double right = (double)x[i < n - 1 ? i + 1 : n - 1];
        const double middle = 2 * (double)x[i];
        const double magnitude = (fabs(left) + fabs(middle) + fabs(right)) / 4;

        run_expect(run, "y", (size_t)i, (left + middle + right) / 4, run_roundings(2) * magnitude);
    }
}

/* The loop that a C programmer would write, for make bench. */
static void baseline_smooth(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT x = HOST_REALS("x");
    REAL *RESTRICT y = HOST_REALS("y");

    for (int i = 0; i < n; i++)
        y[i] = (x[i > 0 ? i - 1 : 0] + 2 * x[i] + x[i < n - 1 ? i + 1 : n - 1]) / 4;
}

/* host/case.h has the other fields: sizes to check, a tolerance between targets, input files. */
static const struct gallery_case cases[] = {
    {.family = "smooth",
     .name = "smooth",
     .summary = "a weighted mean of three neighbours",
     .takes = CASE_LINES,
     .timing_n = 1 << 24,
     .prepare = prepare_smooth,
     .launch = launch_smooth,
     .reference = reference_smooth,
     .baseline = baseline_smooth},
};
GALLERY_CASES(cases)
