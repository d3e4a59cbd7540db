/* SPDX-License-Identifier: BSD-3-Clause */
/* portable_algorithms.h: the calls that are timed, and in a check those of the other types. */
#include "portable_algorithms.h"

#include "host/case.h"

#include <float.h>  /* FLT_EPSILON */
#include <limits.h> /* UINT_MAX */
#include <math.h>   /* fabs */
#include <string.h> /* memcpy */

/* run_roundings, of floats and of doubles whatever REAL is. */
#define FLOAT_ROUNDINGS(k) (run_roundings(k) * ((double)FLT_EPSILON / (double)REAL_EPSILON))
#define DOUBLE_ROUNDINGS(k) (run_roundings(2 * (k)) * (DBL_EPSILON / (double)REAL_EPSILON))

/* The longest chain of additions in a sum of up to 2^28 elements, and of the reference, which adds
 * one after another in double precision. */
#define SUM_ROUNDINGS 64

/* A run's array for temporary memory, which is large enough for each of the calls, as the workspace
 * of what is timed. A check has none: the calls allocate. */
static void make_workspace(struct run *run, size_t bytes)
{
    run->grid = DIM3(1, 1, 1);
    if (run->timing)
        run_scratch_array(run, "memory", ARRAY_UINT8, bytes + (1 << 20));
}

static struct portable_workspace *workspace_of(const struct run *run)
{
    static struct portable_workspace workspace;

    if (!run->timing)
        return NULL;
    workspace.memory = run_device(run, "memory");
    workspace.bytes = 1 << 20;
    for (int k = 0; k < run->array_count; k++)
        if (strcmp(run->arrays[k].name, "memory") == 0)
            workspace.bytes = run->arrays[k].host.shape[0];
    return &workspace;
}

/* Makes integers below 2^bits of either sign, and unsigned ones. */
static void make_integers(struct run *run, int bits)
{
    const size_t n = (size_t)run->n;
    int *i = run_input_int(run, "i", n);
    unsigned *u = (unsigned *)run_input_array(run, "u", ARRAY_UINT32, n);

    RUN_FILL(i, k, n)
        i[k] = (int)((run_random(run, "i", k) >> (31 - bits)) - (1u << bits));
    RUN_FILL(u, k, n)
        u[k] = run_random(run, "u", k) >> (31 - bits);
}

static void make_doubles(struct run *run)
{
    const size_t n = (size_t)run->n;
    double *d = (double *)run_input_array(run, "d", ARRAY_FLOAT64, n);

    RUN_FILL(d, k, n)
        d[k] = run_random(run, "d", k) / 2147483648.0 - 1;
}

/* The first failure of several calls. */
static void then(portable_status *status, portable_status next)
{
    if (*status == PORTABLE_SUCCESS)
        *status = next;
}

/* 1 if a run has the timed call alone: to time, and at sizes that are there for the groups of
 * tiles, to which types make no difference. */
static int alone(const struct run *run)
{
    return run->timing || run->n > 1 << 20;
}

/* ---- sums ---- */

static int prepare_sum(struct run *run, struct io_error *error)
{
    const size_t one = 1;

    make_workspace(run, (size_t)run->n / 1024);
    run_input_float(run, "x", (size_t)run->n);
    run_output_float(run, "sum", 1, &one, OWNER_NONE);
    if (!alone(run)) {
        make_integers(run, 30);
        make_doubles(run);
        run_output_array(run, "sum_d", ARRAY_FLOAT64, 1, OWNER_NONE);
        run_output_array(run, "sum_i", ARRAY_INT64, 1, OWNER_NONE);
        run_output_array(run, "sum_u", ARRAY_UINT64, 1, OWNER_NONE);
    }
    run->bytes = run->n * (double)sizeof(float);
    run->flops = run->n;
    return run_ready(run, error);
}

