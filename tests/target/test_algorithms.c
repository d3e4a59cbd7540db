/* SPDX-License-Identifier: BSD-3-Clause */
/* portable_algorithms.h: special values, places of results, workspaces, and arguments that calls
 * refuse. host/cases/algorithms.c compares ordinary results. */
#include "portable_algorithms.h"

#include "test.h"

/* Of host/algorithms/algorithms.c, for this test. */
PORTABLE_EXTERN_ portable_status portable_sort_small_(size_t portion, size_t n, size_t key_bytes,
                                                      void *keys, unsigned *values,
                                                      struct portable_workspace *workspace,
                                                      portable_stream stream);

#define QUIET_NAN __builtin_nanf("")
#define INFINITE __builtin_inff()

static float float_of(unsigned bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

static unsigned bits_of(float f)
{
    unsigned bits;

    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static unsigned random_bits(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state ^ *state >> 15;
}

static void test_nothing(void **state)
{
    float sum = 7, least = 7;
    double most = 7;
    long long total = 7;
    unsigned long long count = 7, bins[256];
    int least_int = 7, most_int = 7;
    unsigned least_unsigned = 7, most_unsigned = 7;
    unsigned long long *counts;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_sum_float(0, NULL, &sum, NULL, 0));
    assert_int_equal(bits_of(sum), 0);
    assert_ok(portable_sum_int(0, NULL, &total, NULL, 0));
    assert_int_equal(total, 0);
    assert_ok(portable_min_float(0, NULL, &least, NULL, 0));
    assert_true(least != least);
    assert_ok(portable_max_double(0, NULL, &most, NULL, 0));
    assert_true(most != most);
    assert_ok(portable_min_int(0, NULL, &least_int, NULL, 0));
    assert_ok(portable_max_int(0, NULL, &most_int, NULL, 0));
    assert_int_equal(least_int, INT_MAX);
    assert_int_equal(most_int, INT_MIN);
    assert_ok(portable_min_unsigned(0, NULL, &least_unsigned, NULL, 0));
    assert_ok(portable_max_unsigned(0, NULL, &most_unsigned, NULL, 0));
    assert_int_equal(least_unsigned, UINT_MAX);
    assert_int_equal(most_unsigned, 0);
    assert_ok(portable_scan_inclusive_float(0, NULL, NULL, NULL, 0));
    assert_ok(portable_select_int(0, NULL, NULL, NULL, &count, NULL, 0));
    assert_int_equal(count, 0);
    assert_ok(portable_sort_float(0, NULL, NULL, 0));
    assert_ok(portable_sort_pairs_double(0, NULL, NULL, NULL, 0));
    counts = (unsigned long long *)device_from(NULL, sizeof bins);
    assert_ok(portable_histogram_bytes(0, NULL, counts, 0));
    assert_ok(portable_copy_to_host(bins, counts, sizeof bins));
    for (int bin = 0; bin < 256; bin++)
        assert_int_equal(bins[bin], 0);
}

/* Minima and maxima of NaNs, zeros of both signs and infinities, at every place of a short array,
 * and far apart. */
static void test_special_minima(void **state)
{
    enum { N = 40000 };
    static float x[N];
    const float values[] = {QUIET_NAN, -QUIET_NAN, 0.0f, -0.0f, INFINITE, -INFINITE, 1.5f};
    float *device;

    (void)state;
    NEEDS_DEVICE();
    device = (float *)device_from(NULL, sizeof x);
    for (unsigned a = 0; a < COUNT_OF(values); a++) {
        for (unsigned b = 0; b < COUNT_OF(values); b++) {
            const float u = values[a], v = values[b];
            float least, most;

            for (int i = 0; i < N; i++)
                x[i] = u;
            x[(a * 7919 + b * 104729) % N] = v;
            assert_ok(portable_copy_to_device(device, x, sizeof x));
            assert_ok(portable_min_float(N, device, &least, NULL, 0));
            assert_ok(portable_max_float(N, device, &most, NULL, 0));
            if (u != u && v != v) {
                assert_true(least != least && most != most);
            } else {
                const float low = u != u ? v : v != v ? u : u < v || (u == v && a > b) ? u : v;
                const float high = u != u ? v : v != v ? u : u > v || (u == v && a < b) ? u : v;

                assert_int_equal(bits_of(least), bits_of(low));
                assert_int_equal(bits_of(most), bits_of(high));
            }
        }
    }
}

/* Sums of the largest integers do not overflow; those of scans wrap. */
static void test_large_integers(void **state)
{
    enum { N = 20000 };
    static int x[N];
    static unsigned u[N], sums[N];
    int *device;
    unsigned *device_sums;
    long long sum;
    unsigned long long total;

    (void)state;
    NEEDS_DEVICE();
    for (int i = 0; i < N; i++) {
        x[i] = INT_MIN;
        u[i] = UINT_MAX - (unsigned)i;
    }
    device = (int *)device_from(x, sizeof x);
    device_sums = (unsigned *)device_from(NULL, sizeof sums);
    assert_ok(portable_sum_int(N, device, &sum, NULL, 0));
    assert_true(sum == (long long)N * INT_MIN);
    assert_ok(portable_copy_to_device(device, u, sizeof u));
    assert_ok(portable_sum_unsigned(N, (unsigned *)device, &total, NULL, 0));
    assert_true(total == (unsigned long long)N * UINT_MAX - (unsigned long long)N * (N - 1) / 2);
    assert_ok(portable_scan_exclusive_unsigned(N, (unsigned *)device, device_sums, NULL, 0));
    assert_ok(portable_copy_to_host(sums, device_sums, sizeof sums));
    for (unsigned i = 0, sum_of = 0; i < N; sum_of += u[i], i++)
        assert_int_equal(sums[i], sum_of);
}

static int compares(double a, portable_comparison comparison, double b)
{
    switch (comparison) {
    case PORTABLE_LESS: return a < b;
    case PORTABLE_LESS_EQUAL: return a <= b;
    case PORTABLE_GREATER: return a > b;
    case PORTABLE_GREATER_EQUAL: return a >= b;
    case PORTABLE_EQUAL: return a == b;
    default: return a != b;
    }
}

/* Compares each of some elements with all of them, in each way. */
#define COMPARE_ALL(name, type, ...)                                                               \
    static void compare_all_##name(void)                                                           \
    {                                                                                              \
        const type x[] = {__VA_ARGS__};                                                            \
        const size_t n = COUNT_OF(x);                                                              \
        type *const device = (type *)device_from(x, sizeof x), result[COUNT_OF(x)];                \
        type *const packed = (type *)device_from(NULL, sizeof x);                                  \
                                                                                                   \
        for (size_t k = 0; k < 6 * n; k++) {                                                       \
            const portable_comparison comparison = (portable_comparison)(k % 6);                   \
            const type value = x[k / 6];                                                           \
            unsigned long long count = 99, expected = 0;                                           \
                                                                                                   \
            assert_ok(portable_select_where_##name(n, device, comparison, value, packed, &count,   \
                                                   NULL, 0));                                      \
            assert_ok(portable_copy_to_host(result, packed, sizeof result));                       \
            for (size_t i = 0; i < n; i++)                                                         \
                if (compares(x[i], comparison, value))                                             \
                    assert_memory_equal(&result[expected++], &x[i], sizeof *x);                    \
            assert_int_equal(count, expected);                                                     \
        }                                                                                          \
    }
