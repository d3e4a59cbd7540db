/* SPDX-License-Identifier: BSD-3-Clause */
/* The layer for many ranks, by mpiexec with any number of them:
 *
 *     test_ranks SCRATCH      prints "passed" and exits with 0, or stops at the first wrong result
 *     test_ranks fail HOW     the last rank fails by HOW in the middle of an exchange: check, exit,
 *                             stop or crash
 *     test_ranks agree        rank 1 alone has no memory for a plan
 *     test_ranks refused      portable_ranks_begin fails, and the program goes on to its end
 *     test_ranks vain         MPI fails on rank 0 in the middle of a begin: faults.c makes it so */
#define _POSIX_C_SOURCE 200809L /* pause */
#include "host/npy.h"
#include "portable_ranks.h"

#include <float.h>  /* FLT_EPSILON */
#include <math.h>   /* fabs */
#include <unistd.h> /* pause */

static struct portable_ranks me;
static long long checked;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        checked++;                                                                                 \
        if (!(condition))                                                                          \
            portable_ranks_stop(1, "%s:%d: %s", __FILE__, __LINE__, #condition);                   \
    } while (0)

/* The call fails on this rank, and the message has the text. */
static void expect_failure(portable_status status, const char *text, int line)
{
    checked++;
    if (status == PORTABLE_SUCCESS || !strstr(portable_last_message(), text))
        portable_ranks_stop(1, "line %d: expected a failure with \"%s\", got %s: %s", line, text,
                            portable_status_string(status), portable_last_message());
    portable_last_error();
}
#define EXPECT_FAILURE(call, text) expect_failure((call), (text), __LINE__)

static void *memory(size_t bytes)
{
    void *place = calloc(bytes + 1, 1);

    if (!place)
        portable_ranks_stop(1, "no memory for %zu bytes", bytes);
    return place;
}

static void *upload(const void *host, size_t bytes)
{
    void *device;

    PORTABLE_RANKS_CHECK(portable_malloc(&device, bytes));
    if (bytes > 0)
        PORTABLE_RANKS_CHECK(portable_copy_to_device(device, host, bytes));
    return device;
}

static unsigned long long hash(unsigned long long k)
{
    k = (k ^ (k >> 31)) * 0x9e3779b97f4a7c15ULL;
    k = (k ^ (k >> 29)) * 0xbf58476d1ce4e5b9ULL;
    return k ^ (k >> 32);
}

/* ===============================================================================================
 * Exchanges
 * ============================================================================================== */

enum { ROWS = 7, COLUMNS = 9, CELLS = ROWS * COLUMNS, KINDS = 3, WORDS = 3 };
static const int list[5] = {62, 4, 30, 17, 1};

/* A row, a column, or a list of cells; `other` is the place to receive it. */
static struct portable_region region_of(int kind, int other)
{
    struct portable_region region;

    memset(&region, 0, sizeof region);
    if (kind == 0) {
        region.first = other ? 2 * COLUMNS : 5 * COLUMNS;
        region.length = COLUMNS;
    } else if (kind == 1) {
        region.first = other ? 0 : 7;
        region.length = 2;
        region.runs = ROWS;
        region.stride = COLUMNS;
    } else {
        region.length = 5;
        region.indices = list;
    }
    return region;
}

static int cell_of(const struct portable_region *region, int k)
{
    if (region->indices)
        return (int)region->first + region->indices[k];
    const int run = k / (int)region->length;
    return (int)region->first + run * (int)region->stride + k % (int)region->length;
}

static unsigned value_of(int rank, int kind, int word)
{
    return (unsigned)(1000000 * (rank + 1) + 100000 * kind + word);
}

/* Every rank sends to the rank `distance` after it, of each pair of kinds of regions. The array of
 * words has 3 in each cell; only received cells may change. */
