/* SPDX-License-Identifier: 0BSD */
/* An iteration, from its kernels. Included by the program and by the case. */
#include "kernels/cg.c"

#include <math.h> /* sqrt, fmax */

enum { DEGREE = 8 /* of Chebyshev's polynomial */, MOST_BLOCKS = 1024 };

/* Device memory. The matrix is in REALs, and for the true residual also in doubles. */
struct system {
    int n, *row_offsets, *columns;
    REAL *values, *inverse, *p, *q, *x, *r, *z, *before;
    double *exact_values, *b, *solution, *residual, *sums, *scalars, *history;
    int degree;     /* of the polynomial that preconditions; 0: Jacobi */
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