COMPARE_ALL(float, float, 1, QUIET_NAN, -0.0f, FLT_MAX, 0, -1, 1, INFINITE, -QUIET_NAN, -FLT_MIN,
            -INFINITE, 1.00000012f, -FLT_MAX)
COMPARE_ALL(double, double, 1, QUIET_NAN, -0.0, DBL_MAX, 0, -1, 1, INFINITE, -QUIET_NAN, -DBL_MIN,
            -INFINITE, 1 + DBL_EPSILON, -DBL_MAX)
COMPARE_ALL(int, int, 1, 0, INT_MIN, -1, INT_MAX, 1, INT_MIN + 1, INT_MAX - 1)
COMPARE_ALL(unsigned, unsigned, 1, 0, UINT_MAX, INT_MAX, 1u + INT_MAX, 1, UINT_MAX - 1)

/* Each comparison, with NaNs, zeros of both signs and the ends of each type. */
static void test_comparisons(void **state)
{
    (void)state;
    NEEDS_DEVICE();
    compare_all_float();
    compare_all_double();
    compare_all_int();
    compare_all_unsigned();
}

/* The total order of floats: by sign, then by size, with NaNs of either sign at the ends. */
static void test_total_order(void **state)
{
    const unsigned ordered[] = {0xffffffffu, 0xffc00000u, 0xff800001u, 0xff800000u,
                                0xff7fffffu, 0xbf800000u, 0x80000001u, 0x80000000u,
                                0x00000000u, 0x00000001u, 0x3f800000u, 0x7f7fffffu,
                                0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu};
    enum { N = 16 * 700 };
    static float keys[N];
    unsigned seed = 5;
    float *device;

    (void)state;
    NEEDS_DEVICE();
    for (unsigned i = 0; i < N; i++)
        keys[i] = float_of(ordered[i % 16]);
    for (unsigned i = N - 1; i > 0; i--) {
        const unsigned k = random_bits(&seed) % (i + 1);
        float swap;

        memcpy(&swap, &keys[i], sizeof swap);
        memcpy(&keys[i], &keys[k], sizeof swap);
        memcpy(&keys[k], &swap, sizeof swap);
    }
    device = (float *)device_from(keys, sizeof keys);
    assert_ok(portable_sort_float(N, device, NULL, 0));
    assert_ok(portable_copy_to_host(keys, device, sizeof keys));
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(bits_of(keys[i]), ordered[i / 700]);
}