static void check_exchange(int distance, int from_kind, int to_kind)
{
    const int to = (me.rank + distance) % me.count;
    const int from = (me.rank + me.count - distance % me.count) % me.count;
    struct portable_message message = {to, from, region_of(from_kind, 0), region_of(to_kind, 1)};
    /* As many cells as the shorter of the two; a list longer than a row stays within the array. */
    const int lengths[KINDS] = {COLUMNS, 2 * ROWS, 5};
    const int count = lengths[from_kind] < lengths[to_kind] ? lengths[from_kind] : lengths[to_kind];
    struct portable_region *regions[] = {&message.send, &message.receive};
    struct portable_exchange *exchange;
    unsigned *out = (unsigned *)memory(CELLS * WORDS * 4),
             *in = (unsigned *)memory(CELLS * WORDS * 4);
    portable_stream stream;

    for (int k = 0; k < 2; k++)
        if (regions[k]->runs > 1) {
            regions[k]->runs = (size_t)count / 2;
            if (count % 2 != 0) { /* 5 or 9 cells: a column of single ones */
                regions[k]->length = 1;
                regions[k]->runs = ROWS < count ? ROWS : (size_t)count;
            }
        }
    int cells = count;
    for (int k = 0; k < 2; k++)
        if (regions[k]->runs > 1 && (int)(regions[k]->runs * regions[k]->length) < cells)
            cells = (int)(regions[k]->runs * regions[k]->length);
    for (int k = 0; k < 2; k++) {
        if (regions[k]->runs > 1)
            regions[k]->runs = (size_t)cells / regions[k]->length;
        else
            regions[k]->length = (size_t)cells;
    }
    for (unsigned k = 0; k < CELLS * WORDS; k++) {
        out[k] = value_of(me.rank, 1, (int)k);
        in[k] = value_of(me.rank, 2, (int)k);
    }
    unsigned *device_out = (unsigned *)upload(out, CELLS * WORDS * 4);
    unsigned *device_in = (unsigned *)upload(in, CELLS * WORDS * 4);
    PORTABLE_RANKS_CHECK(portable_stream_create(&stream));
    PORTABLE_RANKS_CHECK(portable_exchange_create(&exchange, 4 * WORDS, 1, &message));
    EXPECT_FAILURE(portable_exchange_wait(exchange, 0), "has not begun");
    for (int repeat = 0; repeat < 2; repeat++) {
        PORTABLE_RANKS_CHECK(portable_exchange_begin(exchange, device_out, device_in, stream));
        EXPECT_FAILURE(portable_exchange_begin(exchange, device_out, device_in, stream),
                       "has begun already");
        EXPECT_FAILURE(portable_exchange_destroy(exchange), "the exchange has begun");
        PORTABLE_RANKS_CHECK(portable_exchange_wait(exchange, stream));
    }
    PORTABLE_RANKS_CHECK(portable_stream_synchronize(stream));
    for (int k = 0; k < cells; k++)
        for (int word = 0; word < WORDS; word++)
            in[cell_of(&message.receive, k) * WORDS + word] =
                value_of(from, 1, cell_of(&message.send, k) * WORDS + word);
    PORTABLE_RANKS_CHECK(portable_copy_to_host(out, device_in, CELLS * WORDS * 4));
    EXPECT(memcmp(in, out, CELLS * WORDS * 4) == 0);
    PORTABLE_RANKS_CHECK(portable_exchange_destroy(exchange));
    PORTABLE_RANKS_CHECK(portable_stream_destroy(stream));
    PORTABLE_RANKS_CHECK(portable_free(device_out));
    PORTABLE_RANKS_CHECK(portable_free(device_in));
    free(in);
    free(out);
}

/* Two plans in flight at once, completed in the other order. */
static void check_two_plans(void)
{
    const int next = (me.rank + 1) % me.count, before = (me.rank + me.count - 1) % me.count;
    const unsigned mine[4] = {(unsigned)me.rank, 77, (unsigned)me.rank + 100, 77};
    unsigned got[4];
    struct portable_exchange *plans[2];
    void *array = upload(mine, sizeof mine);

    for (int k = 0; k < 2; k++) {
        const struct portable_message message = {
            next, before, {2 * (size_t)k, 1, 1, 0, NULL}, {2 * (size_t)k + 1, 1, 1, 0, NULL}};

        PORTABLE_RANKS_CHECK(portable_exchange_create(&plans[k], 4, 1, &message));
    }
    for (int k = 0; k < 2; k++)
        PORTABLE_RANKS_CHECK(portable_exchange_begin(plans[k], array, array, 0));
    for (int k = 1; k >= 0; k--)
        PORTABLE_RANKS_CHECK(portable_exchange_wait(plans[k], 0));
    PORTABLE_RANKS_CHECK(portable_copy_to_host(got, array, sizeof got));
    EXPECT(got[1] == (unsigned)before && got[3] == (unsigned)before + 100);
    for (int k = 0; k < 2; k++)
        PORTABLE_RANKS_CHECK(portable_exchange_destroy(plans[k]));
    PORTABLE_RANKS_CHECK(portable_free(array));
}

