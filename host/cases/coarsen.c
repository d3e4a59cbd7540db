/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/coarsen.c"

#include "host/case.h"

#include <math.h> /* fabs */

static int prepare_add(struct run *run, struct io_error *error)
{
    run_input_real(run, "a", (size_t)run->n);
    run_input_real(run, "b", (size_t)run->n);
    run_output_real(run, "c", (size_t)run->n, OWNER_NONE);
    run_cover(run, run->n / COARSE + (run->n % COARSE != 0));
    run->bytes = 3.0 * run->n * sizeof(REAL);
    run->flops = run->n;
    return run_ready(run, error);
}

static portable_status launch_add(struct run *run)
{
    return KERNEL_LAUNCH(vector_add_coarse, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("a"),
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

static int prepare_polynomial(struct run *run, struct io_error *error)
{
    run_input_real(run, "coefficients", DEGREE + 1);
    run_input_real(run, "x", (size_t)run->n);
    run_output_real(run, "y", (size_t)run->n, OWNER_ELEMENT);
    run_stride(run, run->n);
    run->bytes = 2.0 * run->n * sizeof(REAL);
    run->flops = 2.0 * DEGREE * run->n;
    return run_ready(run, error);
}

static portable_status launch_polynomial(struct run *run)
{
    return KERNEL_LAUNCH(polynomial, run->grid, run->block, 0, 0, run->n,
                         DEVICE_REALS("coefficients"), DEVICE_REALS("x"), DEVICE_REALS("y"));
}

/* Horner's rule: gamma_2d of the polynomial of the absolute values (Higham, section 5.1). */
static void reference_polynomial(struct run *run)
{
    const REAL *coefficients = HOST_REALS("coefficients"), *x = HOST_REALS("x");

    for (int i = 0; i < run->n; i++) {
        double sum = 0, magnitude = 0;

        for (int k = DEGREE; k >= 0; k--) {
            sum = sum * (double)x[i] + (double)coefficients[k];
            magnitude = magnitude * fabs((double)x[i]) + fabs((double)coefficients[k]);
        }
        run_expect(run, "y", (size_t)i, sum, run_roundings(2 * DEGREE) * magnitude);
    }
}

static void baseline_polynomial(struct run *run)
{
    const int n = run->n;
    const REAL *RESTRICT coefficients = HOST_REALS("coefficients"), *RESTRICT x = HOST_REALS("x");
    REAL *RESTRICT y = HOST_REALS("y");

    for (int i = 0; i < n; i++) {
        REAL sum = coefficients[DEGREE];
        for (int k = DEGREE - 1; k >= 0; k--)
            sum = sum * x[i] + coefficients[k];
        y[i] = sum;
    }
}

/* A box of columns x rows x depth. */
static int prepare_box(struct run *run, int columns, struct io_error *error)
{
    run->columns = columns;
    run->rows = run->timing ? run->n : run->n - run->n / 3;
    run->depth = run->timing ? run->n : run->n - run->n / 4;
    const size_t count = (size_t)run->columns * (size_t)run->rows * (size_t)run->depth;

    run_input_real(run, "u", count);
    run_output_real(run, "laplacian", count, OWNER_NONE);
    run->bytes = 2.0 * (double)count * sizeof(REAL);
    run->flops = 7.0 * (double)count;
    return run_ready(run, error);
}

/* How many blocks of so many planes cover the depth; at least one. */
static unsigned layers(const struct run *run, unsigned planes)
{
    return run->depth > 0 ? ((unsigned)run->depth - 1) / planes + 1 : 1;
}

static int prepare_laplacian(struct run *run, struct io_error *error)
{
    const int status = prepare_box(run, run->n, error);

    run_cover_plane(run, run->columns, run->rows);
    run->grid.z = layers(run, run->block.z);
    if (!run->timing)
        run->grid.z = (run->grid.z + 1) / 2;
    return status;
}

static int prepare_planes(struct run *run, struct io_error *error)
{
    const int status = prepare_box(run, run->n - run->n % 4, error);

    run_cover_plane(run, run->columns / 4, run->rows);
    run->grid.z = layers(run, BOX_PLANES);
    return status;
}

static portable_status launch_laplacian(struct run *run)
{
    return KERNEL_LAUNCH(laplacian_3d, run->grid, run->block, 0, 0, run->columns, run->rows,
                         run->depth, DEVICE_REALS("u"), DEVICE_REALS("laplacian"));
}

static portable_status launch_planes(struct run *run)
{
    return KERNEL_LAUNCH(laplacian_planes, run->grid, run->block, 0, 0, run->columns, run->rows,
                         run->depth, DEVICE_REALS("u"), DEVICE_REALS("laplacian"));
}

/* u at a place of the box, 0 outside. */
static double inside(struct run *run, const REAL *u, int x, int y, int z)
{
    if (x < 0 || y < 0 || z < 0 || x >= run->columns || y >= run->rows || z >= run->depth)
        return 0;
    return (
        double)u[((size_t)z * (size_t)run->rows + (size_t)y) * (size_t)run->columns + (size_t)x];
}

static void reference_laplacian(struct run *run)
{
    static const int offsets[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                      {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    const REAL *u = HOST_REALS("u");
    size_t i = 0;

    for (int z = 0; z < run->depth; z++)
        for (int y = 0; y < run->rows; y++)
            for (int x = 0; x < run->columns; x++, i++) {
                double sum = -6 * (double)u[i], magnitude = fabs(sum);

                for (int k = 0; k < 6; k++) {
                    const double value =
                        inside(run, u, x + offsets[k][0], y + offsets[k][1], z + offsets[k][2]);
                    sum += value;
                    magnitude += fabs(value);
                }
                run_expect(run, "laplacian", i, sum, run_roundings(7) * magnitude);
            }
}

static void baseline_laplacian(struct run *run)
{
    const int nx = run->columns, ny = run->rows, nz = run->depth;
    const size_t row = (size_t)nx, plane = (size_t)nx * (size_t)ny;
    const REAL *RESTRICT u = HOST_REALS("u");
    REAL *RESTRICT laplacian = HOST_REALS("laplacian");
    size_t i = 0;

    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++, i++) {
                const REAL west = x > 0 ? u[i - 1] : 0, east = x < nx - 1 ? u[i + 1] : 0;
                const REAL north = y > 0 ? u[i - row] : 0, south = y < ny - 1 ? u[i + row] : 0;
                const REAL below = z > 0 ? u[i - plane] : 0, above = z < nz - 1 ? u[i + plane] : 0;
                laplacian[i] = west + east + north + south + below + above - 6 * u[i];
            }
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "coarsen", .name = "vector_add_coarse",
     .summary = "four elements a thread, checks in the last block only", .problem = "vector_add",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_add, .launch = launch_add, .reference = reference_add, .baseline = baseline_add},
    {.family = "coarsen", .name = "polynomial",
     .summary = "an unrolled loop in a kernel with launch bounds",
     .takes = CASE_LINES, .blocks = {{256}, {32}, {96}}, .timing_n = 1 << 24,
     .prepare = prepare_polynomial, .launch = launch_polynomial, .reference = reference_polynomial,
     .baseline = baseline_polynomial},
    {.family = "coarsen", .name = "laplacian_3d", .summary = "a 7-point stencil in a 3-D launch",
     .takes = CASE_ANY_BLOCK, .sizes = {0, 1, 2, 7, 31, 33, 50}, .timing_n = 256,
     .counts = CASE_EDGE_3D,
     .prepare = prepare_laplacian, .launch = launch_laplacian, .reference = reference_laplacian,
     .baseline = baseline_laplacian},
    {.family = "coarsen", .name = "laplacian_planes",
     .summary = "the same, a block marching through planes", .problem = "laplacian_3d",
     .blocks = {{BOX_X, BOX_Y}}, .sizes = {0, 1, 4, 7, 31, 33, 50, 132}, .timing_n = 256,
     .counts = CASE_EDGE_3D,
     .prepare = prepare_planes, .launch = launch_planes, .reference = reference_laplacian,
     .baseline = baseline_laplacian},
};
/* clang-format on */
GALLERY_CASES(cases)
