/* SPDX-License-Identifier: BSD-3-Clause */
/* Prices of options on crude oil, by formula, by Monte Carlo and by least squares: options --help */
#include "kernels/american.c"
#include "kernels/black_scholes.c"
#include "kernels/paths.c"

#include "host/io.h"
#include "host/output.h"

#include <stdarg.h> /* va_list */

enum { BLOCKS = 2048, STRIKES = 5, SAMPLES = 16, FIRST_LOG = 8, LAST_LOG = 24 };
enum { TRADING_DAYS = 252, EXERCISES = 50, TREE_STEPS = 100 * EXERCISES };

static const char *const usage =
    "usage: options [--prices FILE] [--paths N] [--rate R] [--years T] [--seed S] [--svg FILE]\n"
    "\n"
    "Prices options on oil. The volatility is that of the last 252 daily returns in FILE, lines "
    "of\n"
    "DATE,PRICE after a heading; default ../data/wti-daily.csv. --paths: at most N paths, a power "
    "of\n"
    "two from 4096 to 16777216, default 65536; --rate: interest per year, default 0.04; --years:\n"
    "time to expiry, default 0.25. --svg writes a plot of the errors.\n"
    "\n"
    "Exit status: 0 verified, 1 a result is wrong, 2 bad input.\n";

static int failures;

