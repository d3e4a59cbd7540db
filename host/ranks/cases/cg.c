/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradients for A x = b, A symmetric and sparse, b all ones (M. Hestenes and E. Stiefel,
 * "Methods of conjugate gradients for solving linear systems", J. Res. NBS 49, 1952, section 3).
 * Rows balanced by nonzeros, the halo by index lists, exact dot products. A is that of a Matrix
 * Market file, or the five-point Laplacian of n x n points. */
#include "kernels/sparse.c"
#include "kernels/vector.c"

#include "cases.h"
#include "host/matrix_market.h"

#include <math.h> /* fabs, fmax, pow, sqrt, tan */

/* p = r + beta p.  r, p: n elements */
KERNEL(cg_direction)(int n, REAL beta, const REAL *RESTRICT r, REAL *RESTRICT p)
{
    GRID_STRIDE_LOOP(i, n)
        p[i] = r[i] + beta * p[i];
}

static void laplacian(int n, struct csr_matrix *matrix)
{
    const int rows = n * n;
    int entries = 0;

    matrix->rows = matrix->columns = rows;
    matrix->row_offsets = (int *)case_memory((size_t)rows + 1, sizeof(int));
    matrix->column_indices = (int *)case_memory(5 * (size_t)rows, sizeof(int));
    matrix->values = (double *)case_memory(5 * (size_t)rows, sizeof(double));
    for (int row = 0; row < rows; row++) {
        const int neighbours[5] = {row >= n ? row - n : -1, row % n > 0 ? row - 1 : -1, row,
                                   row % n < n - 1 ? row + 1 : -1, row < rows - n ? row + n : -1};

        for (int k = 0; k < 5; k++)
            if (neighbours[k] >= 0) {
                matrix->column_indices[entries] = neighbours[k];
                matrix->values[entries++] = neighbours[k] == row ? 4 : -1;
            }
        matrix->row_offsets[row + 1] = entries;
    }
    matrix->nonzeros = entries;
}

/* Ends all ranks unless the matrix is square and equal to its transpose. */
static void check_symmetry(const struct csr_matrix *matrix, const char *path)
{
    int *next;

    if (matrix->rows != matrix->columns)
        portable_ranks_stop(2,
                            "%s: conjugate gradients need a symmetric matrix, this has %d rows "
                            "and %d columns",
                            path, matrix->rows, matrix->columns);
    /* Row by row, the transpose's entries come in the order of each row's columns. */
    next = (int *)case_memory((size_t)matrix->rows, sizeof *next);
    memcpy(next, matrix->row_offsets, (size_t)matrix->rows * sizeof *next);
    for (int row = 0; row < matrix->rows; row++)
        for (int k = matrix->row_offsets[row]; k < matrix->row_offsets[row + 1]; k++) {
            const int column = matrix->column_indices[k], at = next[column]++;

            if (at >= matrix->row_offsets[column + 1] || matrix->column_indices[at] != row ||
                matrix->values[at] != matrix->values[k])
                portable_ranks_stop(2,
                                    "%s: conjugate gradients need a symmetric matrix; entry "
                                    "%d, %d differs from %d, %d",
                                    path, row + 1, column + 1, column + 1, row + 1);
        }
    free(next);
}

/* This rank's rows of the matrix, on the device, and the plan for their columns. */
struct part {
    int rows, ghosts;
    int *row_offsets, *column_indices;
    REAL *values;
    struct portable_exchange *halo;
};

static struct part take_part(const struct csr_matrix *matrix, const long long *starts, int rank)
{
    struct part part;

    memset(&part, 0, sizeof part);
    const int first = (int)starts[rank], begin = matrix->row_offsets[first];
    part.rows = (int)(starts[rank + 1] - starts[rank]);
    const int count = matrix->row_offsets[first + part.rows] - begin;
    int *offsets = (int *)case_memory((size_t)part.rows + 1, sizeof *offsets);
    int *columns = (int *)case_memory((size_t)count, sizeof *columns);
    REAL *values = (REAL *)case_memory((size_t)count, sizeof *values);

    for (int row = 0; row <= part.rows; row++)
        offsets[row] = matrix->row_offsets[first + row] - begin;
    memcpy(columns, matrix->column_indices + begin, (size_t)count * sizeof *columns);
    for (int k = 0; k < count; k++)
        values[k] = (REAL)matrix->values[begin + k];
    PORTABLE_RANKS_CHECK(
        portable_exchange_of_rows(&part.halo, &part.ghosts, starts, offsets, columns));
    part.row_offsets = case_device_ints((size_t)part.rows + 1, offsets);
    part.column_indices = case_device_ints((size_t)count, columns);
    part.values = case_device_reals((size_t)count, values);
    free(offsets);
    free(columns);
    free(values);
    return part;
}