static portable_status launch_sum(struct run *run)
{
    const size_t n = (size_t)run->n;
    struct portable_workspace *work = workspace_of(run);
    portable_status status =
        portable_sum_float(n, DEVICE_FLOATS("x"), DEVICE_FLOATS("sum"), work, 0);

    if (!alone(run)) {
        then(&status,
             portable_sum_double(n, DEVICE_DOUBLES("d"), DEVICE_DOUBLES("sum_d"), work, 0));
        then(&status, portable_sum_int(n, DEVICE_INTS("i"), DEVICE_LONGS("sum_i"), work, 0));
        then(&status,
             portable_sum_unsigned(n, DEVICE_WORDS("u"), DEVICE_LONG_WORDS("sum_u"), work, 0));
    }
    return status;
}

static void reference_sum(struct run *run)
{
    double sum = 0, size = 0, sum_d = 0, size_d = 0, sum_i = 0, sum_u = 0;

    for (int k = 0; k < run->n; k++) {
        const double x = (double)HOST_FLOATS("x")[k];
        sum += x;
        size += fabs(x);
        if (alone(run))
            continue;
        sum_d += HOST_DOUBLES("d")[k];
        size_d += fabs(HOST_DOUBLES("d")[k]);
        sum_i += HOST_INTS("i")[k];
        sum_u += HOST_WORDS("u")[k];
    }
    run_expect(run, "sum", 0, sum, FLOAT_ROUNDINGS(SUM_ROUNDINGS) * size);
    if (alone(run))
        return;
    run_expect(run, "sum_d", 0, sum_d, DOUBLE_ROUNDINGS(SUM_ROUNDINGS + run->n) * size_d);
    run_expect(run, "sum_i", 0, sum_i, 0);
    run_expect(run, "sum_u", 0, sum_u, 0);
}

static void baseline_sum(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT x = HOST_FLOATS("x");
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i];
    HOST_FLOATS("sum")[0] = sum;
}

/* ---- minima and maxima ---- */

static int prepare_max(struct run *run, struct io_error *error)
{
    const size_t two = alone(run) ? 1 : 2;

    make_workspace(run, (size_t)run->n / 1024);
    run_input_float(run, "x", (size_t)run->n);
    run_output_float(run, "most", 1, &two, OWNER_NONE);
    if (!alone(run)) {
        make_integers(run, 31);
        make_doubles(run);
        run_output_array(run, "most_d", ARRAY_FLOAT64, 2, OWNER_NONE);
        run_output_array(run, "most_i", ARRAY_INT32, 2, OWNER_NONE);
        run_output_array(run, "most_u", ARRAY_UINT32, 2, OWNER_NONE);
    }
    run->bytes = run->n * (double)sizeof(float);
    return run_ready(run, error);
}

static portable_status launch_max(struct run *run)
{
    const size_t n = (size_t)run->n;
    struct portable_workspace *work = workspace_of(run);
    float *most = DEVICE_FLOATS("most");
    portable_status status = portable_max_float(n, DEVICE_FLOATS("x"), most, work, 0);

    if (!alone(run)) {
        double *most_d = DEVICE_DOUBLES("most_d");
        int *most_i = DEVICE_INTS("most_i");
        unsigned *most_u = DEVICE_WORDS("most_u");

        then(&status, portable_min_float(n, DEVICE_FLOATS("x"), most + 1, work, 0));
        then(&status, portable_max_double(n, DEVICE_DOUBLES("d"), most_d, work, 0));
        then(&status, portable_min_double(n, DEVICE_DOUBLES("d"), most_d + 1, work, 0));
        then(&status, portable_max_int(n, DEVICE_INTS("i"), most_i, work, 0));
        then(&status, portable_min_int(n, DEVICE_INTS("i"), most_i + 1, work, 0));
        then(&status, portable_max_unsigned(n, DEVICE_WORDS("u"), most_u, work, 0));
        then(&status, portable_min_unsigned(n, DEVICE_WORDS("u"), most_u + 1, work, 0));
    }
    return status;
}

