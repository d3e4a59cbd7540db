/* SPDX-License-Identifier: 0BSD */
/* One iteration, from random vectors, for a matrix like that of Poisson's equation on n x n x n
 * points whose diagonal is random. */
#include "solver.c"

#include "plain.c"

#include "host/case.h"

#include <stdlib.h> /* calloc, free */
#include <string.h> /* memcpy, strcmp */

static const double first_scalars[SCALARS + 1] = {0.125, 0, 3, 0, 0, 0};

static int degree_of(const struct run *run)
{
    return strcmp(run->test_case->name, "chebyshev") == 0 ? DEGREE : 0;
}

static int prepare(struct run *run, struct io_error *error)
{
    const int n = run->n, rows = n * n * n, stride[6] = {-n * n, -n, -1, 1, n, n * n};
    int *const row_offsets = run_input_int(run, "row_offsets", (size_t)rows + 1), k = 0;
    int *const columns = run_input_int(run, "columns", 7 * (size_t)rows);
    REAL *const values = run_input_real(run, "values", 7 * (size_t)rows);
    REAL *const inverse = run_input_real(run, "inverse", (size_t)rows);

    for (int row = 0; row < rows && row_offsets && columns && values && inverse; row++) {
        const int at[6] = {row / (n * n), row / n % n, row % n,
                           row % n,       row / n % n, row / (n * n)};

        columns[k] = row;
        values[k] += 7;
        inverse[row] = 1 / values[k++];
        for (int side = 0; side < 6; side++)
            if (at[side] != (side < 3 ? 0 : n - 1)) {
                columns[k] = row + stride[side];
                values[k++] = -1;
            }
        row_offsets[row + 1] = k;
    }
    run_update_real(run, "x", (size_t)rows, OWNER_ELEMENT);
    run_update_real(run, "r", (size_t)rows, OWNER_ELEMENT);
    run_update_real(run, "p", (size_t)rows, OWNER_ELEMENT);
    run_update_real(run, "q", (size_t)rows, OWNER_ELEMENT);
    run_output_real(run, "z", (size_t)rows, OWNER_ELEMENT);
    if (degree_of(run))
        run_output_real(run, "before", (size_t)rows, OWNER_ELEMENT);
    run_output_array(run, "scalars", ARRAY_FLOAT64, SCALARS + 1, OWNER_NONE);
    run_scratch_array(run, "sums", ARRAY_FLOAT64, 2 * MOST_BLOCKS);
    run->grid.x = (unsigned)blocks_of(rows);
    run->bytes = (double)rows * (double)sizeof(REAL) * (10 + 9 + 5.5 * degree_of(run)) +
                 k * (1.0 + degree_of(run)) * (double)(sizeof(int) + sizeof(REAL));
    return run_ready(run, error);
}

/* The arrays that `of`, run_device or run_host, finds. */
static struct system system_of(struct run *run, void *(*of)(const struct run *, const char *))
{
    struct system s;

    memset(&s, 0, sizeof s);
    s.n = run->n * run->n * run->n;
    s.row_offsets = (int *)of(run, "row_offsets");
    s.columns = (int *)of(run, "columns");
    s.values = (REAL *)of(run, "values");
    s.inverse = (REAL *)of(run, "inverse");
    s.x = (REAL *)of(run, "x");
    s.r = (REAL *)of(run, "r");
    s.p = (REAL *)of(run, "p");
    s.q = (REAL *)of(run, "q");
    s.z = (REAL *)of(run, "z");
    s.degree = degree_of(run);
    s.before = s.degree ? (REAL *)of(run, "before") : NULL;
    s.scalars = (double *)of(run, "scalars");
    s.sums = (double *)of(run, "sums");
    s.largest = 2;
    return s;
}

static portable_status launch(struct run *run)
{
    struct system s = system_of(run, run_device);

    portable_copy_to_device(s.scalars, first_scalars, sizeof first_scalars);
    return iterate(&s, s.scalars + SCALARS);
}

static void baseline(struct run *run)
{
    struct system s = system_of(run, run_host);

    memcpy(s.scalars, first_scalars, sizeof first_scalars);
    plain_iterate(&s);
}

/* A value, and how far that of the kernels may be from it. */
struct near {
    double value, bound;
};

static struct near row_near(const struct system *s, int row, const struct near *x)
{
    struct near sum = {0, 0};

    for (int k = s->row_offsets[row]; k < s->row_offsets[row + 1]; k++) {
        const double a = (double)s->values[k], xk = x[s->columns[k]].value;

        sum.value += a * xk;
        sum.bound += fabs(a) * x[s->columns[k]].bound + run_roundings(8) * fabs(a * xk);
    }
    return sum;
}

/* The dot product, summed in extended precision. Neither the products nor the kernels' sums, of at
 * most 100 additions in a row, add more than 2^-46: REAL may be double. */
static struct near dot_near(int n, const struct near *a, const struct near *b)
{
    struct near sum = {0, 0};
    long double value = 0;

