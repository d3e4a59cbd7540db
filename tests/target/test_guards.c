/* SPDX-License-Identifier: BSD-3-Clause */
/* On the CPU a kernel that writes outside of an array, or of its dynamic shared memory, fails. */
#include "test.h"

enum { N = 100, MANY = 60 };

KERNEL(write_word)(int *y, int at, int value)
{
    GRID_STRIDE_LOOP(i, 1)
        y[at + i] = value;
}
KERNEL(write_byte)(unsigned char *y, int at)
{
    GRID_STRIDE_LOOP(i, 1)
        y[at + i] = 1;
}
KERNEL(read_words)(const float *x, int at, float *y, int count)
{
    GRID_STRIDE_LOOP(i, count)
        y[i] = x[at + i];
}
/* The last block alone writes outside of its memory. */
KERNEL(write_shared)(int at, int *y)
{
    FOR_EACH_BLOCK() {
        SHARED_DYNAMIC(int, tile);
        FOR_EACH_THREAD {
            tile[threadIdx.x] = 1;
            if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1)
                tile[at] = 2;
        }
        SYNC_THREADS();
        FOR_EACH_THREAD
            y[threadIdx.x] = tile[threadIdx.x];
    }
}
/* A launch that gives no dynamic shared memory fails. */
KERNEL(write_and_fail)(int *y, int at)
{
    FOR_EACH_BLOCK() {
        SHARED_DYNAMIC(int, tile);
        FOR_EACH_THREAD {
            tile[threadIdx.x] = 1;
            y[at] = tile[0];
        }
    }
}
KERNEL_CHILD(write_word, int *, int, int);
KERNEL(write_by_child)(int *y, int at)
{
    GRID_STRIDE_LOOP(i, 1)
        DEVICE_LAUNCH(write_word, 1, 1, 0, y, at + i, 1);
}

/* A memory checker sees the accesses themselves, and allocations have no guards. */
static int has_guards(void)
{
#if defined(TEST_ADDRESS_SANITIZER)
    return 0;
#else
    return !on_cuda();
#endif
}

/* The launch fails; so does a copy to the host, until portable_last_error is asked. Then the next
 * launch is as any. */
static void assert_fails(portable_status status, const char *message, int *y)
{
    int host[N];

    assert_int_equal(status, PORTABLE_ERROR_OUT_OF_RANGE);
    assert_string_equal(portable_last_message(), message);
    assert_int_equal(portable_copy_to_host(host, y, sizeof host), PORTABLE_ERROR_OUT_OF_RANGE);
    assert_int_equal(portable_synchronize(), PORTABLE_ERROR_OUT_OF_RANGE);
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_OUT_OF_RANGE);
    assert_ok(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, 0, 7));
    assert_ok(portable_synchronize());
    assert_ok(portable_copy_to_host(host, y, sizeof host));
    assert_int_equal(host[0], 7);
}

static void test_write_outside_fails_the_launch(void **state)
{
    int *y, *before;
    void *cast;

    (void)state;
    if (!has_guards())
        return;
    assert_ok(portable_malloc(&before, N * sizeof *before));
    assert_ok(portable_malloc(&y, N * sizeof *y));
    assert_ok(portable_malloc((void **)&cast, N * sizeof *y));
    assert_ok(portable_memset(y, 0, N * sizeof *y));
    assert_fails(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, N, 1),
                 "kernel write_word wrote beyond device array y, at byte 400 of 400", y);
    assert_fails(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, N + 3, 0),
                 "kernel write_word wrote beyond device array y, at byte 412 of 400", y);
    assert_fails(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, -1, 0),
                 "kernel write_word wrote before device array y, at byte -4 of 400", y);
    assert_fails(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, -4, 0),
                 "kernel write_word wrote before device array y, at byte -16 of 400", y);
    /* The bytes of new memory, too. */
    assert_fails(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, N, -1),
                 "kernel write_word wrote beyond device array y, at byte 400 of 400", y);
    assert_fails(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, (int *)cast, N, 1),
                 "kernel write_word wrote beyond device array cast, at byte 400 of 400", y);
    assert_fails(KERNEL_LAUNCH(write_by_child, 1, 1, 0, 0, y, N),
                 "kernel write_word wrote beyond device array y, at byte 400 of 400", y);
    assert_fails(KERNEL_LAUNCH_COOPERATIVE(write_word, 1, 1, 0, 0, before, N, 1),
                 "kernel write_word wrote beyond device array before, at byte 400 of 400", y);
    assert_ok(portable_free(before));
    assert_ok(portable_free(y));
    assert_ok(portable_free(cast));
}

static void test_each_size_ends_at_its_last_byte(void **state)
{
    static const int sizes[] = {1, 2, 3, 255, 256, 257, 65537};

    (void)state;
    if (!has_guards())
        return;
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        unsigned char *y;

        assert_ok(portable_malloc(&y, (size_t)sizes[k]));
        assert_ok(KERNEL_LAUNCH(write_byte, 1, 1, 0, 0, y, sizes[k] - 1));
        assert_ok(KERNEL_LAUNCH(write_byte, 1, 1, 0, 0, y, 0));
        assert_refused(KERNEL_LAUNCH(write_byte, 1, 1, 0, 0, y, sizes[k]),
                       PORTABLE_ERROR_OUT_OF_RANGE, "wrote beyond device array y");
        assert_refused(KERNEL_LAUNCH(write_byte, 1, 1, 0, 0, y, -1), PORTABLE_ERROR_OUT_OF_RANGE,
                       "wrote before device array y, at byte -1 of");
        assert_ok(portable_free(y));
    }
}

