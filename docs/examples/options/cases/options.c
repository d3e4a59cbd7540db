/* SPDX-License-Identifier: 0BSD */
#include "kernels/american.c"
#include "kernels/black_scholes.c"
#include "kernels/paths.c"

#include "host/case.h"

/* The option of Longstaff and Schwartz's table 1, in double precision and as the kernels take
 * it. */
static const double spot = 36, strike = 40, years = 1, rate = 0.06, volatility = 0.2;

static struct option put(void)
{
    const struct option of = {(REAL)spot, (REAL)strike,     (REAL)years,
                              (REAL)rate, (REAL)volatility, PUT};

    return of;
}

static double below(double x)
{
    return erfc(-x / sqrt(2.0)) / 2;
}

/* The kernels' normal numbers, by bisection: another way than theirs. */
static double quantile(unsigned word)
{
    /* In the lower half, where nothing cancels: ~word has the probability 1 - p. */
    const unsigned lower = word >> 31 ? ~word : word;
    const double p = sizeof(REAL) == sizeof(float) ? ((lower >> 9) + 0.5) / (1 << 23)
                                                   : (lower + 0.5) / 4294967296.0;
    double low = -7, high = 0;

    for (int k = 0; k < 60; k++)
        *(below((low + high) / 2) < p ? &low : &high) = (low + high) / 2;
    return word >> 31 ? -high : high;
}

static double gain_at(double price)
{
    return price < strike ? strike - price : 0;
}

/* The relative error of a price. Its normal numbers are off by 16 ULP at most (kernels/functions.h)
 * and by 1 or 2 but in the tails; times the volatility, 0.2, that and the roundings of an exponent
 * below 1 are less than 6 ULP. */
static double price_error(void)
{
    return run_roundings(12);
}

static int prepare_formula(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;
    REAL *const strikes = run_input_real(run, "strike", n), *const t =
                                                                run_input_real(run, "years", n);

    RUN_FILL(strikes, i, n)
        strikes[i] = 50 + 20 * strikes[i];
    RUN_FILL(t, i, n)
        t[i] = (REAL)1.25 + t[i];
    run_output_real(run, "values", GREEKS * n, OWNER_NONE);
    run_stride(run, run->n);
    run->bytes = (2 + GREEKS) * (double)n * sizeof(REAL);
    run->flops = 150.0 * run->n;
    return run_ready(run, error);
}

static portable_status launch_formula(struct run *run)
{
    return KERNEL_LAUNCH(black_scholes, run->grid, run->block, 0, 0, run->n, put(),
                         DEVICE_REALS("strike"), DEVICE_REALS("years"), DEVICE_REALS("values"));
}

/* values[GREEKS] of a put, by the library's functions. */
static void formula(double k, double t, double *values)
{
    const double spread = volatility * sqrt(t), paid = k * exp(-rate * t);
    const double d1 = log(spot / paid) / spread + spread / 2;
    const double density = exp(-d1 * d1 / 2) / sqrt(2 * 3.14159265358979324);

    values[PRICE] = paid * below(spread - d1) - spot * below(-d1);
    values[DELTA] = -below(-d1);
    values[GAMMA] = density / (spot * spread);
    values[VEGA] = spot * density * sqrt(t);
    values[THETA] = -spot * density * volatility / (2 * sqrt(t)) + rate * paid * below(spread - d1);
    values[RHO] = -t * paid * below(spread - d1);
}

/* d1 is off by a few ULP of log(spot / strike) and of itself, both below 2 in size, over the
 * spread, which is at least 0.1; each value by that times its slope, and a few ULP of its terms. */
static void reference_formula(struct run *run)
{
    const size_t n = (size_t)run->n;

    for (size_t i = 0; i < n; i++) {
        const double k = (double)HOST_REALS("strike")[i], t = (double)HOST_REALS("years")[i];
        const double spread = volatility * sqrt(t);
        const double d1 = log(spot / k) / spread + rate / volatility * sqrt(t) + spread / 2;
        const double off = run_roundings(16) * (2 / spread + fabs(d1));
        const double density = exp(-d1 * d1 / 2) * 0.4 + off;
        const double scale[GREEKS] = {
            spot + k, 1, 1 / (spot * spread), spot * sqrt(t), spot / sqrt(t) + rate * k, t * k};
        double values[GREEKS];

        formula(k, t, values);
        for (size_t g = 0; g < GREEKS; g++)
            run_expect(run, "values", g * n + i, values[g],
                       scale[g] * (run_roundings(16) + off * density * (1 + fabs(d1))));
    }
}

