/* SPDX-License-Identifier: 0BSD */
/* Iterative refinement: rounds of iterations with REALs, each for the residual that the rounds
 * before it left, in double precision. N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, 2nd edition, chapter 12. */
#include "solver.c"

#include "host/program.h"

enum { CHECKED = 32 /* iterations between looks at the residual */, MOST_ROUNDS = 60 };

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
    double *history; /* the residual after each iteration, relative to b */
};

/* Iterates from x = 0 until the true residual is `tolerance` |b|, or until a round of refinement
 * does not halve it, which is all that the precision allows. */
static struct outcome solve(struct system *s, double tolerance, int most)
{
    const size_t bytes = (size_t)s->n * sizeof(REAL);
    const double inner = sizeof(REAL) == sizeof(double) ? 1e-12 : 1e-4;
    struct outcome outcome = {0, 0, 0, (double *)program_host((size_t)most, sizeof(double))};
    double scalars[SCALARS], norm_b, norm, before;

    PORTABLE_CHECK(portable_memset(s->solution, 0, (size_t)s->n * sizeof *s->solution));
    before = norm = norm_b = residual_norm(s);
    while (norm > tolerance * norm_b && outcome.iterations + CHECKED <= most &&
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
        PORTABLE_CHECK(
            KERNEL_LAUNCH(correct, blocks_of(s->n), THREADS, 0, 0, s->n, norm, s->x, s->solution));
        before = norm;
        norm = residual_norm(s);
        if (norm > before / 2)
            break;
    }
    return outcome;
}
