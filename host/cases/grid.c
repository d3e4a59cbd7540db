/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/grid.c"

#include "host/case.h"

#include <math.h>   /* fabs, fmax */
#include <stdlib.h> /* malloc, free */

enum { SWEEPS = 20 };

static int prepare(struct run *run, struct io_error *error)
{
    run_input_real(run, "f", (size_t)run->n);
    run_update_real(run, "u", (size_t)run->n, OWNER_ELEMENT);
    run_scratch_real(run, "scratch", (size_t)run->n);
    run_stride(run, run->n);
    if (run->timing && run->grid.x > 1) /* all blocks must be resident at once */
        run->grid.x = (run->grid.x + 1) / 2;
    run->bytes = 3.0 * SWEEPS * run->n * sizeof(REAL);
    run->flops = 3.0 * SWEEPS * run->n;
    return run_ready(run, error);
}

static portable_status launch(struct run *run)
{
    return KERNEL_LAUNCH_COOPERATIVE(jacobi, run->grid, run->block, 0, 0, run->n, SWEEPS,
                                     DEVICE_REALS("f"), DEVICE_REALS("u"), DEVICE_REALS("scratch"));
}

/* A sweep averages two errors and adds three roundings, each relative to at most the largest |u|
 * and |f|. */
static void reference(struct run *run)
{
    const REAL *f = HOST_REALS("f"), *u = HOST_REALS("u");
    const int n = run->n;
    double *from = (double *)calloc((size_t)n + 2, sizeof(double));
    double *to = (double *)calloc((size_t)n + 2, sizeof(double));
    double bound = 0;

    if (!from || !to) {
        run_lacks(run, "u", 2 * ((size_t)n + 2) * sizeof(double));
        free(from);
        free(to);
        return;
    }
    for (int i = 0; i < n; i++)
        from[i + 1] = (double)u[i];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double *const last = from;
        double largest = 0;

        for (int i = 1; i <= n; i++) {
            to[i] = (from[i - 1] + from[i + 1] + (double)f[i - 1]) / 2;
            largest = fmax(largest, fabs(from[i - 1]) + fabs(from[i + 1]) + fabs((double)f[i - 1]));
        }
        bound += run_roundings(3) * (largest + 2 * bound) / 2;
        from = to;
        to = last;
    }
    for (int i = 0; i < n; i++)
        run_expect(run, "u", (size_t)i, from[i + 1], bound);
    free(from);
    free(to);
}

static void plain(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT f = HOST_REALS("f");
    REAL *from = HOST_REALS("u"), *to = HOST_REALS("scratch");

    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const REAL *RESTRICT in = from;
        REAL *RESTRICT out = to;

        for (int i = 0; i < n; i++)
            out[i] = ((i > 0 ? in[i - 1] : 0) + (i < n - 1 ? in[i + 1] : 0) + f[i]) / 2;
        to = from;
        from = out;
    }
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "grid", .name = "jacobi",
     .summary = "20 Jacobi sweeps in one kernel, a grid barrier after each",
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare, .launch = launch, .reference = reference, .plain = plain},
};
/* clang-format on */
GALLERY_CASES(cases)
