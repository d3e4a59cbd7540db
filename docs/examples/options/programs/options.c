/* SPDX-License-Identifier: 0BSD */
/* Prices of options on crude oil, by formula, by Monte Carlo and by least squares: options
 * --help */
#include "kernels/american.c"
#include "kernels/black_scholes.c"
#include "kernels/paths.c"

#include "host/line_plot.h"
#include "host/program.h"

enum { BLOCKS = 2048, STRIKES = 5, SAMPLES = 16, FIRST_LOG = 8, LAST_LOG = 24 };
enum { MOST_COUNTS = LAST_LOG - FIRST_LOG + 1 };
enum { TRADING_DAYS = 252, EXERCISES = 50, TREE_STEPS = 100 * EXERCISES };

static const char about[] = "Prices options on oil by formula, by Monte Carlo and by least "
                            "squares. The volatility is that\n"
                            "of the last 252 daily returns.";

/* The prices in a file of lines DATE,PRICE after a heading: sets the asset's price to the last one,
 * whose date it returns, and its volatility per year to the standard deviation of the last
 * TRADING_DAYS logarithms of one day's price over the day's before. */
static const char *read_prices(const char *path, struct option *of)
{
    static char date[11];
    struct io_error error;
    char *text, *line;
    size_t size;
    double sum = 0, squares = 0, before, now = 0, recent[TRADING_DAYS + 1];
    int number = 1, days = 0;

    program_check(io_read_text(path, &text, &size, &error), &error);
    for (line = strchr(text, '\n'); line && line[1] != '\0'; line = strchr(line + 1, '\n')) {
        char *end = line;
        double price = NAN;

        number++;
        snprintf(date, sizeof date, "%.10s", line + 1);
        if (strcspn(line + 1, ",\n") == 10 && line[11] == ',' && !strchr("\r\n", line[12]))
            price = strtod(line + 12, &end);
        if (!isfinite(price) || !strchr("\r\n", *end))
            program_fail("%s:%d: expected DATE,PRICE", path, number);
        recent[days++ % (TRADING_DAYS + 1)] = price;
    }
    free(text);
    if (days <= TRADING_DAYS)
        program_fail("%s: %d prices; the volatility needs %d", path, days, TRADING_DAYS + 1);
    for (int day = days - TRADING_DAYS; day < days; day++) {
        before = recent[(day - 1) % (TRADING_DAYS + 1)];
        now = recent[day % (TRADING_DAYS + 1)];
        if (!(before > 0 && now > 0))
            program_fail("%s: a price of the last %d days is not positive", path, TRADING_DAYS);
        sum += log(now / before);
        squares += log(now / before) * log(now / before);
    }
    const double volatility =
        sqrt((squares - sum * sum / TRADING_DAYS) / (TRADING_DAYS - 1) * TRADING_DAYS);
    if (!(now >= 15 && now <= 1000 && volatility >= 0.01 && volatility <= 3))
        program_fail(
            "%s: the last price, %g, must be from 15 to 1000, and the volatility, %g, from "
            "0.01 to 3",
            path, now, volatility);
    of->spot = (REAL)now;
    of->volatility = (REAL)volatility;
    return date;
}

/* The closed form in double precision, by the library's functions. */
static double closed_form(struct option of)
{
    const double spot = (double)of.spot, strike = (double)of.strike, years = (double)of.years;
    const double rate = (double)of.rate, spread = (double)of.volatility * sqrt(years);
    const double d1 = (log(spot / strike) + rate * years) / spread + spread / 2;
    const double below_1 = erfc(-of.kind * d1 / sqrt(2.0)) / 2;
    const double below_2 = erfc(-of.kind * (d1 - spread) / sqrt(2.0)) / 2;

    return of.kind * (spot * below_1 - strike * exp(-rate * years) * below_2);
}

