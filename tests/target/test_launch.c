/* SPDX-License-Identifier: BSD-3-Clause */
/* Valid and refused launches, their arguments, how failures are kept and reported, and mistakes in
 * kernels that the CPU finds. */
#include "test.h"

#include <pthread.h> /* pthread_create */

/* The number of threads that ran. */
KERNEL(count_threads)(int *count)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_THREAD
            ATOMIC_ADD(count, 1);
    }
}

KERNEL(no_parameters)(void)
{
    FOR_EACH_BLOCK() {
        SYNC_THREADS();
    }
}

/* Returns the count that the previous launch left in `device`, and resets it to 0. */
static int taken(int *device)
{
    int count;

    assert_ok(portable_copy_to_host(&count, device, sizeof count));
    assert_ok(portable_memset(device, 0, sizeof count));
    return count;
}

/* ---- grid and block ---- */

static void test_grid_and_block_types(void **state)
{
    const short small = 3;
    const unsigned char tiny = 4;
    const long ordinary = 5;
    const unsigned long wide = 6;
    const long long wider = 7;
    const unsigned long long widest = 8;
    const size_t size = 9;
    const unsigned plain = 10;
    const dim3 plane = DIM3(2, 3, 1);
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    assert_ok(KERNEL_LAUNCH(count_threads, 2, 2, 0, 0, device));
    assert_int_equal(taken(device), 4);
    assert_ok(KERNEL_LAUNCH(count_threads, small, tiny, 0, 0, device));
    assert_int_equal(taken(device), 12);
    assert_ok(KERNEL_LAUNCH(count_threads, ordinary, wide, 0, 0, device));
    assert_int_equal(taken(device), 30);
    assert_ok(KERNEL_LAUNCH(count_threads, wider, widest, 0, 0, device));
    assert_int_equal(taken(device), 56);
    assert_ok(KERNEL_LAUNCH(count_threads, size, plain, 0, 0, device));
    assert_int_equal(taken(device), 90);
    assert_ok(KERNEL_LAUNCH(count_threads, plane, DIM3(4, 2, 2), 0, 0, device));
    assert_int_equal(taken(device), 96);
    assert_ok(KERNEL_LAUNCH(count_threads, 1 + 1, plane, 0, 0, device));
    assert_int_equal(taken(device), 12);
    assert_ok(KERNEL_LAUNCH(count_threads, dim3(2), dim3(4, 2), 0, 0, device));
    assert_int_equal(taken(device), 16);
    assert_ok(KERNEL_LAUNCH(count_threads, dim3(1, 2, 3), dim3(), 0, 0, device));
    assert_int_equal(taken(device), 6);
    assert_ok(KERNEL_LAUNCH(no_parameters, 1, 1, 0, 0));
    assert_ok(portable_synchronize());
}

static const struct {
    dim3 grid, block;
    const char *sentence; /* the error's text; NULL if the launch is valid */
} limits[] = {
    {{1, 1, 1}, {1024, 1, 1}, NULL},
    {{1, 1, 1}, {1, 1024, 1}, NULL},
    {{1, 1, 1}, {1, 1, 64}, NULL},
    {{1, 1, 1}, {16, 16, 4}, NULL},
    {{1, 65535, 1}, {1, 1, 1}, NULL},
    {{1, 1, 65535}, {1, 1, 1}, NULL},
    {{100000, 1, 1}, {1, 1, 1}, NULL},
    {{0, 1, 1}, {1, 1, 1}, "grid (0, 1, 1) has an extent of 0"},
    {{1, 0, 1}, {1, 1, 1}, "grid (1, 0, 1) has an extent of 0"},
    {{1, 1, 0}, {1, 1, 1}, "grid (1, 1, 0) has an extent of 0"},
    {{1, 1, 1}, {0, 1, 1}, "block (0, 1, 1) has an extent of 0"},
    {{1, 1, 1}, {1, 0, 1}, "block (1, 0, 1) has an extent of 0"},
    {{1, 1, 1}, {1, 1, 0}, "block (1, 1, 0) has an extent of 0"},
    {{1, 1, 1}, {1025, 1, 1}, "block (1025, 1, 1) exceeds (1024, 1024, 64)"},
    {{1, 1, 1}, {1, 1025, 1}, "block (1, 1025, 1) exceeds (1024, 1024, 64)"},
    {{1, 1, 1}, {1, 1, 65}, "block (1, 1, 65) exceeds (1024, 1024, 64)"},
    {{1, 1, 1}, {4294967295u, 1, 1}, "block (4294967295, 1, 1) exceeds"},
    {{1, 1, 1}, {32, 33, 1}, "block (32, 33, 1) has 1056 threads; a block has at most 1024"},
    {{1, 1, 1}, {1024, 1024, 64}, "has 67108864 threads; a block has at most 1024"},
    {{2147483648u, 1, 1}, {1, 1, 1}, "grid (2147483648, 1, 1) exceeds (2147483647, 65535, 65535)"},
    {{4294967295u, 1, 1}, {1, 1, 1}, "grid (4294967295, 1, 1) exceeds"},
    {{1, 65536, 1}, {1, 1, 1}, "grid (1, 65536, 1) exceeds (2147483647, 65535, 65535)"},
    {{1, 1, 65536}, {1, 1, 1}, "grid (1, 1, 65536) exceeds (2147483647, 65535, 65535)"},
    {{2147483647, 1, 1}, {2, 1, 1}, "2147483647 blocks of 2 threads are over 2^31 threads along x"},
    {{2097153, 1, 1}, {1024, 1, 1}, "2097153 blocks of 1024 threads are over 2^31 threads"},
};

