/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/sparse.c"

#include "host/case.h"
#include "host/matrix_market.h"

#include <math.h>   /* fabs */
#include <string.h> /* memcpy */

/* A matrix of n rows and about 1.3 n columns with 0 to 8 entries a row, most of them near the
 * diagonal, as a mesh has them. With long rows, one in 64 has up to 1000 entries. */
static void scattered_matrix(struct run *run, int long_rows)
{
    const int rows = run->n, columns = run->n + run->n / 3;
    int *offsets = run_input_int(run, "row_offsets", (size_t)rows + 1);
    int entries = 0;

    if (!offsets)
        return;
    for (int row = 0; row < rows; row++) {
        offsets[row] = entries;
        entries += (int)(run_random(run, "entries", (size_t)row) % 9);
        if (long_rows && run_random(run, "long", (size_t)row) % 64 == 0)
            entries += (int)(run_random(run, "length", (size_t)row) % 992);
    }
    offsets[rows] = entries;
    int *indices = run_input_int(run, "column_indices", (size_t)entries);
    run_input_real(run, "values", (size_t)entries);
    RUN_FILL(indices, row, rows)
        for (int k = offsets[row]; k < offsets[row + 1]; k++) {
            const unsigned random = run_random(run, "columns", (size_t)k);
            const int near = (int)row - 8 + (int)(random % 17);
            indices[k] = random < 0x10000000u || near < 0 || near >= columns
                             ? (int)(run_random(run, "far", (size_t)k) % (unsigned)columns)
                             : near;
        }
    run->rows = rows;
    run->columns = columns;
}

/* The five-point Laplacian of a grid that is as square as n rows allow: of a whole one, if n is a
 * square. */
static void laplacian_matrix(struct run *run)
{
    const int rows = run->n;
    int width = 1;

    while ((long long)width * width < rows)
        width++;
    int *offsets = run_input_int(run, "row_offsets", (size_t)rows + 1);
    int *indices = run_input_int(run, "column_indices", 5 * (size_t)rows);
    REAL *values = run_input_real(run, "values", 5 * (size_t)rows);
    int entries = 0;

    if (!offsets || !indices || !values)
        return;
    for (int row = 0; row < rows; row++) {
        const int neighbours[5] = {row - width, row % width > 0 ? row - 1 : -1, row,
                                   row % width < width - 1 ? row + 1 : rows,
                                   row < rows - width ? row + width : rows};
        offsets[row] = entries;
        for (int k = 0; k < 5; k++)
            if (neighbours[k] >= 0 && neighbours[k] < rows) {
                indices[entries] = neighbours[k];
                values[entries++] = neighbours[k] == row ? 4 : -1;
            }
    }
    offsets[rows] = entries;
    run->rows = run->columns = rows;
}

static int matrix_of_file(struct run *run, struct io_error *error)
{
    struct csr_matrix matrix;
    int status = 0;

    if (matrix_market_read(run->input, &matrix, error) != 0)
        return IO_BAD;
    int *offsets = run_input_int(run, "row_offsets", (size_t)matrix.rows + 1);
    int *indices = run_input_int(run, "column_indices", (size_t)matrix.nonzeros);
    REAL *values = run_input_real(run, "values", (size_t)matrix.nonzeros);
    if (offsets && indices && values) {
        memcpy(offsets, matrix.row_offsets, ((size_t)matrix.rows + 1) * sizeof *offsets);
        for (int k = 0; k < matrix.nonzeros && status == 0; k++) {
            indices[k] = matrix.column_indices[k];
            values[k] = (REAL)matrix.values[k];
            if (!isfinite(values[k]))
                status = io_fail(error, "%s: the value %g exceeds the range of %s", run->input,
                                 matrix.values[k], PORTABLE_PRECISION_DOUBLE ? "double" : "float");
        }
    }
    run->n = run->rows = matrix.rows;
    run->columns = matrix.columns;
    csr_free(&matrix);
    return status;
}

