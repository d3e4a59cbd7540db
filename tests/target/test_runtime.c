/* SPDX-License-Identifier: BSD-3-Clause */
/* Choosing a device, pinned and pitched memory, occupancy, and errors reported at their launch. */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "test.h"

static const char *program; /* this program's path */

/* Hides a pointer from the compiler. */
static void *hidden(void *pointer)
{
    void *volatile copy = pointer;

    return copy;
}

/* ---- the device ---- */

static void test_device_select(void **state)
{
    struct portable_device device;
    int count = 0;
    char sentence[96];

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_device_count(&count));
    for (int index = count - 1; index >= 0; index--) {
        assert_ok(portable_device_select(index));
        assert_ok(portable_device_properties(&device));
        assert_int_equal(device.index, index);
    }
    snprintf(sentence, sizeof sentence, "no device %d; there %s %d, numbered from 0", count,
             count == 1 ? "is" : "are", count);
    assert_refused(portable_device_select(count), PORTABLE_ERROR_INVALID_VALUE, sentence);
    assert_refused(portable_device_select(-1), PORTABLE_ERROR_INVALID_VALUE, "no device -1");
    assert_refused(portable_device_select(INT_MAX), PORTABLE_ERROR_INVALID_VALUE,
                   "no device 2147483647");
    /* A refused choice changes nothing. */
    assert_ok(portable_device_properties(&device));
    assert_int_equal(device.index, 0);
}

static void test_device_numbers(void **state)
{
    struct portable_device device;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_device_properties(&device));
    assert_true(device.max_threads_per_multiprocessor >= device.max_threads_per_block);
    assert_true(device.shared_raised_bytes >= device.shared_bytes);
    assert_true(device.shared_raised_bytes <= 227 * 1024);
    assert_true(device.shared_multiprocessor_bytes >= device.shared_raised_bytes);
    if (on_cuda()) {
        assert_true(device.registers_per_multiprocessor >= 32768);
        assert_true(device.copy_engines >= 1);
        assert_true(device.l2_bytes >= 256 * 1024 && device.l2_bytes < device.memory_bytes);
        assert_true(device.clock_mhz > 100 && device.clock_mhz < 20000);
    } else {
        assert_int_equal(device.max_threads_per_multiprocessor, 1024);
        assert_int_equal(device.registers_per_multiprocessor, 0);
        assert_true(device.copy_engines == 0 && device.l2_bytes == 0 && device.clock_mhz == 0);
    }
}

/* Launches may ask each time: CUDA's own call takes half a millisecond. */
static void test_device_cost(void **state)
{
    enum { CALLS = 1000 };
    struct portable_device device;
    struct timespec begin, end;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_device_properties(&device));
    timespec_get(&begin, TIME_UTC);
    for (int i = 0; i < CALLS; i++)
        assert_ok(portable_device_properties(&device));
    timespec_get(&end, TIME_UTC);
    assert_true(difftime(end.tv_sec, begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec) <
                CALLS * 100e-6);
}

/* ---- pinned host memory ---- */

static void test_malloc_host(void **state)
{
    enum { N = 300 };
    size_t bytes_before, count_before, bytes, count;
    int *from, *to, *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, N * sizeof *device);
    portable_memory_in_use(&bytes_before, &count_before);
    assert_ok(portable_malloc_host(&from, N * sizeof *from));
    assert_ok(portable_malloc_host(&to, N * sizeof *to));
    assert_true((size_t)from % 256 == 0 && (size_t)to % 256 == 0);
    /* It is host memory, for C and for the count of device memory. */
    portable_memory_in_use(&bytes, &count);
    assert_int_equal(bytes, bytes_before);
    assert_int_equal(count, count_before);
    for (int k = 0; k < N; k++)
        from[k] = 7 * k;
    assert_ok(portable_copy_to_device_async(device, from, N * sizeof *from, 0));
    assert_ok(portable_copy_to_host_async(to, device, N * sizeof *to, 0));
    assert_ok(portable_synchronize());
    assert_memory_equal(from, to, N * sizeof *to);
    assert_ok(portable_free_host(from));
    assert_ok(portable_free_host(to));

    assert_ok(portable_malloc_host(&from, 0));
    assert_null(from);
    assert_ok(portable_free_host(NULL));
}