static void test_launch_limits(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    for (size_t k = 0; k < COUNT_OF(limits); k++) {
        const dim3 grid = limits[k].grid, block = limits[k].block;
        const char *const sentence = limits[k].sentence;
        const unsigned threads = grid.x * grid.y * grid.z * block.x * block.y * block.z;

        if (sentence) {
            assert_refused(KERNEL_LAUNCH(count_threads, grid, block, 0, 0, device),
                           PORTABLE_ERROR_INVALID_LAUNCH, sentence);
            if (!strstr(portable_last_message(), "kernel count_threads: "))
                fail_msg("\"%s\" does not name the kernel", portable_last_message());
            assert_int_equal(taken(device), 0);
        } else {
            assert_ok(KERNEL_LAUNCH(count_threads, grid, block, 0, 0, device));
            assert_int_equal(taken(device), threads);
        }
    }
}

static void test_grid_out_of_range(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    assert_refused(KERNEL_LAUNCH(count_threads, -1, 1, 0, 0, device), PORTABLE_ERROR_INVALID_LAUNCH,
                   "grid (0, 1, 1) has an extent of 0 or less");
    assert_refused(KERNEL_LAUNCH(count_threads, LLONG_MIN, 1, 0, 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "has an extent of 0 or less");
    assert_refused(KERNEL_LAUNCH(count_threads, 1, -32, 0, 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "block (0, 1, 1) has an extent of 0 or less");
    assert_refused(KERNEL_LAUNCH(count_threads, (1LL << 32) + 1, 1, 0, 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "exceeds (2147483647, 65535, 65535)");
    assert_refused(KERNEL_LAUNCH(count_threads, 1, (size_t)-1, 0, 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "exceeds (1024, 1024, 64)");
    assert_int_equal(taken(device), 0);
}

/* ---- KERNEL_LAUNCH_BOUNDS, shared memory ---- */

/* A shared variable that is no array. */
KERNEL(sum_in_a_shared_scalar)(int *sums)
{
    FOR_EACH_BLOCK(0) {
        SHARED(int, sum);
        SHARED(float2, pair);
        FOR_THREADS_BELOW(1) {
            sum = 0;
            pair = make_float2(1, 2);
        }
        SYNC_THREADS();
        FOR_EACH_THREAD
            ATOMIC_ADD_BLOCK(&sum, (int)threadIdx.x + (int)pair.y);
        SYNC_THREADS();
        FOR_THREADS_BELOW(1)
            sums[blockIdx.x] = sum;
    }
}

static void test_a_shared_scalar(void **state)
{
    int sums[3], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof sums);
    assert_ok(KERNEL_LAUNCH(sum_in_a_shared_scalar, 3, 100, 0, 0, device));
    assert_ok(portable_copy_to_host(sums, device, sizeof sums));
    for (int b = 0; b < 3; b++)
        assert_int_equal(sums[b], 99 * 100 / 2 + 200);
}

KERNEL_LAUNCH_BOUNDS(bounded, 128, 2)(int *count)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_THREAD
            ATOMIC_ADD(count, 1);
    }
}

static void test_kernel_bounds(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    assert_ok(KERNEL_LAUNCH(bounded, 1, 128, 0, 0, device));
    assert_int_equal(taken(device), 128);
    assert_refused(KERNEL_LAUNCH(bounded, 1, 129, 0, 0, device), PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel bounded");
    if (!on_cuda() &&
        !strstr(portable_last_message(), "129 threads; its KERNEL_LAUNCH_BOUNDS allow 128"))
        fail_msg("\"%s\" does not name the bounds", portable_last_message());
    assert_int_equal(taken(device), 0);
    assert_ok(KERNEL_LAUNCH_AUTO(bounded, 10000, device));
    assert_true(taken(device) % 32 == 0);
}

/* The first and the last byte of dynamic shared memory. */
KERNEL(touch_shared)(size_t bytes, int *sum)
{
    FOR_EACH_BLOCK(1) {
        SHARED_DYNAMIC(unsigned char, scratch);
        FOR_EACH_THREAD {
            scratch[0] = 1;
            scratch[bytes - 1] = 2;
            ATOMIC_ADD(sum, scratch[0] + scratch[bytes - 1]);
        }
    }
}
/* The same, for a limit that nobody raises. */
KERNEL(touch_less)(size_t bytes, int *sum)
{
    FOR_EACH_BLOCK(1) {
        SHARED_DYNAMIC(unsigned char, scratch);
        FOR_EACH_THREAD {
            scratch[bytes - 1] = 2;
            ATOMIC_ADD(sum, scratch[bytes - 1]);
        }
    }
}

static void test_shared_limit(void **state)
{
    const size_t kib = 1024;
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    assert_ok(KERNEL_LAUNCH(touch_shared, 1, 1, 48 * kib, 0, 48 * kib, device));
    assert_int_equal(taken(device), 3);
    assert_refused(KERNEL_LAUNCH(touch_shared, 1, 1, 48 * kib + 1, 0, 48 * kib + 1, device),
                   PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel touch_shared: 49153 bytes of dynamic shared memory, and the limit is "
                   "49152; KERNEL_SHARED_LIMIT raises it");
    assert_ok(KERNEL_SHARED_LIMIT(touch_shared, 64 * kib));
    assert_ok(KERNEL_LAUNCH(touch_shared, 1, 1, 64 * kib, 0, 64 * kib, device));
    assert_int_equal(taken(device), 3);
    assert_refused(KERNEL_LAUNCH(touch_shared, 1, 1, 64 * kib + 1, 0, 64 * kib + 1, device),
                   PORTABLE_ERROR_INVALID_LAUNCH,
                   "65537 bytes of dynamic shared memory, and the "
                   "limit is 65536");
    /* Another kernel's limit is unchanged. */
    assert_refused(KERNEL_LAUNCH(touch_less, 1, 1, 64 * kib, 0, 64 * kib, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel touch_less: 65536 bytes");
    assert_refused(KERNEL_SHARED_LIMIT(touch_shared, 228 * kib), PORTABLE_ERROR_INVALID_VALUE,
                   "kernel touch_shared: a shared limit of 233472 bytes");
    assert_ok(KERNEL_LAUNCH(touch_shared, 1, 1, 64 * kib, 0, 64 * kib, device));
    assert_int_equal(taken(device), 3);
}

/* ---- arguments ---- */

struct mixed {
    double d;
    char c[5];
};

/* Parameters of every kind, with the conversions of a call. */
KERNEL(take_arguments)(signed char a, short b, long long c, float d, double e, struct mixed f,
                       float4 g, const int *h, double *out)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD {
            out[0] = a;
            out[1] = b;
            out[2] = (double)c;
            out[3] = d;
            out[4] = e;
            out[5] = f.d + f.c[4];
            out[6] = g.x + g.w;
            out[7] = *h;
        }
    }
}

static void test_arguments(void **state)
{
    static const double expected[8] = {-5, 300, 5000000000.0, 0.5, 3, 10, 5, 1234};
    struct mixed f;
    double out[8], *device;
    int *h, number = 1234;

    (void)state;
    NEEDS_DEVICE();
    memset(&f, 0, sizeof f);
    f.d = 3;
    f.c[4] = 7;
    device = (double *)device_from(NULL, sizeof out);
    h = (int *)device_from(&number, sizeof number);
    assert_ok(KERNEL_LAUNCH(take_arguments, 1, 1, 0, 0, -5, 300, 5000000000LL, 0.5, 3, f,
                            make_float4(1, 2, 3, 4), h, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int k = 0; k < 8; k++)
        assert_true(out[k] == expected[k]);
}

KERNEL(take_address)(const float *array, unsigned long long *out)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD
            out[0] = (unsigned long long)(size_t)array;
    }
}

/* An array argument, larger than the limit of all arguments together, is passed as a pointer. */
static void test_an_array_is_a_pointer(void **state)
{
    static float array[10000];
    unsigned long long out, *device;

    (void)state;
    NEEDS_DEVICE();
    device = (unsigned long long *)device_from(NULL, sizeof out);
    assert_ok(KERNEL_LAUNCH(take_address, 1, 1, 0, 0, array, device));
    assert_ok(portable_copy_to_host(&out, device, sizeof out));
    assert_true(out == (size_t)array);
}

/* Counts its calls. */
static int noted_calls;
static int noted(int value)
{
    noted_calls++;
    return value;
}

static void test_arguments_are_evaluated_once(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    noted_calls = 0;
    assert_ok(KERNEL_LAUNCH(count_threads, noted(2), noted(3), (size_t)noted(0),
                            (portable_stream)(noted(0) ? device : NULL), device + noted(0)));
    assert_int_equal(noted_calls, 5);
    assert_int_equal(taken(device), 6);
    noted_calls = 0;
    assert_ok(KERNEL_LAUNCH_AUTO(count_threads, noted(100), device + noted(0)));
    assert_int_equal(noted_calls, 2);
    noted_calls = 0;
    assert_refused(KERNEL_LAUNCH(count_threads, noted(0), noted(3), (size_t)noted(0), 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "extent of 0");
    assert_int_equal(noted_calls, 3);
}

/* ---- KERNEL_LAUNCH_AUTO ---- */

KERNEL(visit)(long long n, int *hits)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(&hits[i], 1);
}
KERNEL(visit_elements)(int n, int *hits)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_ELEMENT(i, n)
            ATOMIC_ADD(&hits[i], 1);
    }
}