static void plain_formula(struct run *run)
{
    const int n = run->n;
    double values[GREEKS];

    for (int i = 0; i < n; i++) {
        formula((double)HOST_REALS("strike")[i], (double)HOST_REALS("years")[i], values);
        for (int g = 0; g < GREEKS; g++)
            HOST_REALS("values")[(size_t)g * (size_t)n + (size_t)i] = (REAL)values[g];
    }
}

static int prepare_paths(struct run *run, struct io_error *error)
{
    run_stride(run, run->n);
    if (!run->timing)
        run->grid.x = (run->grid.x + 3) / 4; /* so that a block has more than TURNS turns */
    run_output_array(run, "sums", ARRAY_FLOAT64, (size_t)run->grid.x * SUMS, OWNER_NONE);
    run->flops = (double)run->n * DATES * 100;
    return run_ready(run, error);
}

static portable_status launch_paths(struct run *run, int sobol)
{
    unsigned directions[DATES][32];
    portable_status status;

    sobol_fill(directions);
    status = portable_copy_to_constant(sobol_directions, directions, sizeof directions);
    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(option_paths, run->grid, run->block, 0, 0, run->n, sobol,
                         (unsigned)run->seed, put(), DEVICE_DOUBLES("sums"));
}

static portable_status launch_philox(struct run *run)
{
    return launch_paths(run, 0);
}

static portable_status launch_sobol(struct run *run)
{
    return launch_paths(run, 1);
}

/* Whether point 2047, the sum of the first 11 directions, is that of SciPy 1.17's qmc.Sobol. */
static int is_joe_kuo(void)
{
    static const unsigned point[DATES] = {0xffe00000, 0xe1e00000, 0x55200000, 0x29200000,
                                          0x47200000, 0xe9a00000, 0xa2600000, 0x43e00000,
                                          0x5de00000, 0xd5600000, 0x2ce00000, 0xa6600000,
                                          0xae600000, 0x0a200000, 0xd4600000, 0x11e00000};
    unsigned directions[DATES][32];
    int same = 1;

    sobol_fill(directions);
    for (int d = 0; d < DATES; d++) {
        unsigned word = 0;

        for (int b = 0; b < 11; b++)
            word ^= directions[d][b];
        same = same && word == point[d];
    }
    return same;
}

/* The payoffs of a path, from a bridge that is not in place. A Philox path takes its word for each
 * date, a Sobol path its word for each step of the bridge. */
static void payoffs(const struct run *run, int sobol, unsigned path, double *european,
                    double *asian)
{
    static unsigned directions[DATES][32];
    double w[DATES + 1] = {0}, mean = 0;
    int d = 0;

    sobol_fill(directions);
    for (int length = 2 * DATES; length > 1; length /= 2)
        for (int date = length / 2; date <= DATES; date += length, d++) {
            const unsigned at = (unsigned)(sobol ? d : date - 1), stream = sobol ? at / 4 : path;
            const unsigned draw = sobol ? 0 : at / 4 * 4;
            unsigned word = random_words((unsigned)run->seed, stream, draw).v[at % 4];

            for (int b = 0; b < 32 && sobol; b++)
                word ^= path >> b & 1 ? directions[d][b] : 0;
            w[date] = d == 0 ? sqrt(years) * quantile(word)
                             : (w[date - length / 2] + w[date + length / 2]) / 2 +
                                   sqrt(length * years / DATES) / 2 * quantile(word);
        }
    for (int date = 1; date <= DATES; date++) {
        const double t = date * years / DATES;
        const double price =
            spot * exp((rate - volatility * volatility / 2) * t + volatility * w[date]);

        mean += price / DATES;
        *european = gain_at(price);
    }
    *asian = gain_at(mean);
}