static void test_malloc_host_refuses(void **state)
{
    static char ordinary[16];
    volatile size_t too_many = (size_t)1 << 50;
    char *pinned, *device;

    (void)state;
    NEEDS_DEVICE();
    device = (char *)device_from(NULL, 16);
    assert_ok(portable_malloc_host(&pinned, 16));

    /* Copies know its side and its size. */
    assert_refused(portable_copy_to_device(device, pinned + 8, 9), PORTABLE_ERROR_OUT_OF_RANGE,
                   "9 bytes from byte 8 of the source, which has 16");
    assert_refused(portable_copy_to_host(pinned + 1, device, 16), PORTABLE_ERROR_OUT_OF_RANGE,
                   "16 bytes from byte 1 of the destination, which has 16");
    assert_refused(portable_copy_on_device(device, pinned, 4), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                   "portable_copy_on_device: the source");
    assert_refused(portable_memset(pinned, 0, 4), PORTABLE_ERROR_NOT_DEVICE_MEMORY, "the target");

    /* Each kind has its own function to free it. */
    assert_refused(portable_free(pinned), PORTABLE_ERROR_INVALID_FREE,
                   "is host memory from portable_malloc_host: portable_free_host frees it");
    assert_refused(portable_free_host(device), PORTABLE_ERROR_INVALID_FREE,
                   "is device memory: portable_free frees it");
    assert_refused(portable_free_host(pinned + 1), PORTABLE_ERROR_INVALID_FREE,
                   "is not the start of a live allocation of portable_malloc_host");
    assert_refused(portable_free_host(hidden(ordinary)), PORTABLE_ERROR_INVALID_FREE,
                   "is not the start of a live allocation");
    assert_ok(portable_free_host(pinned));
    assert_refused(portable_free_host(hidden(pinned)), PORTABLE_ERROR_INVALID_FREE,
                   "is not the start of a live allocation");

    pinned = ordinary;
    assert_refused(portable_malloc_host(&pinned, too_many), PORTABLE_ERROR_OUT_OF_MEMORY,
                   "bytes of pinned host memory");
    assert_null(pinned);
    too_many = (size_t)-1;
    if (!on_cuda())
        assert_refused(portable_malloc_host(&pinned, too_many), PORTABLE_ERROR_OUT_OF_MEMORY,
                       "bytes of pinned host memory");
}

/* ---- pitched memory ---- */

KERNEL(fill_rows)(int width, int height, size_t pitch, char *values)
{
    GRID_STRIDE_LOOP_2D(x, y, width, height)
        values[(size_t)y * pitch + (size_t)x] = (char)(10 * y + x);
}

static void test_malloc_pitch(void **state)
{
    enum { WIDTH = 7, HEIGHT = 5 };
    static const size_t widths[] = {1, 511, 512, 513, 4097};
    char rows[HEIGHT][WIDTH], *values;
    size_t pitch = 1, bytes, bytes_before;

    (void)state;
    NEEDS_DEVICE();
    portable_memory_in_use(&bytes_before, NULL);
    assert_ok(portable_malloc_pitch(&values, &pitch, WIDTH, HEIGHT));
    assert_true(pitch >= WIDTH && pitch % 32 == 0);
    portable_memory_in_use(&bytes, NULL);
    assert_int_equal(bytes - bytes_before, pitch * HEIGHT);
    assert_ok(KERNEL_LAUNCH(fill_rows, DIM3(1, 1, 1), DIM3(8, 8, 1), 0, 0, (int)WIDTH, (int)HEIGHT,
                            pitch, values));
    assert_ok(portable_copy_to_host_2d(rows, WIDTH, values, pitch, WIDTH, HEIGHT));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_int_equal(rows[y][x], 10 * y + x);
    /* The table knows its end. */
    assert_ok(portable_memset(values + (HEIGHT - 1) * pitch, 0, pitch));
    assert_refused(portable_memset(values + (HEIGHT - 1) * pitch, 0, pitch + 1),
                   PORTABLE_ERROR_OUT_OF_RANGE, "portable_memset");
    assert_ok(portable_free(values));
    for (size_t k = 0; k < COUNT_OF(widths); k++) {
        assert_ok(portable_malloc_pitch(&values, &pitch, widths[k], 3));
        assert_true(pitch >= widths[k] && (size_t)values % 256 == 0);
        if (!on_cuda())
            assert_int_equal(pitch, (widths[k] + 511) / 512 * 512);
        assert_ok(portable_free(values));
    }
}