#define EXPECT_MOST(name, x)                                                                       \
    do {                                                                                           \
        double largest = (double)(x)[0], least = (double)(x)[0];                                   \
        for (int k = 1; k < run->n; k++) {                                                         \
            largest = fmax(largest, (double)(x)[k]);                                               \
            least = fmin(least, (double)(x)[k]);                                                   \
        }                                                                                          \
        run_expect(run, name, 0, largest, 0);                                                      \
        if (!alone(run))                                                                           \
            run_expect(run, name, 1, least, 0);                                                    \
    } while (0)

static void reference_max(struct run *run)
{
    EXPECT_MOST("most", HOST_FLOATS("x"));
    if (alone(run))
        return;
    EXPECT_MOST("most_d", HOST_DOUBLES("d"));
    EXPECT_MOST("most_i", HOST_INTS("i"));
    EXPECT_MOST("most_u", HOST_WORDS("u"));
}

static void baseline_max(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT x = HOST_FLOATS("x");
    float most = x[0];

    for (int i = 1; i < n; i++)
        most = x[i] > most ? x[i] : most;
    HOST_FLOATS("most")[0] = most;
}

/* ---- prefix sums ---- */

static int prepare_scan(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;

    make_workspace(run, n / 64);
    run_input_float(run, "x", n);
    run_output_float(run, "sums", 1, &n, OWNER_NONE);
    if (!alone(run)) {
        const size_t before = n > 0 ? n - 1 : 0;

        make_integers(run, 4);
        make_doubles(run);
        run_output_float(run, "before", 1, &before, OWNER_NONE);
        run_output_array(run, "sums_d", ARRAY_FLOAT64, n, OWNER_NONE);
        run_output_array(run, "before_d", ARRAY_FLOAT64, n, OWNER_NONE);
        run_output_array(run, "sums_i", ARRAY_INT32, n, OWNER_NONE);
        run_output_array(run, "before_i", ARRAY_INT32, n, OWNER_NONE);
        run_output_array(run, "sums_u", ARRAY_UINT32, n, OWNER_NONE);
        run_output_array(run, "before_u", ARRAY_UINT32, n, OWNER_NONE);
    }
    run->bytes = 2.0 * run->n * sizeof(float);
    run->flops = run->n;
    return run_ready(run, error);
}

/* One exclusive scan begins at the second element: it is not aligned to 16 bytes. */
static portable_status launch_scan(struct run *run)
{
    const size_t n = (size_t)run->n;
    struct portable_workspace *work = workspace_of(run);
    portable_status status =
        portable_scan_inclusive_float(n, DEVICE_FLOATS("x"), DEVICE_FLOATS("sums"), work, 0);

    if (alone(run))
        return status;
    if (n > 0)
        then(&status, portable_scan_exclusive_float(n - 1, DEVICE_FLOATS("x") + 1,
                                                    DEVICE_FLOATS("before"), work, 0));
    then(&status,
         portable_scan_inclusive_double(n, DEVICE_DOUBLES("d"), DEVICE_DOUBLES("sums_d"), work, 0));
    then(&status, portable_scan_exclusive_double(n, DEVICE_DOUBLES("d"), DEVICE_DOUBLES("before_d"),
                                                 work, 0));
    then(&status, portable_scan_inclusive_int(n, DEVICE_INTS("i"), DEVICE_INTS("sums_i"), work, 0));
    then(&status,
         portable_scan_exclusive_int(n, DEVICE_INTS("i"), DEVICE_INTS("before_i"), work, 0));
    then(&status,
         portable_scan_inclusive_unsigned(n, DEVICE_WORDS("u"), DEVICE_WORDS("sums_u"), work, 0));
    then(&status,
         portable_scan_exclusive_unsigned(n, DEVICE_WORDS("u"), DEVICE_WORDS("before_u"), work, 0));
    return status;
}

