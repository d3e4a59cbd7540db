/* SPDX-License-Identifier: BSD-3-Clause */
/* The largest valid and the smallest invalid values: threads of a launch, lanes of a warp, bytes of
 * an allocation, of a copy, and of rows; copies that overlap. */
#include "test.h"

/* Hides numbers and pointers from the compiler, which would warn of the misuse. */
static size_t hidden_size(size_t size)
{
    volatile size_t seen = size;

    return seen;
}
static void *hidden(void *pointer)
{
    void *volatile seen = pointer;

    return seen;
}

/* ---- threads of a launch ---- */

KERNEL(count_elements)(int n, int *count)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(count, 1);
}

/* Whether a launch with that grid and block could begin; it does not. */
static int could_begin(dim3 grid, dim3 block)
{
    const int may = portable_launch_begin_("no_kernel", 1024, grid, block, 0, 0, 0);

    portable_launch_.kernel = NULL;
    portable_last_error();
    return may;
}

static const struct {
    unsigned long long blocks, threads;
    const char *sentence; /* NULL: it is valid */
} launches[] = {
    {1ull << 31, 1, "grid (2147483648, 1, 1) exceeds (2147483647, 65535, 65535)"},
    {(1ull << 31) + 1, 1, "grid (2147483649, 1, 1) exceeds (2147483647, 65535, 65535)"},
    {(1ull << 32) + 1, 1, "exceeds (2147483647, 65535, 65535)"},
    {1, (1ull << 31) + 1, "exceeds (1024, 1024, 64)"},
    {1, (1ull << 32) + 1, "exceeds (1024, 1024, 64)"},
    {715827883, 3, "715827883 blocks of 3 threads are over 2^31 threads along x"}, /* by one */
    {(1ull << 22) + 1, 1024, "4194305 blocks of 1024 threads are over 2^31 threads along x"},
    {(1ull << 31) - 1, 1, NULL},
    {1ull << 30, 2, NULL}, /* 2^31 */
    {1ull << 21, 1024, NULL},
};

static void test_threads_of_a_launch(void **state)
{
    int *device, count;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    for (size_t k = 0; k < COUNT_OF(launches); k++) {
        const unsigned long long blocks = launches[k].blocks, threads = launches[k].threads;

        if (launches[k].sentence)
            assert_refused(KERNEL_LAUNCH(count_elements, blocks, threads, 0, 0, 10, device),
                           PORTABLE_ERROR_INVALID_LAUNCH, launches[k].sentence);
        else
            assert_int_equal(
                could_begin(DIM3((unsigned)blocks, 1, 1), DIM3((unsigned)threads, 1, 1)), 1);
    }
    assert_int_equal(could_begin(DIM3(2147483647, 65535, 65535), DIM3(1, 32, 32)), 1);
    assert_ok(portable_copy_to_host(&count, device, sizeof count));
    assert_int_equal(count, 0);
    if (on_loops()) { /* threads without an element cost nothing */
        assert_ok(KERNEL_LAUNCH(count_elements, 1 << 30, 2, 0, 0, 10, device));
        assert_ok(KERNEL_LAUNCH(count_elements, DIM3(2147483647, 1, 1), 1, 0, 0, 10, device));
        assert_ok(portable_copy_to_host(&count, device, sizeof count));
        assert_int_equal(count, 20);
    }
}

/* ---- lanes of a warp ---- */

KERNEL(number_warps)(int *numbers)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_WARP
        numbers[blockIdx.x * 33 + WARP_INDEX()] = (int)(100 * (blockIdx.x + 1) + WARP_INDEX());
    }
}

/* The sum over the lanes of each warp: the last one may have a single lane. */
KERNEL(sum_warps)(int *sums)
{
    FOR_EACH_BLOCK() {
        PRIVATE(int, mine);
        PRIVATE(int, sum);
        FOR_EACH_THREAD {
            MINE(mine) = 1 + (int)(threadIdx.x + threadIdx.y * blockDim.x);
        }
        WARP_REDUCE_ADD(sum, mine);
        FOR_EACH_THREAD {
            sums[threadIdx.x + threadIdx.y * blockDim.x] = MINE(sum);
        }
    }
}

