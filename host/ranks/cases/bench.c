/* SPDX-License-Identifier: BSD-3-Clause */
/* gallery-ranks bench: the time of an iteration of each case, and of single operations. After a
 * measurement to warm up, `repeats` more; all ranks begin together, and the slowest counts. */
#include "cases.h"

#include <math.h>   /* pow, round */
#include <unistd.h> /* sysconf */

/* Of all ranks together. */
struct pass {
    double seconds;       /* of the slowest rank */
    double communication; /* the mean */
    /* The most of any rank. */
    double messages, bytes, exchanges, sums, collectives;
};

struct case_bench {
    int repeats, count; /* passes that have ended, the first without a place in `passes` */
    struct pass *passes;
};

static void reduce(double *values, size_t count, enum portable_ranks_operation operation)
{
    double *device;

    PORTABLE_RANKS_CHECK(portable_malloc(&device, count * sizeof *values));
    PORTABLE_RANKS_CHECK(portable_copy_to_device(device, values, count * sizeof *values));
    PORTABLE_RANKS_CHECK(
        portable_ranks_all_reduce(device, count, PORTABLE_RANKS_DOUBLE, operation, 0));
    PORTABLE_RANKS_CHECK(portable_copy_to_host(values, device, count * sizeof *values));
    PORTABLE_RANKS_CHECK(portable_free(device));
}

static void end_pass(struct case_bench *bench, int ranks)
{
    struct portable_ranks_measurement mine;

    PORTABLE_RANKS_CHECK(portable_ranks_measure_end(&mine));
    double most[] = {mine.seconds,           (double)mine.messages, (double)mine.bytes,
                     (double)mine.exchanges, (double)mine.sums,     (double)mine.collectives};
    double communication = mine.communication;

    reduce(most, sizeof most / sizeof most[0], PORTABLE_RANKS_MAX);
    reduce(&communication, 1, PORTABLE_RANKS_SUM);
    if (bench->count++ > 0) {
        const struct pass pass = {
            most[0], communication / ranks, most[1], most[2], most[3], most[4], most[5]};

        bench->passes[bench->count - 2] = pass;
    }
}

int case_goes_on(const struct rank_options *options, int k)
{
    struct case_bench *bench = options->bench;

    if (!bench)
        return k < options->iterations;
    if (k % options->iterations != 0)
        return 1;
    if (k > 0)
        end_pass(bench, options->me.count);
    if (bench->count > bench->repeats)
        return 0;
    PORTABLE_RANKS_CHECK(portable_ranks_measure_begin());
    return 1;
}

static int by_seconds(const void *a, const void *b)
{
    const double x = ((const struct pass *)a)->seconds, y = ((const struct pass *)b)->seconds;

    return (x > y) - (x < y);
}

/* What is measured, for the output. */
struct subject {
    const char *name, *scaling, *unit;
    int n, base_n; /* with this many ranks, and with one */
    double work;
};

static const char columns[] =
    "case\tscaling\ttarget\tprecision\ttransport\tlibrary\tdevice\tcompiler\tunit\t"
    "n\tbase_n\tranks\tranks_of_machine\tcores\tdevices\titerations\trepeats\t"
    "seconds\tseconds_minimum\tseconds_maximum\tseconds_per_iteration\trate\t"
    "communication_seconds\tcommunication_share\t"
    "messages\tbytes\texchanges\tsums\tcollectives\n";

/* No text may end a field or a line. */
static void put_text(FILE *file, const char *text)
{
    for (; *text; text++)
        putc((unsigned char)*text < ' ' ? '?' : *text, file);
    putc('\t', file);
}