/* y = A x; x has room for the ghosts. */
static void multiply(const struct part *part, REAL *x, REAL *y)
{
    PORTABLE_RANKS_CHECK(portable_exchange_begin(part->halo, x, x, 0));
    PORTABLE_RANKS_CHECK(portable_exchange_wait(part->halo, 0));
    if (part->rows > 0)
        PORTABLE_RANKS_CHECK(KERNEL_LAUNCH_AUTO(csr_spmv, part->rows, part->rows, part->row_offsets,
                                                part->column_indices, part->values, x, y));
}

/* Ends all ranks unless y = A x, both whole, as far as REAL can tell. */
static void check_product(const struct csr_matrix *matrix, const REAL *x, const REAL *y)
{
    for (int row = 0; row < matrix->rows; row++) {
        const int begin = matrix->row_offsets[row], end = matrix->row_offsets[row + 1];
        double sum = 0, size = 0;

        for (int k = begin; k < end; k++) {
            sum += matrix->values[k] * (double)x[matrix->column_indices[k]];
            size += fabs(matrix->values[k] * (double)x[matrix->column_indices[k]]);
        }
        case_expect("cg: A x", row, (double)y[row], sum, (end - begin + 2) * REAL_EPSILON * size);
    }
}

/* The Euclidean norm. */
static double norm(const REAL *x, int n)
{
    double sum = 0;

    for (int k = 0; k < n; k++)
        sum += (double)x[k] * (double)x[k];
    return sqrt(sum);
}

/* |b - A x|, b all ones, and |b - A x - r|, in double precision; A as its values are in REAL.
 * *most: the largest sum of |values| of a row, which bounds |A|; *longest: the most entries of
 * one */
static void residuals(const struct csr_matrix *matrix, const REAL *x, const REAL *r, double *left,
                      double *gap, double *most, int *longest)
{
    *left = *gap = *most = 0;
    *longest = 0;
    for (int row = 0; row < matrix->rows; row++) {
        const int begin = matrix->row_offsets[row], end = matrix->row_offsets[row + 1];
        double rest = 1, size = 0;

        for (int k = begin; k < end; k++) {
            const double value = (double)(REAL)matrix->values[k];

            rest -= value * (double)x[matrix->column_indices[k]];
            size += fabs(value);
        }
        *left += rest * rest;
        *gap += (rest - (double)r[row]) * (rest - (double)r[row]);
        *most = size > *most ? size : *most;
        *longest = end - begin > *longest ? end - begin : *longest;
    }
    *left = sqrt(*left);
    *gap = sqrt(*gap);
}

/* Ends all ranks unless x and the residual r are those of `iterations` iterations of conjugate
 * gradients; all whole. Returns |b - A x| / |b|.
 *
 * Whatever the alphas and directions are, r stays b - A x but for rounding (A. Greenbaum,
 * "Estimating the attainable accuracy of recursively computed residual methods", SIAM J. Matrix
 * Anal. Appl. 18, 1997, theorem 2.2, where |x| grows to that of the result). That the directions
 * are those of conjugate gradients shows in the speed: the error in the norm of A shrinks to
 * 2 ((sqrt(c) - 1) / (sqrt(c) + 1))^iterations, c the condition number, also with rounding but for
 * small factors (A. Greenbaum, "Behavior of slightly perturbed Lanczos and conjugate-gradient
 * recurrences", Linear Algebra Appl. 113, 1989), and r to sqrt(c) times that. For the Laplacian,
 * sqrt(c) is the cotangent of pi / (2 (n + 1)). */
static double check_solution(const struct csr_matrix *matrix, const struct rank_options *options,
                             int iterations, const REAL *x, const REAL *r)
{
    const double size = sqrt((double)matrix->rows);
    double left, gap, most;
    int longest;

    residuals(matrix, x, r, &left, &gap, &most, &longest);
    const double rounding = REAL_EPSILON * (most * norm(x, matrix->rows) + size) *
                            ((12 + 2 * (double)longest) * iterations + longest + 2);
    case_expect("cg: |b - A x - r|", 0, gap, 0, rounding);
    if (!options->input) {
        const double root = 1 / tan(3.14159265358979323846 / (2 * (options->n + 1.0)));
        const double bound = 2 * root * pow(fmax(root - 1, 0) / (root + 1), iterations) * size;

        case_expect("cg: |r|", 0, norm(r, matrix->rows), 0, 2 * bound);
    }
    return size > 0 ? left / size : 0;
}