static void test_the_last_warp_may_have_one_lane(void **state)
{
    static const dim3 blocks[] = {{1, 1, 1},  {31, 1, 1}, {32, 1, 1},  {33, 1, 1},
                                  {3, 11, 1}, {65, 1, 1}, {993, 1, 1}, {1023, 1, 1}};
    int numbers[2][33], sums[1024], *device, *device_sums;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof numbers);
    device_sums = (int *)device_from(NULL, sizeof sums);
    for (size_t s = 0; s < COUNT_OF(blocks); s++) {
        const int threads = (int)(blocks[s].x * blocks[s].y);

        assert_ok(portable_memset(device, 0, sizeof numbers));
        assert_ok(KERNEL_LAUNCH(number_warps, 2, blocks[s], 0, 0, device));
        assert_ok(portable_copy_to_host(numbers, device, sizeof numbers));
        for (int b = 0; b < 2; b++)
            for (int w = 0; w < 33; w++)
                assert_int_equal(numbers[b][w], 32 * w < threads ? 100 * (b + 1) + w : 0);
        assert_ok(KERNEL_LAUNCH(sum_warps, 1, blocks[s], 0, 0, device_sums));
        assert_ok(portable_copy_to_host(sums, device_sums, sizeof sums));
        for (int t = 0; t < threads; t++) {
            const int first = t / 32 * 32, end = first + 32 < threads ? first + 32 : threads;

            assert_int_equal(sums[t], (end - first) * (first + 1 + end) / 2);
        }
    }
}

/* ---- bytes of an allocation ---- */

static void test_one_past_the_end(void **state)
{
    enum { BYTES = 64 };
    char host[BYTES] = {0}, *device;

    (void)state;
    NEEDS_DEVICE();
    device = (char *)device_from(NULL, BYTES);
    assert_ok(portable_copy_to_host(host, device + BYTES, 0));
    assert_ok(portable_copy_to_device(device + BYTES, host, 0));
    assert_ok(portable_memset(device + BYTES, 1, 0));
    assert_ok(portable_memset(device + BYTES - 1, 1, 1));
    if (!on_cuda()) { /* other memory may be adjacent */
        assert_refused(portable_memset(device + BYTES, 1, 1), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                       "is not (or no longer) device memory");
        assert_refused(portable_copy_to_host(host, device + BYTES, 1),
                       PORTABLE_ERROR_NOT_DEVICE_MEMORY, "the source");
        assert_refused(portable_copy_to_device(device + BYTES, host, 1),
                       PORTABLE_ERROR_NOT_DEVICE_MEMORY, "the destination");
        assert_refused(portable_memset(device - 1, 1, 1), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                       "is not (or no longer) device memory");
    }
    assert_refused(portable_memset(device + BYTES - 1, 1, 2), PORTABLE_ERROR_OUT_OF_RANGE,
                   "2 bytes from byte 63 of the target, which has 64");
    assert_refused(portable_free(hidden(device + BYTES)), PORTABLE_ERROR_INVALID_FREE,
                   "not the start");
    assert_refused(portable_free(hidden(device - 1)), PORTABLE_ERROR_INVALID_FREE, "not the start");
    assert_ok(portable_copy_to_host(host, device, BYTES));
    for (int k = 0; k < BYTES; k++)
        assert_int_equal(host[k], k == BYTES - 1);
}

/* One past the end of an array may be the start of the next, and belongs to that one. A CPU's
 * allocations are never adjacent, so these are registered by hand. */
