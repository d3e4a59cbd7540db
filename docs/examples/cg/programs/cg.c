/* SPDX-License-Identifier: 0BSD */
/* cg: solves A x = b for a matrix of a file, or for Poisson's equation in a cube: cg --help */
#include "refine.c"

#include "host/line_plot.h"
#include "host/matrix_market.h"
#include "host/npy.h"
#include "host/program.h"
#include "host/timer.h"

#include <string.h> /* memcpy */

static const char about[] =
    "Solves A x = b by conjugate gradients, preconditioned by Jacobi and by Chebyshev's "
    "polynomial,\n"
    "for the symmetric positive definite matrix of a file and b = A (1, 1, ..., 1), or for -h^2\n"
    "times the Laplacian on N x N x N points inside of a cube and b = h^2.";

enum { WAYS = 2 };
static const char *const ways[WAYS] = {"Jacobi", "Chebyshev"};

/* -h^2 times the seven-point Laplacian: 6 on the diagonal, -1 for each neighbour. */
static struct csr_matrix poisson_matrix(int n)
{
    const int rows = n * n * n, stride[7] = {-n * n, -n, -1, 0, 1, n, n * n};
    struct csr_matrix a = {rows, rows, 0, NULL, NULL, NULL};

    a.row_offsets = (int *)program_host((size_t)rows + 1, sizeof *a.row_offsets);
    a.column_indices = (int *)program_host(7 * (size_t)rows, sizeof *a.column_indices);
    a.values = (double *)program_host(7 * (size_t)rows, sizeof *a.values);
    for (int row = 0; row < rows; row++) {
        const int z = row / (n * n), y = row / n % n, x = row % n;
        const int inside[7] = {z > 0, y > 0, x > 0, 1, x < n - 1, y < n - 1, z < n - 1};

        for (int k = 0; k < 7; k++)
            if (inside[k]) {
                a.column_indices[a.nonzeros] = row + stride[k];
                a.values[a.nonzeros++] = k == 3 ? 6 : -1;
            }
        a.row_offsets[row + 1] = a.nonzeros;
    }
    return a;
}

/* The solution of that system in the middle of the cube, by sines, the eigenvectors of A: b = h^2
 * has the coefficient h^2 (2 h)^3 cot(l pi h / 2) cot(m pi h / 2) cot(n pi h / 2) for odd l, m,
 * n. */
static double poisson_middle(int n)
{
    const double h = 1.0 / (n + 1), half = acos(-1.0) * h / 2;
    double *const weight = (double *)program_host((size_t)n + 1, sizeof *weight), sum = 0;

    for (int l = 1; l <= n; l += 2)
        weight[l] = (l % 4 == 1 ? 1 : -1) / tan(l * half);
    for (int l = 1; l <= n; l += 2)
        for (int m = 1; m <= n; m += 2)
            for (int k = 1; k <= n; k += 2) {
                const double sl = sin(l * half), sm = sin(m * half), sk = sin(k * half);
                sum += weight[l] * weight[m] * weight[k] / (4 * (sl * sl + sm * sm + sk * sk));
            }
    return 8 * h * h * h * h * h * sum;
}

/* Reads a matrix for conjugate gradients: square, symmetric, with a positive diagonal. */
static struct csr_matrix read_matrix(const char *path)
{
    struct io_error error;
    struct csr_matrix a;

    program_check(matrix_market_read(path, &a, &error), &error);
    if (a.rows != a.columns || a.rows == 0)
        program_fail("%s: the matrix is %d x %d; it must be square and not empty", path, a.rows,
                     a.columns);
    int *const next = (int *)program_host((size_t)a.rows, sizeof *next);
    memcpy(next, a.row_offsets, (size_t)a.rows * sizeof *next);
    for (int row = 0; row < a.rows; row++) {
        double diagonal = 0;

        for (int k = a.row_offsets[row]; k < a.row_offsets[row + 1]; k++) {
            /* Rows are in ascending order, so each column meets its rows in that order. */
            const int column = a.column_indices[k], mirror = next[column]++;

            if (mirror >= a.row_offsets[column + 1] || a.column_indices[mirror] != row ||
                a.values[mirror] != a.values[k])
                program_fail("%s: the matrix is not symmetric: see row %d, column %d", path,
                             row + 1, column + 1);
            diagonal += column == row ? a.values[k] : 0;
        }
        if (!(diagonal > 0))
            program_fail("%s: not positive definite: the diagonal of row %d is %g", path, row + 1,
                         diagonal);
    }
    return a;
}