static void check_refused_plans(void)
{
    struct portable_message message = {0, 0, {0, 4, 1, 0, NULL}, {0, 4, 1, 0, NULL}};
    struct portable_exchange *plan;

    /* Rank 0 sends 4 to itself; every rank sends it 4 that it does not receive. */
    if (me.count > 1)
        EXPECT_FAILURE(portable_exchange_create(&plan, 4, 1, &message), "messages");
    message.from = PORTABLE_NOBODY; /* the deprecated name */
    EXPECT_FAILURE(portable_exchange_create(&plan, 4, 1, &message), "but rank 0 receives 0 of 0");
    EXPECT_FAILURE(portable_exchange_create(&plan, 6, 0, NULL), "4 bytes or a multiple");
    message.to = me.count;
    EXPECT_FAILURE(portable_exchange_create(&plan, 4, 1, &message), "there is no rank");
    message.to = me.rank;
    message.send.runs = 2;
    message.send.stride = 3;
    EXPECT_FAILURE(portable_exchange_create(&plan, 4, 1, &message), "a stride of 3");
    /* More bytes than there are. */
    message.send.stride = (size_t)1 << 62;
    EXPECT_FAILURE(portable_exchange_create(&plan, 4, 1, &message), "overflows");
    EXPECT(plan == NULL);
    /* The same bytes in another order of lengths. */
    const struct portable_message two[2] = {
        {me.rank, me.rank, {0, 1, 1, 0, NULL}, {4, 2, 1, 0, NULL}},
        {me.rank, me.rank, {0, 2, 1, 0, NULL}, {6, 1, 1, 0, NULL}}};
    EXPECT_FAILURE(portable_exchange_create(&plan, 4, 2, two), "differ in order");
    /* Arrays that are too short, or not on the device. */
    struct portable_message own = {
        me.rank, me.rank, {1, 1, 2, 3, NULL}, {0, 2, 1, 0, (const int[]){5, 3}}};
    char *array = (char *)upload(list, sizeof list);
    PORTABLE_RANKS_CHECK(portable_exchange_create(&plan, 4, 1, &own));
    EXPECT_FAILURE(portable_exchange_begin(plan, array, array, 0), "24 bytes from byte 0 of the");
    EXPECT_FAILURE(portable_exchange_begin(plan, array + 4, array, 0), "20 bytes from byte 4");
    EXPECT_FAILURE(portable_exchange_begin(plan, NULL, array, 0), "not (or no longer) device");
    EXPECT_FAILURE(portable_exchange_begin(plan, array, (void *)&own, 0), "array to receive into");
    PORTABLE_RANKS_CHECK(portable_exchange_destroy(plan));
    EXPECT_FAILURE(portable_ranks_broadcast(array, sizeof list + 1, 0, 0), "21 bytes from byte 0");
    EXPECT_FAILURE(portable_ranks_all_reduce(NULL, 1, PORTABLE_RANKS_INT, PORTABLE_RANKS_MAX, 0),
                   "not (or no longer) device memory");
    EXPECT_FAILURE(portable_ranks_all_reduce(array, (size_t)1 << 62, PORTABLE_RANKS_DOUBLE,
                                             PORTABLE_RANKS_SUM, 0),
                   "overflows");
    PORTABLE_RANKS_CHECK(portable_free(array));
    PORTABLE_RANKS_CHECK(portable_exchange_create(&plan, 4, 0, NULL));
    PORTABLE_RANKS_CHECK(portable_exchange_begin(plan, NULL, NULL, 0));
    PORTABLE_RANKS_CHECK(portable_exchange_wait(plan, 0));
    PORTABLE_RANKS_CHECK(portable_exchange_destroy(plan));
}

/* Rows that multiply every third column, in descending order: all ranks want lists from all. */
static void check_columns(void)
{
    enum { N = 131 };
    long long *starts = (long long *)memory(((size_t)me.count + 1) * sizeof *starts);
    int offsets[N + 1], ghosts, *columns = (int *)memory((size_t)N * N * sizeof *columns);
    struct portable_exchange *plan;

    portable_partition_even(N, me.count, starts);
    const int first = (int)starts[me.rank], rows = (int)starts[me.rank + 1] - first;
    offsets[0] = 0;
    for (int row = 0; row < rows; row++) {
        offsets[row + 1] = offsets[row];
        for (int column = N - 1; column >= 0; column--)
            if (column % 3 == (first + row) % 3)
                columns[offsets[row + 1]++] = column;
    }
    PORTABLE_RANKS_CHECK(portable_exchange_of_rows(&plan, &ghosts, starts, offsets, columns));
    EXPECT(ghosts == (rows < 3 ? ghosts : N - rows));
    const size_t count = (size_t)rows + (size_t)ghosts;
    REAL *x = (REAL *)memory(count * sizeof *x);
    for (int k = 0; k < rows; k++)
        x[k] = (REAL)(first + k);
    REAL *device = (REAL *)upload(x, count * sizeof *x);
    PORTABLE_RANKS_CHECK(portable_exchange_begin(plan, device, device, 0));
    PORTABLE_RANKS_CHECK(portable_exchange_wait(plan, 0));
    if (count > 0)
        PORTABLE_RANKS_CHECK(portable_copy_to_host(x, device, count * sizeof *x));
    for (int row = 0, k = 0; row < rows; row++)
        for (int column = N - 1; column >= 0; column--)
            if (column % 3 == (first + row) % 3)
                EXPECT(x[columns[k++]] == (REAL)column);
    PORTABLE_RANKS_CHECK(portable_exchange_destroy(plan));
    PORTABLE_RANKS_CHECK(portable_free(device));
    free(columns);
    free(starts);
    free(x);
}

/* ===============================================================================================
 * The exact sum
 * ============================================================================================== */

/* The tree as its definition has it. n >= 1; `reach` is the power of two that is not below n. */
static REAL tree(const REAL *x, const REAL *y, long long first, long long reach, long long n)
{
    if (reach == 1) {
        /* Rounded before it is added. */
        volatile REAL leaf = y ? x[first] * y[first] : x[first];
        return leaf;
    }
    const REAL left = tree(x, y, first, reach / 2, n);
    if (first + reach / 2 >= n)
        return left;
    return left + tree(x, y, first + reach / 2, reach / 2, n);
}