static void test_neighbours(void **state)
{
    enum { BYTES = 64, ARRAYS = 3 };
    static char arrays[ARRAYS * BYTES];
    char *const memory = (char *)hidden(arrays);
    char *const next = memory + BYTES, *const last = memory + 2 * BYTES;
    size_t count_before, bytes_before, count, bytes;
    char host[2 * BYTES];

    (void)state;
    NEEDS_DEVICE();
    if (on_cuda())
        return;
    portable_memory_in_use(&bytes_before, &count_before);
    assert_ok(portable_table_insert_(next, BYTES, 0, 0, 0));
    assert_ok(portable_table_insert_(last, BYTES, 1, 0, 0)); /* page-locked host memory */
    assert_ok(portable_table_insert_(memory, BYTES, 0, 0, 0));
    memset(host, 7, sizeof host);
    assert_ok(portable_memset(memory, 1, BYTES));
    assert_ok(portable_memset(memory + BYTES, 2, BYTES));
    assert_int_equal(memory[BYTES - 1], 1);
    assert_int_equal(next[0], 2);
    assert_int_equal(next[BYTES - 1], 2);
    assert_int_equal(last[0], 0);
    assert_refused(portable_memset(memory + 1, 1, BYTES), PORTABLE_ERROR_OUT_OF_RANGE,
                   "64 bytes from byte 1 of the target, which has 64");
    assert_refused(portable_copy_on_device(next, memory, BYTES + 1), PORTABLE_ERROR_OUT_OF_RANGE,
                   "65 bytes from byte 0 of the destination, which has 64");
    assert_refused(portable_copy_to_host(host, memory, 2 * BYTES), PORTABLE_ERROR_OUT_OF_RANGE,
                   "128 bytes from byte 0 of the source, which has 64");
    assert_ok(portable_copy_to_host(last, next, BYTES));
    assert_int_equal(last[BYTES - 1], 2);
    assert_refused(portable_copy_to_host(last + 1, next, BYTES), PORTABLE_ERROR_OUT_OF_RANGE,
                   "64 bytes from byte 1 of the destination, which has 64");
    assert_refused(portable_memset(last, 0, 1), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                   "portable_memset");

    /* It does not free its neighbour; an array is freed alone. */
    assert_false(portable_table_remove_(last, 0));
    assert_false(portable_table_remove_(next, 1));
    assert_false(portable_table_remove_(memory + 1, 0));
    assert_true(portable_table_remove_(next, 0));
    assert_refused(portable_free(hidden(memory + BYTES)), PORTABLE_ERROR_INVALID_FREE,
                   "not the start of a live device allocation");
    assert_refused(portable_memset(next, 0, 1), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                   "portable_memset");
    portable_memory_in_use(&bytes, &count);
    assert_int_equal(bytes, bytes_before + BYTES);
    assert_int_equal(count, count_before + 1);
    assert_true(portable_table_remove_(memory, 0));
    assert_true(portable_table_remove_(last, 1));
    assert_false(portable_table_remove_(memory, 0));
    portable_memory_in_use(&bytes, &count);
    assert_int_equal(bytes, bytes_before);
    assert_int_equal(count, count_before);
}

/* ---- bytes of a copy ---- */

/* docs/kernel-language.md: on the CPU the two may overlap. */
static void test_overlapping_copies(void **state)
{
    enum { BYTES = 1 << 16 };
    static const int distances[] = {1, 3, 8, 15, 64, 255, 4096, BYTES / 2, 0};
    static unsigned char before[BYTES], after[BYTES];
    unsigned char *device;

    (void)state;
    NEEDS_DEVICE();
    if (on_cuda())
        return;
    for (int k = 0; k < BYTES; k++)
        before[k] = (unsigned char)(k * 7 + k / 251);
    device = (unsigned char *)device_from(NULL, BYTES);
    for (size_t d = 0; d < COUNT_OF(distances); d++)
        for (int up = 0; up < 2; up++) {
            const int distance = distances[d], moved = BYTES - distance;
            const int from = up ? 0 : distance, to = up ? distance : 0;

            assert_ok(portable_copy_to_device(device, before, BYTES));
            assert_ok(portable_copy_on_device(device + to, device + from, (size_t)moved));
            assert_ok(portable_copy_to_host(after, device, BYTES));
            for (int k = 0; k < BYTES; k++)
                if (after[k] != before[k >= to && k < to + moved ? k - to + from : k])
                    fail_msg("%d bytes from %d to %d: byte %d", moved, from, to, k);
        }
}