/* Prints what a result must satisfy, and counts it if it does not. */
static void verify(int holds, const char *format, ...)
{
    va_list arguments;

    failures += !holds;
    printf("  %s: ", holds ? "ok" : "WRONG");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

/* The last price of the file, its date, and the volatility per year: the standard deviation of the
 * last TRADING_DAYS logarithms of one day's price over the day's before. */
static int read_prices(const char *path, double *spot, char date[11], double *volatility,
                       struct io_error *error)
{
    char *text, *line;
    size_t size;
    double sum = 0, squares = 0, recent[TRADING_DAYS + 1];
    int number = 1, days = 0;

    if (io_read_text(path, &text, &size, error))
        return IO_BAD;
    for (line = strchr(text, '\n'); line && line[1] != '\0'; line = strchr(line + 1, '\n')) {
        const size_t length = strcspn(line + 1, ",\n");
        char *end = line;
        double price = 0;

        number++;
        snprintf(date, 11, "%.10s", line + 1);
        if (length == 10 && line[11] == ',')
            price = strtod(line + 12, &end);
        if (end == line || !strchr("\r\n", *end)) {
            free(text);
            return io_fail(error, "%s:%d: expected DATE,PRICE", path, number);
        }
        recent[days++ % (TRADING_DAYS + 1)] = price;
    }
    free(text);
    if (days <= TRADING_DAYS)
        return io_fail(error, "%s: %d prices; the volatility needs %d", path, days,
                       TRADING_DAYS + 1);
    for (int day = days - TRADING_DAYS; day < days; day++) {
        const double before = recent[(day - 1) % (TRADING_DAYS + 1)];
        const double now = recent[day % (TRADING_DAYS + 1)];

        if (!(before > 0 && now > 0))
            return io_fail(error, "%s: a price of the last %d days is not positive", path,
                           TRADING_DAYS);
        sum += log(now / before);
        squares += log(now / before) * log(now / before);
        *spot = now;
    }
    *volatility = sqrt((squares - sum * sum / TRADING_DAYS) / (TRADING_DAYS - 1) * TRADING_DAYS);
    if (!(*spot >= 15 && *spot <= 1000 && *volatility >= 0.01 && *volatility <= 3))
        return io_fail(error,
                       "%s: the last price, %g, must be from 15 to 1000, and the volatility, "
                       "%g, from 0.01 to 3",
                       path, *spot, *volatility);
    return 0;
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

/* The price by n paths, discounted, and its standard error. `which`: EUROPEAN or ASIAN. */
static double monte_carlo(int n, int sobol, unsigned seed, struct option of, int which,
                          double *standard_error)
{
    const int blocks = n / PATHS < BLOCKS ? n / PATHS : BLOCKS;
    static double host[BLOCKS][SUMS];
    const double discount = exp(-(double)of.rate * (double)of.years);
    double *sums, mean = 0, squares = 0;

    PORTABLE_CHECK(portable_malloc(&sums, sizeof host));
    PORTABLE_CHECK(KERNEL_LAUNCH(option_paths, blocks, PATHS, 0, 0, n, sobol, seed, of, sums));
    PORTABLE_CHECK(portable_copy_to_host(host, sums, (size_t)blocks * sizeof host[0]));
    PORTABLE_CHECK(portable_free(sums));
    for (int b = 0; b < blocks; b++) {
        mean += host[b][which] / n;
        squares += host[b][which + 1] / n;
    }
    *standard_error = discount * sqrt((squares - mean * mean) / n);
    return discount * mean;
}

/* The price by n paths that may exercise on EXERCISES dates, and its standard error. */
static double longstaff_schwartz(int n, unsigned seed, struct option of, double *standard_error)
{
    const int streams = n / 4, blocks = n / 1024 < BLOCKS ? n / 1024 : BLOCKS;
    double *fit, *moments, *totals, total[MOMENTS];
    REAL *brownian, *gain;

    PORTABLE_CHECK(portable_malloc(&fit, TERMS * sizeof *fit));
    PORTABLE_CHECK(portable_malloc(&moments, (size_t)blocks * sizeof total));
    PORTABLE_CHECK(portable_malloc(&totals, sizeof total));
    PORTABLE_CHECK(portable_malloc(&brownian, (size_t)n * sizeof *brownian));
    PORTABLE_CHECK(portable_malloc(&gain, (size_t)n * sizeof *gain));
    PORTABLE_CHECK(KERNEL_LAUNCH(american_begin, blocks, 256, 0, 0, streams, EXERCISES, seed, of,
                                 brownian, gain, fit));
    for (int date = EXERCISES - 1; date >= 0; date--) {
        PORTABLE_CHECK(KERNEL_LAUNCH(american_step, blocks, 256, 0, 0, streams, EXERCISES, date,
                                     seed, of, fit, brownian, gain, moments));
        PORTABLE_CHECK(KERNEL_LAUNCH(american_fit, 1, 32, 0, 0, blocks, moments, totals, fit));
    }
    PORTABLE_CHECK(portable_copy_to_host(total, totals, sizeof total));
    PORTABLE_CHECK(portable_free(fit));
    PORTABLE_CHECK(portable_free(moments));
    PORTABLE_CHECK(portable_free(totals));
    PORTABLE_CHECK(portable_free(brownian));
    PORTABLE_CHECK(portable_free(gain));

    const double mean = total[POWERS] / n;

    *standard_error = sqrt((total[MOMENTS - 1] / n - mean * mean) / n);
    return mean;
}

/* Prices and Greeks of calls on either side of the option's strike, and the price's error. */
static void print_greeks(struct option of)
{
    REAL strike[STRIKES], years[STRIKES], value[GREEKS][STRIKES], *on_device;
    double worst = 0;

    for (int i = 0; i < STRIKES; i++) {
        strike[i] = of.strike + (REAL)(5 * (i - STRIKES / 2));
        years[i] = of.years;
    }
    PORTABLE_CHECK(portable_malloc(&on_device, sizeof strike + sizeof years + sizeof value));
    PORTABLE_CHECK(portable_copy_to_device(on_device, strike, sizeof strike));
    PORTABLE_CHECK(portable_copy_to_device(on_device + STRIKES, years, sizeof years));
    PORTABLE_CHECK(KERNEL_LAUNCH(black_scholes, 1, 32, 0, 0, STRIKES, of, on_device,
                                 on_device + STRIKES, on_device + 2 * STRIKES));
    PORTABLE_CHECK(portable_copy_to_host(value, on_device + 2 * STRIKES, sizeof value));
    PORTABLE_CHECK(portable_free(on_device));
    printf("call, strike    price    delta    gamma     vega    theta      rho\n");
    for (int i = 0; i < STRIKES; i++) {
        struct option other = of;

        other.strike = strike[i];
        printf("%12.2f", (double)strike[i]);
        for (int k = 0; k < GREEKS; k++)
            printf(" %8.4f", (double)value[k][i]);
        printf("\n");
        worst = fmax(worst, fabs((double)value[PRICE][i] - closed_form(other)));
    }
    verify(worst < 32 * (double)REAL_EPSILON * (double)of.spot,
           "the prices are within %.1g of the formula in double precision", worst);
}

/* The root mean square error of the European price over SAMPLES seeds, for each number of paths.
 * Returns the exponent of n, by least squares of logarithms. */
static double convergence(int sobol, int last_log, unsigned seed, struct option of, double *errors)
{
    const double exact = closed_form(of);
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, unused;

    for (int log_n = FIRST_LOG; log_n <= last_log; log_n++) {
        double squares = 0;

        for (unsigned sample = 0; sample < SAMPLES; sample++) {
            const double error =
                monte_carlo(1 << log_n, sobol, seed + sample, of, EUROPEAN, &unused) - exact;

            squares += error * error;
        }
        errors[log_n] = sqrt(squares / SAMPLES);
        n += 1;
        x += log_n;
        y += log2(errors[log_n]);
        xx += log_n * log_n;
        xy += log_n * log2(errors[log_n]);
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/* Writes the errors, two rows of LAST_LOG + 1, as a plot with logarithmic axes. */
static int write_plot(const char *path, int last_log, double errors[2][LAST_LOG + 1],
                      const double slopes[2], struct io_error *error)
{
    static const char *const names[2] = {"Philox", "Sobol"};
    const double left = 80, right = 600, top = 50, bottom = 370;
    const double across = (right - left) / (last_log - FIRST_LOG);
    double highest = -20, lowest = 20;
    struct io_writer writer;

    if (io_write_begin(&writer, path, error))
        return IO_BAD;
    for (int s = 0; s < 2; s++)
        for (int log_n = FIRST_LOG; log_n <= last_log; log_n++) {
            highest = fmax(highest, ceil(log10(errors[s][log_n])));
            lowest = fmin(lowest, floor(log10(errors[s][log_n])));
        }

    const double down = (bottom - top) / (highest - lowest);

    fprintf(writer.stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 420\">\n"
            "<title>The error of Monte Carlo prices against the number of paths</title>\n"
            "<style>text{font:14px sans-serif;fill:#333}.grid{stroke:#888;stroke-opacity:.3}"
            "path{fill:none;stroke-width:2}.s0{stroke:#c45500;fill:#c45500}"
            ".s1{stroke:#0969da;fill:#0969da}path.s0,path.s1{fill:none}text.s0,text.s1{stroke:none}"
            "@media(prefers-color-scheme:dark){text{fill:#ddd}.s0{stroke:#f0883e;fill:#f0883e}"
            ".s1{stroke:#58a6ff;fill:#58a6ff}}</style>\n"
            "<text x=\"%g\" y=\"28\">error of a call's price (USD), root mean square of %d "
            "samples</text>\n<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">paths</text>\n",
            left - 60, SAMPLES, (left + right) / 2, bottom + 44);
    for (int power = (int)lowest; power <= (int)highest; power++)
        fprintf(writer.stream,
                "<path class=\"grid\" d=\"M%g %gH%g\"/><text x=\"%g\" y=\"%g\" "
                "text-anchor=\"end\">1e%d</text>\n",
                left, bottom - (power - lowest) * down, right, left - 8,
                bottom - (power - lowest) * down + 5, power);
    for (int log_n = FIRST_LOG; log_n <= last_log; log_n += 2)
        fprintf(writer.stream,
                "<path class=\"grid\" d=\"M%g %gV%g\"/><text x=\"%g\" y=\"%g\" "
                "text-anchor=\"middle\">%d</text>\n",
                left + (log_n - FIRST_LOG) * across, top, bottom,
                left + (log_n - FIRST_LOG) * across, bottom + 20, 1 << log_n);
    for (int s = 0; s < 2; s++) {
        fprintf(writer.stream, "<path class=\"s%d\" d=\"", s);
        for (int log_n = FIRST_LOG; log_n <= last_log; log_n++)
            fprintf(writer.stream, "%c%.1f %.1f", log_n == FIRST_LOG ? 'M' : 'L',
                    left + (log_n - FIRST_LOG) * across,
                    bottom - (log10(errors[s][log_n]) - lowest) * down);
        fprintf(writer.stream, "\"/><text class=\"s%d\" x=\"%g\" y=\"%.1f\">%s n^%.2f</text>\n", s,
                right + 8, bottom - (log10(errors[s][last_log]) - lowest) * down + 5, names[s],
                slopes[s]);
    }
    fprintf(writer.stream, "</svg>\n");
    return io_write_commit(&writer, error);
}

static int price_options(const char *prices, int paths, struct option of, unsigned seed,
                         const char *plot, struct io_error *error)
{
    /* The option of Longstaff and Schwartz's table 1 whose finite-difference price is 4.478. */
    const struct option textbook = {36, 40, 1, (REAL)0.06, (REAL)0.2, PUT};
    static unsigned directions[DATES][32];
    static double errors[2][LAST_LOG + 1];
    char date[11];
    double spot = 0, volatility = 0, slopes[2], mean, asian[2], deviation, asian_deviation = 0,
           points, slope_error;
    int last_log = FIRST_LOG, devices;

    if (read_prices(prices, &spot, date, &volatility, error))
        return IO_BAD;
    if (portable_device_count(&devices) != PORTABLE_SUCCESS)
        return io_fail(error, "%s", portable_last_message());
    while (1 << last_log < paths)
        last_log++;
    /* The logarithm of a root mean square of SAMPLES has a standard error of 1 / sqrt(2 SAMPLES). */
    points = last_log - FIRST_LOG + 1;
    slope_error = sqrt(12 / (points * (points * points - 1)) / (2 * SAMPLES)) / log(2.0);
    sobol_fill(directions);
    PORTABLE_CHECK(portable_copy_to_constant(sobol_directions, directions, sizeof directions));
    of.spot = (REAL)spot;
    of.strike = (REAL)(5 * floor(spot / 5 + 0.5));
    of.volatility = (REAL)volatility;
    printf("oil on %s: %.2f USD, volatility %.1f%% a year; rate %.1f%%, expiry in %.2f years\n",
           date, spot, 100 * volatility, 100 * (double)of.rate, (double)of.years);
    print_greeks(of);

    printf("calls at %.2f, %d paths\n", (double)of.strike, paths);
    for (int sobol = 0; sobol < 2; sobol++) {
        slopes[sobol] = convergence(sobol, last_log, seed, of, errors[sobol]);
        mean = monte_carlo(paths, sobol, seed, of, EUROPEAN, &deviation);
        asian[sobol] = monte_carlo(paths, sobol, seed, of, ASIAN, &deviation);
        asian_deviation = fmax(asian_deviation, sobol ? 0 : deviation);
        printf("%s: European %.5f, Asian %.5f, error %.1e, falls like n^%.2f\n",
               sobol ? "Sobol" : "Philox", mean, asian[sobol], errors[sobol][last_log],
               slopes[sobol]);
        verify(fabs(mean - closed_form(of)) < 5 * errors[sobol][last_log],
               "the European price is within 5 errors of the formula's, %.5f", closed_form(of));
    }
    verify(fabs(slopes[0] + 0.5) < 4 * slope_error, "the error of Philox falls like 1 / sqrt(n)");
    verify(slopes[1] < -0.9 + 4 * slope_error, "the error of Sobol falls almost like 1 / n");
    verify(fabs(asian[1] - asian[0]) < 5 * asian_deviation, "the Asian prices agree");

    printf("American puts, %d exercise dates\n", EXERCISES);
    of.kind = PUT;
    for (int k = 0; k < 2; k++) {
        const struct option put = k == 0 ? of : textbook;
        const double tree = binomial_tree(put);

        mean = longstaff_schwartz(paths, seed, put, &deviation);
        printf("at %.2f: Longstaff-Schwartz %.4f, standard error %.4f; European %.4f\n",
               (double)put.strike, mean, deviation, closed_form(put));
        verify(fabs(mean - tree) < 4 * deviation + 2e-3 * tree,
               "within 4 standard errors and 0.2%% of a binomial tree's, %.4f", tree);
    }
    if (plot && write_plot(plot, last_log, errors, slopes, error))
        return IO_BAD;
    if (failures)
        printf("options: FAILED: %d results are wrong\n", failures);
    else
        printf("options: verified: formula, rates of convergence, and binomial tree\n");
    return failures ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct option of = {0, 0, (REAL)0.25, (REAL)0.04, 0, CALL};
    const char *prices = "../data/wti-daily.csv", *plot = NULL;
    double paths = 65536, seed = 1, rate = 0.04, years = 0.25;
    struct io_error error;
    int status = 0;

    output_begin();
    for (int i = 1; i < argc && !status; i += 2) {
        const char *const name = argv[i], *const value = i + 1 < argc ? argv[i + 1] : NULL;
        double *const number = strcmp(name, "--paths") == 0   ? &paths
                               : strcmp(name, "--seed") == 0  ? &seed
                               : strcmp(name, "--rate") == 0  ? &rate
                               : strcmp(name, "--years") == 0 ? &years
                                                              : NULL;
        char *end;

        if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
            return fputs(usage, stdout), output_end("options", 0);
        if (!number && strcmp(name, "--prices") != 0 && strcmp(name, "--svg") != 0)
            status = io_fail(&error, "unknown option %s; see options --help", name);
        else if (!value)
            status = io_fail(&error, "%s needs a value", name);
        else if (!number)
            *(strcmp(name, "--svg") == 0 ? &plot : &prices) = value;
        else if (*number = strtod(value, &end), end == value || *end != '\0')
            status = io_fail(&error, "%s %s: expected a number", name, value);
    }
    of.rate = (REAL)rate;
    of.years = (REAL)years;
    if (!status && !(paths >= 4096 && paths <= 1 << LAST_LOG && log2(paths) == floor(log2(paths))))
        status = io_fail(&error, "--paths must be a power of two from 4096 to %d", 1 << LAST_LOG);
    if (!status && !(seed >= 0 && seed <= 1e9 && seed == floor(seed)))
        status = io_fail(&error, "--seed must be a whole number from 0 to 1000000000");
    if (!status && !(rate >= 0 && rate <= 1 && years >= 0.01 && years <= 5))
        status = io_fail(&error, "--rate must be from 0 to 1 and --years from 0.01 to 5");
    if (!status)
        status = price_options(prices, (int)paths, of, (unsigned)seed, plot, &error);
    if (status == IO_BAD)
        fprintf(stderr, "options: %s\n", error.text);
    return output_end("options", status);
}
