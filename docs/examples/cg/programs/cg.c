/* SPDX-License-Identifier: 0BSD */
/* cg: solves A x = b for a matrix of a file, or for Poisson's equation in a cube: cg --help */
#include "refine.c"

#include "host/matrix_market.h"
#include "host/npy.h"
#include "host/output.h"
#include "host/timer.h"

#include <stdio.h>  /* printf, fprintf */
#include <string.h> /* strcmp */

static const char usage[] =
    "usage: cg [--tolerance T] [--most N] [--solution FILE.npy] [--svg FILE] --poisson N | "
    "FILE.mtx\n"
    "\n"
    "Solves A x = b by conjugate gradients, preconditioned by Jacobi and by Chebyshev's "
    "polynomial.\n"
    "A is a symmetric positive definite matrix of a Matrix Market file, and b = A (1, 1, ..., 1);\n"
    "or -h^2 times the Laplacian on N x N x N points inside of a cube, and b = h^2, N odd.\n"
    "\n"
    "  --tolerance T     stop at a residual of T |b|: 1e-15 to 0.1; 1e-10\n"
    "  --most N          iterations at most: 32 to 10000000; 200000\n"
    "  --solution FILE   write Chebyshev's solution as an array of doubles\n"
    "  --svg FILE        plot the residuals\n"
    "\n"
    "Exit status: 0 verified, 1 a check failed, 2 bad input.\n";

enum { WAYS = 2 };
static const char *const ways[WAYS] = {"Jacobi", "Chebyshev"};

static int fail(const char *sentence)
{
    fprintf(stderr, "cg: %s\n", sentence);
    return IO_BAD;
}

static void *memory(size_t count, size_t size)
{
    void *const allocated = calloc(count ? count : 1, size);

    if (!allocated)
        exit(fail("there is not enough memory"));
    return allocated;
}

/* -h^2 times the seven-point Laplacian: 6 on the diagonal, -1 for each neighbour. */
static struct csr_matrix poisson_matrix(int n)
{
    const int rows = n * n * n, stride[6] = {-n * n, -n, -1, 1, n, n * n};
    struct csr_matrix a = {rows, rows, 0, NULL, NULL, NULL};

    a.row_offsets = (int *)memory((size_t)rows + 1, sizeof *a.row_offsets);
    a.column_indices = (int *)memory(7 * (size_t)rows, sizeof *a.column_indices);
    a.values = (double *)memory(7 * (size_t)rows, sizeof *a.values);
    for (int row = 0; row < rows; row++) {
        const int at[3] = {row / (n * n), row / n % n, row % n};

        for (int side = 0; side < 7; side++) {
            const int k = side < 3 ? side : side - 1, axis = k < 3 ? k : 5 - k;

            if (side != 3 && at[axis] == (k < 3 ? 0 : n - 1))
                continue;
            a.column_indices[a.nonzeros] = side == 3 ? row : row + stride[k];
            a.values[a.nonzeros++] = side == 3 ? 6 : -1;
        }
        a.row_offsets[row + 1] = a.nonzeros;
    }
    return a;
}

/* The solution of that system in the middle of the cube, by sines, the eigenvectors of A: b = h^2
 * has the coefficient h^2 (2 h)^3 cot(l pi h / 2) cot(m pi h / 2) cot(n pi h / 2) for odd l, m, n. */
static double poisson_middle(int n)
{
    const double h = 1.0 / (n + 1), half = acos(-1.0) * h / 2;
    double *const weight = (double *)memory((size_t)n + 1, sizeof *weight), sum = 0;

    for (int l = 1; l <= n; l += 2)
        weight[l] = (l % 4 == 1 ? 1 : -1) / tan(l * half);
    for (int l = 1; l <= n; l += 2)
        for (int m = 1; m <= n; m += 2)
            for (int k = 1; k <= n; k += 2) {
                const double sl = sin(l * half), sm = sin(m * half), sk = sin(k * half);
                sum += weight[l] * weight[m] * weight[k] / (4 * (sl * sl + sm * sm + sk * sk));
            }
    free(weight);
    return 8 * h * h * h * h * h * sum;
}