static void reference_paths(struct run *run, int sobol)
{
    for (unsigned block = 0; block < run->grid.x; block++) {
        double sums[SUMS] = {0}, bounds[SUMS] = {0};

        for (unsigned first = block * PATHS; first < (unsigned)run->n; first += run->grid.x * PATHS)
            for (unsigned path = first; path < first + PATHS && path < (unsigned)run->n; path++) {
                double payoff[2];

                payoffs(run, sobol, path, &payoff[0], &payoff[1]);
                for (int k = 0; k < 2; k++) {
                    const double off = price_error() * (strike + payoff[k]);

                    sums[2 * k] += payoff[k];
                    bounds[2 * k] += off;
                    sums[2 * k + 1] += payoff[k] * payoff[k];
                    bounds[2 * k + 1] += (2 * payoff[k] + off) * off;
                }
            }
        for (size_t s = 0; s < SUMS; s++)
            run_expect(run, "sums", block * SUMS + s, !sobol || is_joe_kuo() ? sums[s] : NAN,
                       bounds[s]);
    }
}

static void reference_philox(struct run *run)
{
    reference_paths(run, 0);
}

static void reference_sobol(struct run *run)
{
    reference_paths(run, 1);
}

/* Date by date, with the library's functions and Box-Muller, which makes two normal numbers of two
 * words. */
static void plain_philox(struct run *run)
{
    const double step = years / DATES, drift = (rate - volatility * volatility / 2) * step;
    double sums[SUMS] = {0};

    for (int path = 0; path < run->n; path++) {
        double logarithm = 0, mean = 0, price = spot, european, asian;

        for (int date = 0; date < DATES; date += 2) {
            const philox4x32_ctr_t words =
                random_words((unsigned)run->seed, (unsigned)path, (unsigned)date / 4);
            const double radius = sqrt(-2 * log((double)random_unit(words.v[date % 4])));
            const double angle = 6.283185307179586 * (double)random_unit(words.v[date % 4 + 1]);

            for (int k = 0; k < 2; k++) {
                logarithm +=
                    drift + volatility * sqrt(step) * radius * (k ? sin(angle) : cos(angle));
                price = spot * exp(logarithm);
                mean += price / DATES;
            }
        }
        european = gain_at(price);
        asian = gain_at(mean);
        sums[EUROPEAN] += european;
        sums[EUROPEAN_SQUARES] += european * european;
        sums[ASIAN] += asian;
        sums[ASIAN_SQUARES] += asian * asian;
    }
    memcpy(run_host(run, "sums"), sums, sizeof sums);
}

enum { CASE_DATES = 10, CASE_DATE = 6 };

static int prepare_begin(struct run *run, struct io_error *error)
{
    run_output_real(run, "brownian", 4 * (size_t)run->n, OWNER_NONE);
    run_output_real(run, "gain", 4 * (size_t)run->n, OWNER_NONE);
    run_output_array(run, "fit", ARRAY_FLOAT64, TERMS, OWNER_NONE);
    run_stride(run, run->n);
    return run_ready(run, error);
}

static portable_status launch_begin(struct run *run)
{
    return KERNEL_LAUNCH(american_begin, run->grid, run->block, 0, 0, run->n, CASE_DATES,
                         (unsigned)run->seed, put(), DEVICE_REALS("brownian"), DEVICE_REALS("gain"),
                         DEVICE_DOUBLES("fit"));
}

static void reference_begin(struct run *run)
{
    for (unsigned path = 0; path < 4 * (unsigned)run->n; path++) {
        const unsigned stream = path % (unsigned)run->n, k = path / (unsigned)run->n;
        const double normal = quantile(random_words((unsigned)run->seed, stream, CASE_DATES).v[k]);

        run_expect(run, "brownian", path, sqrt(years) * normal, price_error() * 2);
        run_expect(run, "gain", path, 0, 0);
    }
    for (size_t term = 0; term < TERMS; term++)
        run_expect(run, "fit", term, 0, 0);
}

static const double fit_of_case[TERMS] = {0.5, -7, 20, -10};