enum matrix { SCATTERED, LONG_ROWS, LAPLACIAN };

static int prepare_product(struct run *run, struct io_error *error, enum matrix matrix)
{
    if (run->input) {
        if (matrix_of_file(run, error) != 0)
            return IO_BAD;
    } else if (matrix == LAPLACIAN)
        laplacian_matrix(run);
    else
        scattered_matrix(run, matrix == LONG_ROWS);
    if (run_ready(run, error) != 0)
        return IO_BAD;
    run_input_real(run, "x", (size_t)run->columns);
    run_output_real(run, "y", (size_t)run->rows, OWNER_ELEMENT);
    run_stride(run, run->rows);
    const int entries = HOST_INTS("row_offsets")[run->rows];
    run->bytes = (double)entries * (sizeof(int) + sizeof(REAL)) +
                 (double)run->rows * (sizeof(int) + sizeof(REAL)) +
                 (double)run->columns * sizeof(REAL);
    run->flops = 2.0 * entries;
    return run_ready(run, error);
}

static int prepare_spmv(struct run *run, struct io_error *error)
{
    return prepare_product(run, error, SCATTERED);
}

/* To check, runs of several rows; to time, a row a thread, as a GPU needs it. */
static int prepare_spmv_run(struct run *run, struct io_error *error)
{
    const int status = prepare_spmv(run, error);

    if (run->timing)
        run_cover(run, run->rows);
    return status;
}

static int prepare_spmv_staged(struct run *run, struct io_error *error)
{
    const int status = prepare_product(run, error, run->timing ? SCATTERED : LONG_ROWS);

    run_cover(run, run->rows);
    return status;
}

static int prepare_laplacian(struct run *run, struct io_error *error)
{
    return prepare_product(run, error, LAPLACIAN);
}

static int prepare_laplacian_staged(struct run *run, struct io_error *error)
{
    const int status = prepare_product(run, error, LAPLACIAN);

    run_cover(run, run->rows);
    return status;
}

static int prepare_spmv_cached(struct run *run, struct io_error *error)
{
    const int status = prepare_spmv(run, error);

    run_cover(run, run->rows);
    return status;
}