static void test_auto(void **state)
{
    enum { ROOM = 5000 };
    static const int sizes[] = {0, 1, 255, 256, 257, 4999};
    static int hits[ROOM];
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof hits);
    for (size_t k = 0; k < COUNT_OF(sizes); k++)
        for (int way = 0; way < 2; way++) {
            const int n = sizes[k];

            assert_ok(portable_memset(device, 0, sizeof hits));
            if (way == 0)
                assert_ok(KERNEL_LAUNCH_AUTO(visit, n, n, device));
            else
                assert_ok(KERNEL_LAUNCH_AUTO(visit_elements, (size_t)n, n, device));
            assert_ok(portable_copy_to_host(hits, device, sizeof hits));
            for (int i = 0; i < ROOM; i++)
                assert_int_equal(hits[i], i < n);
        }
    assert_ok(KERNEL_LAUNCH_AUTO(visit, -5, -5, device));
    assert_ok(KERNEL_LAUNCH_AUTO(visit, ULLONG_MAX, 100, device));
    assert_ok(portable_synchronize());
}

/* ---- cooperative launches ---- */

/* Each block passes its index on to the next, which requires that all blocks run at once. */
KERNEL(pass_on)(int rounds, int *from, int *to)
{
    FOR_EACH_BLOCK(32) {
        FOR_THREADS_BELOW(1)
            from[blockIdx.x] = (int)blockIdx.x;
    }
    SYNC_GRID();
    for (int round = 0; round < rounds; round++) {
        FOR_EACH_BLOCK(32) {
            FOR_THREADS_BELOW(1)
                to[blockIdx.x] = from[(blockIdx.x + 1) % gridDim.x] + 100;
        }
        SYNC_GRID();
        int *const swap = from;
        from = to;
        to = swap;
    }
}