static void check_partition(const REAL *x, const REAL *y, const long long *starts, REAL expected)
{
    const long long first = starts[me.rank], count = starts[me.rank + 1] - first;
    REAL *device_x = (REAL *)upload(x + first, (size_t)count * sizeof *x);
    REAL *device_y = y ? (REAL *)upload(y + first, (size_t)count * sizeof *y) : NULL, sum = -1;

    if (y && !device_y && count > 0)
        portable_ranks_stop(1, "no factors");
    PORTABLE_RANKS_CHECK(
        portable_ranks_sum(device_x, y && count == 0 ? device_x : device_y, starts, 0, &sum));
    checked++;
    if (memcmp(&sum, &expected, sizeof sum) != 0)
        portable_ranks_stop(1, "sum of %lld%s: %.17g, expected %.17g", starts[me.count],
                            y ? " products" : "", (double)sum, (double)expected);
    PORTABLE_RANKS_CHECK(portable_free(device_x));
    PORTABLE_RANKS_CHECK(portable_free(device_y));
}

static void check_sums(void)
{
    static const long long sizes[] = {1,    2,    3,    31,   255,   256,   257,
                                      1023, 1025, 1535, 2048, 70001, 300007};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    const long long most = sizes[SIZES - 1];
    REAL *x = (REAL *)memory((size_t)most * sizeof *x),
         *y = (REAL *)memory((size_t)most * sizeof *y);
    long long *starts = (long long *)memory(((size_t)me.count + 1) * sizeof *starts);
    int differ = 0;

    for (long long k = 0; k < most; k++) {
        /* From 2^-16 to 2^15, so that the order of additions shows. */
        const unsigned long long bits = hash((unsigned long long)k);
        x[k] = (REAL)((double)(bits >> 40) / 16777216 - 0.5) * (REAL)(1u << (bits & 31)) / 65536;
        y[k] = (REAL)((double)(hash(bits) >> 40) / 16777216 - 0.5);
    }
    for (int s = 0; s < SIZES; s++) {
        const long long n = sizes[s];
        long long reach = 1;
        REAL naive = 0;

        while (reach < n)
            reach *= 2;
        const REAL sum = tree(x, NULL, 0, reach, n), dot = tree(x, y, 0, reach, n);
        for (long long k = 0; k < n; k++)
            naive += x[k];
        differ += naive != sum;
        for (int kind = 0; kind < 4; kind++) {
            portable_partition_even(n, me.count, starts);
            for (int r = 1; r < me.count; r++)
                if (kind == 1) /* all on the last rank */
                    starts[r] = 0;
                else if (kind == 2) /* anywhere */
                    starts[r] =
                        starts[r - 1] + (long long)(hash((unsigned long long)(n + r)) %
                                                    (unsigned long long)(n - starts[r - 1] + 1));
                else if (kind == 3 && r % 2 != 0) /* every other part is empty */
                    starts[r] = starts[r - 1];
            check_partition(x, NULL, starts, sum);
            check_partition(x, y, starts, dot);
        }
    }
    EXPECT(differ > SIZES / 3);
    memset(starts, 0, ((size_t)me.count + 1) * sizeof *starts);
    check_partition(x, NULL, starts, 0);
    starts[me.count] = 1;
    x[0] = -(REAL)0;
    check_partition(x, NULL, starts, x[0]);
    /* In two parts; what is queued between them changes the elements, not the sum. */
    portable_partition_even(1000, me.count, starts);
    const size_t mine = (size_t)(starts[me.rank + 1] - starts[me.rank]) * sizeof *x;
    REAL *device = (REAL *)upload(x + starts[me.rank], mine), sum;
    EXPECT_FAILURE(portable_ranks_sum_wait(&sum), "no sum has begun");
    PORTABLE_RANKS_CHECK(portable_ranks_sum_begin(device, NULL, starts, 0));
    EXPECT_FAILURE(portable_ranks_sum_begin(device, NULL, starts, 0), "has begun already");
    if (mine > 0)
        PORTABLE_RANKS_CHECK(portable_memset(device, 0, mine));
    PORTABLE_RANKS_CHECK(portable_ranks_sum_wait(&sum));
    EXPECT(sum == tree(x, NULL, 0, 1024, 1000));
    PORTABLE_RANKS_CHECK(portable_free(device));
    free(x);
    free(y);
    free(starts);
}

/* ===============================================================================================
 * Collective operations, partitions, files
 * ============================================================================================== */

