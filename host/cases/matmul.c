/* SPDX-License-Identifier: BSD-3-Clause */
/* The tile's edge is a constant of the kernel: matmul_tile_8.c and matmul_tile_32.c include this
 * file to check it at other edges. */
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
static int prepare(struct run *run, struct io_error *error)
{
    run->rows = run->n;
    run->columns = run->timing ? run->n : run->n + run->n / 3;
    run->depth = run->timing ? run->n : run->n + run->n / 2;
    run_input_real(run, "a", (size_t)run->rows * (size_t)run->depth);
    run_input_real(run, "b", (size_t)run->depth * (size_t)run->columns);
    run_output_real(run, "c", (size_t)run->rows * (size_t)run->columns, OWNER_PLANE);
    run_cover_plane(run, run->columns, run->rows);
    run->bytes =
        sizeof(REAL) * ((double)run->rows * run->depth + (double)run->depth * run->columns +
                        (double)run->rows * run->columns);
    run->flops = 2.0 * run->rows * run->columns * run->depth;
    return run_ready(run, error);
}

#if MATMUL_ALL
static portable_status launch_naive(struct run *run)
{
    return KERNEL_LAUNCH(matmul_naive, run->grid, run->block, 0, 0, run->rows, run->columns,
                         run->depth, REALS("a"), REALS("b"), REALS("c"));
}
#endif

static portable_status launch_tiled(struct run *run)
{
    return KERNEL_LAUNCH(matmul_tiled, run->grid, run->block, 0, 0, run->rows, run->columns,
                         run->depth, REALS("a"), REALS("b"), REALS("c"));
}

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
static void plain(struct run *run)
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
#define SIZES {0, 1, 15, 16, 17, 33, 100, -1}

static const struct gallery_case cases[] = {
#if MATMUL_ALL
    {"matmul", "matmul_naive", "C = A B, one element per thread", CASE_EXACT, CASE_PLANES, SIZES,
     512, NULL, prepare, launch_naive, reference, plain},
#endif
    {"matmul", "matmul_tiled" MATMUL_SUFFIX, "C = A B by tiles in shared memory", CASE_EXACT,
     CASE_ONE_BLOCK(MATMUL_TILE, MATMUL_TILE), SIZES, 512, NULL, prepare, launch_tiled, reference,
     plain},
};
/* clang-format on */
GALLERY_CASES(cases)
