/* SPDX-License-Identifier: 0BSD */
/* Monte Carlo prices of a European option, and of an Asian one, which pays by the mean of the
 * prices on DATES dates. The DATES normal numbers of a path come from Philox, whose error falls
 * like 1 / sqrt(n), or from a Sobol sequence, whose error falls almost like 1 / n. */
#include "kernels/functions.h"

#include "kernels/option.h"

/* A block takes PATHS paths at a time: as many as have room in 48 KiB of shared memory. */
enum { DATES = 16, PATHS_BITS = sizeof(REAL) == sizeof(float) ? 8 : 7, PATHS = 1 << PATHS_BITS };
/* So many times PATHS have the upper bits of their Sobol points worked out together. */
enum { TURNS = 8 };
/* The sums of the payoffs and of their squares. */
enum { EUROPEAN, EUROPEAN_SQUARES, ASIAN, ASIAN_SQUARES, SUMS };

/* Point i of the sequence has in dimension d the word that is the exclusive or of
 * sobol_directions[d][b] over the bits b that are set in i. */
CONSTANT(unsigned, sobol_directions, [DATES][32]);

/* The directions, from the first 16 dimensions of new-joe-kuo-6.21201: S. Joe and F. Y. Kuo,
 * "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30,
 * 2008. Each polynomial is given by its degree and the bits of its inner coefficients. */
static void sobol_fill(unsigned directions[DATES][32])
{
    static const struct {
        unsigned degree, inner, first[6];
    } of[DATES] = {{0, 0, {0}},
                   {1, 0, {1}},
                   {2, 1, {1, 3}},
                   {3, 1, {1, 3, 1}},
                   {3, 2, {1, 1, 1}},
                   {4, 1, {1, 1, 3, 3}},
                   {4, 4, {1, 3, 5, 13}},
                   {5, 2, {1, 1, 5, 5, 17}},
                   {5, 4, {1, 1, 5, 5, 5}},
                   {5, 7, {1, 1, 7, 11, 19}},
                   {5, 11, {1, 1, 5, 1, 1}},
                   {5, 13, {1, 1, 1, 3, 11}},
                   {5, 14, {1, 3, 5, 5, 31}},
                   {6, 1, {1, 3, 3, 9, 7, 49}},
                   {6, 13, {1, 1, 1, 15, 21, 21}},
                   {6, 16, {1, 3, 1, 13, 27, 49}}};

    for (int d = 0; d < DATES; d++)
        for (unsigned b = 0; b < 32; b++) {
            const unsigned s = of[d].degree;
            unsigned *const v = directions[d] + b;

            if (s == 0 || b < s) {
                *v = (s == 0 ? 1u : of[d].first[b]) << (31 - b);
                continue;
            }
            *v = v[-(int)s] ^ v[-(int)s] >> s;
            for (unsigned k = 1; k < s; k++)
                *v ^= of[d].inner >> (s - 1 - k) & 1 ? v[-(int)k] : 0;
        }
}

/* The date from 1 to DATES whose price dimension d decides: the last one, the middle, the middles
 * of the halves, and so on. The first dimensions of a Sobol sequence are its best. */
DEVICE int bridge_date(int d)
{
    int before = 1;

    while (2 * before <= d)
        before *= 2;
    return d == 0 ? DATES : DATES / before * (d - before) + DATES / before / 2;
}

/* Paths 0 to n - 1, from the Sobol sequence if `sobol` is not 0, with random bits flipped in each
 * of its dimensions (a digital shift: the points stay as even, and n of them with another seed are
 * another sample). A block takes PATHS paths at a time, one per thread. Its part of `w` has a row
 * for each date, so that neighbouring paths are neighbours in memory; a thread reads its own
 * column. A Sobol word joins that of the lower bits of the path's number, which a thread's paths
 * share, and that of the upper bits, which the block's paths share. n: at most 2^30; sums: SUMS per
 * block */