#define CHECK_REDUCTIONS(type, kind)                                                               \
    do {                                                                                           \
        type mine[33], expected[3][33], got[33];                                                   \
        for (int op = 0; op < 3; op++)                                                             \
            for (int k = 0; k < 33; k++) {                                                         \
                for (int r = 0; r < me.count; r++) {                                               \
                    const type v = (type)((r + 3) * (k % 5 + 1) % 7);                              \
                    type *e = &expected[op][k];                                                    \
                    if (r == me.rank)                                                              \
                        mine[k] = v;                                                               \
                    *e = r == 0    ? v                                                             \
                         : op == 0 ? (type)(*e + v)                                                \
                         : op == 1 ? (v < *e ? v : *e)                                             \
                                   : (v > *e ? v : *e);                                            \
                }                                                                                  \
            }                                                                                      \
        for (int op = 0; op < 3; op++) {                                                           \
            void *device = upload(mine, sizeof mine);                                              \
            PORTABLE_RANKS_CHECK(portable_ranks_all_reduce(device, 33, (kind),                     \
                                                           (enum portable_ranks_operation)op, 0)); \
            PORTABLE_RANKS_CHECK(portable_copy_to_host(got, device, sizeof got));                  \
            EXPECT(memcmp(got, expected[op], sizeof got) == 0);                                    \
            PORTABLE_RANKS_CHECK(portable_free(device));                                           \
        }                                                                                          \
    } while (0)

static int is_within(double value, double expected, double bound)
{
    return fabs(value - expected) <= bound;
}

/* The library adds floating-point numbers in an order of its own: n - 1 additions, each of which
 * rounds by at most half an epsilon of a partial sum (N. Higham, "Accuracy and Stability of
 * Numerical Algorithms", 2002, section 4.2). An error just above that is one. */
static void check_fast_sums(void)
{
    enum { N = 1000 };
    float mine[N], got[N];
    void *device;

    for (int k = 0; k < N; k++)
        mine[k] =
            (float)((double)(hash((unsigned long long)(me.rank * N + k)) >> 40) / 8388608 - 1);
    device = upload(mine, sizeof mine);
    PORTABLE_RANKS_CHECK(
        portable_ranks_all_reduce(device, N, PORTABLE_RANKS_FLOAT, PORTABLE_RANKS_SUM, 0));
    PORTABLE_RANKS_CHECK(portable_copy_to_host(got, device, sizeof got));
    for (int k = 0; k < N; k++) {
        double sum = 0, magnitude = 0;

        for (int r = 0; r < me.count; r++) {
            const double x =
                (float)((double)(hash((unsigned long long)(r * N + k)) >> 40) / 8388608 - 1);

            sum += x;
            magnitude += fabs(x);
        }
        const double bound = (me.count - 1) * 0.5 * FLT_EPSILON * magnitude;
        EXPECT(is_within((double)got[k], sum, bound));
        EXPECT(!is_within(sum + 1.01 * bound + 1e-12, sum, bound));
    }
    PORTABLE_RANKS_CHECK(portable_free(device));
}

static void check_collectives(void)
{
    long long *starts = (long long *)memory(((size_t)me.count + 1) * sizeof *starts);
    enum { N = 101 };
    double values[N];

    CHECK_REDUCTIONS(int, PORTABLE_RANKS_INT);
    CHECK_REDUCTIONS(unsigned, PORTABLE_RANKS_UNSIGNED);
    CHECK_REDUCTIONS(long long, PORTABLE_RANKS_LONG_LONG);
    CHECK_REDUCTIONS(unsigned long long, PORTABLE_RANKS_UNSIGNED_LONG_LONG);
    CHECK_REDUCTIONS(float, PORTABLE_RANKS_FLOAT);
    CHECK_REDUCTIONS(double, PORTABLE_RANKS_DOUBLE);
    check_fast_sums();
    EXPECT_FAILURE(
        portable_ranks_all_reduce(NULL, 1, (enum portable_ranks_type)9, PORTABLE_RANKS_SUM, 0),
        "no type 9");
    for (int root = 0; root < me.count; root++) {
        for (int k = 0; k < N; k++)
            values[k] = me.rank == root ? 1000 * root + k : -1;
        void *device = upload(values, sizeof values);
        PORTABLE_RANKS_CHECK(portable_ranks_broadcast(device, sizeof values, root, 0));
        PORTABLE_RANKS_CHECK(portable_copy_to_host(values, device, sizeof values));
        for (int k = 0; k < N; k++)
            EXPECT(values[k] == 1000 * root + k);
        PORTABLE_RANKS_CHECK(portable_free(device));
    }
    EXPECT_FAILURE(portable_ranks_broadcast(NULL, 4, me.count, 0), "there is no rank");
    portable_partition_even(N, me.count, starts);
    for (int k = 0; k < N; k++)
        values[k] = k >= starts[me.rank] && k < starts[me.rank + 1] ? k : -1;
    void *device = upload(values, sizeof values);
    PORTABLE_RANKS_CHECK(portable_ranks_all_gather(device, sizeof *values, starts, 0));
    PORTABLE_RANKS_CHECK(portable_copy_to_host(values, device, sizeof values));
    for (int k = 0; k < N; k++)
        EXPECT(values[k] == k);
    PORTABLE_RANKS_CHECK(portable_free(device));
    free(starts);
}