static void reference_scan(struct run *run)
{
    double sum = 0, size = 0, before = 0, sum_d = 0, size_d = 0, sum_i = 0, sum_u = 0;

    for (int k = 0; k < run->n; k++) {
        const size_t at = (size_t)k;
        const double x = (double)HOST_FLOATS("x")[k];

        sum += x;
        size += fabs(x);
        run_expect(run, "sums", at, sum, FLOAT_ROUNDINGS(SUM_ROUNDINGS) * size);
        if (alone(run))
            continue;
        if (k > 0) {
            run_expect(run, "before", at - 1, before, FLOAT_ROUNDINGS(SUM_ROUNDINGS) * size);
            before += x;
        }
        run_expect(run, "before_d", at, sum_d, DOUBLE_ROUNDINGS(SUM_ROUNDINGS + k) * size_d);
        run_expect(run, "before_i", at, sum_i, 0);
        run_expect(run, "before_u", at, sum_u, 0);
        sum_d += HOST_DOUBLES("d")[k];
        size_d += fabs(HOST_DOUBLES("d")[k]);
        sum_i += HOST_INTS("i")[k];
        sum_u += HOST_WORDS("u")[k];
        run_expect(run, "sums_d", at, sum_d, DOUBLE_ROUNDINGS(SUM_ROUNDINGS + k) * size_d);
        run_expect(run, "sums_i", at, sum_i, 0);
        run_expect(run, "sums_u", at, sum_u, 0);
    }
}

static void baseline_scan(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT x = HOST_FLOATS("x");
    float *RESTRICT sums = HOST_FLOATS("sums");
    float sum = 0;

    for (int i = 0; i < n; i++)
        sums[i] = sum += x[i];
}

/* ---- selections ---- */

static const float threshold = 0.25f;

/* Elements are uniform in [-1, 1): so many bytes are read, and of those that are kept written. */
static int prepare_select(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;

    make_workspace(run, n / 64);
    run_input_float(run, "x", n);
    run_output_float(run, "packed", 1, &n, OWNER_NONE);
    run_output_array(run, "count", ARRAY_UINT64, alone(run) ? 1 : 4, OWNER_NONE);
    if (!alone(run)) {
        unsigned char *flags = run_input_bytes(run, "flags", 1, &n);

        RUN_FILL(flags, k, n)
            flags[k] = run_random(run, "flags", k) % 3 == 0 ? (unsigned char)(k % 7) : 0;
        make_integers(run, 4);
        make_doubles(run);
        run_output_array(run, "packed_d", ARRAY_FLOAT64, n, OWNER_NONE);
        run_output_array(run, "packed_i", ARRAY_INT32, n, OWNER_NONE);
        run_output_array(run, "packed_u", ARRAY_UINT32, n, OWNER_NONE);
    }
    run->bytes = (1 + (1 - (double)threshold) / 2) * run->n * sizeof(float);
    return run_ready(run, error);
}

/* A check fills the places of the elements left out with zeros; what is timed does not. */
static portable_status clear(struct run *run, const char *name, size_t size)
{
    return portable_memset(run_device(run, name), 0, (size_t)run->n * size);
}

static portable_status launch_select(struct run *run)
{
    const size_t n = (size_t)run->n;
    struct portable_workspace *work = workspace_of(run);
    unsigned long long *count = DEVICE_LONG_WORDS("count"), on_host = 0;
    portable_status status = PORTABLE_SUCCESS;

    if (!run->timing)
        then(&status, clear(run, "packed", sizeof(float)));
    if (!alone(run)) {
        then(&status, clear(run, "packed_d", sizeof(double)));
        then(&status, clear(run, "packed_i", sizeof(int)));
        then(&status, clear(run, "packed_u", sizeof(int)));
    }
    then(&status, portable_select_where_float(n, DEVICE_FLOATS("x"), PORTABLE_GREATER, threshold,
                                              DEVICE_FLOATS("packed"), count, work, 0));
    if (alone(run))
        return status;
    then(&status, portable_select_double(n, DEVICE_DOUBLES("d"), DEVICE_BYTES("flags"),
                                         DEVICE_DOUBLES("packed_d"), count + 1, work, 0));
    then(&status, portable_select_where_int(n, DEVICE_INTS("i"), PORTABLE_NOT_EQUAL, 3,
                                            DEVICE_INTS("packed_i"), &on_host, work, 0));
    then(&status, portable_copy_to_device(count + 2, &on_host, sizeof on_host));
    /* From the second element: not aligned. */
    then(&status, portable_select_unsigned(n > 0 ? n - 1 : 0, DEVICE_WORDS("u") + (n > 0),
                                           DEVICE_BYTES("flags") + (n > 0),
                                           DEVICE_WORDS("packed_u"), count + 3, work, 0));
    return status;
}