/* Whether conjugate gradients may solve it: square, symmetric, and a positive diagonal. */
static int check_matrix(const char *path, const struct csr_matrix *a, struct io_error *error)
{
    int *const next = (int *)memory((size_t)a->rows + 1, sizeof *next);
    int status = 0;

    if (a->rows != a->columns || a->rows == 0) {
        free(next);
        return io_fail(error, "%s: the matrix is %d x %d; it must be square and not empty", path,
                       a->rows, a->columns);
    }
    memcpy(next, a->row_offsets, (size_t)a->rows * sizeof *next);
    for (int row = 0; row < a->rows && status == 0; row++) {
        double diagonal = 0;

        for (int k = a->row_offsets[row]; k < a->row_offsets[row + 1]; k++) {
            const int column = a->column_indices[k];
            const int mirror = next[column]++;

            /* Rows are in ascending order, so each column meets its rows in that order. */
            if (mirror >= a->row_offsets[column + 1] || a->column_indices[mirror] != row ||
                a->values[mirror] != a->values[k]) {
                status = io_fail(error, "%s: the matrix is not symmetric: see row %d, column %d",
                                 path, row + 1, column + 1);
                break;
            }
            diagonal += column == row ? a->values[k] : 0;
        }
        if (status == 0 && !(diagonal > 0))
            status = io_fail(error, "%s: not positive definite: the diagonal of row %d is %g", path,
                             row + 1, diagonal);
    }
    free(next);
    return status;
}

static void *device_memory(size_t bytes)
{
    char *allocated;

    PORTABLE_CHECK(portable_malloc(&allocated, bytes));
    return allocated;
}

static void *device_copy(const void *host, size_t bytes)
{
    void *const copy = device_memory(bytes);

    PORTABLE_CHECK(portable_copy_to_device(copy, host, bytes));
    return copy;
}

static struct system upload(const struct csr_matrix *a, const double *b)
{
    const size_t n = (size_t)a->rows, nonzeros = (size_t)a->nonzeros;
    REAL *const values = (REAL *)memory(nonzeros, sizeof *values);
    REAL *const inverse = (REAL *)memory(n, sizeof *inverse);
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
    s.row_offsets = (int *)device_copy(a->row_offsets, (n + 1) * sizeof(int));
    s.columns = (int *)device_copy(a->column_indices, nonzeros * sizeof(int));
    s.exact_values = (double *)device_copy(a->values, nonzeros * sizeof(double));
    s.values = (REAL *)device_copy(values, nonzeros * sizeof(REAL));
    s.inverse = (REAL *)device_copy(inverse, n * sizeof(REAL));
    s.b = (double *)device_copy(b, n * sizeof(double));
    REAL **const vectors[6] = {&s.p, &s.q, &s.x, &s.r, &s.z, &s.before};
    for (int k = 0; k < 6; k++)
        *vectors[k] = (REAL *)device_memory(n * sizeof(REAL));
    s.solution = (double *)device_memory(n * sizeof(double));
    s.residual = (double *)device_memory(n * sizeof(double));
    s.sums = (double *)device_memory(2 * MOST_BLOCKS * sizeof(double));
    s.scalars = (double *)device_memory(SCALARS * sizeof(double));
    s.history = (double *)device_memory(CHECKED * sizeof(double));
    free(values);
    free(inverse);
    return s;
}

