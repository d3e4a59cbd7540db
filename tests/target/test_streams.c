/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams, events, and the device. */
#include "test.h"

enum { N = 1000 };

KERNEL(double_and_add)(int n, int what, int *values)
{
    GRID_STRIDE_LOOP(i, n)
        values[i] = 2 * values[i] + what;
}

/* Operations on a stream run in order: copy, kernels, copy. */
static void test_stream_order(void **state)
{
    static int values[N];
    portable_stream stream;
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof values);
    for (int i = 0; i < N; i++)
        values[i] = i;
    assert_ok(portable_stream_create(&stream));
    assert_non_null(stream);
    assert_ok(portable_copy_to_device_async(device, values, sizeof values, stream));
    assert_ok(KERNEL_LAUNCH(double_and_add, 4, 64, 0, stream, (int)N, 1, device));
    assert_ok(KERNEL_LAUNCH(double_and_add, 4, 64, 0, stream, (int)N, -3, device));
    assert_ok(portable_copy_to_host_async(values, device, sizeof values, stream));
    assert_ok(portable_stream_synchronize(stream));
    for (int i = 0; i < N; i++)
        assert_int_equal(values[i], 2 * (2 * i + 1) - 3);
    assert_ok(portable_stream_destroy(stream));
}

/* Two streams; the second waits for the event of the first. */
static void test_stream_waits_for_an_event(void **state)
{
    static int values[N];
    portable_stream first, second;
    portable_event event;
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof values);
    assert_ok(portable_synchronize());
    assert_ok(portable_stream_create(&first));
    assert_ok(portable_stream_create(&second));
    assert_ptr_not_equal(first, second);
    assert_ok(portable_event_create(&event));
    for (int round = 0; round < 10; round++)
        assert_ok(KERNEL_LAUNCH(double_and_add, 1, 32, 0, first, (int)N, 1, device));
    assert_ok(portable_event_record(event, first));
    assert_ok(portable_stream_wait_event(second, event));
    assert_ok(portable_copy_to_host_async(values, device, sizeof values, second));
    assert_ok(portable_stream_synchronize(second));
    for (int i = 0; i < N; i++)
        assert_int_equal(values[i], 1023);
    assert_ok(portable_event_destroy(event));
    assert_ok(portable_stream_destroy(first));
    assert_ok(portable_stream_destroy(second));
}

static void test_event_times(void **state)
{
    portable_event from, to;
    float milliseconds = -1, again = -1;
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, N * sizeof *device);
    assert_ok(portable_event_create(&from));
    assert_ok(portable_event_create(&to));
    assert_ok(portable_event_record(from, 0));
    assert_ok(KERNEL_LAUNCH(double_and_add, 1, 32, 0, 0, (int)N, 1, device));
    assert_ok(portable_event_record(to, 0));
    assert_ok(portable_event_synchronize(to));
    assert_ok(portable_event_elapsed(&milliseconds, from, to));
    assert_true(milliseconds >= 0);
    assert_ok(portable_event_elapsed(&milliseconds, from, from));
    assert_true(milliseconds == 0);

    /* Recorded again, it is later. */
    assert_ok(portable_event_elapsed(&milliseconds, from, to));
    assert_ok(portable_event_record(to, 0));
    assert_ok(portable_event_synchronize(to));
    assert_ok(portable_event_elapsed(&again, from, to));
    assert_true(again >= milliseconds);
    assert_ok(portable_event_destroy(from));
    assert_ok(portable_event_destroy(to));
}

static void test_unrecorded_event(void **state)
{
    portable_event from, to;
    float milliseconds;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_event_create(&from));
    assert_ok(portable_event_create(&to));
    assert_ok(portable_event_record(from, 0));
    assert_int_not_equal(portable_event_elapsed(&milliseconds, from, to), PORTABLE_SUCCESS);
    assert_non_null(strstr(portable_last_message(), "portable_event_elapsed: "));
    assert_ok(portable_event_destroy(from));
    assert_ok(portable_event_destroy(to));
}

/* Without an event or a stream there is nothing to destroy or record. */
static void test_null_handles(void **state)
{
    float milliseconds;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_event_destroy(NULL));
    assert_ok(portable_stream_destroy(0));
    assert_ok(portable_stream_synchronize(0));
    if (on_cuda())
        return;
    assert_refused(portable_event_record(NULL, 0), PORTABLE_ERROR_INVALID_VALUE,
                   "portable_event_record: no event");
    assert_refused(portable_stream_wait_event(0, NULL), PORTABLE_ERROR_INVALID_VALUE,
                   "portable_stream_wait_event: no event");
    assert_refused(portable_event_synchronize(NULL), PORTABLE_ERROR_INVALID_VALUE,
                   "portable_event_synchronize: no event");
    assert_refused(portable_event_elapsed(&milliseconds, NULL, NULL), PORTABLE_ERROR_INVALID_VALUE,
                   "portable_event_elapsed: ");
}

static void test_device(void **state)
{
    struct portable_device device;
    int count = -1;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_device_count(&count));
    assert_true(count >= 1);
    memset(&device, 0xff, sizeof device);
    assert_ok(portable_device_properties(&device));
    assert_true(device.name[0] != '\0');
    assert_non_null(memchr(device.name, '\0', sizeof device.name));
    assert_int_equal(device.warp_size, WARP_SIZE);
    assert_int_equal(device.max_threads_per_block, 1024);
    assert_int_equal(device.shared_bytes, 48 * 1024);
    assert_true(device.multiprocessors >= 1);
    if (on_cuda()) {
        assert_true(device.memory_bytes > 0);
        assert_true(device.major >= 5);
        assert_true(device.driver >= device.runtime / 1000 * 1000);
    } else {
        assert_string_equal(device.name, "CPU");
        assert_true(PORTABLE_TARGET_OPENMP || device.multiprocessors == 1);
        assert_true(device.memory_bytes == 0 && device.major == 0 && device.minor == 0);
        assert_true(device.driver == 0 && device.runtime == 0);
        assert_int_equal(count, 1);
    }
}

/* Without a device, the count is 0, and a call that needs a device fails with that status. */
static void test_no_device(void **state)
{
    int count = -1;
    void *pointer = &count;

    (void)state;
    if (portable_device_count(&count) == PORTABLE_SUCCESS) {
        assert_true(count > 0);
        return;
    }
    assert_int_equal(count, 0);
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_NO_DEVICE);
    assert_refused(portable_malloc(&pointer, 4), PORTABLE_ERROR_NO_DEVICE, "portable_malloc");
    assert_null(pointer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_stream_order), TEST(test_stream_waits_for_an_event),
        TEST(test_event_times),  TEST(test_unrecorded_event),
        TEST(test_null_handles), TEST(test_device),
        TEST(test_no_device),
    };

    return cmocka_run_group_tests_name("streams/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