static unsigned key_of(const unsigned char *keys, size_t key_bytes, unsigned i)
{
    unsigned key;

    memcpy(&key, keys + i * key_bytes, sizeof key);
    return key;
}

/* Sorts n pairs whose keys repeat, with keys of key_bytes bytes: in small tiles and `portion` pairs
 * at a time, or if that is 0 by the public functions, which must also sort the keys alone. */
static void sort_pairs(unsigned n, size_t key_bytes, size_t portion)
{
    enum { MOST = 32000 };
    static unsigned char before[8 * MOST], keys[8 * MOST], alone[8 * MOST];
    static unsigned values[MOST];
    unsigned seed = 9, *device_values;
    void *device, *device_alone;

    assert_true(n <= MOST);
    for (unsigned i = 0; i < n; i++) {
        const unsigned key = (random_bits(&seed) & 15) * 0x11111111u;

        for (size_t at = i * key_bytes; at < (i + 1) * key_bytes; at += sizeof key)
            memcpy(before + at, &key, sizeof key);
        values[i] = i;
    }
    device = device_from(before, n * key_bytes);
    device_alone = device_from(before, n * key_bytes);
    device_values = (unsigned *)device_from(values, n * sizeof *values);
    if (portion > 0)
        assert_ok(portable_sort_small_(portion, n, key_bytes, device, device_values, NULL, 0));
    else if (key_bytes == 4)
        assert_ok(portable_sort_pairs_unsigned(n, (unsigned *)device, device_values, NULL, 0));
    else
        assert_ok(portable_sort_pairs_unsigned_long_long(n, (unsigned long long *)device,
                                                         device_values, NULL, 0));
    assert_ok(portable_copy_to_host(keys, device, n * key_bytes));
    assert_ok(portable_copy_to_host(values, device_values, n * sizeof *values));
    for (unsigned i = 0; i < n; i++) {
        assert_true(values[i] < n);
        assert_memory_equal(keys + i * key_bytes, before + values[i] * key_bytes, key_bytes);
        if (i > 0) {
            const unsigned last = key_of(keys, key_bytes, i - 1);
            const unsigned key = key_of(keys, key_bytes, i);

            assert_true(last < key || (last == key && values[i - 1] < values[i]));
        }
    }
    if (portion > 0)
        return;
    if (key_bytes == 4)
        assert_ok(portable_sort_unsigned(n, (unsigned *)device_alone, NULL, 0));
    else
        assert_ok(portable_sort_unsigned_long_long(n, (unsigned long long *)device_alone, NULL, 0));
    assert_ok(portable_copy_to_host(alone, device_alone, n * key_bytes));
    assert_memory_equal(alone, keys, n * key_bytes);
}

