/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers by Philox4x32-10, a function of a counter and a key: the counter is the stream and
 * the index of the draw, the key is the seed. There is no state, so thread i draws from
 * stream i whatever thread it is, and every target draws the same numbers bit for bit.
 * Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
#include "portable.h"

#include <Random123/philox.h>
#include <Random123/u01fixedpt.h>

#include <math.h> /* exp2f, logf, sqrtf */

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

/* Four numbers, which CUDA stores at once: 16 bytes, or twice 16 in double precision. */
typedef struct ALIGNED(16) random_four {
    REAL number[4];
} random_four;

/* n numbers uniform in [0, 1), four from each stream.  x: n, aligned to 16 bytes */
KERNEL(random_uniform)(int n, unsigned seed, REAL *RESTRICT x)
{
    random_four *x4 = (random_four *)x;
    const int whole = n / 4 * 4;
    GRID_STRIDE_LOOP(stream, n / 4) {
        const philox4x32_ctr_t words = random_words(seed, (unsigned)stream, 0);
        random_four four;
        for (int w = 0; w < 4; w++)
            four.number[w] = random_unit(words.v[w]);
        x4[stream] = four;
    }
    GRID_STRIDE_LOOP(w, n - whole)
        x[whole + w] = random_unit(random_words(seed, (unsigned)n / 4, 0).v[w]);
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
 * Black-Scholes model, S = spot 2^(drift + spread normal), payoff max(S - strike, 0). A power of
 * two takes a third of the time of expf on a GPU. */
DEVICE float option_payoff(float spot, float strike, float drift, float spread, float normal)
{
    const float price = spot * exp2f(drift + spread * normal);

    return price > strike ? price - strike : 0.0f;
}

/* The sine and the cosine of k / 2^24 turns, where k is the upper 24 bits of the word. In integers,
 * and so exactly, k is the nearest number of quarter turns and a rest x of at most pi / 4, for
 * which these are the polynomials of Cephes (S. L. Moshier, netlib.org/cephes, sinf.c); a quarter
 * turn exchanges sine and cosine. Within 1.1e-7. sinf and cosf of the angle as a float would be
 * within 4.2e-7, and take longer: a range of any size has a path of its own there. */
DEVICE void random_direction(uint32_t word, float *sine, float *cosine)
{
    const uint32_t k = word >> 8, quarter = (k + (1u << 21)) >> 22;
    const float x = 6.28318531f * 0x1p-24f * (float)(int)(k - (quarter << 22));
    const float z = x * x;
    const float s =
        x + x * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
    const float c =
        1.0f - 0.5f * z +
        z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
    const float up = quarter & 1 ? c : s, across = quarter & 1 ? s : c;

    *sine = quarter & 2 ? -up : up;
    *cosine = (quarter + 1) & 2 ? -across : across;
}

/* The payoffs of a European call along four paths from each of n streams, summed per block; drift
 * is log2(e) (rate - volatility^2 / 2) years, spread is log2(e) volatility sqrt(years). Box-Muller
 * makes two normal numbers from two uniform ones, the first in (0, 1] for the logarithm. The paths
 * are float in every precision, and the sums REAL in a fixed order.  sums: one per block */
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
                const float radius = sqrtf(-2.0f * logf(u));
                float sine, cosine;
                random_direction(words.v[w + 1], &sine, &cosine);
                payoff += (REAL)option_payoff(spot, strike, drift, spread, radius * cosine);
                payoff += (REAL)option_payoff(spot, strike, drift, spread, radius * sine);
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