/* ---- bytes of rows ---- */

/* The rows of a pitch end at the last possible byte, or one after: 2^64 - 9 is 1 more
 * than a multiple of 9, and so on. */
static void test_rows_that_end_at_the_last_address(void **state)
{
    enum { BYTES = 64 };
    static const size_t shapes[][2] = {{9, 8},  {8, 8},   {10, 3},       {2, 1},
                                       {3, 2},  {17, 16}, {1 << 20, 64}, {((size_t)1 << 63) + 5, 7},
                                       {64, 64}};
    char host[BYTES] = {0}, *device;

    (void)state;
    NEEDS_DEVICE();
    device = (char *)device_from(NULL, BYTES);
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        const size_t pitch = shapes[s][0], width = shapes[s][1];
        const size_t fits = hidden_size(((size_t)-1 - width) / pitch + 1);

        assert_refused(portable_copy_to_device_2d(device, pitch, host, width, width, fits + 1),
                       PORTABLE_ERROR_INVALID_VALUE, "the size overflows");
        assert_refused(portable_copy_on_device_2d(device, width, device, pitch, width, fits + 1),
                       PORTABLE_ERROR_INVALID_VALUE, "the size overflows");
        if (fits > 1) /* enough rows to exceed the array */
            assert_refused(portable_copy_to_device_2d(device, pitch, host, width, width, fits),
                           PORTABLE_ERROR_OUT_OF_RANGE, "of the destination, which has 64");
    }
    assert_ok(portable_copy_to_device_2d(device, hidden_size((size_t)-1), host, 8, 8, 1));
    assert_ok(portable_copy_to_host_2d(host, 8, device, 56, 8, 2)); /* the last byte of all */
    assert_refused(portable_copy_to_host_2d(host, 8, device, 57, 8, 2), PORTABLE_ERROR_OUT_OF_RANGE,
                   "65 bytes from byte 0 of the source");
}

static void test_pitched_memory_of_too_many_rows(void **state)
{
    static const size_t widths[] = {1, 511, 512, 513, 1024, (size_t)1 << 40};
    char *values;
    size_t pitch;

    (void)state;
    NEEDS_DEVICE();
    for (size_t w = 0; w < COUNT_OF(widths); w++) {
        const size_t stride = (widths[w] + 511) / 512 * 512;
        const size_t fits = hidden_size((size_t)-1 / stride);

        assert_refused(portable_malloc_pitch(&values, &pitch, widths[w], fits + 1),
                       PORTABLE_ERROR_INVALID_VALUE, "overflow");
        if (!on_cuda()) /* CUDA chooses its own pitch */
            assert_refused(portable_malloc_pitch(&values, &pitch, widths[w], fits),
                           PORTABLE_ERROR_OUT_OF_MEMORY, "cannot allocate");
    }
    assert_refused(portable_malloc_pitch(&values, &pitch, hidden_size((size_t)-1 - 511), 2),
                   PORTABLE_ERROR_INVALID_VALUE, "overflow");
    assert_refused(portable_malloc_pitch(&values, &pitch, hidden_size((size_t)-1 - 510), 1),
                   PORTABLE_ERROR_INVALID_VALUE, "overflow");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_threads_of_a_launch),
        TEST(test_the_last_warp_may_have_one_lane),
        TEST(test_one_past_the_end),
        TEST(test_neighbours),
        TEST(test_overlapping_copies),
        TEST(test_rows_that_end_at_the_last_address),
        TEST(test_pitched_memory_of_too_many_rows),
    };

    return cmocka_run_group_tests_name("edges/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
