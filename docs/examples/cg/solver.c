/* SPDX-License-Identifier: 0BSD */
/* The solver, from its kernels: iterations with REALs, inside of iterative refinement in double
 * precision. Included by the program and by the case. */
#include "kernels/cg.c"

#include <math.h>   /* sqrt, fmax */
#include <stdlib.h> /* malloc, free */

enum { DEGREE = 8 /* of Chebyshev's polynomial */, MOST_BLOCKS = 1024, CHECKED = 32, MOST_ROUNDS = 60 };

/* Device memory. The matrix is in REALs, and for the true residual also in doubles. */
struct system {
    int n, *row_offsets, *columns;
    REAL *values, *inverse, *p, *q, *x, *r, *z, *before;
    double *exact_values, *b, *solution, *residual, *sums, *scalars, *history;
    int degree; /* of the polynomial that preconditions; 0: Jacobi */
    double largest; /* no eigenvalue of D^-1 A is larger */
};

static int blocks_of(int n)
{
    const int blocks = (n + THREADS - 1) / THREADS;

    return blocks < 1 ? 1 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

/* z = an approximation of A^-1 r by Chebyshev's polynomial for eigenvalues of D^-1 A from a
 * thirtieth of the largest on. It begins with z = D^-1 r / theta, which descend has left. */
static portable_status precondition(struct system *s)
{
    const double theta = s->largest * 31 / 60, delta = s->largest * 29 / 60;
    const int blocks = blocks_of(s->n);
    double rho = delta / theta;

    portable_memset_async(s->before, 0, (size_t)s->n * sizeof *s->before, 0);
    for (int k = 0; k < s->degree; k++) {
        const double next = 1 / (2 * theta / delta - rho);
        REAL *const newest = s->before;

        KERNEL_LAUNCH(precondition_step, blocks, THREADS, 0, 0, s->n, (REAL)(next * rho),
                      (REAL)(2 * next / delta), s->row_offsets, s->columns, s->values, s->inverse,
                      s->r, s->z, s->before);
        s->before = s->z;
        s->z = newest;
        rho = next;
    }
    return KERNEL_LAUNCH(dot_preconditioned, blocks, THREADS, 0, 0, s->n, s->r, s->z, s->sums);
}

/* One iteration. It begins with the step along the direction of the one before, none at first. */
static portable_status iterate(struct system *s, double *history)
{
    const int blocks = blocks_of(s->n);
    const double scale = s->degree ? 60 / (31 * s->largest) : 1;

    KERNEL_LAUNCH(descend, blocks, THREADS, 0, 0, s->n, s->scalars, (REAL)scale, s->inverse, s->p,
                  s->q, s->x, s->r, s->z, s->sums);
    if (s->degree)
        precondition(s);
    KERNEL_LAUNCH(find_beta, 1, THREADS, 0, 0, blocks, s->sums, s->scalars, history);
    KERNEL_LAUNCH(advance, blocks, THREADS, 0, 0, s->n, s->scalars, s->z, s->p);
    KERNEL_LAUNCH(multiply, blocks, THREADS, 0, 0, s->n, s->row_offsets, s->columns, s->values,
                  s->p, s->q, s->sums);
    return KERNEL_LAUNCH(find_alpha, 1, THREADS, 0, 0, blocks, s->sums, s->scalars);
}

/* The norm of the true residual, which stays in s->residual. */
static double residual_norm(struct system *s)
{
    double sums[MOST_BLOCKS], total = 0;
    const int blocks = blocks_of(s->n);

    PORTABLE_CHECK(KERNEL_LAUNCH(find_residual, blocks, THREADS, 0, 0, s->n, s->row_offsets,
                                 s->columns, s->exact_values, s->b, s->solution, s->residual,
                                 s->sums));
    PORTABLE_CHECK(portable_copy_to_host(sums, s->sums, (size_t)blocks * sizeof *sums));
    for (int k = 0; k < blocks; k++)
        total += sums[k];
    return sqrt(total);
}

/* How a solution was reached. */
struct outcome {
    int iterations, rounds, indefinite;
    double residual;  /* the true one, relative to b */
    double *history; /* one per iteration, relative to b; the caller frees it */
};

/* Iterates from x = 0 until the true residual is `tolerance` |b|, or until a round of refinement
 * does not halve it, which is all that the precision allows. */
static struct outcome solve(struct system *s, double tolerance, int most)
{
    const size_t bytes = (size_t)s->n * sizeof(REAL);
    const double inner = sizeof(REAL) == sizeof(double) ? 1e-12 : 1e-4;
    struct outcome outcome = {0, 0, 0, 1, (double *)malloc(sizeof(double) * (size_t)most)};
    double scalars[SCALARS], norm_b, norm, before;

    PORTABLE_CHECK(portable_memset(s->solution, 0, (size_t)s->n * sizeof *s->solution));
    before = norm = norm_b = residual_norm(s);
    while (outcome.history && norm > tolerance * norm_b && outcome.iterations + CHECKED <= most &&
           outcome.rounds < MOST_ROUNDS && !outcome.indefinite) {
        const double goal = fmax(inner, 0.5 * tolerance * norm_b / norm);
        const int first = outcome.iterations;

        outcome.rounds++;
        PORTABLE_CHECK(portable_memset(s->p, 0, bytes));
        PORTABLE_CHECK(portable_memset(s->q, 0, bytes));
        PORTABLE_CHECK(portable_memset(s->x, 0, bytes));
        PORTABLE_CHECK(portable_memset(s->scalars, 0, sizeof scalars));
        PORTABLE_CHECK(KERNEL_LAUNCH(scale_residual, blocks_of(s->n), THREADS, 0, 0, s->n, norm,
                                     s->residual, s->r));
        do {
            for (int k = 0; k < CHECKED; k++)
                PORTABLE_CHECK(iterate(s, s->history + k));
            PORTABLE_CHECK(portable_copy_to_host(outcome.history + outcome.iterations, s->history,
                                                 CHECKED * sizeof(double)));
            PORTABLE_CHECK(portable_copy_to_host(scalars, s->scalars, sizeof scalars));
            outcome.iterations += CHECKED;
            outcome.indefinite = scalars[PQ] < 0;
        } while (scalars[RR] > goal * goal && outcome.iterations + CHECKED <= most &&
                 !outcome.indefinite);
        for (int k = first; k < outcome.iterations; k++)
            outcome.history[k] = sqrt(outcome.history[k]) * norm / norm_b;
        PORTABLE_CHECK(KERNEL_LAUNCH(correct, blocks_of(s->n), THREADS, 0, 0, s->n, norm, s->x,
                                     s->solution));
        before = norm;
        norm = residual_norm(s);
        if (norm > before / 2)
            break;
    }
    outcome.residual = norm_b > 0 ? norm / norm_b : 0;
    return outcome;
}