KERNEL(option_paths)(int n, int sobol, unsigned seed, struct option of, double *RESTRICT sums)
{
    FOR_EACH_BLOCK(PATHS) {
        SHARED(REAL, w, [DATES][PATHS]);
        SHARED(unsigned, lower, [DATES][PATHS]);
        SHARED(unsigned, upper, [TURNS][DATES]);
        PRIVATE(double, sum, [SUMS]);
        PRIVATE(REAL, price);
        PRIVATE(REAL, mean);
        const REAL step = of.years / DATES, drift = of.rate - of.volatility * of.volatility / 2;
        const int stride = (int)gridDim.x * PATHS;
        for (int s = 0; s < SUMS; s++) {
            FOR_EACH_THREAD
                MINE(sum)[s] = 0;
        }
        for (int d = 0; d < (sobol ? DATES : 0); d++) {
            FOR_EACH_THREAD {
                unsigned word = 0;
                UNROLL(PATHS_BITS)
                for (int b = 0; b < PATHS_BITS; b++)
                    word ^= sobol_directions[d][b] & (0u - (threadIdx.x >> b & 1));
                lower[d][threadIdx.x] = word;
            }
        }
        for (int turn = 0, first = (int)blockIdx.x * PATHS; first < n; first += stride, turn++) {
            if (sobol && turn % TURNS == 0) {
                SYNC_THREADS(); /* upper has been read */
                FOR_THREADS_BELOW(TURNS *DATES) {
                    const unsigned d = threadIdx.x % DATES, ahead = threadIdx.x / DATES;
                    const unsigned path = (unsigned)first + ahead * (unsigned)stride;
                    unsigned word = random_words(seed, d / 4, 0).v[d % 4];
                    for (int b = PATHS_BITS; b < 32; b++)
                        word ^= sobol_directions[d][b] & (0u - (path >> b & 1));
                    upper[ahead][d] = word;
                }
                SYNC_THREADS(); /* upper is complete */
            }
            /* A normal number for each date. */
            if (sobol) {
                UNROLL(DATES)
                for (int d = 0; d < DATES; d++) {
                    const int row = bridge_date(d) - 1;
                    FOR_EACH_THREAD {
                        const unsigned word = upper[turn % TURNS][d] ^ lower[d][threadIdx.x];
                        w[row][threadIdx.x] = normal_quantile(random_unit(word));
                    }
                }
            }
            for (int d = 0; d < DATES && !sobol; d += 4) {
                FOR_EACH_THREAD {
                    const philox4x32_ctr_t words =
                        random_words(seed, (unsigned)first + threadIdx.x, (unsigned)d);
                    UNROLL(4)
                    for (int k = 0; k < 4; k++)
                        w[d + k][threadIdx.x] = normal_quantile(random_unit(words.v[k]));
                }
            }
            /* Brownian motion: the last date, then each date between two that are known. */
            const REAL whole = exact_sqrt(of.years);
            FOR_EACH_THREAD
                w[DATES - 1][threadIdx.x] *= whole;
            for (int half = DATES / 2; half > 0; half /= 2) {
                const REAL width = exact_sqrt((REAL)half * step / 2);
                for (int date = half; date < DATES; date += 2 * half) {
                    FOR_EACH_THREAD {
                        const REAL left = date > half ? w[date - half - 1][threadIdx.x] : 0;
                        const REAL right = w[date + half - 1][threadIdx.x];
                        w[date - 1][threadIdx.x] =
                            (left + right) / 2 + width * w[date - 1][threadIdx.x];
                    }
                }
            }
            FOR_EACH_THREAD
                MINE(mean) = 0;
            for (int date = 1; date <= DATES; date++) {
                FOR_EACH_THREAD {
                    MINE(price) = of.spot * exact_exp(drift * step * (REAL)date +
                                                      of.volatility * w[date - 1][threadIdx.x]);
                    MINE(mean) += MINE(price) / DATES;
                }
            }
            FOR_THREADS_BELOW(n - first) {
                const double european = (double)option_payoff(of, MINE(price));
                const double asian = (double)option_payoff(of, MINE(mean));
                MINE(sum)[EUROPEAN] += european;
                MINE(sum)[EUROPEAN_SQUARES] += european * european;
                MINE(sum)[ASIAN] += asian;
                MINE(sum)[ASIAN_SQUARES] += asian * asian;
            }
        }
        for (int s = 0; s < SUMS; s++) {
            PRIVATE(double, total);
            FOR_EACH_THREAD
                MINE(total) = MINE(sum)[s];
            BLOCK_REDUCE_ADD(total, total);
            FOR_THREADS_BELOW(1)
                sums[blockIdx.x * SUMS + (unsigned)s] = MINE(total);
        }
    }
}