static struct system upload(const struct csr_matrix *a, const double *b)
{
    const size_t n = (size_t)a->rows, nonzeros = (size_t)a->nonzeros;
    REAL *const values = (REAL *)program_host(nonzeros, sizeof *values);
    REAL *const inverse = (REAL *)program_host(n, sizeof *inverse);
    struct system s;

    memset(&s, 0, sizeof s);
    s.n = a->rows;
    for (size_t i = 0; i < n; i++) {
        double diagonal = 0, all = 0;

        for (int k = a->row_offsets[i]; k < a->row_offsets[i + 1]; k++) {
            values[k] = (REAL)a->values[k];
            diagonal += a->column_indices[k] == (int)i ? a->values[k] : 0;
            all += fabs(a->values[k]);
        }
        inverse[i] = (REAL)(1 / diagonal);
        s.largest = fmax(s.largest, all / diagonal); /* Gershgorin's theorem */
    }
    s.row_offsets = (int *)program_upload(a->row_offsets, (n + 1) * sizeof(int));
    s.columns = (int *)program_upload(a->column_indices, nonzeros * sizeof(int));
    s.exact_values = (double *)program_upload(a->values, nonzeros * sizeof(double));
    s.values = (REAL *)program_upload(values, nonzeros * sizeof(REAL));
    s.inverse = (REAL *)program_upload(inverse, n * sizeof(REAL));
    s.b = (double *)program_upload(b, n * sizeof(double));
    REAL **const vectors[6] = {&s.p, &s.q, &s.x, &s.r, &s.z, &s.before};
    for (int k = 0; k < 6; k++)
        *vectors[k] = (REAL *)program_device(n, sizeof(REAL));
    s.solution = (double *)program_device(n, sizeof(double));
    s.residual = (double *)program_device(n, sizeof(double));
    s.sums = (double *)program_device(2 * MOST_BLOCKS, sizeof(double));
    s.scalars = (double *)program_device(SCALARS, sizeof(double));
    s.history = (double *)program_device(CHECKED, sizeof(double));
    return s;
}

/* The true relative residual on the host, for which each row is summed in extended precision. */
static double host_residual(const struct csr_matrix *a, const double *b, const double *x)
{
    long double squares = 0, all = 0;

    for (int i = 0; i < a->rows; i++) {
        long double left = b[i];

        for (int k = a->row_offsets[i]; k < a->row_offsets[i + 1]; k++)
            left -= (long double)a->values[k] * (long double)x[a->column_indices[k]];
        squares += left * left;
        all += (long double)b[i] * (long double)b[i];
    }
    return (double)sqrt((double)(squares / all));
}

/* Plots the residuals against the multiplications by A. */
static void write_plot(const char *path, const char *name, const struct outcome outcomes[WAYS],
                       double tolerance)
{
    const double *x[WAYS];
    char title[200];
    struct io_error error;

    for (int w = 0; w < WAYS; w++) {
        double *const at = (double *)program_host((size_t)outcomes[w].iterations, sizeof *at);

        for (int k = 0; k < outcomes[w].iterations; k++)
            at[k] = k * (w ? DEGREE + 1 : 1);
        x[w] = at;
    }
    snprintf(title, sizeof title, "%s: %d multiplications with Jacobi, %d with Chebyshev", name,
             outcomes[0].iterations, outcomes[1].iterations * (DEGREE + 1));
    const struct line_plot plot = {
        .title = title,
        .x_label = "multiplications by A",
        .y_label = "relative residual",
        .log_x = 0,
        .log_y = 10,
        .limit = tolerance,
        .limit_label = "tolerance",
        .series_count = WAYS,
        .series = {{ways[0], (size_t)outcomes[0].iterations, x[0], outcomes[0].history},
                   {ways[1], (size_t)outcomes[1].iterations, x[1], outcomes[1].history}}};
    program_check(line_plot_write(path, &plot, &error), &error);
}