static portable_status launch_spmv(struct run *run)
{
    return KERNEL_LAUNCH(csr_spmv, run->grid, run->block, 0, 0, run->rows,
                         DEVICE_INTS("row_offsets"), DEVICE_INTS("column_indices"),
                         DEVICE_REALS("values"), DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static portable_status launch_spmv_run(struct run *run)
{
    return KERNEL_LAUNCH(csr_spmv_run, run->grid, run->block, 0, 0, run->rows,
                         DEVICE_INTS("row_offsets"), DEVICE_INTS("column_indices"),
                         DEVICE_REALS("values"), DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static portable_status launch_spmv_cached(struct run *run)
{
    return KERNEL_LAUNCH(csr_spmv_cached, run->grid, run->block, 0, 0, run->rows, run->columns,
                         DEVICE_INTS("row_offsets"), DEVICE_INTS("column_indices"),
                         DEVICE_REALS("values"), DEVICE_REALS("x"), DEVICE_REALS("y"));
}

static portable_status launch_spmv_staged(struct run *run)
{
    return KERNEL_LAUNCH(csr_spmv_staged, run->grid, run->block, 0, 0, run->rows,
                         DEVICE_INTS("row_offsets"), DEVICE_INTS("column_indices"),
                         DEVICE_REALS("values"), DEVICE_REALS("x"), DEVICE_REALS("y"));
}

/* (A x) in one row, and the same of the absolute values. */
static double row_product(struct run *run, int row, double *magnitude)
{
    const int *offsets = HOST_INTS("row_offsets"), *indices = HOST_INTS("column_indices");
    const REAL *values = HOST_REALS("values"), *x = HOST_REALS("x");
    double sum = 0;

    *magnitude = 0;
    for (int k = offsets[row]; k < offsets[row + 1]; k++) {
        const double term = (double)values[k] * (double)x[indices[k]];
        sum += term;
        *magnitude += fabs(term);
    }
    return sum;
}

/* The roundings behind one row: of each product, and of each sum. */
static double row_roundings(struct run *run, int row)
{
    const int *offsets = HOST_INTS("row_offsets");

    return run_roundings(offsets[row + 1] - offsets[row] + 1.0);
}

static void reference_spmv(struct run *run)
{
    for (int row = 0; row < run->rows; row++) {
        double magnitude;
        const double sum = row_product(run, row, &magnitude);

        run_expect(run, "y", (size_t)row, sum,
                   row_roundings(run, row) * magnitude + (double)REAL_TINY);
    }
}

static void baseline_spmv(struct run *run)
{
    const int rows = run->rows;
    const int *RESTRICT offsets = HOST_INTS("row_offsets");
    const int *RESTRICT indices = HOST_INTS("column_indices");
    const REAL *RESTRICT values = HOST_REALS("values"), *RESTRICT x = HOST_REALS("x");
    REAL *RESTRICT y = HOST_REALS("y");

    for (int row = 0; row < rows; row++) {
        REAL sum = 0;
        for (int k = offsets[row]; k < offsets[row + 1]; k++)
            sum += values[k] * x[indices[k]];
        y[row] = sum;
    }
}

static int prepare_residual(struct run *run, struct io_error *error)
{
    if (prepare_spmv(run, error) != 0)
        return IO_BAD;
    run_input_real(run, "b", (size_t)run->rows);
    run_output_real(run, "r", (size_t)run->rows, OWNER_ELEMENT);
    run_output_real(run, "sums", run->grid.x, OWNER_BLOCK);
    run_output_real(run, "norm2", 1, OWNER_BLOCK);
    if (!run->timing)
        run_output_real(run, "b_r", run->grid.x, OWNER_BLOCK);
    run->bytes += 7.0 * run->rows * sizeof(REAL);
    run->flops += 3.0 * run->rows;
    return run_ready(run, error);
}

/* Four kernels back to back, each on what the one before wrote. */
static portable_status launch_residual(struct run *run)
{
    portable_status status = launch_spmv(run);

    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(vector_subtract, run->grid, run->block, 0, 0, run->rows,
                               DEVICE_REALS("b"), DEVICE_REALS("y"), DEVICE_REALS("r"));
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(dot, run->grid, run->block, 0, 0, run->rows, DEVICE_REALS("r"),
                               DEVICE_REALS("r"), DEVICE_REALS("sums"));
    if (status == PORTABLE_SUCCESS)
        status = KERNEL_LAUNCH(sum_of_blocks, 1, run->block, 0, 0, (int)run->grid.x,
                               DEVICE_REALS("sums"), DEVICE_REALS("norm2"));
    if (status == PORTABLE_SUCCESS && !run->timing) /* b . r as well: two vectors that differ */
        status = KERNEL_LAUNCH(dot, run->grid, run->block, 0, 0, run->rows, DEVICE_REALS("b"),
                               DEVICE_REALS("r"), DEVICE_REALS("b_r"));
    return status;
}

static void reference_residual(struct run *run)
{
    const REAL *b = HOST_REALS("b");
    const int blocks = (int)run->grid.x, block = (int)run->block.x;
    double all = 0, all_bound = 0;

    for (int part = 0; part < blocks; part++) {
        const double sum_roundings = run_roundings((double)run->rows / (blocks * block) + 11);
        double sum = 0, bound = 0, b_r = 0, b_r_size = 0, b_r_bound = 0;

        for (int first = part * block; first < run->rows; first += blocks * block)
            for (int row = first; row < first + block && row < run->rows; row++) {
                double magnitude;
                const double y = row_product(run, row, &magnitude);
                const double r = (double)b[row] - y;
                const double error = row_roundings(run, row) * magnitude + (double)REAL_TINY;
                const double r_error = error + run_roundings(1) * (fabs(r) + error);

                run_expect(run, "y", (size_t)row, y, error);
                run_expect(run, "r", (size_t)row, r, r_error);
                sum += r * r;
                bound += 2 * fabs(r) * r_error + r_error * r_error;
                b_r += (double)b[row] * r;
                b_r_size += fabs((double)b[row] * r);
                b_r_bound += fabs((double)b[row]) * r_error;
            }
        bound += sum_roundings * (sum + bound);
        run_expect(run, "sums", (size_t)part, sum, bound);
        run_expect(run, "b_r", (size_t)part, b_r,
                   b_r_bound + sum_roundings * (b_r_size + b_r_bound));
        all += sum;
        all_bound += bound;
    }
    run_expect(run, "norm2", 0, all,
               all_bound + run_roundings((double)blocks / block + 10) * (all + all_bound));
}

static void baseline_residual(struct run *run)
{
    const int rows = run->rows;
    const REAL *RESTRICT b = HOST_REALS("b"), *RESTRICT y = HOST_REALS("y");
    REAL *RESTRICT r = HOST_REALS("r");
    REAL sum = 0;

    baseline_spmv(run);
    for (int row = 0; row < rows; row++) {
        r[row] = b[row] - y[row];
        sum += r[row] * r[row];
    }
    HOST_REALS("norm2")[0] = sum;
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "sparse", .name = "csr_spmv", .summary = "y = A x, one row per thread",
     .takes = CASE_LINES, .timing_n = 1000000, .extension = ".mtx",
     .prepare = prepare_spmv, .launch = launch_spmv, .reference = reference_spmv,
     .baseline = baseline_spmv},
    {.family = "sparse", .name = "csr_spmv_run",
     .summary = "y = A x, a run of rows per thread in one loop", .problem = "csr_spmv",
     .takes = CASE_LINES, .timing_n = 1000000, .extension = ".mtx",
     .prepare = prepare_spmv_run, .launch = launch_spmv_run, .reference = reference_spmv,
     .baseline = baseline_spmv},
    {.family = "sparse", .name = "csr_spmv_cached",
     .summary = "y = A x, the block's entries of x in shared memory", .problem = "csr_spmv",
     .takes = CASE_LINES, .timing_n = 1000000, .extension = ".mtx",
     .prepare = prepare_spmv_cached, .launch = launch_spmv_cached, .reference = reference_spmv,
     .baseline = baseline_spmv},
    {.family = "sparse", .name = "csr_spmv_staged",
     .summary = "y = A x, neighbouring threads on neighbouring nonzeros", .problem = "csr_spmv",
     .blocks = {{SPMV_ROWS}}, .timing_n = 1000000, .extension = ".mtx",
     .prepare = prepare_spmv_staged, .launch = launch_spmv_staged, .reference = reference_spmv,
     .baseline = baseline_spmv},
    {.family = "sparse", .name = "laplacian", .summary = "csr_spmv of a five-point Laplacian",
     .takes = CASE_LINES, .timing_n = 1 << 20,
     .prepare = prepare_laplacian, .launch = launch_spmv, .reference = reference_spmv,
     .baseline = baseline_spmv},
    {.family = "sparse", .name = "laplacian_staged", .summary = "csr_spmv_staged of the same",
     .problem = "laplacian", .blocks = {{SPMV_ROWS}}, .timing_n = 1 << 20,
     .prepare = prepare_laplacian_staged, .launch = launch_spmv_staged, .reference = reference_spmv,
     .baseline = baseline_spmv},
    {.family = "sparse", .name = "residual", .summary = "r = b - A x and r . r: dependent kernels",
     .takes = CASE_LINES, .timing_n = 1000000, .extension = ".mtx",
     .prepare = prepare_residual, .launch = launch_residual, .reference = reference_residual,
     .baseline = baseline_residual},
};
/* clang-format on */
GALLERY_CASES(cases)
