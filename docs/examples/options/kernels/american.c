/* SPDX-License-Identifier: 0BSD */
/* American options: the holder may exercise on each of `dates` dates. F. A. Longstaff and
 * E. S. Schwartz, "Valuing American Options by Simulation: A Simple Least-Squares Approach", Review
 * of Financial Studies 14, 2001: from the last date backwards, a cubic polynomial is fitted to what
 * the paths that could exercise gain by going on, and a path exercises where it gains more by that.
 *
 * The paths go backwards too: given W at date t + 1, W at date t is normal with mean
 * W t / (t + 1) and variance step t / (t + 1) (a Brownian bridge from 0). So no path is stored. */
#include "kernels/functions.h"

#include "kernels/option.h"

/* Least squares need the sums of x^0 to x^6 and of y x^0 to y x^3 over the paths, where x is
 * price / strike - 1 and y the gain; y^2 is for the standard error. */
enum { TERMS = 4, POWERS = 2 * TERMS - 1, MOMENTS = POWERS + TERMS + 1 };

/* Where the paths end.  brownian: 4 streams elements, path k * streams + s is stream s's k-th one;
 * gain: likewise, zeros, for the first american_step exercises; fit: TERMS, likewise */
KERNEL(american_begin)(int streams, int dates, unsigned seed, struct option of,
                       REAL *RESTRICT brownian, REAL *RESTRICT gain, double *RESTRICT fit)
{
    const REAL root = exact_sqrt(of.years);
    GRID_STRIDE_LOOP(s, streams) {
        const philox4x32_ctr_t words = random_words(seed, (unsigned)s, (unsigned)dates);
        for (int k = 0; k < 4; k++) {
            const size_t path = (size_t)k * (size_t)streams + (size_t)s;
            brownian[path] = root * normal_quantile(random_unit(words.v[k]));
            gain[path] = 0;
        }
    }
    GRID_STRIDE_LOOP(term, TERMS)
        fit[term] = 0;
}

/* Exercises at date + 1, where that is worth more than `fit` at x, and goes back to `date`: moves
 * the paths there, discounts the gains, and sums the moments of the paths whose payoff there is
 * positive, or at date 0 of all.  brownian, gain: 4 streams; moments: MOMENTS per block */
KERNEL(american_step)(int streams, int dates, int date, unsigned seed, struct option of,
                      const double *RESTRICT fit, REAL *RESTRICT brownian, REAL *RESTRICT gain,
                      double *RESTRICT moments)
{
    FOR_EACH_BLOCK(256) {
        PRIVATE(double, sum, [MOMENTS]);
        const REAL step = of.years / (REAL)dates, back = (REAL)date / (REAL)(date + 1);
        const REAL width = exact_sqrt(step * back), discount = exact_exp(-of.rate * step);
        const REAL drift = (of.rate - of.volatility * of.volatility / 2) * step;
        for (int m = 0; m < MOMENTS; m++) {
            FOR_EACH_THREAD
                MINE(sum)[m] = 0;
        }
        FOR_EACH_ELEMENT(s, streams) {
            const philox4x32_ctr_t words = random_words(seed, (unsigned)s, (unsigned)date);
            for (int k = 0; k < 4; k++) {
                const size_t path = (size_t)k * (size_t)streams + (size_t)s;
                REAL w = brownian[path], y = gain[path];
                REAL price = of.spot * exact_exp(drift * (REAL)(date + 1) + of.volatility * w);
                REAL payoff = option_payoff(of, price);
                double x = (double)(price / of.strike - 1);
                const double expected = fit[0] + x * (fit[1] + x * (fit[2] + x * fit[3]));
                y = discount * (payoff > 0 && (double)payoff > expected ? payoff : y);
                w = back * w + width * normal_quantile(random_unit(words.v[k]));
                price = of.spot * exact_exp(drift * (REAL)date + of.volatility * w);
                payoff = option_payoff(of, price);
                brownian[path] = w;
                gain[path] = y;
                if (payoff > 0 || date == 0) {
                    double power = 1;
                    x = (double)(price / of.strike - 1);
                    for (int m = 0; m < POWERS; m++) {
                        MINE(sum)[m] += power;
                        if (m < TERMS)
                            MINE(sum)[POWERS + m] += (double)y * power;
                        power *= x;
                    }
                    MINE(sum)[MOMENTS - 1] += (double)y * (double)y;
                }
            }
        }
        for (int m = 0; m < MOMENTS; m++) {
            PRIVATE(double, total);
            FOR_EACH_THREAD
                MINE(total) = MINE(sum)[m];
            BLOCK_REDUCE_ADD(total, total);
            FOR_THREADS_BELOW(1)
                moments[blockIdx.x * MOMENTS + (unsigned)m] = MINE(total);
        }
    }
}

/* Adds up the blocks' moments and fits the polynomial to them: the normal equations, by Gaussian
 * elimination, which needs no pivoting where the matrix is positive definite. With fewer than
 * 4 TERMS paths nobody exercises.  moments: MOMENTS for each of `blocks`; totals: MOMENTS;
 * fit: TERMS */
KERNEL(american_fit)(int blocks, const double *RESTRICT moments, double *RESTRICT totals,
                     double *RESTRICT fit)
{
    FOR_EACH_BLOCK(32) {
        SHARED(double, total, [MOMENTS]);
        FOR_THREADS_BELOW(MOMENTS) {
            double sum = 0;
            for (int b = 0; b < blocks; b++)
                sum += moments[(size_t)b * MOMENTS + threadIdx.x];
            totals[threadIdx.x] = total[threadIdx.x] = sum;
        }
        SYNC_THREADS(); /* the totals are complete */
        FOR_THREADS_BELOW(1) {
            double a[TERMS][TERMS + 1];
            for (int i = 0; i < TERMS; i++) {
                for (int j = 0; j < TERMS; j++)
                    a[i][j] = total[i + j];
                a[i][TERMS] = total[POWERS + i];
            }
            for (int p = 0; p < TERMS; p++)
                for (int i = p + 1; i < TERMS; i++) {
                    const double factor = a[i][p] / a[p][p];
                    for (int j = p; j <= TERMS; j++)
                        a[i][j] -= factor * a[p][j];
                }
            for (int i = TERMS - 1; i >= 0; i--) {
                for (int j = i + 1; j < TERMS; j++)
                    a[i][TERMS] -= a[i][j] * a[j][TERMS];
                a[i][TERMS] /= a[i][i];
            }
            for (int i = 0; i < TERMS; i++)
                fit[i] = total[0] >= 4 * TERMS ? a[i][TERMS] : i == 0 ? DBL_MAX : 0;
        }
    }
}