/* A whole tile, and one key more. */
static void test_sort_tiles(void **state)
{
    const unsigned tiles[] = {384 * 28, 384 * 26, 384 * 18, 384 * 16};

    (void)state;
    NEEDS_DEVICE();
    for (unsigned k = 0; k < COUNT_OF(tiles); k++)
        for (unsigned n = tiles[k]; n <= tiles[k] + 1; n++) {
            sort_pairs(n, 4, 0);
            sort_pairs(n, 8, 0);
        }
}

/* As on a GPU with little shared memory. In portions of two tiles: stable across their ends. */
static void test_small_tiles(void **state)
{
    const unsigned tile_32 = 384 * 16, tile_64 = 384 * 10;

    (void)state;
    NEEDS_DEVICE();
    sort_pairs(5 * tile_32 + 77, 4, 2 * tile_32);
    sort_pairs(5 * tile_64 + 77, 8, 2 * tile_64);
    sort_pairs(tile_32, 4, 2 * tile_32);
    sort_pairs(tile_64 + 1, 8, 2 * tile_64);
}

/* A workspace grows, and is kept; a result is on either side; a call without one leaves nothing. */
static void test_workspace(void **state)
{
    enum { N = 100000 };
    static float x[N];
    struct portable_workspace work = {NULL, 0};
    size_t bytes, allocations, now, now_allocations;
    float sum = 0, on_host, *device, *device_sum;
    portable_stream stream;
    void *memory;

    (void)state;
    NEEDS_DEVICE();
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 5);
    device = (float *)device_from(x, sizeof x);
    device_sum = (float *)device_from(NULL, sizeof sum);
    assert_ok(portable_stream_create(&stream));
    portable_memory_in_use(&bytes, &allocations);
    assert_ok(portable_sum_float(N, device, &sum, NULL, stream));
    assert_true(sum == 200000);
    portable_memory_in_use(&now, &now_allocations);
    assert_int_equal(now, bytes);
    assert_int_equal(now_allocations, allocations);
    assert_ok(portable_sum_float(10, device, device_sum, &work, stream));
    assert_ok(portable_sum_float(N, device, device_sum, &work, stream));
    assert_non_null(work.memory);
    memory = work.memory;
    assert_ok(portable_sum_float(1000, device, &sum, &work, stream));
    assert_ptr_equal(work.memory, memory);
    assert_true(sum == 2000);
    assert_ok(portable_stream_synchronize(stream));
    assert_ok(portable_copy_to_host(&on_host, device_sum, sizeof on_host));
    assert_true(on_host == 200000);
    assert_ok(portable_sort_float(N, device, &work, stream));
    assert_ok(portable_stream_synchronize(stream));
    assert_ok(portable_copy_to_host(x, device, sizeof x));
    for (int i = 0; i < N; i++)
        assert_true(x[i] == (float)(i / (N / 5)));
    assert_ok(portable_workspace_free(&work));
    assert_ok(portable_workspace_free(&work));
    assert_ok(portable_workspace_free(NULL));
    assert_ok(portable_stream_destroy(stream));
    portable_memory_in_use(&now, &now_allocations);
    assert_int_equal(now, bytes);
}

/* The same bits wherever the array begins: the order of additions does not depend on its
 * alignment. */
static void test_alignment(void **state)
{
    enum { N = 50001 };
    static float x[N], sums[2][N];
    unsigned seed = 3;
    float *device, *device_sums, sum[4];

    (void)state;
    NEEDS_DEVICE();
    for (int i = 0; i < N; i++)
        x[i] = (float)random_bits(&seed) * 0x1p-31f - 1;
    device = (float *)device_from(NULL, sizeof x + 16);
    device_sums = (float *)device_from(NULL, sizeof x + 16);
    for (int shift = 0; shift < 4; shift++) {
        assert_ok(portable_copy_to_device(device + shift, x, sizeof x));
        assert_ok(portable_sum_float(N, device + shift, &sum[shift], NULL, 0));
        assert_int_equal(bits_of(sum[shift]), bits_of(sum[0]));
        assert_ok(portable_scan_inclusive_float(N, device + shift, device_sums + shift, NULL, 0));
        assert_ok(portable_copy_to_host(sums[shift > 0], device_sums + shift, sizeof x));
        if (shift > 0)
            assert_memory_equal(sums[0], sums[1], sizeof x);
    }
}