/* The price of the option on a binomial tree, where it may be exercised on each of EXERCISES dates:
 * J. C. Cox, S. A. Ross and M. Rubinstein, Journal of Financial Economics 7, 1979. */
static double binomial_tree(struct option of)
{
    static double value[TREE_STEPS + 1];
    const double step = (double)of.years / TREE_STEPS, up = exp((double)of.volatility * sqrt(step));
    const double growth = exp((double)of.rate * step), rise = (growth - 1 / up) / (up - 1 / up);

    for (int level = TREE_STEPS; level >= 0; level--)
        for (int ups = 0; ups <= level; ups++) {
            const double kept = level == TREE_STEPS
                                    ? 0
                                    : (rise * value[ups + 1] + (1 - rise) * value[ups]) / growth;
            double paid = 0;

            if (level % (TREE_STEPS / EXERCISES) == 0 && level > 0)
                paid = of.kind * ((double)of.spot * pow(up, 2 * ups - level) - (double)of.strike);
            value[ups] = paid > kept ? paid : kept;
        }
    return value[0];
}

struct price {
    double mean, standard_error;
};

static struct price price_of(double sum, double squares, double n)
{
    const struct price price = {sum / n, sqrt((squares / n - sum / n * (sum / n)) / n)};
    return price;
}

/* The prices by n paths, discounted: [0] of the European option, [1] of the Asian one. */
static void monte_carlo(int n, int sobol, unsigned seed, struct option of, struct price prices[2])
{
    const int blocks = n / PATHS < BLOCKS ? n / PATHS : BLOCKS;
    static double host[BLOCKS][SUMS], *sums;
    const double discount = exp(-(double)of.rate * (double)of.years);
    double total[SUMS] = {0};

    if (!sums)
        sums = (double *)program_device(1, sizeof host);
    PORTABLE_CHECK(KERNEL_LAUNCH(option_paths, blocks, PATHS, 0, 0, n, sobol, seed, of, sums));
    PORTABLE_CHECK(portable_copy_to_host(host, sums, (size_t)blocks * sizeof host[0]));
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < SUMS; k++)
            total[k] += discount * (k % 2 ? discount : 1) * host[b][k];
    prices[0] = price_of(total[EUROPEAN], total[EUROPEAN_SQUARES], n);
    prices[1] = price_of(total[ASIAN], total[ASIAN_SQUARES], n);
}

/* The price by n paths that may exercise on EXERCISES dates. */
static struct price longstaff_schwartz(int n, unsigned seed, struct option of)
{
    const int streams = n / 4, blocks = n / 1024 < BLOCKS ? n / 1024 : BLOCKS;
    double total[MOMENTS], *const fit = (double *)program_device(TERMS, sizeof *fit);
    double *const moments = (double *)program_device((size_t)blocks, sizeof total);
    double *const totals = (double *)program_device(1, sizeof total);
    REAL *const brownian = (REAL *)program_device((size_t)n, sizeof *brownian);
    REAL *const gain = (REAL *)program_device((size_t)n, sizeof *gain);

    PORTABLE_CHECK(KERNEL_LAUNCH(american_begin, blocks, 256, 0, 0, streams, EXERCISES, seed, of,
                                 brownian, gain, fit));
    for (int date = EXERCISES - 1; date >= 0; date--) {
        PORTABLE_CHECK(KERNEL_LAUNCH(american_step, blocks, 256, 0, 0, streams, EXERCISES, date,
                                     seed, of, fit, brownian, gain, moments));
        PORTABLE_CHECK(KERNEL_LAUNCH(american_fit, 1, 32, 0, 0, blocks, moments, totals, fit));
    }
    PORTABLE_CHECK(portable_copy_to_host(total, totals, sizeof total));
    return price_of(total[POWERS], total[MOMENTS - 1], n);
}