static void check_partitions(void)
{
    /* Rows with 0, 8, 1, 1, 1, 1, 0, 0, 4 nonzeros. */
    static const int offsets[] = {0, 0, 8, 9, 10, 11, 12, 12, 12, 16};
    static const int grids[][3] = {{1, 1, 1}, {2, 1, 2},  {6, 2, 3},
                                   {7, 1, 7}, {12, 3, 4}, {64, 8, 8}};
    long long starts[20];
    int rows, columns;

    portable_partition_even(11, 4, starts);
    EXPECT(starts[0] == 0 && starts[1] == 3 && starts[2] == 6 && starts[3] == 9 && starts[4] == 11);
    EXPECT(portable_partition_owner(starts, 4, 0) == 0 &&
           portable_partition_owner(starts, 4, 3) == 1 &&
           portable_partition_owner(starts, 4, 8) == 2 &&
           portable_partition_owner(starts, 4, 10) == 3);
    portable_partition_even(2, 4, starts);
    EXPECT(starts[2] == 2 && starts[3] == 2 && starts[4] == 2);
    portable_partition_rows(9, offsets, 2, starts);
    EXPECT(starts[0] == 0 && starts[1] == 2 && starts[2] == 9);
    portable_partition_rows(9, offsets, 4, starts);
    EXPECT(starts[1] == 2 && starts[2] == 2 && starts[3] == 6 && starts[4] == 9);
    /* Empty parts before the owner. */
    EXPECT(portable_partition_owner(starts, 4, 2) == 2 &&
           portable_partition_owner(starts, 4, 1) == 0);
    for (size_t k = 0; k < sizeof grids / sizeof grids[0]; k++) {
        portable_partition_grid(grids[k][0], &rows, &columns);
        EXPECT(rows == grids[k][1] && columns == grids[k][2]);
    }
}

static void check_files(const char *scratch)
{
    enum { N = 29, WIDE = 3 };
    char path[4096];
    long long *starts = (long long *)memory(((size_t)me.count + 1) * sizeof *starts);
    size_t columns;
    void *data;
    int part[N * WIDE], got[N * WIDE];

    snprintf(path, sizeof path, "%s/array.npy", scratch);
    for (int wide = 1; wide <= WIDE; wide += WIDE - 1) {
        /* Everything on the last rank, to read it evenly. */
        for (int r = 0; r <= me.count; r++)
            starts[r] = r == me.count ? N : 0;
        for (int k = 0; k < N * wide; k++)
            part[k] = k * k;
        data = upload(part, me.rank == me.count - 1 ? sizeof(int) * (size_t)(N * wide) : 0);
        PORTABLE_RANKS_CHECK(
            portable_ranks_write_npy(path, PORTABLE_RANKS_INT, data, starts, (size_t)wide));
        PORTABLE_RANKS_CHECK(portable_free(data));
        PORTABLE_RANKS_CHECK(
            portable_ranks_read_npy(path, PORTABLE_RANKS_INT, &data, starts, &columns));
        EXPECT(columns == (size_t)wide && starts[me.count] == N);
        const int first = (int)starts[me.rank] * wide;
        const int count = (int)starts[me.rank + 1] * wide - first;
        if (count > 0)
            PORTABLE_RANKS_CHECK(portable_copy_to_host(got, data, (size_t)count * sizeof *got));
        for (int k = 0; k < count; k++)
            EXPECT(got[k] == (first + k) * (first + k));
        PORTABLE_RANKS_CHECK(portable_free(data));
    }
    EXPECT_FAILURE(portable_ranks_read_npy(path, PORTABLE_RANKS_FLOAT, &data, starts, &columns),
                   "the type is int32, expected float32");
    EXPECT(data == NULL);
    snprintf(path, sizeof path, "%s/nowhere/array.npy", scratch);
    EXPECT_FAILURE(portable_ranks_read_npy(path, PORTABLE_RANKS_INT, &data, starts, &columns),
                   "nowhere");
    EXPECT_FAILURE(portable_ranks_write_npy(path, PORTABLE_RANKS_INT, NULL, starts, 1), "nowhere");
    free(starts);
}