static double run(const struct rank_options *options)
{
    const struct portable_ranks *me = &options->me;
    struct csr_matrix matrix;
    struct io_error error;
    long long *starts = (long long *)case_memory((size_t)me->count + 1, sizeof *starts);

    memset(&matrix, 0, sizeof matrix);
    if (!options->input && options->n > 10000)
        portable_ranks_stop(2, "cg: --n is at most 10000, for 10^8 rows");
    if (!options->input)
        laplacian(options->n, &matrix);
    else if (matrix_market_read(options->input, &matrix, &error) != 0)
        portable_ranks_stop(2, "%s", error.text);
    check_symmetry(&matrix, options->input ? options->input : "the Laplacian");
    portable_partition_rows(matrix.rows, matrix.row_offsets, me->count, starts);

    const struct part part = take_part(&matrix, starts, me->rank);
    const int n = part.rows;
    const size_t count = (size_t)n + (size_t)part.ghosts;
    REAL *ones = (REAL *)case_memory(count, sizeof *ones);
    for (int k = 0; k < n; k++)
        ones[k] = 1;
    REAL *r = case_device_reals((size_t)n, ones), *p = case_device_reals(count, ones);
    REAL *x = case_device_reals(count, NULL), *product = case_device_reals((size_t)n, NULL);
    REAL rr, before, curvature;
    const struct portable_ranks_array saved[] = {{"x", PORTABLE_RANKS_REAL, 1, starts, x},
                                                 {"r", PORTABLE_RANKS_REAL, 1, starts, r},
                                                 {"p", PORTABLE_RANKS_REAL, 1, starts, p}};
    enum { SAVED = sizeof saved / sizeof saved[0] };

    if (count > 0)
        PORTABLE_RANKS_CHECK(portable_memset(x, 0, count * sizeof *x));
    int iterations = case_resume(options, "cg", SAVED, saved);
    PORTABLE_RANKS_CHECK(portable_ranks_sum(r, r, starts, 0, &rr));
    for (; case_goes_on(options, iterations) && rr > 0; iterations++) {
        multiply(&part, p, product);
        PORTABLE_RANKS_CHECK(portable_ranks_sum(p, product, starts, 0, &curvature));
        if (!(curvature > 0))
            break; /* A is not positive definite, as far as REAL can tell */
        const REAL alpha = rr / curvature;
        if (n > 0) {
            PORTABLE_RANKS_CHECK(KERNEL_LAUNCH_AUTO(saxpy, n, n, alpha, p, x));
            PORTABLE_RANKS_CHECK(KERNEL_LAUNCH_AUTO(saxpy, n, n, -alpha, product, r));
        }
        before = rr;
        PORTABLE_RANKS_CHECK(portable_ranks_sum(r, r, starts, 0, &rr));
        if (n > 0)
            PORTABLE_RANKS_CHECK(KERNEL_LAUNCH_AUTO(cg_direction, n, n, rr / before, r, p));
        case_save(options, "cg", iterations + 1, SAVED, saved, 0);
    }

    case_dump(options, "cg", x, starts, 1);
    double left = 0;
    if (!options->bench) {
        multiply(&part, x, product);
        REAL *whole_x = case_whole(x, starts, 1, me), *whole_r = case_whole(r, starts, 1, me);
        REAL *whole_product = case_whole(product, starts, 1, me);
        left = check_solution(&matrix, options, iterations, whole_x, whole_r);
        check_product(&matrix, whole_x, whole_product);
        free(whole_x);
        free(whole_r);
        free(whole_product);
    }
    PORTABLE_RANKS_CHECK(portable_exchange_destroy(part.halo));
    PORTABLE_RANKS_CHECK(portable_free(part.row_offsets));
    PORTABLE_RANKS_CHECK(portable_free(part.column_indices));
    PORTABLE_RANKS_CHECK(portable_free(part.values));
    PORTABLE_RANKS_CHECK(portable_free(r));
    PORTABLE_RANKS_CHECK(portable_free(p));
    PORTABLE_RANKS_CHECK(portable_free(x));
    PORTABLE_RANKS_CHECK(portable_free(product));
    csr_free(&matrix);
    free(ones);
    free(starts);
    return left;
}

static double work(int n)
{
    return 5.0 * n * n - 4.0 * n;
}

const struct rank_case case_cg = {
    "cg",   "conjugate gradients, halo by index lists, exact dot products: |b - A x| / |b|",
    40,     150,
    ".mtx", 1,
    work,   "nonzeros",
    2,      run};