static void test_cooperative(void **state)
{
    enum { GRID = 8, ROUNDS = 3 };
    int out[GRID], *from, *to;

    (void)state;
    NEEDS_DEVICE();
    from = (int *)device_from(NULL, sizeof out);
    to = (int *)device_from(NULL, sizeof out);
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(pass_on, GRID, 32, 0, 0, ROUNDS, from, to));
    assert_ok(portable_copy_to_host(out, to, sizeof out)); /* swapped an odd number of times */
    for (int b = 0; b < GRID; b++)
        assert_int_equal(out[b], (b + ROUNDS) % GRID + 100 * ROUNDS);
    assert_ok(KERNEL_LAUNCH_COOPERATIVE(no_parameters, 2, 32, 0, 0));
    assert_refused(KERNEL_LAUNCH_COOPERATIVE(pass_on, 0, 32, 0, 0, ROUNDS, from, to),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel pass_on: grid (0, 1, 1)");
    if (on_cuda())
        assert_refused(KERNEL_LAUNCH_COOPERATIVE(pass_on, 1000000, 32, 0, 0, ROUNDS, from, to),
                       PORTABLE_ERROR_INVALID_LAUNCH,
                       "kernel pass_on: 1000000 blocks cannot be resident at once");
}

/* ---- how failures are kept ---- */

static void test_failures_stay_until_asked_for(void **state)
{
    int *device, value;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    assert_int_equal(portable_last_error(), PORTABLE_SUCCESS);

    /* A failed launch whose status was ignored. */
    (void)KERNEL_LAUNCH(count_threads, 1, 2000, 0, 0, device);
    assert_int_equal(portable_synchronize(), PORTABLE_ERROR_INVALID_LAUNCH);
    assert_int_equal(portable_stream_synchronize(0), PORTABLE_ERROR_INVALID_LAUNCH);
    assert_int_equal(portable_copy_to_host(&value, device, sizeof value),
                     PORTABLE_ERROR_INVALID_LAUNCH);
    assert_int_equal(portable_copy_to_host_async(&value, device, sizeof value, 0),
                     PORTABLE_ERROR_INVALID_LAUNCH);
    assert_int_equal(portable_copy_to_host_2d(&value, 4, device, 4, 4, 1),
                     PORTABLE_ERROR_INVALID_LAUNCH);
    assert_non_null(strstr(portable_last_message(), "kernel count_threads: block (2000, 1, 1)"));
    /* A successful launch does not hide it; copies to the device still work. */
    assert_ok(KERNEL_LAUNCH(count_threads, 1, 1, 0, 0, device));
    assert_ok(portable_memset(device, 0, sizeof *device));
    assert_int_equal(portable_synchronize(), PORTABLE_ERROR_INVALID_LAUNCH);
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_INVALID_LAUNCH);
    /* Once queried, it is cleared. */
    assert_int_equal(portable_last_error(), PORTABLE_SUCCESS);
    assert_ok(portable_synchronize());
    assert_ok(portable_stream_synchronize(0));
    assert_ok(portable_copy_to_host(&value, device, sizeof value));
    assert_int_equal(value, 0);

    /* Any other failure is the last error too, but does not block anything. */
    assert_int_equal(portable_memset(device, 0, 100), PORTABLE_ERROR_OUT_OF_RANGE);
    assert_ok(portable_synchronize());
    assert_ok(portable_copy_to_host(&value, device, sizeof value));
    assert_int_equal(portable_last_error(), PORTABLE_ERROR_OUT_OF_RANGE);
    assert_int_equal(portable_last_error(), PORTABLE_SUCCESS);
}