static void check_checkpoints(const char *scratch)
{
    enum { N = 17, WIDE = 3 };
    char directory[4096], other[4096];
    long long *starts = (long long *)memory(2 * ((size_t)me.count + 1) * sizeof *starts), step;
    long long *last = starts + me.count + 1;
    int host[N * WIDE];

    snprintf(directory, sizeof directory, "%s/checkpoint-%d/deep", scratch, me.count);
    snprintf(other, sizeof other, "%s/array.npy", scratch);
    portable_partition_even(N, me.count, starts);
    last[me.count] = N;
    const int first = (int)starts[me.rank], rows = (int)starts[me.rank + 1] - first;
    const int mine = me.rank == me.count - 1 ? N : 0;
    for (int k = 0; k < N * WIDE; k++)
        host[k] = 7 * first + k;
    /* Rows 0...N - 1 of WIDE, and the same elements as one column of the first array's rows. */
    int *wide = (int *)upload(host, (size_t)(rows * WIDE) * sizeof *host);
    int *narrow = (int *)upload(host, (size_t)rows * sizeof *host);
    int *got_wide = (int *)upload(host, (size_t)(mine * WIDE) * sizeof *host);
    int *got_narrow = (int *)upload(host, (size_t)mine * sizeof *host);
    const struct portable_ranks_array arrays[] = {{"w", PORTABLE_RANKS_INT, WIDE, starts, wide},
                                                  {"n_1", PORTABLE_RANKS_INT, 1, starts, narrow}};
    const struct portable_ranks_array got[] = {{"w", PORTABLE_RANKS_INT, WIDE, last, got_wide},
                                               {"n_1", PORTABLE_RANKS_INT, 1, last, got_narrow}};
    const struct portable_ranks_array twice[] = {arrays[1], arrays[1]};
    const struct portable_ranks_array named = {"n/1", PORTABLE_RANKS_INT, 1, starts, narrow};

    /* By the second round there is one. */
    for (int round = 0; round < 2; round++) {
        PORTABLE_RANKS_CHECK(portable_ranks_save(directory, "a problem", 5 + round, 2, arrays));
        PORTABLE_RANKS_CHECK(portable_ranks_restore(directory, "a problem", &step, 2, got));
        EXPECT(step == 5 + round);
    }
    if (mine > 0) {
        PORTABLE_RANKS_CHECK(portable_copy_to_host(host, got_wide, sizeof host));
        for (int row = 0; row < N; row++) {
            const int from = (int)starts[portable_partition_owner(starts, me.count, row)];

            for (int k = 0; k < WIDE; k++)
                EXPECT(host[row * WIDE + k] == 7 * from + (row - from) * WIDE + k);
        }
        PORTABLE_RANKS_CHECK(portable_copy_to_host(host, got_narrow, N * sizeof *host));
        for (int row = 0; row < N; row++) {
            const int from = (int)starts[portable_partition_owner(starts, me.count, row)];

            EXPECT(host[row] == 7 * from + row - from);
        }
    }
    EXPECT_FAILURE(portable_ranks_restore(directory, "a problem", &step, 1, got),
                   "expected \"end\"");
    EXPECT(step == -1);
    EXPECT_FAILURE(portable_ranks_restore(directory, "another", &step, 2, got),
                   "the checkpoint has \"problem a problem\", expected \"problem another\"");
    EXPECT_FAILURE(portable_ranks_save(directory, "a\nb", 1, 2, arrays), "several lines");
    EXPECT_FAILURE(portable_ranks_save(directory, "a problem", -1, 2, arrays), "step -1");
    EXPECT_FAILURE(portable_ranks_save(directory, "a problem", 1, 1, &named), "the name \"n/1\"");
    EXPECT_FAILURE(portable_ranks_save(directory, "a problem", 1, 2, twice),
                   "two arrays have the name \"n_1\"");
    EXPECT_FAILURE(portable_ranks_save(other, "a problem", 1, 2, arrays), "array.npy");
    PORTABLE_RANKS_CHECK(portable_ranks_restore(scratch, "a problem", &step, 2, got));
    EXPECT(step == -1);
    PORTABLE_RANKS_CHECK(portable_free(wide));
    PORTABLE_RANKS_CHECK(portable_free(narrow));
    PORTABLE_RANKS_CHECK(portable_free(got_wide));
    PORTABLE_RANKS_CHECK(portable_free(got_narrow));
    free(starts);
}

/* Every rank sends to the next one around a ring, without end; the last one fails by HOW between a
 * begin and its wait. */
static void fail_by(const char *how)
{
    enum { LENGTH = 100000 };
    const int last = me.count - 1;
    const struct portable_message message = {(me.rank + 1) % me.count,
                                             (me.rank + me.count - 1) % me.count,
                                             {0, LENGTH, 1, 0, NULL},
                                             {LENGTH, LENGTH, 1, 0, NULL}};
    struct portable_exchange *plan;
    void *array;

    PORTABLE_RANKS_CHECK(portable_malloc(&array, 8 * LENGTH));
    PORTABLE_RANKS_CHECK(portable_memset(array, 0, 8 * LENGTH));
    PORTABLE_RANKS_CHECK(portable_exchange_create(&plan, 4, 1, &message));
    for (int k = 0;; k++) {
        PORTABLE_RANKS_CHECK(portable_exchange_begin(plan, array, array, 0));
        if (me.rank == last && k == 1) {
            if (strcmp(how, "check") == 0)
                PORTABLE_CHECK(portable_copy_to_host(NULL, NULL, 8));
            if (strcmp(how, "exit") == 0)
                exit(0);
            if (strcmp(how, "crash") == 0)
                abort();
            portable_ranks_stop(3, "%s on purpose", how);
        }
        PORTABLE_RANKS_CHECK(portable_exchange_wait(plan, 0));
    }
}

/* Rank 1 has no memory for a plan, and leaves it to the others to report what all agree on. */
static void fail_to_agree(void)
{
    struct portable_message message = {me.rank, me.rank, {0, 1, 1, 0, NULL}, {0, 1, 1, 0, NULL}};
    struct portable_exchange *plan;

    if (me.rank == 1) {
        message.send.runs = message.receive.runs = (size_t)1 << 56; /* no address space has it */
        message.send.stride = message.receive.stride = 2;
    }
    const portable_status status = portable_exchange_create(&plan, 4, 1, &message);
    while (me.rank == 1 && status != PORTABLE_SUCCESS)
        pause(); /* they end it */
    PORTABLE_RANKS_CHECK(status);
}

