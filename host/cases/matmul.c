/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of a tile is a constant of a kernel: matmul_tile_8.c, matmul_tile_32.c and
 * matmul_rows_64.c include this file to check the one that has it at other sizes. */
#include "kernels/matmul.c"

#include "host/case.h"

#include <math.h> /* fabs */

#ifndef MATMUL_SUFFIX
#define MATMUL_SUFFIX ""
#define MATMUL_ALL 1
#else
#define MATMUL_ALL 0
#endif

/* C is rows x columns, and the sums have depth terms. */
static void prepare_matrices(struct run *run, enum owner owner)
{
    run->rows = run->n;
    run->columns = run->timing ? run->n : run->n + run->n / 3;
    run->depth = run->timing ? run->n : run->n + run->n / 2;
    run_input_real(run, "a", (size_t)run->rows * (size_t)run->depth);
    run_input_real(run, "b", (size_t)run->depth * (size_t)run->columns);
    run_output_real(run, "c", (size_t)run->rows * (size_t)run->columns, owner);
    run->bytes =
        sizeof(REAL) * ((double)run->rows * run->depth + (double)run->depth * run->columns +
                        (double)run->rows * run->columns);
    run->flops = 2.0 * run->rows * run->columns * run->depth;
}

#if MATMUL_ALL || !MATMUL_ROWS
static int prepare(struct run *run, struct io_error *error)
{
    prepare_matrices(run, OWNER_PLANE);
    run_cover_plane(run, run->columns, run->rows);
    return run_ready(run, error);
}

static portable_status launch_tiled(struct run *run)
{
    return KERNEL_LAUNCH(matmul_tiled, run->grid, run->block, 0, 0, run->rows, run->columns,
                         run->depth, DEVICE_REALS("a"), DEVICE_REALS("b"), DEVICE_REALS("c"));
}
#endif

#if MATMUL_ALL
static portable_status launch_naive(struct run *run)
{
    return KERNEL_LAUNCH(matmul_naive, run->grid, run->block, 0, 0, run->rows, run->columns,
                         run->depth, DEVICE_REALS("a"), DEVICE_REALS("b"), DEVICE_REALS("c"));
}
#endif

#if MATMUL_ROWS
/* Blocks of one dimension, each with its tile of C, rows by columns. */
static int prepare_tiles(struct run *run, struct io_error *error, int rows, int columns)
{
    prepare_matrices(run, OWNER_NONE);
    run->grid = DIM3((unsigned)((run->columns + columns - 1) / columns + !run->columns),
                     (unsigned)((run->rows + rows - 1) / rows + !run->rows), 1);
    return run_ready(run, error);
}

static int prepare_async(struct run *run, struct io_error *error)
{
    return prepare_tiles(run, error, MATMUL_ROWS, MATMUL_COLUMNS);
}

static portable_status launch_async(struct run *run)
{
    return KERNEL_LAUNCH(matmul_async, run->grid, run->block, 0, 0, run->rows, run->columns,
                         run->depth, DEVICE_REALS("a"), DEVICE_REALS("b"), DEVICE_REALS("c"));
}
#endif

#if MATMUL_ALL
static int prepare_registers(struct run *run, struct io_error *error)
{
    return prepare_tiles(run, error, MATMUL_PART_ROWS, MATMUL_WIDTH);
}

static portable_status launch_registers(struct run *run)
{
    return KERNEL_LAUNCH(matmul_registers, run->grid, run->block, 0, 0, run->rows, run->columns,
                         run->depth, DEVICE_REALS("a"), DEVICE_REALS("b"), DEVICE_REALS("c"));
}
#endif

static void reference(struct run *run)
{
    const REAL *a = HOST_REALS("a"), *b = HOST_REALS("b");

    for (int row = 0; row < run->rows; row++)
        for (int column = 0; column < run->columns; column++) {
            double sum = 0, magnitude = 0;

            for (int i = 0; i < run->depth; i++) {
                const double term =
                    (double)a[row * run->depth + i] * (double)b[i * run->columns + column];
                sum += term;
                magnitude += fabs(term);
            }
            run_expect(run, "c", (size_t)(row * run->columns + column), sum,
                       run_roundings(run->depth + 1.0) * magnitude);
        }
}

/* The order i, k, j: the inner loop runs along rows of B and C. */
static void baseline(struct run *run)
{
    const int rows = run->rows, columns = run->columns, depth = run->depth;
    const REAL *RESTRICT a = HOST_REALS("a"), *RESTRICT b = HOST_REALS("b");
    REAL *RESTRICT c = HOST_REALS("c");

    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++)
            c[row * columns + column] = 0;
        for (int i = 0; i < depth; i++)
            for (int column = 0; column < columns; column++)
                c[row * columns + column] += a[row * depth + i] * b[i * columns + column];
    }
}

/* clang-format off */
#define SIZES {0, 1, 15, 16, 17, 33, 100}
#define TILE_SIZES {0, 1, 17, 100, 129, 195, 260}

static const struct gallery_case cases[] = {
#if MATMUL_ALL
    {.family = "matmul", .name = "matmul_naive", .summary = "C = A B, one element per thread",
     .problem = "matmul",
     .takes = CASE_PLANES, .sizes = SIZES, .timing_n = 512, .counts = CASE_EDGE,
     .prepare = prepare, .launch = launch_naive, .reference = reference, .baseline = baseline},
#endif
#if MATMUL_ALL || !MATMUL_ROWS
    {.family = "matmul", .name = "matmul_tiled" MATMUL_SUFFIX,
     .summary = "C = A B by tiles in shared memory", .problem = "matmul",
     .blocks = {{MATMUL_TILE, MATMUL_TILE}}, .sizes = SIZES, .timing_n = 512,
     .counts = CASE_EDGE,
     .prepare = prepare, .launch = launch_tiled, .reference = reference, .baseline = baseline},
#endif
#if MATMUL_ALL
    {.family = "matmul", .name = "matmul_registers",
     .summary = "C = A B, 2 rows by 4 vectors in registers", .problem = "matmul",
     .blocks = {{MATMUL_WIDTH}}, .sizes = TILE_SIZES, .timing_n = 512, .counts = CASE_EDGE,
     .prepare = prepare_registers, .launch = launch_registers, .reference = reference,
     .baseline = baseline},
#endif
#if MATMUL_ROWS
    {.family = "matmul", .name = "matmul_async" MATMUL_SUFFIX,
     .summary = "C = A B, 8 x 8 in registers, tiles copied ahead", .problem = "matmul",
     .blocks = {{MATMUL_THREADS}}, .sizes = TILE_SIZES, .timing_n = 512, .counts = CASE_EDGE,
     .prepare = prepare_async, .launch = launch_async, .reference = reference, .baseline = baseline},
#endif
};
/* clang-format on */
GALLERY_CASES(cases)