static void test_status_strings(void **state)
{
    const char *texts[PORTABLE_ERROR_DEVICE + 1], *hints[PORTABLE_ERROR_DEVICE + 1];

    (void)state;
    for (int s = 0; s <= PORTABLE_ERROR_DEVICE; s++) {
        texts[s] = portable_status_string((portable_status)s);
        hints[s] = portable_status_hint((portable_status)s);
        assert_true(texts[s] && texts[s][0]);
        assert_non_null(hints[s]);
        assert_int_equal(hints[s][0] != '\0', s != PORTABLE_SUCCESS);
        for (int other = 0; other < s; other++) {
            assert_string_not_equal(texts[s], texts[other]);
            assert_string_not_equal(hints[s], hints[other]);
        }
    }
    assert_string_equal(texts[PORTABLE_SUCCESS], "success");
    assert_string_equal(portable_status_string((portable_status)(PORTABLE_ERROR_DEVICE + 1)),
                        "unknown status");
    assert_string_equal(portable_status_hint((portable_status)(PORTABLE_ERROR_DEVICE + 1)), "");
}

/* PORTABLE_CHECK evaluates its call once, and is one statement. */
static void test_check_passes_success(void **state)
{
    int calls = 0;

    (void)state;
    if (calls == 0)
        PORTABLE_CHECK((calls++, PORTABLE_SUCCESS));
    else
        fail();
    assert_int_equal(calls, 1);
}

/* ---- the CPU only: mistakes in kernels ---- */

KERNEL(fixed_block)(int *count)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD
            ATOMIC_ADD(count, 1);
    }
}
KERNEL(half_fixed_block)(int *count)
{
    FOR_EACH_BLOCK(32, 0) {
        FOR_EACH_THREAD
            ATOMIC_ADD(count, 1);
    }
}