static void test_malloc_pitch_refuses(void **state)
{
    char here, *values = &here;
    size_t pitch = 1;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_malloc_pitch(&values, &pitch, 0, 4));
    assert_true(!values && pitch == 0);
    values = &here;
    pitch = 1;
    assert_ok(portable_malloc_pitch(&values, &pitch, 4, 0));
    assert_true(!values && pitch == 0);
    values = &here;
    pitch = 1;
    assert_refused(portable_malloc_pitch(&values, &pitch, (size_t)-1, 1),
                   PORTABLE_ERROR_INVALID_VALUE, "overflow");
    assert_true(!values && pitch == 0);
    assert_refused(portable_malloc_pitch(&values, &pitch, 513, (size_t)-1 / 1000),
                   PORTABLE_ERROR_INVALID_VALUE, "overflow");
    assert_refused(portable_malloc_pitch(&values, &pitch, (size_t)1 << 30, (size_t)1 << 20),
                   PORTABLE_ERROR_OUT_OF_MEMORY, "cannot allocate");
    assert_true(!values && pitch == 0);
    assert_refused(portable_malloc_pitch(&values, (size_t *)NULL, 4, 4),
                   PORTABLE_ERROR_INVALID_VALUE, "no place for the pitch");
    assert_null(values);
}

/* ---- occupancy ---- */

KERNEL(add_one)(int n, int *values)
{
    GRID_STRIDE_LOOP(i, n)
        values[i]++;
}

KERNEL_LAUNCH_BOUNDS(add_one_bounded, 64, 1)(int n, int *values)
{
    GRID_STRIDE_LOOP(i, n)
        values[i]++;
}

static void test_occupancy(void **state)
{
    int few = -1, many = -1, none = -1;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_occupancy(add_one, 1024, 0, &few));
    assert_ok(portable_occupancy(add_one, DIM3(32, 2, 1), 0, &many));
    assert_true(few >= 1 && many >= few && many <= 64);
    if (on_cuda())
        assert_true(many > few);
    else
        assert_true(few == 1 && many == 1);
    assert_ok(portable_occupancy(add_one, 64, 48 * 1024, &few));
    assert_true(few >= 1 && few <= many);
    assert_ok(portable_occupancy(add_one_bounded, 64, 0, &few));
    assert_true(few >= 1);

    assert_refused(portable_occupancy(add_one, 1025, 0, &none), PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel add_one: block (1025, 1, 1)");
    assert_int_equal(none, 0);
    assert_refused(portable_occupancy(add_one, 0, 0, &none), PORTABLE_ERROR_INVALID_LAUNCH,
                   "has an extent of 0");
    assert_refused(portable_occupancy(add_one, 64, 48 * 1024 + 1, &none),
                   PORTABLE_ERROR_INVALID_LAUNCH, "KERNEL_SHARED_LIMIT raises it");
    if (!on_cuda())
        assert_refused(portable_occupancy(add_one_bounded, 65, 0, &none),
                       PORTABLE_ERROR_INVALID_LAUNCH, "its KERNEL_LAUNCH_BOUNDS allow 64");
    assert_int_equal(none, 0);
    /* It is a query, not a launch, and has no other effect. */
    assert_ok(portable_synchronize());
}

/* A query during the evaluation of a launch's arguments does not disturb that launch. */
static int asked(void)
{
    int blocks = 0;

    assert_ok(portable_occupancy(add_one, 32, 0, &blocks));
    return blocks > 0 ? 40 : 0;
}

static void test_occupancy_in_an_argument(void **state)
{
    int values[40], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof values);
    assert_ok(KERNEL_LAUNCH(add_one, 2, 32, 0, 0, asked(), device));
    assert_ok(portable_copy_to_host(values, device, sizeof values));
    for (int k = 0; k < 40; k++)
        assert_int_equal(values[k], 1);
}

/* Each block waits for all others; the sum of the values that they then see shows whether it
 * did. */