static void test_refusals(void **state)
{
    enum { N = 100 };
    float host[N] = {0}, sum, *device, *other;
    unsigned long long count, *counts;
    unsigned *values;
    unsigned char *flags;

    (void)state;
    NEEDS_DEVICE();
    device = (float *)device_from(host, sizeof host);
    other = (float *)device_from(host, sizeof host);
    values = (unsigned *)device_from(host, sizeof host);
    flags = (unsigned char *)device_from(host, N);
    counts = (unsigned long long *)device_from(NULL, 256 * sizeof *counts);
    assert_refused(portable_sum_float(N, host, &sum, NULL, 0), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                   "portable_sum_float: the x");
    assert_refused(portable_sum_float(N, NULL, &sum, NULL, 0), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                   "x");
    assert_refused(portable_sum_float(N + 1, device, &sum, NULL, 0), PORTABLE_ERROR_OUT_OF_RANGE,
                   "404 bytes");
    assert_refused(portable_sum_float((size_t)-1, device, &sum, NULL, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "overflow");
    assert_refused(portable_sum_float(N, device, NULL, NULL, 0), PORTABLE_ERROR_INVALID_VALUE,
                   "no place for the result");
    assert_refused(portable_sum_float(1, (float *)((char *)device + 1), &sum, NULL, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "not aligned");
    assert_refused(portable_scan_inclusive_float(N, device, device, NULL, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "x and sums overlap");
    assert_refused(portable_scan_exclusive_float(N, device, host, NULL, 0),
                   PORTABLE_ERROR_NOT_DEVICE_MEMORY, "sums");
    assert_refused(portable_select_float(N, device, flags, device + 50, &count, NULL, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "x and packed overlap");
    assert_refused(portable_select_float(N, device, NULL, other, &count, NULL, 0),
                   PORTABLE_ERROR_NOT_DEVICE_MEMORY, "flags");
    assert_refused(
        portable_select_where_float(N, device, (portable_comparison)6, 0, other, &count, NULL, 0),
        PORTABLE_ERROR_INVALID_VALUE, "6 is not a portable_comparison");
    assert_refused(portable_select_where_float(N, device, PORTABLE_LESS, 0, NULL, &count, NULL, 0),
                   PORTABLE_ERROR_NOT_DEVICE_MEMORY, "packed");
    assert_refused(portable_histogram_bytes(N, flags, counts + 1, 0), PORTABLE_ERROR_OUT_OF_RANGE,
                   "counts");
    assert_refused(portable_histogram_float(N, device, 0, 1, 0, counts, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "0 bins");
    assert_refused(portable_histogram_float(N, device, 1, 1, 5, counts, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "no even bins");
    assert_refused(portable_histogram_float(N, device, 0, INFINITE, 5, counts, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "no even bins");
    assert_refused(portable_histogram_float(N, device, 0, QUIET_NAN, 5, counts, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "no even bins");
    assert_refused(portable_sort_float(N, host, NULL, 0), PORTABLE_ERROR_NOT_DEVICE_MEMORY, "keys");
    assert_refused(portable_sort_pairs_float(N, device, NULL, NULL, 0),
                   PORTABLE_ERROR_NOT_DEVICE_MEMORY, "values");
    assert_refused(portable_sort_pairs_float(N, device, (unsigned *)device, NULL, 0),
                   PORTABLE_ERROR_INVALID_VALUE, "keys and values overlap");
    assert_ok(portable_sort_pairs_float(N, device, values, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_nothing),     TEST(test_special_minima), TEST(test_large_integers),
        TEST(test_comparisons), TEST(test_total_order),    TEST(test_sort_tiles),
        TEST(test_small_tiles), TEST(test_workspace),      TEST(test_alignment),
        TEST(test_refusals),
    };

    return cmocka_run_group_tests_name("algorithms/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