static void test_wrong_block_shape(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    if (on_cuda())
        return;
    device = (int *)device_from(NULL, sizeof *device);
    assert_refused(KERNEL_LAUNCH(fixed_block, 1, 32, 0, 0, device), PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel fixed_block: block (32, 1, 1) does not match FOR_EACH_BLOCK(64, 1, 1)");
    assert_refused(KERNEL_LAUNCH(fixed_block, 1, DIM3(64, 2, 1), 0, 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "block (64, 2, 1) does not match");
    assert_refused(KERNEL_LAUNCH(half_fixed_block, 1, DIM3(32, 2, 2), 0, 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "FOR_EACH_BLOCK(32, 0, 1)");
    assert_refused(KERNEL_LAUNCH(half_fixed_block, 1, 64, 0, 0, device),
                   PORTABLE_ERROR_INVALID_LAUNCH, "block (64, 1, 1) does not match");
    assert_refused(KERNEL_LAUNCH_AUTO(fixed_block, 64, device), PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel fixed_block: FOR_EACH_BLOCK fixes the block to (64, 1, 1), which "
                   "KERNEL_LAUNCH_AUTO chooses; use KERNEL_LAUNCH");
    assert_int_equal(taken(device), 0);
    assert_ok(KERNEL_LAUNCH(fixed_block, 1, 64, 0, 0, device));
    assert_int_equal(taken(device), 64);
    assert_ok(KERNEL_LAUNCH(half_fixed_block, 1, DIM3(32, 5, 1), 0, 0, device));
    assert_int_equal(taken(device), 160);
}

static void test_sync_grid_without_a_cooperative_launch(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    if (on_cuda())
        return;
    device = (int *)device_from(NULL, 8 * sizeof *device);
    assert_refused(KERNEL_LAUNCH(pass_on, 4, 32, 0, 0, 1, device, device + 4),
                   PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel pass_on: SYNC_GRID needs KERNEL_LAUNCH_COOPERATIVE");
}

KERNEL(one_axis)(int n, int *hits)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(&hits[i], 1);
}
KERNEL(two_axes)(int n, int *hits)
{
    GRID_STRIDE_LOOP_2D(x, y, n, 1)
        ATOMIC_ADD(&hits[x + y], 1);
}
KERNEL(by_hand)(int n, int *hits)
{
    for (int i = (int)ELEMENT_OFFSET(); i < n; i += (int)ELEMENT_STRIDE())
        ATOMIC_ADD(&hits[i], 1);
}
KERNEL(elements)(int n, int *hits)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_ELEMENT(i, n)
            ATOMIC_ADD(&hits[i], 1);
    }
}

/* A loop over fewer axes than the launch has would repeat its elements on a GPU. */
static void test_more_axes_than_the_loop(void **state)
{
    int *hits;

    (void)state;
    NEEDS_DEVICE();
    if (!on_loops())
        return;
    hits = (int *)device_from(NULL, 16 * sizeof *hits);
    assert_refused(KERNEL_LAUNCH(one_axis, DIM3(1, 2, 1), 32, 0, 0, 16, hits),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel one_axis: a loop over 1 dimension ");
    assert_refused(KERNEL_LAUNCH(one_axis, 1, DIM3(8, 1, 2), 0, 0, 16, hits),
                   PORTABLE_ERROR_INVALID_LAUNCH, "block (8, 1, 2)");
    assert_refused(KERNEL_LAUNCH(by_hand, 1, DIM3(8, 2, 1), 0, 0, 16, hits),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel by_hand: a loop over 1 dimension ");
    assert_refused(KERNEL_LAUNCH(elements, DIM3(1, 1, 3), 8, 0, 0, 16, hits),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel elements: a loop over 1 dimension ");
    assert_refused(KERNEL_LAUNCH(two_axes, DIM3(1, 1, 2), 8, 0, 0, 16, hits),
                   PORTABLE_ERROR_INVALID_LAUNCH, "kernel two_axes: a loop over 2 dimensions ");
    assert_ok(KERNEL_LAUNCH(two_axes, DIM3(2, 2, 1), DIM3(4, 4, 1), 0, 0, 16, hits));
}

#if !PORTABLE_TARGET_CUDA

/* Thread 5 of block 2 leaves, in a different way each time. */
enum {
    RETURN_FROM_THREAD,
    BREAK_FROM_THREAD,
    RETURN_FROM_BLOCK,
    BREAK_FROM_BLOCK,
    RETURN_FROM_BELOW,
    BREAK_FROM_BELOW,
    RETURN_FROM_ELEMENT,
    BREAK_FROM_ELEMENT,
    RETURN_FROM_LOOP_OF_THREAD,
    NO_LEAVING
};

KERNEL(leave)(int how, int *visits)
{
    FOR_EACH_BLOCK(8) {
        if (blockIdx.x == 2) {
            if (how == RETURN_FROM_BLOCK)
                return;
            if (how == BREAK_FROM_BLOCK)
                break;
        }
        FOR_EACH_THREAD {
            const int here = blockIdx.x == 2 && threadIdx.x == 5;
            if (here && how == RETURN_FROM_THREAD)
                return;
            if (here && how == BREAK_FROM_THREAD)
                break;
            GRID_STRIDE_LOOP(i, 100) {
                if (here && how == RETURN_FROM_LOOP_OF_THREAD)
                    return;
                if (i > 50)
                    break;
            }
            ATOMIC_ADD(visits, 1);
        }
        FOR_THREADS_BELOW(6) {
            const int here = blockIdx.x == 2 && threadIdx.x == 5;
            if (here && how == RETURN_FROM_BELOW)
                return;
            if (here && how == BREAK_FROM_BELOW)
                break;
        }
        FOR_EACH_ELEMENT(i, 32) {
            if (i == 21 && how == RETURN_FROM_ELEMENT)
                return;
            if (i == 21 && how == BREAK_FROM_ELEMENT)
                break;
        }
    }
}

KERNEL(leave_plane)(int *visits)
{
    FOR_EACH_BLOCK(4, 3, 2) {
        FOR_EACH_THREAD {
            if (blockIdx.y == 1 && threadIdx.x == 3 && threadIdx.y == 2 && threadIdx.z == 1)
                return;
            ATOMIC_ADD(visits, 1);
        }
    }
}

/* At kernel scope one pass represents all threads: leaving the loop leaves it for all of them. */
KERNEL(leave_loop)(int how, int n, int *visits)
{
    GRID_STRIDE_LOOP(i, n) {
        if (i == 7 && how == 0)
            return;
        if (i == 7 && how == 1)
            break;
        ATOMIC_ADD(visits, 1);
    }
    GRID_STRIDE_LOOP_2D(x, y, n, n) {
        if (x == 3 && y == 2 && how == 2)
            return;
        if (x == 3 && y == 2 && how == 3)
            break;
    }
    GRID_STRIDE_LOOP_3D(x, y, z, n, n, n) {
        if (x == 3 && y == 2 && z == 1 && how == 4)
            return;
        if (x == 3 && y == 2 && z == 1 && how == 5)
            break;
    }
}

static void test_leaving_a_scope(void **state)
{
    static const char *const thread = " in block (2, 0, 0), thread (5, 0, 0)";
    int *visits;

    (void)state;
    NEEDS_DEVICE();
    if (!on_loops())
        return;
    visits = (int *)device_from(NULL, sizeof *visits);
    for (int how = 0; how < NO_LEAVING; how++) {
        const int of_block = how == RETURN_FROM_BLOCK || how == BREAK_FROM_BLOCK;
        const portable_status status = KERNEL_LAUNCH(leave, 4, 8, 0, 0, how, visits);
        const char *const message = portable_last_message();

        if (status != PORTABLE_ERROR_LEFT_SCOPE ||
            !strstr(message, "kernel leave: return or break left ") ||
            !strstr(message, of_block ? "FOR_EACH_BLOCK in block (2, 0, 0)" : thread))
            fail_msg("way %d: %s: \"%s\"", how, portable_status_string(status), message);
        portable_last_error();
    }
    assert_ok(portable_memset(visits, 0, sizeof *visits));
    assert_ok(KERNEL_LAUNCH(leave, 4, 8, 0, 0, NO_LEAVING, visits));
    assert_int_equal(taken(visits), 32);
    assert_refused(KERNEL_LAUNCH(leave_plane, DIM3(1, 2, 1), DIM3(4, 3, 2), 0, 0, visits),
                   PORTABLE_ERROR_LEFT_SCOPE, "in block (0, 1, 0), thread (3, 2, 1)");
}

static void test_leaving_a_loop_at_kernel_scope(void **state)
{
    int *visits;

    (void)state;
    NEEDS_DEVICE();
    if (!on_loops())
        return;
    visits = (int *)device_from(NULL, sizeof *visits);
    for (int how = 0; how < 6; how++) {
        const portable_status status = KERNEL_LAUNCH(leave_loop, 1, 1, 0, 0, how, 10, visits);
        const char *const message = portable_last_message();

        if (status != PORTABLE_ERROR_LEFT_SCOPE ||
            !strstr(message, "kernel leave_loop: return or break left GRID_STRIDE_LOOP"))
            fail_msg("way %d: %s: \"%s\"", how, portable_status_string(status), message);
        portable_last_error();
    }
    assert_ok(portable_memset(visits, 0, sizeof *visits));
    assert_ok(KERNEL_LAUNCH(leave_loop, 1, 1, 0, 0, 6, 10, visits));
    assert_int_equal(taken(visits), 10);
    /* In the last iteration there is nothing left to skip. */
    assert_ok(KERNEL_LAUNCH(leave_loop, 1, 1, 0, 0, 6, 8, visits));
}

/* The first of several failures is reported. */
KERNEL(fail_twice)(void)
{
    FOR_EACH_BLOCK(2) {
        FOR_EACH_THREAD {
            if (blockIdx.x == 1)
                break;
        }
    }
    SYNC_GRID();
}

static void test_the_first_failure_is_told(void **state)
{
    (void)state;
    if (!on_loops())
        return;
    assert_refused(KERNEL_LAUNCH(fail_twice, 3, 2, 0, 0), PORTABLE_ERROR_LEFT_SCOPE,
                   "in block (1, 0, 0), thread (0, 0, 0)");
}

/* A grid loop belongs in a kernel: in a function that each thread of a block calls, one pass would
 * represent all threads once more. */
DEVICE float strided_sum(int n)
{
    float sum = 0;
    for (unsigned i = ELEMENT_OFFSET(); i < (unsigned)n; i += ELEMENT_STRIDE())
        sum += 1;
    return sum;
}

KERNEL(loop_in_a_function)(int n, float *sums)
{
    FOR_EACH_BLOCK(0) {
        FOR_EACH_THREAD
            sums[blockIdx.x * blockDim.x + threadIdx.x] = strided_sum(n);
    }
}

KERNEL(loop_in_a_function_at_kernel_scope)(int n, float *sum)
{
    *sum = strided_sum(n);
}

static void test_loop_in_a_device_function(void **state)
{
    float *sums;

    (void)state;
    NEEDS_DEVICE();
    if (!on_loops())
        return;
    sums = (float *)device_from(NULL, 64 * sizeof *sums);
    assert_refused(KERNEL_LAUNCH(loop_in_a_function, 2, 32, 0, 0, 64, sums),
                   PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel loop_in_a_function: a DEVICE function called inside FOR_EACH_BLOCK");
    assert_ok(KERNEL_LAUNCH(loop_in_a_function_at_kernel_scope, 2, 32, 0, 0, 64, sums));
}

KERNEL(wants_dynamic)(int *x)
{
    FOR_EACH_BLOCK(0) {
        SHARED_DYNAMIC(int, words);
        FOR_EACH_THREAD
            words[threadIdx.x] = 1;
        FOR_THREADS_BELOW(1)
            x[blockIdx.x] = words[0];
    }
}

static void test_dynamic_shared_memory_of_no_bytes(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    assert_refused(KERNEL_LAUNCH(wants_dynamic, 1, 32, 0, 0, device), PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel wants_dynamic: uses SHARED_DYNAMIC, but the launch passes 0 bytes");
    assert_ok(KERNEL_LAUNCH(wants_dynamic, 1, 32, 32 * sizeof(int), 0, device));
    assert_int_equal(taken(device), 1);
}

/* Several host threads launch at the same time: no atomic is lost. */
KERNEL(count_elements)(int n, int *count)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(count, 1);
}

static void *launch_often(void *count)
{
    for (int k = 0; k < 100; k++)
        if (KERNEL_LAUNCH(count_elements, 4, 64, 0, 0, 1000, (int *)count) != PORTABLE_SUCCESS)
            return count;
    return NULL;
}

static void test_launches_of_several_threads(void **state)
{
    pthread_t threads[4];
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    assert_ok(portable_memset(device, 0, sizeof *device));
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, launch_often, device), 0);
    for (int k = 0; k < 4; k++) {
        void *failed;
        assert_int_equal(pthread_join(threads[k], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(taken(device), 4 * 100 * 1000);
}

/* A kernel is started by a launch, not by a call or by a kernel. */
KERNEL(launch_inside)(int *count)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD
            (void)KERNEL_LAUNCH(count_threads, 1, 1, 0, 0, count);
    }
}

/* A call of a kernel does not compile; one by a pointer fails as a launch, and ends. */
KERNEL(loop_once)(int n, int *count)
{
    GRID_STRIDE_LOOP(i, n)
        count[i] = 1;
}
KERNEL(loop_by_hand)(int n, int *count)
{
    for (unsigned i = ELEMENT_OFFSET(); i < (unsigned)n; i += ELEMENT_STRIDE())
        count[i] = 1;
}
KERNEL(loop_over_a_plane)(int n, int *count)
{
    GRID_STRIDE_LOOP_2D(i, j, n, n)
        count[i] = j;
}
KERNEL(loop_over_blocks)(int n, int *count)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_ELEMENT(i, n)
            count[i] = 1;
    }
}

static void test_a_kernel_called_by_a_pointer_fails_as_a_launch(void **state)
{
    int counts[4], *device;
    void (*volatile const kernels[])(int, int *) = {
        (void (*)(int, int *))(void (*)(void))loop_once,
        (void (*)(int, int *))(void (*)(void))loop_by_hand,
        (void (*)(int, int *))(void (*)(void))loop_over_a_plane,
        (void (*)(int, int *))(void (*)(void))loop_over_blocks};

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof counts);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        kernels[k](4, device);
        assert_non_null(strstr(portable_last_message(),
                               "outside of a kernel, or in one that was called like a function: "
                               "start it with KERNEL_LAUNCH"));
        assert_int_equal(portable_synchronize(), PORTABLE_ERROR_INVALID_LAUNCH);
        assert_int_equal(portable_copy_to_host(counts, device, sizeof counts),
                         PORTABLE_ERROR_INVALID_LAUNCH);
        assert_int_equal(portable_last_error(), PORTABLE_ERROR_INVALID_LAUNCH);
        assert_ok(portable_synchronize());
    }
}

