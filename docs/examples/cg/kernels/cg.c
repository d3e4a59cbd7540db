/* SPDX-License-Identifier: 0BSD */
/* Conjugate gradients for A x = b, with a preconditioner: M. R. Hestenes and E. Stiefel, Journal of
 * Research of the National Bureau of Standards 49, 1952. A is symmetric positive definite, in
 * compressed rows: row i has values[k] in columns[k] for row_offsets[i] <= k < row_offsets[i + 1].
 *
 * One iteration is descend, precondition_step and dot_preconditioned if the preconditioner is a
 * polynomial, find_beta, advance, multiply and find_alpha. The scalars stay on the device. Each
 * dot product is a sum of each block and then one of all blocks, in an order that only depends on
 * the grid, so that all targets agree in every bit. Vectors have n elements. */
#include "portable.h"

#define THREADS 256 /* per block of each kernel here that sums */

/* What the kernels know of an iteration: its step and direction, r . M r, r . r and p . A p. */
enum { ALPHA, BETA, RZ, RR, PQ, SCALARS };

DEVICE REAL row_product(int row, const int *row_offsets, const int *columns, const REAL *values,
                        const REAL *x)
{
    REAL sum = 0;
    for (int k = row_offsets[row]; k < row_offsets[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    return sum;
}

/* x += alpha p, r -= alpha A p, z = scale D^-1 r: Jacobi, if scale is 1.  inverse: 1 / D, D is A's
 * diagonal; sums: r . z of each block, then r . r of each block */
KERNEL(descend)(int n, const double *RESTRICT scalars, REAL scale, const REAL *RESTRICT inverse,
                const REAL *RESTRICT p, const REAL *RESTRICT q, REAL *RESTRICT x, REAL *RESTRICT r,
                REAL *RESTRICT z, double *RESTRICT sums)
{
    FOR_EACH_BLOCK(THREADS) {
        PRIVATE(double, rz);
        PRIVATE(double, rr);
        const REAL alpha = (REAL)scalars[ALPHA];
        FOR_EACH_THREAD {
            MINE(rz) = 0;
            MINE(rr) = 0;
        }
        FOR_EACH_ELEMENT(i, n) {
            const REAL residual = r[i] - alpha * q[i];
            const REAL preconditioned = scale * inverse[i] * residual;
            x[i] += alpha * p[i];
            r[i] = residual;
            z[i] = preconditioned;
            MINE(rz) += (double)residual * (double)preconditioned;
            MINE(rr) += (double)residual * (double)residual;
        }
        BLOCK_REDUCE_ADD(rz, rz);
        BLOCK_REDUCE_ADD(rr, rr);
        FOR_THREADS_BELOW(1) {
            sums[blockIdx.x] = MINE(rz);
            sums[gridDim.x + blockIdx.x] = MINE(rr);
        }
    }
}

/* A step of Chebyshev's iteration for A z = r: the next z replaces the one before this. Y. Saad,
 * Iterative Methods for Sparse Linear Systems, 2nd edition, algorithm 12.1. */
KERNEL(precondition_step)(int n, REAL momentum, REAL step, const int *RESTRICT row_offsets,
                          const int *RESTRICT columns, const REAL *RESTRICT values,
                          const REAL *RESTRICT inverse, const REAL *RESTRICT r,
                          const REAL *RESTRICT z, REAL *RESTRICT before)
{
    GRID_STRIDE_LOOP(i, n) {
        const REAL left = r[i] - row_product(i, row_offsets, columns, values, z);
        before[i] = z[i] + momentum * (z[i] - before[i]) + step * inverse[i] * left;
    }
}

/* sums: r . z of each block */
KERNEL(dot_preconditioned)(int n, const REAL *RESTRICT r, const REAL *RESTRICT z,
                           double *RESTRICT sums)
{
    FOR_EACH_BLOCK(THREADS) {
        PRIVATE(double, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n)
            MINE(sum) += (double)r[i] * (double)z[i];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = MINE(sum);
    }
}

/* By one block: beta = the new r . z over the old one, 0 at first.  sums: 2 blocks elements;
 * history: gets r . r */
KERNEL(find_beta)(int blocks, const double *RESTRICT sums, double *RESTRICT scalars,
                  double *RESTRICT history)
{
    FOR_EACH_BLOCK(THREADS) {
        PRIVATE(double, rz);
        PRIVATE(double, rr);
        FOR_EACH_THREAD {
            MINE(rz) = 0;
            MINE(rr) = 0;
        }
        FOR_EACH_ELEMENT(i, blocks) {
            MINE(rz) += sums[i];
            MINE(rr) += sums[blocks + i];
        }
        BLOCK_REDUCE_ADD(rz, rz);
        BLOCK_REDUCE_ADD(rr, rr);
        FOR_THREADS_BELOW(1) {
            scalars[BETA] = scalars[RZ] > 0 ? MINE(rz) / scalars[RZ] : 0;
            scalars[RZ] = MINE(rz);
            scalars[RR] = MINE(rr);
            *history = MINE(rr);
        }
    }
}

/* p = z + beta p */
KERNEL(advance)(int n, const double *RESTRICT scalars, const REAL *RESTRICT z, REAL *RESTRICT p)
{
    const REAL beta = (REAL)scalars[BETA];
    GRID_STRIDE_LOOP(i, n)
        p[i] = z[i] + beta * p[i];
}

/* q = A p.  sums: p . q of each block */
KERNEL(multiply)(int n, const int *RESTRICT row_offsets, const int *RESTRICT columns,
                 const REAL *RESTRICT values, const REAL *RESTRICT p, REAL *RESTRICT q,
                 double *RESTRICT sums)
{
    FOR_EACH_BLOCK(THREADS) {
        PRIVATE(double, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n) {
            const REAL product = row_product(i, row_offsets, columns, values, p);
            q[i] = product;
            MINE(sum) += (double)p[i] * (double)product;
        }
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1) /* the sum of p . q */
            sums[blockIdx.x] = MINE(sum);
    }
}

/* By one block: alpha = r . z / p . A p, or 0 where A is not positive definite.  sums: blocks */
KERNEL(find_alpha)(int blocks, const double *RESTRICT sums, double *RESTRICT scalars)
{
    FOR_EACH_BLOCK(THREADS) {
        PRIVATE(double, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, blocks)
            MINE(sum) += sums[i];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1) {
            scalars[PQ] = MINE(sum);
            scalars[ALPHA] = MINE(sum) > 0 ? scalars[RZ] / MINE(sum) : 0;
        }
    }
}

/* The residual in double precision, whatever REAL is.  sums: its square, of each block */
KERNEL(find_residual)(int n, const int *RESTRICT row_offsets, const int *RESTRICT columns,
                      const double *RESTRICT values, const double *RESTRICT b,
                      const double *RESTRICT x, double *RESTRICT residual, double *RESTRICT sums)
{
    FOR_EACH_BLOCK(THREADS) {
        PRIVATE(double, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(i, n) {
            double left = b[i];
            for (int k = row_offsets[i]; k < row_offsets[i + 1]; k++)
                left -= values[k] * x[columns[k]];
            residual[i] = left;
            MINE(sum) += left * left;
        }
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = MINE(sum);
    }
}

/* r = residual / norm */
KERNEL(scale_residual)(int n, double norm, const double *RESTRICT residual, REAL *RESTRICT r)
{
    GRID_STRIDE_LOOP(i, n)
        r[i] = (REAL)(residual[i] / norm);
}

/* x += norm correction */
KERNEL(correct)(int n, double norm, const REAL *RESTRICT correction, double *RESTRICT x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] += norm * (double)correction[i];
}