#define EXPECT_SELECTED(name, index, first, x, condition)                                          \
    do {                                                                                           \
        size_t kept = 0;                                                                           \
        for (int k = first; k < run->n; k++)                                                       \
            if (condition)                                                                         \
                run_expect(run, name, kept++, (double)(x)[k], 0);                                  \
        run_expect(run, "count", index, (double)kept, 0);                                          \
        for (; kept < (size_t)run->n; kept++)                                                      \
            run_expect(run, name, kept, 0, 0);                                                     \
    } while (0)

static void reference_select(struct run *run)
{
    const unsigned char *flags;

    EXPECT_SELECTED("packed", 0, 0, HOST_FLOATS("x"), HOST_FLOATS("x")[k] > threshold);
    if (alone(run))
        return;
    flags = HOST_BYTES("flags");
    EXPECT_SELECTED("packed_d", 1, 0, HOST_DOUBLES("d"), flags[k] != 0);
    EXPECT_SELECTED("packed_i", 2, 0, HOST_INTS("i"), HOST_INTS("i")[k] != 3);
    EXPECT_SELECTED("packed_u", 3, 1, HOST_WORDS("u"), flags[k] != 0);
}

static void baseline_select(struct run *run)
{
    const int n = run->n;
    const float *RESTRICT x = HOST_FLOATS("x");
    float *RESTRICT packed = HOST_FLOATS("packed");
    unsigned long long kept = 0;

    for (int i = 0; i < n; i++)
        if (x[i] > threshold)
            packed[kept++] = x[i];
    HOST_LONG_WORDS("count")[0] = kept;
}

/* ---- histograms ---- */

enum { EVEN_BINS = 100, MANY_BINS = 10000 };

/* Low bytes are the most frequent, as in a dark image. */
static int prepare_histogram(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;
    unsigned char *x = run_input_bytes(run, "x", 1, &n);

    RUN_FILL(x, i, n) {
        const unsigned random = run_random(run, "x", i);
        x[i] = (unsigned char)((random & 255) * (random >> 8 & 255) >> 8);
    }
    run->grid = DIM3(1, 1, 1);
    run_output_array(run, "counts", ARRAY_UINT64, 256, OWNER_NONE);
    if (!alone(run)) {
        run_input_float(run, "y", n);
        run_output_array(run, "even", ARRAY_UINT64, EVEN_BINS, OWNER_NONE);
        run_output_array(run, "many", ARRAY_UINT64, MANY_BINS, OWNER_NONE);
    }
    run->bytes = run->n;
    return run_ready(run, error);
}

/* A check begins at a byte that is not aligned. */
static int skipped(const struct run *run)
{
    return run->timing || run->n < 5 ? 0 : 5;
}

static portable_status launch_histogram(struct run *run)
{
    const size_t n = (size_t)run->n, skip = (size_t)skipped(run);
    portable_status status = portable_histogram_bytes(n - skip, DEVICE_BYTES("x") + skip,
                                                      DEVICE_LONG_WORDS("counts"), 0);

    if (!alone(run)) {
        then(&status, portable_histogram_float(n, DEVICE_FLOATS("y"), -0.75f, 0.5f, EVEN_BINS,
                                               DEVICE_LONG_WORDS("even"), 0));
        then(&status, portable_histogram_float(n, DEVICE_FLOATS("y"), -1, 1, MANY_BINS,
                                               DEVICE_LONG_WORDS("many"), 0));
    }
    return status;
}

static void expect_even(struct run *run, const char *name, float low, float high, int bins)
{
    static int counts[MANY_BINS];
    const float *y = HOST_FLOATS("y");

    memset(counts, 0, sizeof counts);
    for (int k = 0; k < run->n; k++)
        if (y[k] >= low && y[k] < high) {
            const float scaled = (y[k] - low) * ((float)bins / (high - low));
            counts[scaled < (float)bins ? (int)scaled : bins - 1]++;
        }
    for (int bin = 0; bin < bins; bin++)
        run_expect(run, name, (size_t)bin, counts[bin], 0);
}

