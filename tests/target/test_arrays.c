/* SPDX-License-Identifier: BSD-3-Clause */
/* portable_array copies if one side asks for data that the other wrote, and only then. */
#include "test.h"

enum { N = 100 };

KERNEL(add_to_all)(int n, int what, int *values)
{
    GRID_STRIDE_LOOP(i, n)
        values[i] += what;
}

static portable_status launch_add(int what, void *values)
{
    return KERNEL_LAUNCH(add_to_all, 2, 32, 0, 0, (int)N, what, (int *)values);
}

static size_t allocations(void)
{
    size_t count;

    portable_memory_in_use(NULL, &count);
    return count;
}

static void test_nothing_is_allocated_early(void **state)
{
    const size_t before = allocations();
    portable_array array;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    assert_int_equal(array.bytes, N * sizeof(int));
    assert_null(array.host);
    assert_null(array.device);
    assert_non_null(portable_array_write_host(&array));
    assert_null(array.device);
    assert_int_equal(allocations(), before);
    assert_non_null(portable_array_read_device(&array));
    assert_int_equal(allocations(), before + 1);
    assert_ok(portable_array_destroy(&array));
    assert_int_equal(allocations(), before);

    assert_ok(portable_array_create(&array, N, sizeof(int)));
    assert_non_null(portable_array_write_device(&array));
    assert_null(array.host);
    assert_ok(portable_array_destroy(&array));
    assert_int_equal(allocations(), before);
}

/* Values are passed back and forth, and changed by each side in turn. */
static void test_values_travel(void **state)
{
    portable_array array;
    const int *seen;
    int *host;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    host = (int *)portable_array_write_host(&array);
    for (int i = 0; i < N; i++)
        host[i] = i;
    assert_ok(launch_add(1000, portable_array_update_device(&array)));
    seen = (const int *)portable_array_read_host(&array);
    assert_ptr_equal(seen, host);
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i], i + 1000);
    host = (int *)portable_array_update_host(&array);
    for (int i = 0; i < N; i++)
        host[i] *= 2;
    assert_ok(launch_add(1, portable_array_update_device(&array)));
    assert_ok(launch_add(1, portable_array_update_device(&array)));
    seen = (const int *)portable_array_read_host(&array);
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i], 2 * (i + 1000) + 2);
    assert_ok(portable_array_destroy(&array));
}

/* The device side is changed behind the array's back, so that copies and missing copies both
 * show. */
static void test_copies_are_made_only_when_needed(void **state)
{
    portable_array array;
    int *host, *device;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    host = (int *)portable_array_write_host(&array);
    memset(host, 0, N * sizeof(int));
    device = (int *)portable_array_write_device(&array);
    assert_ok(portable_memset(device, 1, N * sizeof(int)));

    /* The device wrote last: one copy, after which both sides are current. */
    assert_int_equal(((const int *)portable_array_read_host(&array))[0], 0x01010101);
    assert_ok(portable_memset(device, 2, N * sizeof(int)));
    assert_int_equal(((const int *)portable_array_read_host(&array))[0], 0x01010101);
    assert_ptr_equal(portable_array_read_device(&array), device);
    assert_int_equal(((const int *)portable_array_read_host(&array))[0], 0x01010101);

    /* Writing on the host copies nothing to it, and the device is then out of date. */
    host = (int *)portable_array_write_host(&array);
    assert_int_equal(host[0], 0x01010101);
    host[0] = 5;
    assert_ptr_equal(portable_array_read_device(&array), device);
    assert_ok(portable_copy_to_host(host, device, sizeof(int)));
    assert_int_equal(host[0], 5);

    /* Updating on the device makes the host out of date, although nothing has been written yet. */
    assert_ptr_equal(portable_array_update_device(&array), device);
    assert_ok(portable_memset(device, 3, N * sizeof(int)));
    assert_int_equal(((const int *)portable_array_read_host(&array))[0], 0x03030303);

    /* Writing on the device copies nothing to it. */
    host = (int *)portable_array_update_host(&array);
    host[0] = 7;
    assert_ptr_equal(portable_array_write_device(&array), device);
    assert_int_equal(((const int *)portable_array_read_host(&array))[0], 0x03030303);
    assert_ok(portable_array_destroy(&array));
}