/* Prices and Greeks of calls on either side of the option's strike, and the price's error. */
static void print_greeks(struct option of)
{
    REAL strike[STRIKES], years[STRIKES], value[GREEKS][STRIKES];
    double worst = 0;

    for (int i = 0; i < STRIKES; i++) {
        strike[i] = of.strike + (REAL)(5 * (i - STRIKES / 2));
        years[i] = of.years;
    }
    REAL *const values = (REAL *)program_device(1, sizeof value);
    PORTABLE_CHECK(KERNEL_LAUNCH(black_scholes, 1, 32, 0, 0, STRIKES, of,
                                 (const REAL *)program_upload(strike, sizeof strike),
                                 (const REAL *)program_upload(years, sizeof years), values));
    PORTABLE_CHECK(portable_copy_to_host(value, values, sizeof value));
    printf("call, strike    price    delta    gamma     vega    theta      rho\n");
    for (int i = 0; i < STRIKES; i++) {
        struct option other = of;

        other.strike = strike[i];
        printf("%12.2f", (double)strike[i]);
        for (int k = 0; k < GREEKS; k++)
            printf(" %8.4f", (double)value[k][i]);
        printf("\n");
        worst = larger_error(worst, fabs((double)value[PRICE][i] - closed_form(other)));
    }
    verify(worst < 32 * (double)REAL_EPSILON * (double)of.spot,
           "the prices are within %.1g of the formula in double precision", worst);
}

/* The root mean square error of the European price over SAMPLES seeds, for 2^FIRST_LOG paths and
 * twice as many each time; x, y: their numbers and errors. Returns the exponent of their number, by
 * least squares of logarithms. */
static double convergence(int sobol, int count, unsigned seed, struct option of, double *x,
                          double *y)
{
    const double exact = closed_form(of), middle = (count - 1) / 2.0;
    double rise = 0, run = 0;

    for (int k = 0; k < count; k++) {
        double squares = 0;

        for (unsigned sample = 0; sample < SAMPLES; sample++) {
            struct price prices[2];

            monte_carlo(1 << (FIRST_LOG + k), sobol, seed + sample, of, prices);
            squares += (prices[0].mean - exact) * (prices[0].mean - exact);
        }
        x[k] = 1 << (FIRST_LOG + k);
        y[k] = sqrt(squares / SAMPLES);
        rise += (k - middle) * log2(y[k]);
        run += (k - middle) * (k - middle);
    }
    return rise / run;
}

/* The errors of each method against the number of paths. */
struct errors {
    int count;
    double x[2][MOST_COUNTS], y[2][MOST_COUNTS], slopes[2];
};

static void write_plot(const char *path, const struct errors *e)
{
    const char *const title = "A call's price errs like n^%.2f with Philox and n^%.2f with Sobol";
    char text[120];
    struct io_error error;

    snprintf(text, sizeof text, title, e->slopes[0], e->slopes[1]);
    const struct line_plot plot = {.title = text,
                                   .x_label = "paths",
                                   .y_label = "error in USD",
                                   .log_x = 10,
                                   .log_y = 10,
                                   .limit = 0,
                                   .limit_label = NULL,
                                   .series_count = 2,
                                   .series = {{"Philox", (size_t)e->count, e->x[0], e->y[0]},
                                              {"Sobol", (size_t)e->count, e->x[1], e->y[1]}}};
    program_check(line_plot_write(path, &plot, &error), &error);
}

