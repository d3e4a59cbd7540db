/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/random.c"

#include "host/case.h"

/* The case's seed as the generator's key. */
static unsigned key(const struct run *run)
{
    return (unsigned)run->seed;
}

static int prepare_uniform(struct run *run, struct io_error *error)
{
    run_output_real(run, "x", (size_t)run->n, OWNER_NONE);
    run_stride(run, run->n / 4);
    run->bytes = (double)run->n * sizeof(REAL);
    return run_ready(run, error);
}

static portable_status launch_uniform(struct run *run)
{
    return KERNEL_LAUNCH(random_uniform, run->grid, run->block, 0, 0, run->n, key(run),
                         DEVICE_REALS("x"));
}

/* Word `word` of the draw, by one round after the other as the paper's figure shows it. */
static uint32_t philox_word(const struct run *run, unsigned stream, unsigned draw, int word)
{
    uint32_t c[4] = {stream, draw, 0, 0}, k[2] = {key(run), 0};

    for (int round = 0; round < 10; round++) {
        const uint64_t left = (uint64_t)0xD2511F53u * c[0], right = (uint64_t)0xCD9E8D57u * c[2];
        const uint32_t next[4] = {(uint32_t)(right >> 32) ^ c[1] ^ k[0], (uint32_t)right,
                                  (uint32_t)(left >> 32) ^ c[3] ^ k[1], (uint32_t)left};

        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    return c[word];
}

/* In units of 2^-24 or 2^-32: nothing rounds. */
static void reference_uniform(struct run *run)
{
    const int lost = sizeof(REAL) == sizeof(float) ? 8 : 0;

    for (int i = 0; i < run->n; i++)
        run_expect(run, "x", (size_t)i,
                   ldexp(philox_word(run, (unsigned)i / 4, 0, i % 4) >> lost, lost - 32), 0);
}

/* How many of a draw's two points lie in the disc, and how many draws each stream makes. */
static int hits_of(const struct run *run, unsigned stream, unsigned draw)
{
    int inside = 0;

    for (int w = 0; w < 4; w += 2) {
        const uint64_t x = philox_word(run, stream, draw, w) >> 1;
        const uint64_t y = philox_word(run, stream, draw, w + 1) >> 1;

        inside += x * x + y * y < (uint64_t)1 << 62;
    }
    return inside;
}

static int prepare_pi(struct run *run, struct io_error *error)
{
    run_stride(run, run->n);
    run->depth = 16;
    run_output_array(run, "hits", ARRAY_INT32, run->grid.x, OWNER_BLOCK);
    run_output_array(run, "total", ARRAY_INT32, 1, OWNER_NONE);
    run->flops = 6.0 * run->n * run->depth;
    return run_ready(run, error);
}

static portable_status launch_pi(struct run *run)
{
    const portable_status status = portable_memset(run_device(run, "total"), 0, sizeof(int));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(monte_carlo_pi, run->grid, run->block, 0, 0, run->n, run->depth, key(run),
                         DEVICE_INTS("hits"), DEVICE_INTS("total"));
}

static void reference_pi(struct run *run)
{
    const unsigned threads = run->grid.x * run->block.x;
    double total = 0;

    for (unsigned block = 0; block < run->grid.x; block++) {
        double hits = 0;

        for (unsigned first = block * run->block.x; first < (unsigned)run->n; first += threads)
            for (unsigned i = first; i < first + run->block.x && i < (unsigned)run->n; i++)
                for (int draw = 0; draw < run->depth; draw++)
                    hits += hits_of(run, i, (unsigned)draw);
        run_expect(run, "hits", block, hits, 0);
        total += hits;
    }
    run_expect(run, "total", 0, total, 0);
}

static void baseline_pi(struct run *run)
{
    int total = 0;

    for (int i = 0; i < run->n; i++)
        for (int draw = 0; draw < run->depth; draw++) {
            const philox4x32_ctr_t words = random_words(key(run), (unsigned)i, (unsigned)draw);

            for (int w = 0; w < 4; w += 2) {
                const uint64_t x = words.v[w] >> 1, y = words.v[w + 1] >> 1;
                total += x * x + y * y < (uint64_t)1 << 62;
            }
        }
    HOST_INTS("total")[0] = total;
}

/* The textbook's option: its price is 10.4506. */
static const double spot = 100, strike = 100, rate = 0.05, volatility = 0.2, years = 1;

/* In the model, and as the kernel takes them, for powers of two. */
static const double log2_e = 1.4426950408889634;

static double drift(void)
{
    return (rate - volatility * volatility / 2) * years;
}

static double spread(void)
{
    return volatility * sqrt(years);
}

static int prepare_option(struct run *run, struct io_error *error)
{
    run_stride(run, run->n);
    run_output_real(run, "sums", run->grid.x, OWNER_BLOCK);
    run_output_real(run, "price", 1, OWNER_NONE);
    run->flops = 4.0 * 10 * run->n;
    return run_ready(run, error);
}

/* The price of no paths at all is that of one that pays nothing. */
static double paths(const struct run *run)
{
    return run->n > 0 ? 4.0 * run->n : 1;
}

static portable_status launch_option(struct run *run)
{
    const portable_status status = KERNEL_LAUNCH(
        monte_carlo_option, run->grid, run->block, 0, 0, run->n, key(run), (float)spot,
        (float)strike, (float)(log2_e * drift()), (float)(log2_e * spread()), DEVICE_REALS("sums"));

    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(monte_carlo_price, 1, run->block, 0, 0, (int)run->grid.x, (REAL)paths(run),
                         (REAL)exp(-rate * years), DEVICE_REALS("sums"), DEVICE_REALS("price"));
}

/* The uniform numbers are exact. In float, with 6e-8 for a rounding and at most 2 units in the last
 * place, 2.4e-7, for a library function (CUDA's and glibc's tables): the sine and the cosine are
 * off by 1.1e-7, and the radius, up to 5.8, by 2.5e-7 of itself: a normal number by less than
 * 2.5e-6. The exponent, of e, is off by spread times that and three roundings of at most 1.2, which
 * makes 7.2e-7; the price by that, 2.4e-7 of exp2f and a rounding, relative. A payoff is as far off
 * as its price. */
static const double price_error = 1.1e-6;

static void reference_option(struct run *run)
{
    const double turn = 6.283185307179586;
    const unsigned threads = run->grid.x * run->block.x;
    double total = 0, total_bound = 0;

    for (unsigned block = 0; block < run->grid.x; block++) {
        double sum = 0, bound = 0;

        for (unsigned first = block * run->block.x; first < (unsigned)run->n; first += threads)
            for (unsigned i = first; i < first + run->block.x && i < (unsigned)run->n; i++)
                for (int path = 0; path < 4; path++) {
                    const int w = path / 2 * 2;
                    const double u = ldexp((philox_word(run, i, 0, w) >> 8) + 1.0, -24);
                    const double angle = turn * ldexp(philox_word(run, i, 0, w + 1) >> 8, -24);
                    const double radius = sqrt(-2 * log(u));
                    const double normal = radius * (path % 2 == 0 ? cos(angle) : sin(angle));
                    const double price = spot * exp(drift() + spread() * normal);

                    sum += price > strike ? price - strike : 0;
                    bound += price_error * price;
                }
        bound += run_roundings(4.0 * run->n) * sum;
        run_expect(run, "sums", block, sum, bound);
        total += sum;
        total_bound += bound;
    }
    total_bound += run_roundings((double)run->grid.x + 4) * total;
    run_expect(run, "price", 0, exp(-rate * years) * total / paths(run), total_bound / paths(run));
}

static void baseline_option(struct run *run)
{
    const float bits = (float)(log2_e * drift()), bits_spread = (float)(log2_e * spread());
    REAL sum = 0;

    for (int i = 0; i < run->n; i++) {
        const philox4x32_ctr_t words = random_words(key(run), (unsigned)i, 0);

        for (int w = 0; w < 4; w += 2) {
            const float radius = sqrtf(-2.0f * logf(u01fixedpt_open_closed_32_float(words.v[w])));
            const float angle = 6.28318531f * u01fixedpt_closed_open_32_float(words.v[w + 1]);

            sum += (REAL)option_payoff((float)spot, (float)strike, bits, bits_spread,
                                       radius * cosf(angle));
            sum += (REAL)option_payoff((float)spot, (float)strike, bits, bits_spread,
                                       radius * sinf(angle));
        }
    }
    HOST_REALS("price")[0] = (REAL)exp(-rate * years) * (sum / (REAL)paths(run));
}

static void baseline_uniform(struct run *run)
{
    REAL *RESTRICT x = HOST_REALS("x");

    for (int i = 0; i < run->n; i += 4) {
        const philox4x32_ctr_t words = random_words(key(run), (unsigned)i / 4, 0);

        for (int w = 0; w < 4 && i + w < run->n; w++)
            x[i + w] = random_unit(words.v[w]);
    }
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "random", .name = "random_uniform",
     .summary = "uniform numbers, four from each stream of Philox4x32-10",
     .takes = CASE_LINES, .timing_n = 1 << 24,
     .prepare = prepare_uniform, .launch = launch_uniform, .reference = reference_uniform,
     .baseline = baseline_uniform},
    {.family = "random", .name = "monte_carlo_pi", .summary = "pi by counting points in a disc",
     .takes = CASE_LINES, .timing_n = 1 << 20,
     .prepare = prepare_pi, .launch = launch_pi, .reference = reference_pi, .baseline = baseline_pi},
    {.family = "random", .name = "monte_carlo_option",
     .summary = "the price of a European call by its mean payoff",
     .policy = CASE_ABSREL(1e-3, 1e-4, "logf and exp2f round differently in each library"),
     .takes = CASE_LINES, .timing_n = 1 << 22,
     .prepare = prepare_option, .launch = launch_option, .reference = reference_option,
     .baseline = baseline_option},
};
/* clang-format on */
GALLERY_CASES(cases)