KERNEL(meet)(int *arrived, int *seen)
{
    FOR_EACH_BLOCK(32) {
        FOR_THREADS_BELOW(1)
            ATOMIC_ADD(arrived, 1);
    }
    SYNC_GRID();
    FOR_EACH_BLOCK(32) {
        FOR_THREADS_BELOW(1)
            ATOMIC_ADD(seen, *arrived == (int)gridDim.x);
    }
}

/* The largest cooperative grid is occupancy times multiprocessors: with one more block it is
 * refused on CUDA, with the number that fits; on the CPU any number is valid. */
static void test_largest_cooperative_grid(void **state)
{
    struct portable_device device;
    int *counts, blocks = 0, fit, out[2];
    char sentence[96];

    (void)state;
    NEEDS_DEVICE();
    counts = (int *)device_from(NULL, sizeof out);
    assert_ok(portable_device_properties(&device));
    assert_ok(portable_occupancy(meet, 32, 0, &blocks));
    fit = blocks * device.multiprocessors;
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(meet, fit, 32, 0, 0, counts, counts + 1));
    assert_ok(portable_copy_to_host(out, counts, sizeof out));
    assert_int_equal(out[1], fit);
    if (on_cuda()) {
        snprintf(sentence, sizeof sentence, "%d blocks cannot be resident at once; %d fit", fit + 1,
                 fit);
        assert_refused(KERNEL_LAUNCH_COOPERATIVE(meet, fit + 1, 32, 0, 0, counts, counts + 1),
                       PORTABLE_ERROR_INVALID_LAUNCH, sentence);
    } else {
        const int most = on_emulate() ? 900 : 5000;
        assert_ok(portable_memset(counts, 0, sizeof out));
        assert_ok(KERNEL_LAUNCH_COOPERATIVE(meet, most, 32, 0, 0, counts, counts + 1));
        assert_ok(portable_copy_to_host(out, counts, sizeof out));
        assert_int_equal(out[1], most);
        if (on_emulate())
            assert_refused(KERNEL_LAUNCH_COOPERATIVE(meet, 938, 32, 0, 0, counts, counts + 1),
                           PORTABLE_ERROR_INVALID_LAUNCH, "stacks for 30000");
    }
}

/* ---- PORTABLE_SYNC ---- */

KERNEL(store_through)(int *pointer)
{
    GRID_STRIDE_LOOP(i, 1)
        pointer[i] = 1;
}

/* Runs this program again with an argument, because such an error makes a context unusable. */
static int store_through_a_bad_pointer(void)
{
    int *const bad = (int *)hidden((void *)16);

    printf("launch: %s\n", portable_status_string(KERNEL_LAUNCH(store_through, 1, 32, 0, 0, bad)));
    printf("message: %s\n", portable_last_message());
    printf("synchronize: %s\n", portable_status_string(portable_synchronize()));
    return 0;
}

static void run_again(const char *sync, char *output, size_t size)
{
    char command[4200];
    FILE *pipe;
    size_t length;

    snprintf(command, sizeof command, "PORTABLE_SYNC=%s '%s' fault 2>&1", sync, program);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

static void test_sync_tells_the_launch(void **state)
{
    char output[1024];

    (void)state;
    NEEDS_DEVICE();
    if (!on_cuda())
        return;
    run_again("1", output, sizeof output);
    if (!strstr(output, "launch: device error") ||
        !strstr(output, "message: kernel store_through: an illegal memory access"))
        fail_msg("with PORTABLE_SYNC=1: %s", output);
    run_again("0", output, sizeof output);
    if (!strstr(output, "synchronize: device error"))
        fail_msg("with PORTABLE_SYNC=0: %s", output);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        TEST(test_device_select),
        TEST(test_device_numbers),
        TEST(test_device_cost),
        TEST(test_malloc_host),
        TEST(test_malloc_host_refuses),
        TEST(test_malloc_pitch),
        TEST(test_malloc_pitch_refuses),
        TEST(test_occupancy),
        TEST(test_occupancy_in_an_argument),
        TEST(test_largest_cooperative_grid),
        TEST(test_sync_tells_the_launch),
    };

    if (count > 1 && strcmp(arguments[1], "fault") == 0)
        return store_through_a_bad_pointer();
    program = arguments[0];
    return cmocka_run_group_tests_name("runtime/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
