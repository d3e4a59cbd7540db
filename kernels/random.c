/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers by Philox4x32-10, a function of a counter and a key: the counter is the stream and
 * the index of the draw, the key is the seed. There is no state, so thread i draws from
 * stream i whatever thread it is, and every target draws the same numbers bit for bit.
 * Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
#include "portable.h"

#include <Random123/philox.h>
#include <Random123/u01fixedpt.h>

#include <math.h> /* cosf, expf, logf, sinf, sqrtf */

/* Draw `draw` of stream `stream`: four words of 32 random bits. */
DEVICE philox4x32_ctr_t random_words(unsigned seed, unsigned stream, unsigned draw)
{
    const philox4x32_ctr_t counter = {{stream, draw, 0, 0}};
    const philox4x32_key_t key = {{seed, 0}};

    return philox4x32(counter, key);
}

/* A word as a number in [0, 1): a multiple of 2^-24, or of 2^-32 in double precision. The integer
 * fits the type and the factor is a power of two, so the result is exact. */
DEVICE REAL random_unit(uint32_t word)
{
    return sizeof(REAL) == sizeof(float) ? (REAL)u01fixedpt_closed_open_32_float(word)
                                         : (REAL)u01fixedpt_closed_open_32_double(word);
}

/* n numbers uniform in [0, 1), four from each stream.  x: n */
KERNEL(random_uniform)(int n, unsigned seed, REAL *RESTRICT x)
{
    GRID_STRIDE_LOOP(stream, n / 4 + (n % 4 > 0)) {
        const philox4x32_ctr_t words = random_words(seed, (unsigned)stream, 0);
        const int first = 4 * stream, end = n - first < 4 ? n - first : 4;
        for (int w = 0; w < end; w++)
            x[first + w] = random_unit(words.v[w]);
    }
}

/* Pi is 4 hits / (2 n draws): the hits are the points of a square that lie in a quarter disc. A
 * draw is two points, and each i has its own stream. Coordinates are integers below 2^31, whose
 * squares add up in 64 bits: the count is exact, and so is the atomic sum, in any order.
 * hits: one per block; total: 1 element, zero before */
KERNEL(monte_carlo_pi)(int n, int draws, unsigned seed, int *RESTRICT hits, int *RESTRICT total)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(int, count);
        FOR_EACH_THREAD
            MINE(count) = 0;
        FOR_EACH_ELEMENT(stream, n) {
            for (int draw = 0; draw < draws; draw++) {
                const philox4x32_ctr_t words = random_words(seed, (unsigned)stream, (unsigned)draw);
                for (int w = 0; w < 4; w += 2) {
                    const uint64_t x = words.v[w] >> 1, y = words.v[w + 1] >> 1;
                    MINE(count) += x * x + y * y < (uint64_t)1 << 62;
                }
            }
        }
        BLOCK_REDUCE_ADD(count, count);
        FOR_THREADS_BELOW(1) {
            hits[blockIdx.x] = MINE(count);
            ATOMIC_ADD(total, MINE(count));
        }
    }
}

/* The payoff of a call after the share's price has moved by `normal` standard deviations: the
 * Black-Scholes model, S = spot exp(drift + spread normal), payoff max(S - strike, 0). */
DEVICE float option_payoff(float spot, float strike, float drift, float spread, float normal)
{
    const float price = spot * expf(drift + spread * normal);

    return price > strike ? price - strike : 0.0f;
}

/* The payoffs of a European call along four paths from each of n streams, summed per block; drift
 * is (rate - volatility^2 / 2) years, spread is volatility sqrt(years). Box-Muller makes two normal
 * numbers from two uniform ones, the first in (0, 1] for the logarithm. The paths are float in
 * every precision, and the sums REAL in a fixed order.  sums: one per block */
KERNEL(monte_carlo_option)(int n, unsigned seed, float spot, float strike, float drift,
                           float spread, REAL *RESTRICT sums)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(stream, n) {
            const philox4x32_ctr_t words = random_words(seed, (unsigned)stream, 0);
            REAL payoff = 0;
            for (int w = 0; w < 4; w += 2) {
                const float u = u01fixedpt_open_closed_32_float(words.v[w]);
                const float angle = 6.28318531f * u01fixedpt_closed_open_32_float(words.v[w + 1]);
                const float radius = sqrtf(-2.0f * logf(u));
                payoff += (REAL)option_payoff(spot, strike, drift, spread, radius * cosf(angle));
                payoff += (REAL)option_payoff(spot, strike, drift, spread, radius * sinf(angle));
            }
            MINE(sum) += payoff;
        }
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = MINE(sum);
    }
}

/* The option's price today: the mean payoff, discounted.  sums: one per block of the paths' launch;
 * price: 1 element */
KERNEL(monte_carlo_price)(int blocks, REAL paths, REAL discount, const REAL *RESTRICT sums,
                          REAL *RESTRICT price)
{
    FOR_EACH_BLOCK(0) {
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        FOR_EACH_ELEMENT(b, blocks)
            MINE(sum) += sums[b];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            price[0] = discount * (MINE(sum) / paths);
    }
}