/* A row of the table, below the names of its columns. */
static void append(const char *path, const struct subject *subject,
                   const struct rank_options *options, const struct case_bench *bench,
                   const struct pass *median)
{
    const struct portable_ranks *me = &options->me;
    const struct pass *passes = bench->passes;
    const double each = 1.0 / options->iterations;
    struct portable_device device;
    int devices;
    FILE *file = fopen(path, "a");

    if (!file)
        portable_ranks_stop(2, "%s: cannot write", path);
    PORTABLE_RANKS_CHECK(portable_device_properties(&device));
    PORTABLE_RANKS_CHECK(portable_device_count(&devices));
    fseek(file, 0, SEEK_END);
    if (ftell(file) <= 0) /* a new file, or a pipe */
        fputs(columns, file);
    put_text(file, subject->name);
    put_text(file, subject->scaling);
    put_text(file, PORTABLE_TARGET_NAME);
    put_text(file, PORTABLE_PRECISION_DOUBLE ? "double" : "single");
    put_text(file, me->transport);
    put_text(file, me->library);
    put_text(file, device.name);
#ifdef __VERSION__
    put_text(file, __VERSION__);
#else
    put_text(file, "unknown");
#endif
    fprintf(file, "%s/s\t%d\t%d\t%d\t%d\t%ld\t%d\t%d\t%d\t", subject->unit, subject->n,
            subject->base_n, me->count, me->node_count, sysconf(_SC_NPROCESSORS_ONLN), devices,
            options->iterations, bench->repeats);
    fprintf(file, "%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.4f\t", median->seconds, passes[0].seconds,
            passes[bench->repeats - 1].seconds, median->seconds * each,
            subject->work / (median->seconds * each), median->communication * each,
            median->communication / median->seconds);
    fprintf(file, "%.6g\t%.10g\t%.6g\t%.6g\t%.6g\n", median->messages * each, median->bytes * each,
            median->exchanges * each, median->sums * each, median->collectives * each);
    if (ferror(file) | fclose(file))
        portable_ranks_stop(2, "%s: cannot write", path);
}

static struct case_bench begin(int repeats)
{
    const struct case_bench bench = {
        repeats, 0, (struct pass *)case_memory((size_t)repeats, sizeof *bench.passes)};

    return bench;
}

/* Prints the passes, and frees them. */
static void report(const char *results, const struct subject *subject,
                   const struct rank_options *options, struct case_bench *bench)
{
    const double each = 1.0 / options->iterations;

    if (bench->count <= bench->repeats)
        portable_ranks_stop(2,
                            "%s: it ended after %d of %d measurements, as it has converged; "
                            "give it fewer --iterations or a larger --n",
                            subject->name, bench->count, bench->repeats + 1);
    if (options->me.rank == 0) {
        qsort(bench->passes, (size_t)bench->repeats, sizeof *bench->passes, by_seconds);
        const struct pass *median = &bench->passes[bench->repeats / 2];
        const struct pass *slowest = &bench->passes[bench->repeats - 1];
        const double seconds = median->seconds;

        printf("%-10s n = %-10d %4d rank%s by %-6s %9.4f s %11.2f us +- %4.1f%% %9.3g %s/s, "
               "%5.1f%% communication, %.6g messages, %.10g bytes\n",
               subject->name, subject->n, options->me.count, options->me.count == 1 ? " " : "s",
               options->me.transport, seconds, 1e6 * seconds * each,
               50 * (slowest->seconds - bench->passes[0].seconds) / seconds,
               subject->work / (seconds * each), subject->unit,
               100 * median->communication / seconds, median->messages * each,
               median->bytes * each);
        fflush(stdout);
        if (results)
            append(results, subject, options, bench, median);
    }
    free(bench->passes);
}