static void test_kernels_start_by_a_launch_only(void **state)
{
    int *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof *device);
    assert_refused(KERNEL_LAUNCH(launch_inside, 1, 1, 0, 0, device), PORTABLE_ERROR_INVALID_LAUNCH,
                   "kernel launch_inside: KERNEL_LAUNCH of count_threads inside a kernel");
    assert_int_equal(taken(device), 0);
    /* It has no later effect. */
    assert_ok(KERNEL_LAUNCH(count_threads, 1, 2, 0, 0, device));
    assert_int_equal(taken(device), 2);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_grid_and_block_types),
        TEST(test_a_shared_scalar),
        TEST(test_launch_limits),
        TEST(test_grid_out_of_range),
        TEST(test_kernel_bounds),
        TEST(test_shared_limit),
        TEST(test_arguments),
        TEST(test_an_array_is_a_pointer),
        TEST(test_arguments_are_evaluated_once),
        TEST(test_auto),
        TEST(test_cooperative),
        TEST(test_failures_stay_until_asked_for),
        TEST(test_status_strings),
        TEST(test_check_passes_success),
        TEST(test_wrong_block_shape),
        TEST(test_sync_grid_without_a_cooperative_launch),
        TEST(test_more_axes_than_the_loop),
#if !PORTABLE_TARGET_CUDA
        TEST(test_leaving_a_scope),
        TEST(test_leaving_a_loop_at_kernel_scope),
        TEST(test_the_first_failure_is_told),
        TEST(test_loop_in_a_device_function),
        TEST(test_dynamic_shared_memory_of_no_bytes),
        TEST(test_launches_of_several_threads),
        TEST(test_a_kernel_called_by_a_pointer_fails_as_a_launch),
        TEST(test_kernels_start_by_a_launch_only),
#endif
    };

    return cmocka_run_group_tests_name("launch/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