static void reference_histogram(struct run *run)
{
    const unsigned char *x = HOST_BYTES("x");
    int counts[256] = {0};

    for (int k = skipped(run); k < run->n; k++)
        counts[x[k]]++;
    for (int bin = 0; bin < 256; bin++)
        run_expect(run, "counts", (size_t)bin, counts[bin], 0);
    if (alone(run))
        return;
    expect_even(run, "even", -0.75f, 0.5f, EVEN_BINS);
    expect_even(run, "many", -1, 1, MANY_BINS);
}

static void baseline_histogram(struct run *run)
{
    const int n = run->n;
    const unsigned char *RESTRICT x = HOST_BYTES("x");
    unsigned long long *RESTRICT counts = HOST_LONG_WORDS("counts");

    for (int bin = 0; bin < 256; bin++)
        counts[bin] = 0;
    for (int i = 0; i < n; i++)
        counts[x[i]]++;
}

/* ---- sorts ---- */

static int prepare_sort(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;
    unsigned *keys;

    make_workspace(run, 5 * n);
    keys = (unsigned *)run_update_array(run, "keys", ARRAY_UINT32, n, OWNER_NONE);
    RUN_FILL(keys, k, n)
        keys[k] = run_random(run, "keys", k);
    if (run->timing) {
        run_scratch_array(run, "baseline", ARRAY_UINT32, n); /* for baseline_sort */
    } else {
        int *i = (int *)run_update_array(run, "i", ARRAY_INT32, n, OWNER_NONE);
        double *d = (double *)run_update_array(run, "d", ARRAY_FLOAT64, n, OWNER_NONE);
        long long *l = (long long *)run_update_array(run, "l", ARRAY_INT64, n, OWNER_NONE);

        run_update_float(run, "f", n, OWNER_NONE);
        RUN_FILL(i, k, n)
            i[k] = (int)(run_random(run, "i", k) >> 8) - (1 << 23);
        RUN_FILL(d, k, n)
            d[k] = run_random(run, "d", k) / 2147483648.0 - 1;
        RUN_FILL(l, k, n)
            l[k] = ((long long)run_random(run, "l", k) << 16) - (1ll << 47);
    }
    run->bytes = (1 + 2.0 * sizeof *keys) * run->n * sizeof *keys;
    return run_ready(run, error);
}