/* Reading uninitialised data is refused on both sides, also as an update; nothing is allocated. */
static void test_stale_reads(void **state)
{
    const size_t before = allocations();
    portable_array array;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    assert_null(portable_array_read_host(&array));
    assert_non_null(strstr(portable_last_message(), "read on the host before it was written"));
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_STALE_ARRAY);
    assert_null(portable_array_read_device(&array));
    assert_non_null(strstr(portable_last_message(), "read on the device before it was written"));
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_STALE_ARRAY);
    assert_null(portable_array_update_host(&array));
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_STALE_ARRAY);
    assert_null(portable_array_update_device(&array));
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_STALE_ARRAY);
    assert_null(array.host);
    assert_null(array.device);
    assert_int_equal(allocations(), before);
    /* The array can still be used. */
    assert_non_null(portable_array_write_host(&array));
    assert_non_null(portable_array_read_device(&array));
    assert_ok(portable_array_destroy(&array));
}

static void test_failures(void **state)
{
    portable_array array;

    (void)state;
    NEEDS_DEVICE();
    assert_refused(portable_array_create(&array, (size_t)-1 / 2, 4), PORTABLE_ERROR_INVALID_VALUE,
                   "elements of 4 bytes overflow");
    assert_ok(portable_array_destroy(&array)); /* a failed array is empty */

    assert_ok(portable_array_create(&array, (size_t)-1 / 4, 1));
    assert_null(portable_array_write_device(&array));
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_OUT_OF_MEMORY);
    assert_null(portable_array_read_device(&array)); /* still uninitialised */
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_STALE_ARRAY);
    assert_ok(portable_array_destroy(&array));

    /* After a failed launch the host does not get data that the device should have written. */
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    assert_non_null(portable_array_write_device(&array));
    (void)KERNEL_LAUNCH(add_to_all, 0, 32, 0, 0, (int)N, 1, (int *)array.device);
    assert_null(portable_array_read_host(&array));
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_INVALID_LAUNCH);
    assert_non_null(portable_array_read_host(&array));
    assert_ok(portable_array_destroy(&array));
}

static void test_empty_array(void **state)
{
    static const size_t shapes[][2] = {{0, sizeof(int)}, {N, 0}, {0, 0}};
    portable_array array;

    (void)state;
    NEEDS_DEVICE();
    for (size_t k = 0; k < COUNT_OF(shapes); k++) {
        assert_ok(portable_array_create(&array, shapes[k][0], shapes[k][1]));
        assert_int_equal(array.bytes, 0);
        assert_non_null(portable_array_read_host(&array));
        assert_non_null(portable_array_read_device(&array));
        assert_non_null(portable_array_update_host(&array));
        assert_ok(portable_array_destroy(&array));
    }
}

static void test_destroy(void **state)
{
    portable_array array;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    assert_ok(portable_array_destroy(&array));
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    assert_non_null(portable_array_write_host(&array));
    assert_ok(portable_array_destroy(&array));
    assert_null(array.host);
    assert_null(array.device);
    assert_int_equal(array.bytes, 0);
    assert_ok(portable_array_destroy(&array)); /* destroyed again: nothing to free */
    /* The device side was freed by hand: an error, and the array is empty all the same. */
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    assert_ok(portable_free(portable_array_write_device(&array)));
    assert_refused(portable_array_destroy(&array), PORTABLE_ERROR_INVALID_FREE, "not the start");
    assert_null(array.device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_is_allocated_early),
        TEST(test_values_travel),
        TEST(test_copies_are_made_only_when_needed),
        TEST(test_stale_reads),
        TEST(test_failures),
        TEST(test_empty_array),
        TEST(test_destroy),
    };

    return cmocka_run_group_tests_name("arrays/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