/* European and Asian calls along paths, whose errors must fall as they should. */
static void price_calls(int paths, unsigned seed, struct option of, struct errors *e)
{
    /* The logarithm of a root mean square of SAMPLES has a standard error of
     * 1 / sqrt(2 SAMPLES). */
    const double n = e->count;
    const double slope_error = sqrt(12 / (n * (n * n - 1)) / (2 * SAMPLES)) / log(2.0);
    struct price prices[2][2];

    printf("calls at %.2f, %d paths\n", (double)of.strike, paths);
    for (int sobol = 0; sobol < 2; sobol++) {
        e->slopes[sobol] = convergence(sobol, e->count, seed, of, e->x[sobol], e->y[sobol]);
        const double error = e->y[sobol][e->count - 1], european = closed_form(of);

        monte_carlo(paths, sobol, seed, of, prices[sobol]);
        printf("%s: European %.5f, Asian %.5f, error %.1e, falls like n^%.2f\n",
               sobol ? "Sobol" : "Philox", prices[sobol][0].mean, prices[sobol][1].mean, error,
               e->slopes[sobol]);
        verify(fabs(prices[sobol][0].mean - european) < 5 * error,
               "the European price is within 5 errors of the formula's, %.5f", european);
    }
    verify(fabs(e->slopes[0] + 0.5) < 4 * slope_error,
           "the error of Philox falls like 1 / sqrt(n)");
    verify(e->slopes[1] < -0.9 + 4 * slope_error, "the error of Sobol falls almost like 1 / n");
    verify(fabs(prices[1][1].mean - prices[0][1].mean) < 5 * prices[0][1].standard_error,
           "the Asian prices agree");
}

static void price_put(int paths, unsigned seed, struct option of)
{
    const double tree = binomial_tree(of);
    const struct price price = longstaff_schwartz(paths, seed, of);

    printf("at %.2f: Longstaff-Schwartz %.4f, standard error %.4f; European %.4f\n",
           (double)of.strike, price.mean, price.standard_error, closed_form(of));
    verify(fabs(price.mean - tree) < 4 * price.standard_error + 2e-3 * tree,
           "within 4 standard errors and 0.2%% of a binomial tree's, %.4f", tree);
}

int main(int argc, char **argv)
{
    /* The option of Longstaff and Schwartz's table 1 whose finite-difference price is 4.478. */
    const struct option textbook = {36, 40, 1, (REAL)0.06, (REAL)0.2, PUT};
    const char *prices = "../data/wti-daily.csv", *plot = NULL;
    int paths = 65536, seed = 1;
    double rate = 0.04, years = 0.25;
    const struct options_entry options[] = {
        options_text("--prices FILE", &prices, "lines DATE,PRICE after a heading"),
        options_whole("--paths N", &paths, 4096, 1 << LAST_LOG, "the most paths, a power of two"),
        options_number("--rate R", &rate, 0, 1, "interest per year"),
        options_number("--years T", &years, 0.01, 5, "time to expiry"),
        options_whole("--seed S", &seed, 0, 1000000000, "of the random numbers"),
        options_text("--svg FILE", &plot, "plot the errors"),
    };
    static unsigned directions[DATES][32];
    static struct errors errors;

    program_begin("options", about, options, sizeof options / sizeof *options, argc, argv);
    if (paths & (paths - 1))
        program_fail("--paths takes a power of two, not %d", paths);
    struct option of = {0, 0, (REAL)years, (REAL)rate, 0, CALL};
    const char *const date = read_prices(prices, &of);
    const double spot = (double)of.spot;
    of.strike = (REAL)(5 * floor(spot / 5 + 0.5));
    sobol_fill(directions);
    PORTABLE_CHECK(portable_copy_to_constant(sobol_directions, directions, sizeof directions));

    printf("oil on %s: %.2f USD, volatility %.1f%% a year; rate %.1f%%, expiry in %.2f years\n",
           date, spot, 100 * (double)of.volatility, 100 * rate, years);
    print_greeks(of);
    for (int n = 1 << FIRST_LOG; n <= paths; n *= 2)
        errors.count++;
    price_calls(paths, (unsigned)seed, of, &errors);
    printf("American puts, %d exercise dates\n", EXERCISES);
    of.kind = PUT;
    price_put(paths, (unsigned)seed, of);
    price_put(paths, (unsigned)seed, textbook);
    if (plot)
        write_plot(plot, &errors);
    return program_end("formula, rates of convergence, and binomial tree");
}