static portable_status launch_sort(struct run *run)
{
    const size_t n = (size_t)run->n;
    struct portable_workspace *work = workspace_of(run);
    portable_status status = portable_sort_unsigned(n, DEVICE_WORDS("keys"), work, 0);

    if (!run->timing) {
        then(&status, portable_sort_int(n, DEVICE_INTS("i"), work, 0));
        then(&status, portable_sort_float(n, DEVICE_FLOATS("f"), work, 0));
        then(&status, portable_sort_double(n, DEVICE_DOUBLES("d"), work, 0));
        then(&status, portable_sort_long_long(n, DEVICE_LONGS("l"), work, 0));
    }
    return status;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

#define EXPECT_SORTED(name, x)                                                                     \
    do {                                                                                           \
        double *sorted = (double *)malloc((size_t)run->n * sizeof *sorted + 1);                    \
        if (!sorted) {                                                                             \
            run_lacks(run, name, (size_t)run->n * sizeof *sorted);                                 \
            return;                                                                                \
        }                                                                                          \
        for (int k = 0; k < run->n; k++)                                                           \
            sorted[k] = (double)(x)[k];                                                            \
        qsort(sorted, (size_t)run->n, sizeof *sorted, compare_doubles);                            \
        for (int k = 0; k < run->n; k++)                                                           \
            run_expect(run, name, (size_t)k, sorted[k], 0);                                        \
        free(sorted);                                                                              \
    } while (0)

static void reference_sort(struct run *run)
{
    EXPECT_SORTED("keys", HOST_WORDS("keys"));
    if (run->timing)
        return;
    EXPECT_SORTED("i", HOST_INTS("i"));
    EXPECT_SORTED("f", HOST_FLOATS("f"));
    EXPECT_SORTED("d", HOST_DOUBLES("d"));
    EXPECT_SORTED("l", HOST_LONGS("l"));
}

/* A radix sort by bytes, the least significant first. */
static void baseline_sort(struct run *run)
{
    const int n = run->n;
    unsigned *from = HOST_WORDS("keys"), *to = HOST_WORDS("baseline");
    int starts[4][256] = {{0}};

    for (int i = 0; i < n; i++)
        for (int pass = 0; pass < 4; pass++)
            starts[pass][from[i] >> 8 * pass & 255]++;
    for (int pass = 0; pass < 4; pass++) {
        unsigned *const other = from;
        int start = 0;

        for (int digit = 0; digit < 256; digit++) {
            const int count = starts[pass][digit];
            starts[pass][digit] = start;
            start += count;
        }
        for (int i = 0; i < n; i++)
            to[starts[pass][from[i] >> 8 * pass & 255]++] = from[i];
        from = to;
        to = other;
    }
}

/* Keys of 10 bits, so that most are equal: the values tell whether the sort is stable. */
static int prepare_pairs(struct run *run, struct io_error *error)
{
    const size_t n = (size_t)run->n;
    unsigned *keys, *values;

    make_workspace(run, 9 * n);
    keys = (unsigned *)run_update_array(run, "keys", ARRAY_UINT32, n, OWNER_NONE);
    values = (unsigned *)run_update_array(run, "values", ARRAY_UINT32, n, OWNER_NONE);
    RUN_FILL(keys, k, n)
        keys[k] = run->timing ? run_random(run, "keys", k)
                              : (run_random(run, "keys", k) & 1023) * 0x00200801u;
    RUN_FILL(values, k, n)
        values[k] = (unsigned)k;
    if (run->timing) {
        run_scratch_array(run, "baseline", ARRAY_UINT32, n); /* for baseline_pairs */
        run_scratch_array(run, "baseline_values", ARRAY_UINT32, n);
    } else {
        unsigned long long *l =
            (unsigned long long *)run_update_array(run, "l", ARRAY_UINT64, n, OWNER_NONE);
        unsigned *of_l = (unsigned *)run_update_array(run, "of_l", ARRAY_UINT32, n, OWNER_NONE);

        RUN_FILL(l, k, n)
            l[k] = (run_random(run, "l", k) & 1023ull) << 41;
        RUN_FILL(of_l, k, n)
            of_l[k] = (unsigned)k;
    }
    run->bytes = (1 + 4.0 * sizeof *keys) * run->n * sizeof *keys;
    return run_ready(run, error);
}

static portable_status launch_pairs(struct run *run)
{
    const size_t n = (size_t)run->n;
    struct portable_workspace *work = workspace_of(run);
    portable_status status =
        portable_sort_pairs_unsigned(n, DEVICE_WORDS("keys"), DEVICE_WORDS("values"), work, 0);

    if (!run->timing)
        then(&status, portable_sort_pairs_unsigned_long_long(n, DEVICE_LONG_WORDS("l"),
                                                             DEVICE_WORDS("of_l"), work, 0));
    return status;
}

/* By counting: keys are one of 1024. */
#define EXPECT_PAIRS(keys, values, x, number)                                                      \
    do {                                                                                           \
        int starts[1025] = {0};                                                                    \
        for (int k = 0; k < run->n; k++)                                                           \
            starts[1 + (number)]++;                                                                \
        for (int key = 0; key < 1024; key++)                                                       \
            starts[key + 1] += starts[key];                                                        \
        for (int k = 0; k < run->n; k++) {                                                         \
            const size_t at = (size_t)starts[number]++;                                            \
            run_expect(run, keys, at, (double)(x)[k], 0);                                          \
            run_expect(run, values, at, k, 0);                                                     \
        }                                                                                          \
    } while (0)

static void reference_pairs(struct run *run)
{
    if (run->timing)
        return;
    EXPECT_PAIRS("keys", "values", HOST_WORDS("keys"), HOST_WORDS("keys")[k] & 1023);
    EXPECT_PAIRS("l", "of_l", HOST_LONG_WORDS("l"), HOST_LONG_WORDS("l")[k] >> 41);
}

static void baseline_pairs(struct run *run)
{
    const int n = run->n;
    unsigned *from = HOST_WORDS("keys"), *to = HOST_WORDS("baseline");
    unsigned *values = HOST_WORDS("values"), *to_values = HOST_WORDS("baseline_values");
    int starts[4][256] = {{0}};

    for (int i = 0; i < n; i++)
        for (int pass = 0; pass < 4; pass++)
            starts[pass][from[i] >> 8 * pass & 255]++;
    for (int pass = 0; pass < 4; pass++) {
        unsigned *const other = from, *const other_values = values;
        int start = 0;

        for (int digit = 0; digit < 256; digit++) {
            const int count = starts[pass][digit];
            starts[pass][digit] = start;
            start += count;
        }
        for (int i = 0; i < n; i++) {
            const int at = starts[pass][from[i] >> 8 * pass & 255]++;
            to[at] = from[i];
            to_values[at] = values[i];
        }
        from = to;
        to = other;
        values = to_values;
        to_values = other_values;
    }
}

/* clang-format off */
#define BLOCK {{256}}
/* A tile, one element more, several tiles, and more than a group of tiles in front of the last. */
#define TILES {0, 1, 33, 8191, 8192, 65537, 4300003}

static const struct gallery_case cases[] = {
    {.family = "algorithms", .name = "array_sum", .summary = "portable_sum_float and other types",
     .blocks = BLOCK, .sizes = {0, 1, 33, 1000, 16384, 300007}, .timing_n = 1 << 24,
     .prepare = prepare_sum, .launch = launch_sum, .reference = reference_sum, .baseline = baseline_sum},
    {.family = "algorithms", .name = "array_max", .summary = "portable_max_float and other types",
     .blocks = BLOCK, .sizes = {1, 33, 1000, 16384, 300007}, .timing_n = 1 << 24,
     .prepare = prepare_max, .launch = launch_max, .reference = reference_max, .baseline = baseline_max},
    {.family = "algorithms", .name = "array_scan",
     .summary = "portable_scan_inclusive_float and other types",
     .blocks = BLOCK, .sizes = TILES, .timing_n = 1 << 24,
     .prepare = prepare_scan, .launch = launch_scan, .reference = reference_scan,
     .baseline = baseline_scan},
    {.family = "algorithms", .name = "array_select",
     .summary = "portable_select_where_float and other types",
     .blocks = BLOCK, .sizes = TILES, .timing_n = 1 << 24,
     .prepare = prepare_select, .launch = launch_select, .reference = reference_select,
     .baseline = baseline_select},
    {.family = "algorithms", .name = "array_histogram",
     .summary = "portable_histogram_bytes, and even bins",
     .blocks = BLOCK, .timing_n = 1 << 24,
     .prepare = prepare_histogram, .launch = launch_histogram, .reference = reference_histogram,
     .baseline = baseline_histogram},
    {.family = "algorithms", .name = "array_sort",
     .summary = "portable_sort_unsigned and other types",
     .blocks = BLOCK, .sizes = {0, 1, 33, 1000, 7680, 7681, 65537}, .timing_n = 1 << 24,
     .prepare = prepare_sort, .launch = launch_sort, .reference = reference_sort,
     .baseline = baseline_sort},
    {.family = "algorithms", .name = "array_sort_pairs",
     .summary = "portable_sort_pairs_unsigned, and 64-bit keys",
     .blocks = BLOCK, .sizes = {0, 1, 33, 1000, 6144, 6145, 65537}, .timing_n = 1 << 24,
     .prepare = prepare_pairs, .launch = launch_pairs, .reference = reference_pairs,
     .baseline = baseline_pairs},
};
/* clang-format on */
GALLERY_CASES(cases)