static double fit_at(double x)
{
    return fit_of_case[0] + x * (fit_of_case[1] + x * (fit_of_case[2] + x * fit_of_case[3]));
}

static int prepare_step(struct run *run, struct io_error *error)
{
    const size_t paths = 4 * (size_t)run->n;
    double *const fit = (double *)run_input_array(run, "fit", ARRAY_FLOAT64, TERMS);

    RUN_FILL(fit, i, TERMS)
        fit[i] = fit_of_case[i];
    run_update_real(run, "brownian", paths, OWNER_NONE);
    run_update_real(run, "gain", paths, OWNER_NONE);
    run_stride(run, run->n);
    run_output_array(run, "moments", ARRAY_FLOAT64, (size_t)run->grid.x * MOMENTS, OWNER_NONE);
    run->bytes = 4.0 * (double)paths * sizeof(REAL);
    run->flops = 140.0 * (double)paths;
    return run_ready(run, error);
}

static portable_status launch_step(struct run *run)
{
    return KERNEL_LAUNCH(american_step, run->grid, run->block, 0, 0, run->n, CASE_DATES, CASE_DATE,
                         (unsigned)run->seed, put(), DEVICE_DOUBLES("fit"),
                         DEVICE_REALS("brownian"), DEVICE_REALS("gain"), DEVICE_DOUBLES("moments"));
}

/* A path whose payoff is as much as it expects, within rounding, may do either. */
static void reference_step(struct run *run)
{
    const double step = years / CASE_DATES, drift = (rate - volatility * volatility / 2) * step;
    const double back = CASE_DATE / (CASE_DATE + 1.0);
    const size_t streams = (size_t)run->n, threads = (size_t)run->grid.x * run->block.x;

    for (size_t block = 0; block < run->grid.x; block++) {
        double sums[MOMENTS] = {0}, bounds[MOMENTS] = {0};

        for (size_t first = block * run->block.x; first < streams; first += threads)
            for (size_t k = 0; k < 4 * run->block.x; k++) {
                const size_t s = first + k / 4, path = k % 4 * streams + s;

                if (s >= streams)
                    break;

                const double before = (double)HOST_REALS("brownian")[path];
                const double kept = (double)HOST_REALS("gain")[path];
                const double normal =
                    quantile(random_words((unsigned)run->seed, (unsigned)s, CASE_DATE).v[k % 4]);
                const double w = back * before + sqrt(step * back) * normal;
                const double from = spot * exp(drift * (CASE_DATE + 1) + volatility * before);
                const double price = spot * exp(drift * CASE_DATE + volatility * w);
                const double paid = gain_at(from), expected = fit_at(from / strike - 1);
                const double off = price_error() * strike, x = price / strike - 1;
                const double y = exp(-rate * step) * (paid > 0 && paid > expected ? paid : kept);
                const double y_off =
                    off + (fabs(paid - expected) <= 2 * off || paid <= off ? fabs(paid - kept) : 0);
                double power = 1;

                run_expect(run, "brownian", path, w, price_error() * 2);
                run_expect(run, "gain", path, y, y_off);
                if (price > strike + off)
                    continue;
                for (int m = 0; m < POWERS; m++, power *= x) {
                    const double either = price > strike - off ? 1 : 0;
                    const double power_off = m * price_error() * 2 + either;

                    sums[m] += price < strike ? power : 0;
                    bounds[m] += power_off;
                    if (m < TERMS) {
                        sums[POWERS + m] += price < strike ? y * power : 0;
                        bounds[POWERS + m] += (fabs(y) + y_off) * power_off + y_off;
                    }
                }
                sums[MOMENTS - 1] += price < strike ? y * y : 0;
                bounds[MOMENTS - 1] += (2 * fabs(y) + y_off) * y_off;
            }
        for (size_t m = 0; m < MOMENTS; m++)
            run_expect(run, "moments", block * MOMENTS + m, sums[m], bounds[m] + 1e-12);
    }
}

