/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/grid.c"

#include "host/case.h"

#include <math.h>   /* fabs, fmax */
#include <stdlib.h> /* malloc, free */

enum { SWEEPS = 20 };
/* Of a grid that is not timed: on emulate each has a stack, and all wait at every grid barrier. */
enum { THREADS = 4096 };

static void prepare_mesh(struct run *run, enum owner owner)
{
    run_input_real(run, "f", (size_t)run->n);
    run_update_real(run, "u", (size_t)run->n, owner);
    run_scratch_real(run, "scratch", (size_t)run->n);
    run->bytes = 3.0 * SWEEPS * run->n * sizeof(REAL);
    run->flops = 3.0 * SWEEPS * run->n;
}

/* To time: as many blocks as can be resident at once, `blocks` on each multiprocessor, which a
 * cooperative launch must not exceed. */
static void fill_device(struct run *run, int blocks)
{
    struct portable_device device;

    if (run->timing && portable_device_properties(&device) == PORTABLE_SUCCESS) {
        const unsigned most = (unsigned)(blocks * device.multiprocessors);
        run->grid.x = run->grid.x < most ? run->grid.x : most;
    }
}

static int prepare(struct run *run, struct io_error *error)
{
    int blocks;

    prepare_mesh(run, OWNER_ELEMENT);
    run_stride(run, run->timing || run->n < 3 * THREADS ? run->n : 3 * THREADS);
    if (portable_occupancy(jacobi, run->block, 0, &blocks) != PORTABLE_SUCCESS)
        return io_fail(error, "case jacobi: %s", portable_last_message());
    fill_device(run, blocks);
    return run_ready(run, error);
}

static int prepare_tiled(struct run *run, struct io_error *error)
{
    const int tiles = run->n / JACOBI_KEPT + (run->n % JACOBI_KEPT != 0);
    int blocks;

    prepare_mesh(run, OWNER_NONE);
    run->grid = DIM3(run->timing ? (unsigned)tiles : ((unsigned)tiles + 2) / 3, 1, 1);
    if (tiles == 0)
        run->grid.x = 1;
    if (portable_occupancy(jacobi_tiled, run->block, 0, &blocks) != PORTABLE_SUCCESS)
        return io_fail(error, "case jacobi_tiled: %s", portable_last_message());
    fill_device(run, blocks);
    return run_ready(run, error);
}

static portable_status launch(struct run *run)
{
    return KERNEL_LAUNCH_COOPERATIVE(jacobi, run->grid, run->block, 0, 0, run->n, SWEEPS,
                                     DEVICE_REALS("f"), DEVICE_REALS("u"), DEVICE_REALS("scratch"));
}

static portable_status launch_tiled(struct run *run)
{
    return KERNEL_LAUNCH_COOPERATIVE(jacobi_tiled, run->grid, run->block, 0, 0, run->n, SWEEPS,
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

static void baseline(struct run *run)
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
     .prepare = prepare, .launch = launch, .reference = reference, .baseline = baseline},
    {.family = "grid", .name = "jacobi_tiled", .summary = "the same, ten sweeps between two barriers",
     .problem = "jacobi",
     .blocks = {{JACOBI_BLOCK}}, .sizes = {0, 1, 31, 1000, 2028, 2029, 2048, 65537}, .timing_n = 1 << 22,
     .prepare = prepare_tiled, .launch = launch_tiled, .reference = reference, .baseline = baseline},
};
/* clang-format on */
GALLERY_CASES(cases)