int main(int argc, char **argv)
{
    const char *path = NULL, *solution = NULL, *plot = NULL;
    double tolerance = 1e-10;
    int most = 200000, poisson = 0;
    const struct options_entry options[] = {
        options_number("--tolerance T", &tolerance, 1e-15, 0.1, "stop at a residual of T |b|"),
        options_whole("--most N", &most, CHECKED, 10000000, "iterations at most"),
        options_text("--solution FILE", &solution, "write Chebyshev's solution, a .npy of doubles"),
        options_text("--svg FILE", &plot, "plot the residuals"),
        options_whole("--poisson N", &poisson, 1, 601, "solve Poisson's equation, N odd"),
        options_text("FILE.mtx", &path, "solve for this matrix"),
    };
    struct outcome outcomes[WAYS];
    struct io_error error;

    program_begin("cg", about, options, sizeof options / sizeof *options, argc, argv);
    if ((path != NULL) == (poisson != 0) || (poisson && poisson % 2 == 0))
        program_fail("expected a .mtx file or --poisson N with an odd N; see cg --help");
    struct csr_matrix a = path ? read_matrix(path) : poisson_matrix(poisson);
    const char *const name = path ? io_base_name(path) : "Poisson's equation";
    const size_t n = (size_t)a.rows;
    double *const b = (double *)program_host(n, sizeof *b);
    double *const x = (double *)program_host(n, sizeof *x), squares = 0;
    for (size_t i = 0; i < n; i++) {
        b[i] = poisson ? 1.0 / ((poisson + 1.0) * (poisson + 1.0)) : 0;
        for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1] && !poisson; k++)
            b[i] += a.values[k];
        squares += b[i] * b[i];
    }
    if (!(squares > 0 && isfinite(squares)))
        program_fail("%s: the square of |A (1, 1, ..., 1)| is %g; it must be positive and finite",
                     name, squares);
    struct system s = upload(&a, b);
    printf("%s: %d unknowns, %d entries; %s, %s\n", name, a.rows, a.nonzeros, PORTABLE_TARGET_NAME,
           sizeof(REAL) == sizeof(double) ? "double precision"
                                          : "single precision with refinement in double");
    for (int w = 0; w < WAYS; w++) {
        s.degree = w ? DEGREE : 0;
        const double start = timer_seconds();
        outcomes[w] = solve(&s, tolerance, most);
        const double seconds = timer_seconds() - start;
        if (outcomes[w].indefinite)
            program_fail("%s: the matrix is not positive definite", name);
        PORTABLE_CHECK(portable_copy_to_host(x, s.solution, n * sizeof *x));
        printf("%-9s: %6d iterations, %2d rounds, %.3f s, %.1f us each\n", ways[w],
               outcomes[w].iterations, outcomes[w].rounds, seconds,
               1e6 * seconds / (outcomes[w].iterations ? outcomes[w].iterations : 1));
        const double residual = host_residual(&a, b, x);
        verify(residual <= tolerance * (1 + 1e-3) && residual >= 0, "the true residual is %.2e",
               residual);
        if (poisson) {
            /* |x - solution| <= |residual| / smallest eigenvalue, 12 sin^2(pi h / 2). */
            const double middle = poisson_middle(poisson);
            const double sine = sin(acos(-1.0) / (2 * (poisson + 1.0)));
            verify(fabs(x[n / 2] - middle) <=
                       1.1 * residual * b[0] * sqrt((double)n) / (12 * sine * sine) + 1e-14,
                   "the middle has %.12f; by sines %.12f", x[n / 2], middle);
        } else {
            double largest = 0;
            for (size_t i = 0; i < n; i++)
                largest = fmax(largest, fabs(x[i] - 1));
            printf("  the largest error of the solution, all ones, is %.1e\n", largest);
        }
    }
    const struct array solved = {ARRAY_FLOAT64, 1, {n}, x};
    if (solution)
        program_check(npy_write(solution, &solved, &error), &error);
    if (plot && outcomes[0].iterations + outcomes[1].iterations > 0)
        write_plot(plot, name, outcomes, tolerance);
    if (path)
        csr_free(&a);
    return program_end("the residual on the host, and the known solution");
}