/* Messages of several sizes between pairs of ranks, both ways at once; one rank sends to itself. */
static void measure_messages(struct rank_options *options, const struct bench_options *settings)
{
    const int partner = options->me.rank ^ 1;
    const int peer = partner < options->me.count ? partner : options->me.rank;

    for (int bytes = 8; bytes <= 1 << 24; bytes *= 8) {
        const struct portable_region region = {0, (size_t)bytes / 4, 1, 0, NULL};
        const struct portable_message message = {peer, peer, region, region};
        const struct subject subject = {"exchange", "none", "bytes", bytes, bytes, (double)bytes};
        struct case_bench bench = begin(settings->repeats);
        struct portable_exchange *exchange;
        REAL *from = case_device_reals((size_t)bytes / sizeof *from, NULL);
        REAL *to = case_device_reals((size_t)bytes / sizeof *to, NULL);

        options->bench = &bench;
        options->iterations = bytes <= 1 << 16 ? 100 : 10;
        PORTABLE_RANKS_CHECK(portable_memset(from, 0, (size_t)bytes));
        PORTABLE_RANKS_CHECK(portable_exchange_create(&exchange, 4, 1, &message));
        for (int k = 0; case_goes_on(options, k); k++) {
            PORTABLE_RANKS_CHECK(portable_exchange_begin(exchange, from, to, 0));
            PORTABLE_RANKS_CHECK(portable_exchange_wait(exchange, 0));
        }
        report(settings->results, &subject, options, &bench);
        PORTABLE_RANKS_CHECK(portable_exchange_destroy(exchange));
        PORTABLE_RANKS_CHECK(portable_free(from));
        PORTABLE_RANKS_CHECK(portable_free(to));
    }
}

/* Broadcasts, integer sums and exact sums, of a few elements of each rank. */
static void measure_collectives(struct rank_options *options, const struct bench_options *settings)
{
    enum { EACH = 256 };
    const int count = EACH * options->me.count;
    const size_t bytes = EACH * sizeof(int);
    long long *starts = (long long *)case_memory((size_t)options->me.count + 1, sizeof *starts);
    REAL *x = case_device_reals(EACH, NULL), sum;
    int *numbers = case_device_ints(EACH, NULL);

    portable_partition_even(count, options->me.count, starts);
    PORTABLE_RANKS_CHECK(portable_memset(x, 0, EACH * sizeof *x));
    PORTABLE_RANKS_CHECK(portable_memset(numbers, 0, bytes));
    options->iterations = 100;
    for (int which = 0; which < 3; which++) {
        static const char *const names[] = {"broadcast", "all_reduce", "sum"};
        const int n = which < 2 ? EACH : count;
        const struct subject subject = {names[which], "none", "elements", n, n, (double)n};
        struct case_bench bench = begin(settings->repeats);

        options->bench = &bench;
        for (int k = 0; case_goes_on(options, k); k++)
            if (which == 0)
                PORTABLE_RANKS_CHECK(portable_ranks_broadcast(numbers, bytes, 0, 0));
            else if (which == 1)
                PORTABLE_RANKS_CHECK(portable_ranks_all_reduce(numbers, EACH, PORTABLE_RANKS_INT,
                                                               PORTABLE_RANKS_MAX, 0));
            else
                PORTABLE_RANKS_CHECK(portable_ranks_sum(x, NULL, starts, 0, &sum));
        report(settings->results, &subject, options, &bench);
    }
    PORTABLE_RANKS_CHECK(portable_free(x));
    PORTABLE_RANKS_CHECK(portable_free(numbers));
    free(starts);
}

void case_measure(const struct rank_case *which, struct rank_options options,
                  const struct bench_options *settings)
{
    if (!which) {
        measure_messages(&options, settings);
        measure_collectives(&options, settings);
        return;
    }
    if (options.n < 0)
        options.n = which->n;
    const int base_n = options.n;
    if (options.iterations < 0)
        options.iterations = which->iterations > 10  ? 10
                             : which->iterations > 0 ? which->iterations
                                                     : 1;
    if (settings->is_weak) {
        const double n = round(options.n * pow(options.me.count, 1.0 / which->power));

        if (n > 1 << 30)
            portable_ranks_stop(2, "%s: --n %d is too large for %d ranks with --weak", which->name,
                                options.n, options.me.count);
        options.n = (int)n;
    }
    const struct subject subject = {which->name, settings->is_weak ? "weak" : "strong",
                                    which->unit, options.n,
                                    base_n,      which->work(options.n)};
    struct case_bench bench = begin(settings->repeats);

    options.bench = &bench;
    which->run(&options);
    report(settings->results, &subject, &options, &bench);
}