/* Moments of n blocks whose y is exactly the cubic of fit_of_case at points x of [-1/2, 0). */
static int prepare_fit(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;
    double *const moments = (double *)run_input_array(run, "moments", ARRAY_FLOAT64, n * MOMENTS);

    RUN_FILL(moments, i, n * MOMENTS)
        moments[i] = 0;
    for (size_t i = 0; moments && i < 32 * n; i++) {
        const double x = -0.5 + run_random(run, "moments", i) * 0x1p-33, y = fit_at(x);
        double *const of = moments + i / 32 * MOMENTS, power = 1;

        for (int m = 0; m < POWERS; m++, power *= x) {
            of[m] += power;
            of[POWERS + m % TERMS] += m < TERMS ? y * power : 0;
        }
        of[MOMENTS - 1] += y * y;
    }
    run->grid = DIM3(1, 1, 1);
    run_output_array(run, "totals", ARRAY_FLOAT64, MOMENTS, OWNER_NONE);
    run_output_array(run, "coefficients", ARRAY_FLOAT64, TERMS, OWNER_NONE);
    return run_ready(run, error);
}

static portable_status launch_fit(struct run *run)
{
    return KERNEL_LAUNCH(american_fit, run->grid, run->block, 0, 0, run->n,
                         DEVICE_DOUBLES("moments"), DEVICE_DOUBLES("totals"),
                         DEVICE_DOUBLES("coefficients"));
}

/* The matrix has a condition number of 1e7. With no path nobody exercises. */
static void reference_fit(struct run *run)
{
    const double *const moments = HOST_DOUBLES("moments");

    for (size_t m = 0; m < MOMENTS; m++) {
        double sum = 0, magnitude = 0;

        for (size_t b = 0; b < (size_t)run->n; b++) {
            sum += moments[b * MOMENTS + m];
            magnitude += fabs(moments[b * MOMENTS + m]);
        }
        run_expect(run, "totals", m, sum, 1e-12 * magnitude);
    }
    for (size_t i = 0; i < TERMS; i++)
        run_expect(run, "coefficients", i,
                   run->n > 0 ? fit_of_case[i]
                   : i == 0   ? DBL_MAX
                              : 0,
                   run->n > 0 ? 1e-7 : 0);
}

/* clang-format off */
static const struct gallery_case cases[] = {
    {.family = "options", .name = "black_scholes", .summary = "prices and Greeks in closed form",
     .takes = CASE_LINES, .timing_n = 1 << 20,
     .prepare = prepare_formula, .launch = launch_formula, .reference = reference_formula,
     .baseline = plain_formula},
    {.family = "options", .name = "paths_philox", .summary = "European and Asian payoffs, random paths",
     .blocks = {{PATHS}}, .sizes = {0, 1, 255, 256, 257, 6000}, .timing_n = 1 << 16,
     .prepare = prepare_paths, .launch = launch_philox, .reference = reference_philox,
     .baseline = plain_philox},
    {.family = "options", .name = "paths_sobol", .summary = "the same along paths of a Sobol sequence",
     .blocks = {{PATHS}}, .sizes = {0, 1, 255, 256, 257, 6000}, .timing_n = 1 << 16,
     .prepare = prepare_paths, .launch = launch_sobol, .reference = reference_sobol,
     .baseline = plain_philox},
    {.family = "options", .name = "american_begin", .summary = "where the paths end",
     .takes = CASE_LINES, .sizes = {1, 31, 33, 3000}, .timing_n = 1 << 18,
     .prepare = prepare_begin, .launch = launch_begin, .reference = reference_begin},
    {.family = "options", .name = "american_step", .summary = "exercise, and back by a date",
     .blocks = {{256}}, .sizes = {0, 1, 31, 256, 257, 3000}, .timing_n = 1 << 18,
     .prepare = prepare_step, .launch = launch_step, .reference = reference_step},
    {.family = "options", .name = "american_fit", .summary = "a cubic by least squares",
     .blocks = {{32}}, .sizes = {0, 1, 2, 100}, .timing_n = 2048, .counts = CASE_FIXED,
     .prepare = prepare_fit, .launch = launch_fit, .reference = reference_fit},
};
/* clang-format on */
GALLERY_CASES(cases)