/* On rank 0 MPI fails to send, by faults.c, after the receives of the same begin. What the others
 * send must not arrive in memory that rank 0 is free to use again. */
static void begin_in_vain(void)
{
    struct portable_message *messages =
        (struct portable_message *)memory((size_t)me.count * sizeof *messages);
    const size_t bytes = 4 * ((size_t)me.count + 1);
    unsigned *host = (unsigned *)memory(bytes), *array;
    struct portable_exchange *plan;

    /* Rank 0 receives from all, element r from rank r, and sends to itself alone. */
    for (int r = 0; r < me.count; r++) {
        messages[r].to = r == me.rank ? 0 : PORTABLE_PROC_NULL;
        messages[r].from = me.rank == 0 ? r : PORTABLE_PROC_NULL;
        messages[r].send.first = (size_t)me.count;
        messages[r].send.length = messages[r].receive.length = 1;
        messages[r].receive.first = (size_t)r;
    }
    for (int r = 0; r <= me.count; r++)
        host[r] = 100 + (unsigned)me.rank;
    array = (unsigned *)upload(host, bytes);
    PORTABLE_RANKS_CHECK(portable_exchange_create(&plan, 4, me.count, messages));
    if (me.rank == 0) {
        EXPECT_FAILURE(portable_exchange_begin(plan, array, array, 0), "MPI_Isend");
        EXPECT_FAILURE(portable_exchange_wait(plan, 0), "has not begun");
        PORTABLE_RANKS_CHECK(portable_exchange_destroy(plan));
    }
    check_collectives(); /* the others send when rank 0 has failed */
    if (me.rank != 0) {
        PORTABLE_RANKS_CHECK(portable_exchange_begin(plan, array, array, 0));
        PORTABLE_RANKS_CHECK(portable_exchange_wait(plan, 0));
        PORTABLE_RANKS_CHECK(portable_exchange_destroy(plan));
    }
    check_collectives();
    PORTABLE_RANKS_CHECK(portable_copy_to_host(host, array, bytes));
    for (int r = 0; r <= me.count; r++)
        EXPECT(host[r] == 100 + (unsigned)me.rank);
    PORTABLE_RANKS_CHECK(portable_free(array));
    free(messages);
    free(host);
}

/* portable_ranks_begin fails; the program ends by itself. */
static int end_refused(void)
{
    struct portable_exchange *plan;

    EXPECT_FAILURE(portable_ranks_begin(&me), "RANKS_TRANSPORT");
    EXPECT_FAILURE(portable_ranks_begin(&me), "called before");
    EXPECT_FAILURE(portable_exchange_create(&plan, 4, 0, NULL), "portable_ranks_begin has failed");
    PORTABLE_RANKS_CHECK(portable_ranks_end());
    EXPECT_FAILURE(portable_ranks_broadcast(NULL, 0, 0, 0), "portable_ranks_end has been called");
    return 0;
}

int main(int count, char **arguments)
{
    size_t bytes, allocations;

    EXPECT_FAILURE(portable_ranks_broadcast(NULL, 0, 0, 0),
                   "portable_ranks_begin has not been called");
    if (count == 2 && strcmp(arguments[1], "refused") == 0)
        return end_refused();
    PORTABLE_RANKS_CHECK(portable_ranks_begin(&me));
    EXPECT_FAILURE(portable_ranks_begin(&me), "called before");
    if (count == 3 && strcmp(arguments[1], "fail") == 0)
        fail_by(arguments[2]);
    if (count == 2 && strcmp(arguments[1], "agree") == 0)
        fail_to_agree();
    if (count == 2 && strcmp(arguments[1], "vain") == 0) {
        begin_in_vain();
        PORTABLE_RANKS_CHECK(portable_ranks_end());
        return 0;
    }
    if (count != 2)
        portable_ranks_stop(2, "usage: test_ranks SCRATCH");
    for (int distance = 0; distance <= me.count; distance++)
        for (int from = 0; from < KINDS; from++)
            for (int to = 0; to < KINDS; to++)
                check_exchange(distance, from, to);
    check_two_plans();
    check_refused_plans();
    check_columns();
    check_sums();
    check_collectives();
    check_partitions();
    check_files(arguments[1]);
    check_checkpoints(arguments[1]);
    PORTABLE_RANKS_CHECK(portable_ranks_end());
    PORTABLE_CHECK(portable_ranks_end());
    EXPECT_FAILURE(portable_ranks_broadcast(NULL, 0, 0, 0), "portable_ranks_end has been called");
    portable_memory_in_use(&bytes, &allocations);
    if (allocations > 0) {
        fprintf(stderr, "rank %d: %zu allocations are left\n", me.rank, allocations);
        return 1;
    }
    if (me.rank == 0)
        printf("passed: %lld comparisons, %d ranks by %s\n", checked, me.count, me.transport);
    return 0;
}