    for (int i = 0; i < n; i++) {
        const double product = a[i].value * b[i].value;

        value += (long double)product;
        sum.bound += fabs(a[i].value) * b[i].bound + fabs(b[i].value) * a[i].bound +
                     a[i].bound * b[i].bound + 0x1p-46 * fabs(product);
    }
    sum.value = (double)value;
    return sum;
}

static struct near quotient_near(struct near a, struct near b)
{
    const struct near q = {a.value / b.value, (a.bound + fabs(a.value / b.value) * b.bound) /
                                                      (fabs(b.value) - b.bound) +
                                                  0x1p-50 * fabs(a.value / b.value)};
    return q;
}

static void expect(struct run *run, const char *name, const struct near *all)
{
    for (int i = 0; i < run->n * run->n * run->n; i++)
        run_expect(run, name, (size_t)i, all[i].value, all[i].bound);
}

/* The iteration in double precision, with bounds of all errors that rounding may have made. */
static void reference(struct run *run)
{
    const struct system s = system_of(run, run_host);
    const size_t n = (size_t)s.n;
    struct near *const all = (struct near *)calloc(5 * n, sizeof *all), *const r = all;
    struct near *const p = r + n, *const q = p + n, *z = q + n, *before = z + n;
    const double theta = s.largest * 31 / 60, delta = s.largest * 29 / 60;
    const double scale = s.degree ? 1 / theta : 1, u3 = run_roundings(3), u6 = run_roundings(6);
    double rho = delta / theta;

    if (!all) {
        run_lacks(run, "x", 5 * n * sizeof *all);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double step = first_scalars[ALPHA] * (double)s.p[i];
        const double change = first_scalars[ALPHA] * (double)s.q[i];

        run_expect(run, "x", i, (double)s.x[i] + step, u3 * (fabs((double)s.x[i]) + fabs(step)));
        r[i].value = (double)s.r[i] - change;
        r[i].bound = u3 * (fabs((double)s.r[i]) + fabs(change));
        z[i].value = scale * (double)s.inverse[i] * r[i].value;
        z[i].bound = u3 * fabs(z[i].value) + scale * (double)s.inverse[i] * r[i].bound;
    }
    for (int k = 0; k < s.degree; k++) {
        const double next = 1 / (2 * theta / delta - rho), momentum = next * rho;
        struct near *const newest = before;

        for (size_t i = 0; i < n; i++) {
            const struct near product = row_near(&s, (int)i, z);
            const double length = 2 * next / delta * (double)s.inverse[i];
            const double left = length * (r[i].value - product.value);
            const double drift = momentum * (z[i].value - before[i].value);

            newest[i].bound = z[i].bound + momentum * (z[i].bound + before[i].bound) +
                              length * (r[i].bound + product.bound) +
                              u6 * (fabs(z[i].value) + momentum * fabs(z[i].value) +
                                    momentum * fabs(before[i].value) +
                                    length * (fabs(r[i].value) + fabs(product.value)));
            newest[i].value = z[i].value + drift + left;
        }
        before = z;
        z = newest;
        rho = next;
    }
    const struct near given = {first_scalars[RZ], 0}, rr = dot_near(s.n, r, r);
    const struct near rz = dot_near(s.n, r, z), beta = quotient_near(rz, given);
    for (size_t i = 0; i < n; i++) {
        const double kept = beta.value * (double)s.p[i];

        p[i].value = z[i].value + kept;
        p[i].bound =
            z[i].bound + beta.bound * fabs((double)s.p[i]) + u3 * (fabs(z[i].value) + fabs(kept));
    }
    for (size_t i = 0; i < n; i++)
        q[i] = row_near(&s, (int)i, p);
    const struct near pq = dot_near(s.n, p, q), alpha = quotient_near(rz, pq);
    const struct near scalars[SCALARS + 1] = {alpha, beta, rz, rr, pq, rr};
    for (int k = 0; k <= SCALARS; k++)
        run_expect(run, "scalars", (size_t)k, scalars[k].value, scalars[k].bound);
    expect(run, "r", r);
    expect(run, "p", p);
    expect(run, "q", q);
    expect(run, "z", z);
    if (s.degree)
        expect(run, "before", before);
    free(all);
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "cg", .name = "jacobi", .summary = "an iteration, preconditioned by the diagonal",
     .blocks = {{THREADS}}, .sizes = {1, 2, 3, 8, 17, 41}, .timing_n = 64, .counts = CASE_EDGE_3D,
     .prepare = prepare, .launch = launch, .reference = reference, .baseline = baseline},
    {.family = "cg", .name = "chebyshev", .summary = "an iteration, preconditioned by a polynomial",
     .blocks = {{THREADS}}, .sizes = {1, 2, 3, 8, 17, 41}, .timing_n = 64, .counts = CASE_EDGE_3D,
     .prepare = prepare, .launch = launch, .reference = reference, .baseline = baseline},
};
/* clang-format on */
GALLERY_CASES(cases)