static void release(struct system *s)
{
    void *const all[17] = {
        s->row_offsets, s->columns, s->values, s->inverse,      s->p, s->q,        s->x,
        s->r,           s->z,       s->before, s->exact_values, s->b, s->solution, s->residual,
        s->sums,        s->scalars, s->history};
    for (int k = 0; k < 17; k++)
        PORTABLE_CHECK(portable_free(all[k]));
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
static int write_plot(const char *path, const char *title, const struct outcome outcomes[WAYS],
                      double tolerance, struct io_error *error)
{
    const double left = 70, right = 590, top = 50, bottom = 350;
    double most = 1, lowest = log10(tolerance) - 1, highest = 0;
    struct io_writer writer;

    for (int w = 0; w < WAYS; w++) {
        most = fmax(most, outcomes[w].iterations * (w ? DEGREE + 1.0 : 1.0));
        for (int k = 0; k < outcomes[w].iterations; k++)
            highest = fmax(highest, log10(outcomes[w].history[k]));
    }
    highest = ceil(highest);
    lowest = floor(lowest);
    if (io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    fprintf(writer.stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\">\n"
            "<title>Residuals of conjugate gradients</title>\n<style>text{font:14px "
            "sans-serif;fill:#333}path{fill:none;stroke-width:1.5}.grid{stroke:#8884}"
            ".w0{stroke:#c45500}.w1{stroke:#0969da}.goal{stroke:#888;stroke-dasharray:5}"
            "@media(prefers-color-scheme:dark){text{fill:#ddd}.w0{stroke:#f0883e}"
            ".w1{stroke:#58a6ff}}</style>\n<text x=\"20\" y=\"26\">relative residual: %s</text>\n"
            "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">multiplications by A</text>\n",
            title, (left + right) / 2, bottom + 40);
    for (double power = lowest; power <= highest; power += 2)
        fprintf(writer.stream,
                "<path class=\"grid\" d=\"M%g %.1fH%g\"/><text x=\"%g\" y=\"%.1f\" "
                "text-anchor=\"end\">1e%g</text>\n",
                left, bottom - (power - lowest) / (highest - lowest) * (bottom - top), right,
                left - 6, bottom - (power - lowest) / (highest - lowest) * (bottom - top) + 5,
                power);
    for (int quarter = 0; quarter <= 4; quarter++)
        fprintf(writer.stream, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%.0f</text>\n",
                left + quarter * (right - left) / 4, bottom + 20, quarter * most / 4);
    fprintf(writer.stream, "<path class=\"goal\" d=\"M%g %.1fH%g\"/>\n", left,
            bottom - (log10(tolerance) - lowest) / (highest - lowest) * (bottom - top), right);
    for (int w = 0; w < WAYS; w++) {
        const int count = outcomes[w].iterations, every = 1 + count / 1000;
        double y = top;

        fprintf(writer.stream, "<path class=\"w%d\" d=\"", w);
        for (int k = 0; k < count; k += every) {
            y = bottom - fmax(log10(outcomes[w].history[k]) - lowest, 0) / (highest - lowest) *
                             (bottom - top);
            fprintf(writer.stream, "%c%.1f %.1f", k ? 'L' : 'M',
                    left + k * (w ? DEGREE + 1.0 : 1.0) / most * (right - left), y);
        }
        fprintf(writer.stream,
                "\"/><path class=\"w%d\" d=\"M600 %dh24\"/><text x=\"630\" y=\"%d\">%s</text>\n", w,
                60 + 24 * w, 65 + 24 * w, ways[w]);
    }
    fprintf(writer.stream, "</svg>\n");
    return io_write_commit(&writer, error);
}

static int write_solution(const char *path, const double *x, int n, struct io_error *error)
{
    const size_t shape[1] = {(size_t)n};
    struct array array;

    if (array_allocate(&array, ARRAY_FLOAT64, 1, shape, error) != 0)
        return IO_BAD;
    memcpy(array.data, x, shape[0] * sizeof *x);
    const int status = npy_write(path, &array, error);
    array_free(&array);
    return status;
}

/* Solves both ways and prints what came out. Returns whether every check held, or IO_BAD. */
static int run(const struct csr_matrix *a, const char *name, int poisson, double tolerance,
               int most, const char *solution, const char *plot, struct io_error *error)
{
    const size_t n = (size_t)a->rows;
    double *const b = (double *)memory(n, sizeof *b), *const x = (double *)memory(n, sizeof *x);
    struct outcome outcomes[WAYS];
    int good = 1, status = 0;

    for (size_t i = 0; i < n; i++) {
        b[i] = poisson ? 1.0 / ((poisson + 1.0) * (poisson + 1.0)) : 0;
        for (int k = a->row_offsets[i]; k < a->row_offsets[i + 1] && !poisson; k++)
            b[i] += a->values[k];
    }
    struct system s = upload(a, b);
    printf("%s: %d unknowns, %d entries; %s, %s precision%s\n", name, a->rows, a->nonzeros,
           PORTABLE_TARGET_NAME, sizeof(REAL) == sizeof(double) ? "double" : "single",
           sizeof(REAL) == sizeof(double) ? "" : " with refinement in double");
    for (int w = 0; w < WAYS; w++) {
        s.degree = w ? DEGREE : 0;
        const double start = timer_seconds();
        outcomes[w] = solve(&s, tolerance, most);
        const double seconds = timer_seconds() - start;
        if (outcomes[w].indefinite && status == 0)
            status = io_fail(error, "%s: the matrix is not positive definite", name);
        PORTABLE_CHECK(portable_copy_to_host(x, s.solution, n * sizeof *x));
        const double residual = host_residual(a, b, x);
        printf("%-9s: %6d iterations, %2d rounds, %.3f s, %.1f us each; true residual %.2e\n",
               ways[w], outcomes[w].iterations, outcomes[w].rounds, seconds,
               1e6 * seconds / (outcomes[w].iterations ? outcomes[w].iterations : 1), residual);
        good &= residual <= tolerance * (1 + 1e-3) && residual >= 0;
        double error_of = 0;
        if (poisson) {
            const double middle = poisson_middle(poisson);
            error_of = fabs(x[n / 2] - middle) / middle;
            printf("%-9s  the middle has %.12f; by sines %.12f\n", "", x[n / 2], middle);
            /* |x - solution| <= |residual| / smallest eigenvalue, 12 sin^2(pi h / 2). */
            const double sine = sin(acos(-1.0) / (2 * (poisson + 1.0)));
            good &= error_of * middle <=
                    1.1 * residual * b[0] * sqrt((double)n) / (12 * sine * sine) + 1e-14;
        } else {
            for (size_t i = 0; i < n; i++)
                error_of = fmax(error_of, fabs(x[i] - 1));
            printf("%-9s  the largest error of the solution, all ones, is %.1e\n", "", error_of);
        }
    }
    if (status == 0 && solution)
        status = write_solution(solution, x, a->rows, error);
    if (status == 0 && plot)
        status = write_plot(plot, name, outcomes, tolerance, error);
    for (int w = 0; w < WAYS; w++)
        free(outcomes[w].history);
    release(&s);
    free(b);
    free(x);
    return status ? status : good;
}

int main(int argc, char **argv)
{
    const char *path = NULL, *solution = NULL, *plot = NULL;
    double tolerance = 1e-10, most = 200000, poisson = 0;
    struct csr_matrix a;
    struct io_error error;
    char name[64];
    int devices;

    output_begin();
    for (int k = 1; k < argc; k++) {
        const char *const value = k + 1 < argc ? argv[k + 1] : "";
        double *const number = strcmp(argv[k], "--tolerance") == 0 ? &tolerance
                               : strcmp(argv[k], "--most") == 0    ? &most
                               : strcmp(argv[k], "--poisson") == 0 ? &poisson
                                                                   : NULL;
        char *end;

        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            return output_end("cg", 0);
        }
        if (argv[k][0] != '-' && !path) {
            path = argv[k];
            continue;
        }
        if (number) {
            *number = strtod(value, &end);
            if (end == value || *end)
                return fail("expected a number after an option; see cg --help");
        } else if (strcmp(argv[k], "--solution") == 0 && *value)
            solution = value;
        else if (strcmp(argv[k], "--svg") == 0 && *value)
            plot = value;
        else
            return fail("unknown or incomplete option; see cg --help");
        k++;
    }
    if ((path != NULL) == (poisson != 0))
        return fail("expected a .mtx file or --poisson N; see cg --help");
    if (!(tolerance >= 1e-15 && tolerance <= 0.1 && most >= CHECKED && most <= 1e7))
        return fail("--tolerance or --most is out of range; see cg --help");
    if (poisson != 0 && !(poisson >= 1 && poisson <= 601 && fmod(poisson, 2) == 1))
        return fail("--poisson must be an odd number from 1 to 601");
    if (portable_device_count(&devices) != PORTABLE_SUCCESS)
        return fail(portable_last_message());
    if (path) {
        if (matrix_market_read(path, &a, &error) != 0 || check_matrix(path, &a, &error) != 0)
            return fail(error.text);
        snprintf(name, sizeof name, "%.60s", io_base_name(path));
    } else {
        a = poisson_matrix((int)poisson);
        snprintf(name, sizeof name, "Poisson, %d^3", (int)poisson);
    }
    const int good = run(&a, name, (int)poisson, tolerance, (int)most, solution, plot, &error);
    csr_free(&a);
    if (good == IO_BAD)
        return fail(error.text);
    printf("cg: %s\n", good ? "verified: the residual on the host, and the known solution"
                            : "FAILED: the residual is above the tolerance, or the solution wrong");
    return output_end("cg", good ? 0 : 1);
}