/* A launch looks at the nearest bytes alone; the host at all, when it waits, copies or frees. */
static void test_host_finds_what_is_farther(void **state)
{
    static const int places[] = {N + 40, -40};
    const char *const said = "a kernel wrote be"; /* yond, fore */
    int host[N];

    (void)state;
    if (!has_guards())
        return;
    for (size_t k = 0; k < COUNT_OF(places); k++) {
        int *y;
        size_t pitch;

        assert_ok(portable_malloc(&y, sizeof host));
        for (int call = 0; call < 5; call++) {
            assert_ok(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, places[k], 1));
            const portable_status status = call == 0   ? portable_synchronize()
                                           : call == 1 ? portable_stream_synchronize(0)
                                           : call == 2 ? portable_copy_to_host(host, y, 4)
                                           : call == 3 ? portable_memset(y, 0, 4)
                                                       : portable_free(y);
            assert_refused(status, PORTABLE_ERROR_OUT_OF_RANGE, said);
            assert_non_null(strstr(portable_last_message(), " device array y, at byte "));
        }
        assert_ok(portable_malloc_pitch(&y, &pitch, 40, 3));
        assert_refused(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, 3 * 512 / 4, 1),
                       PORTABLE_ERROR_OUT_OF_RANGE, "device array y, at byte 1536 of 1536");
        assert_ok(portable_free(y));
    }
}

static void test_mirrored_arrays_have_guards(void **state)
{
    portable_array array;

    (void)state;
    if (!has_guards())
        return;
    assert_ok(portable_array_create(&array, N, sizeof(int)));
    assert_refused(
        KERNEL_LAUNCH(write_word, 1, 1, 0, 0, (int *)portable_array_write_device(&array), N, 1),
        PORTABLE_ERROR_OUT_OF_RANGE, "wrote beyond a device array, at byte 400 of 400");
    assert_ok(portable_array_destroy(&array));
}

static void test_dynamic_shared_memory_has_guards(void **state)
{
    int *y;

    (void)state;
    if (!has_guards())
        return;
    y = (int *)device_from(NULL, N * sizeof *y);
    assert_ok(KERNEL_LAUNCH(write_shared, 8, 64, 64 * sizeof(int), 0, 63, y));
    assert_fails(KERNEL_LAUNCH(write_shared, 8, 64, 64 * sizeof(int), 0, 64, y),
                 "kernel write_shared wrote beyond its dynamic shared memory, at byte 256 of 256",
                 y);
    assert_fails(KERNEL_LAUNCH(write_shared, 8, 64, 64 * sizeof(int), 0, 104, y),
                 "kernel write_shared wrote beyond its dynamic shared memory, at byte 416 of 256",
                 y);
    assert_fails(KERNEL_LAUNCH(write_shared, 8, 64, 64 * sizeof(int), 0, -1, y),
                 "kernel write_shared wrote before its dynamic shared memory, at byte -4 of 256",
                 y);
}

/* Of many arrays a few are looked at after a launch, in turn, and which kernel it was is not
 * known. */
static void test_many_arrays_take_turns(void **state)
{
    int *y[MANY], host[1];

    (void)state;
    if (!has_guards())
        return;
    for (int k = 0; k < MANY; k++)
        assert_ok(portable_malloc(&y[k], sizeof host));
    for (int k = 0; k < MANY; k += MANY - 1) {
        portable_status status = KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y[k], 1, 1);

        for (int launch = 0; launch < MANY && status == PORTABLE_SUCCESS; launch++)
            status = KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y[k], 0, 1);
        assert_refused(status, PORTABLE_ERROR_OUT_OF_RANGE,
                       "a kernel wrote beyond device array y[k], at byte 4 of 4");
        status = KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y[k], 1, 1);
        portable_last_error();
        if (status == PORTABLE_SUCCESS) /* its turn is to come: the copy does not wait */
            assert_refused(portable_copy_to_host(host, y[k], sizeof host),
                           PORTABLE_ERROR_OUT_OF_RANGE, "a kernel wrote beyond device array y[k]");
    }
    for (int k = 0; k < MANY; k++)
        assert_ok(portable_free(y[k]));
}

/* The failure that came first is the launch's, and the next launch has none. */
static void test_failed_launch_keeps_its_failure(void **state)
{
    int *y;

    (void)state;
    if (!has_guards())
        return;
    y = (int *)device_from(NULL, N * sizeof *y);
    assert_refused(KERNEL_LAUNCH(write_and_fail, 1, 32, 0, 0, y, N), PORTABLE_ERROR_INVALID_LAUNCH,
                   "uses SHARED_DYNAMIC, but the launch passes 0 bytes");
    assert_ok(KERNEL_LAUNCH(write_word, 1, 1, 0, 0, y, 0, 1));
    assert_ok(portable_synchronize());
}

/* So that what is computed from it shows it. */
static void test_read_outside_is_not_a_number(void **state)
{
    float *x, *y, host[4];

    (void)state;
    if (!has_guards())
        return;
    x = (float *)device_from(NULL, N * sizeof *x);
    y = (float *)device_from(NULL, sizeof host);
    for (int k = 0; k < 2; k++) {
        assert_ok(KERNEL_LAUNCH(read_words, 1, 4, 0, 0, x, k == 0 ? N : -4, y, 4));
        assert_ok(portable_copy_to_host(host, y, sizeof host));
        for (int i = 0; i < 4; i++)
            assert_true(host[i] != host[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_write_outside_fails_the_launch),   TEST(test_each_size_ends_at_its_last_byte),
        TEST(test_host_finds_what_is_farther),       TEST(test_mirrored_arrays_have_guards),
        TEST(test_dynamic_shared_memory_has_guards), TEST(test_many_arrays_take_turns),
        TEST(test_failed_launch_keeps_its_failure),  TEST(test_read_outside_is_not_a_number),
    };

    return cmocka_run_group_tests_name("guards/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
