/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared, dynamic shared, private and constant memory; device memory, its copies, and the errors of
 * each. */
#include "test.h"

/* Hides a pointer or a size from the compiler, which would warn of the misuse. */
static void *hidden(void *pointer)
{
    void *volatile seen = pointer;

    return seen;
}
static size_t hidden_size(size_t size)
{
    volatile size_t seen = size;

    return seen;
}

/* ---- memory of a block and of a thread ---- */

struct pair {
    double value;
    char tag;
};

KERNEL(shared_shapes)(double *out)
{
    FOR_EACH_BLOCK(24) {
        SHARED(float, line, [24]);
        SHARED(double, plane, [4][6]);
        SHARED(int, scalar, [1]);
        SHARED(struct pair, pairs, [24]);
        FOR_THREADS_BELOW(1)
            scalar[0] = (int)blockIdx.x * 1000;
        FOR_EACH_THREAD {
            line[threadIdx.x] = (float)threadIdx.x;
            plane[threadIdx.x / 6][threadIdx.x % 6] = 0.5 * threadIdx.x;
            pairs[threadIdx.x].value = threadIdx.x;
            pairs[threadIdx.x].tag = (char)threadIdx.x;
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const unsigned other = 23 - threadIdx.x;
            out[blockIdx.x * 24 + threadIdx.x] = scalar[0] + line[other] +
                                                 plane[other / 6][other % 6] + pairs[other].value +
                                                 pairs[other].tag;
        }
    }
}

static void test_shared(void **state)
{
    enum { GRID = 3, BLOCK = 24 };
    double out[GRID * BLOCK], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (double *)device_from(NULL, sizeof out);
    assert_ok(KERNEL_LAUNCH(shared_shapes, GRID, BLOCK, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int b = 0; b < GRID; b++)
        for (int t = 0; t < BLOCK; t++)
            assert_true(out[b * BLOCK + t] == 1000.0 * b + 3.5 * (BLOCK - 1 - t));
}

/* out[0] is the misalignment of dynamic memory to 16 bytes; the rest is the threads of the
 * grid, in reverse within each block. */
KERNEL(shared_dynamic)(int *out)
{
    FOR_EACH_BLOCK(0) {
        SHARED_DYNAMIC(int, scratch);
        FOR_EACH_THREAD
            scratch[threadIdx.x] = (int)(blockIdx.x * blockDim.x + threadIdx.x);
        SYNC_THREADS();
        FOR_EACH_THREAD
            out[1 + blockIdx.x * blockDim.x + threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
        FOR_THREADS_BELOW(1)
            out[0] = (int)((size_t)scratch % 16);
    }
}

static void test_shared_dynamic(void **state)
{
    static const int blocks[] = {1, 7, 256, 1024};
    int out[1 + 2 * 1024], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof out);
    for (size_t k = 0; k < COUNT_OF(blocks); k++) {
        const int block = blocks[k];

        assert_ok(KERNEL_LAUNCH(shared_dynamic, 2, block, (size_t)block * sizeof(int), 0, device));
        assert_ok(portable_copy_to_host(out, device, sizeof out));
        assert_int_equal(out[0], 0);
        for (int t = 0; t < 2 * block; t++)
            assert_int_equal(out[1 + t], t / block * block + block - 1 - t % block);
    }
}

/* 48 KiB of dynamic memory, the most without KERNEL_SHARED_LIMIT, and its last byte. */
KERNEL(shared_dynamic_full)(size_t bytes, int *out)
{
    FOR_EACH_BLOCK(1) {
        SHARED_DYNAMIC(unsigned char, scratch);
        FOR_EACH_THREAD {
            scratch[bytes - 1] = 77;
            *out = scratch[bytes - 1];
        }
    }
}

static void test_shared_dynamic_limit(void **state)
{
    int out, *device;

    (void)state;
    NEEDS_DEVICE();
    device = (int *)device_from(NULL, sizeof out);
    assert_ok(KERNEL_LAUNCH(shared_dynamic_full, 1, 1, 48 * 1024, 0, (size_t)48 * 1024, device));
    assert_ok(portable_copy_to_host(&out, device, sizeof out));
    assert_int_equal(out, 77);
}

/* clang-format off */
/* A private scalar, vector, matrix and structure, each of which lives across barriers and a loop of
 * block scope, in blocks with and without a shape known at compile time. */
#define PRIVATE_KERNEL(name, ...)                                                                  \
    KERNEL(name)(double *out)                                                                      \
    {                                                                                              \
        FOR_EACH_BLOCK(__VA_ARGS__) {                                                              \
            PRIVATE(int, scalar);                                                                  \
            PRIVATE(double, vector, [3]);                                                          \
            PRIVATE(float, matrix, [2][3]);                                                        \
            PRIVATE(struct pair, both);                                                            \
            FOR_EACH_THREAD {                                                                      \
                const int rank =                                                                   \
                    (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);    \
                MINE(scalar) = rank;                                                               \
                for (int k = 0; k < 3; k++) {                                                      \
                    MINE(vector)[k] = rank * 10 + k;                                               \
                    MINE(matrix)[0][k] = (float)(k - rank);                                        \
                    MINE(matrix)[1][k] = (float)(k + rank);                                        \
                }                                                                                  \
                MINE(both).value = 2 * rank;                                                       \
                MINE(both).tag = (char)(rank % 100);                                               \
            }                                                                                      \
            for (int round = 0; round < 4; round++) {                                              \
                SYNC_THREADS();                                                                    \
                FOR_EACH_THREAD                                                                    \
                    MINE(scalar) += round;                                                         \
            }                                                                                      \
            FOR_EACH_THREAD {                                                                      \
                const int rank =                                                                   \
                    (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);    \
                double sum = MINE(scalar) + MINE(both).value + MINE(both).tag;                     \
                for (int k = 0; k < 3; k++)                                                        \
                    sum += MINE(vector)[k] + MINE(matrix)[0][k] * MINE(matrix)[1][k];              \
                out[blockIdx.x * blockDim.x * blockDim.y * blockDim.z + rank] = sum;               \
            }                                                                                      \
        }                                                                                          \
    }
PRIVATE_KERNEL(private_any, )
PRIVATE_KERNEL(private_line, 0)
PRIVATE_KERNEL(private_fixed, 4, 3, 2)
/* clang-format on */

static void check_private(const char *name, int block, const double *device)
{
    double out[2 * 128];

    assert_ok(portable_copy_to_host(out, device, (size_t)(2 * block) * sizeof out[0]));
    for (int t = 0; t < 2 * block; t++) {
        const double rank = t % block;
        double expected = rank + 6 + 2 * rank + t % block % 100;

        for (int k = 0; k < 3; k++)
            expected += rank * 10 + k + (k - rank) * (k + rank);
        if (out[t] != expected)
            fail_msg("%s, thread %d: %g, expected %g", name, t, out[t], expected);
    }
}

static void test_private(void **state)
{
    double *device;

    (void)state;
    NEEDS_DEVICE();
    device = (double *)device_from(NULL, 2 * 128 * sizeof *device);
    assert_ok(KERNEL_LAUNCH(private_any, 2, DIM3(2, 3, 20), 0, 0, device));
    check_private("private_any", 120, device);
    assert_ok(KERNEL_LAUNCH(private_line, 2, 128, 0, 0, device));
    check_private("private_line", 128, device);
    assert_ok(KERNEL_LAUNCH(private_fixed, 2, DIM3(4, 3, 2), 0, 0, device));
    check_private("private_fixed", 24, device);
}

/* ---- constant memory ---- */

CONSTANT(float, weights, [4]);
CONSTANT(double, table, [2][3]);
CONSTANT(struct pair, single, );

KERNEL(read_constants)(double *out)
{
    FOR_EACH_BLOCK(1) {
        FOR_EACH_THREAD {
            for (int k = 0; k < 4; k++)
                out[k] = weights[k];
            for (int k = 0; k < 6; k++)
                out[4 + k] = table[k / 3][k % 3];
            out[10] = single.value;
            out[11] = single.tag;
        }
    }
}

static void test_constant(void **state)
{
    static const float new_weights[5] = {1.5f, -2, 3, 4, 99};
    static const double new_table[2][3] = {{1, 2, 3}, {4, 5, 6}};
    static const double expected[12] = {1.5, -2, 3, 4, 1, 2, 3, 4, 5, 6, 8.25, 7};
    struct pair new_single;
    double out[12], *device;
    void *on_device;

    (void)state;
    NEEDS_DEVICE();
    memset(&new_single, 0, sizeof new_single);
    new_single.value = 8.25;
    new_single.tag = 7;
    device = (double *)device_from(NULL, sizeof out);
    assert_ok(portable_copy_to_constant(weights, new_weights, 4 * sizeof(float)));
    assert_ok(portable_copy_to_constant(table, new_table, sizeof new_table));
    assert_ok(portable_copy_to_constant(single, &new_single, sizeof new_single));
    assert_ok(KERNEL_LAUNCH(read_constants, 1, 1, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    for (int k = 0; k < 12; k++)
        assert_true(out[k] == expected[k]);

    /* A refused copy changes nothing; a shorter one fills the front; zero bytes copy nothing. */
    on_device = device_from(NULL, sizeof new_weights);
    assert_refused(portable_copy_to_constant(weights, new_weights, hidden_size(sizeof new_weights)),
                   PORTABLE_ERROR_OUT_OF_RANGE, "20 bytes into weights, which has 16");
    assert_refused(portable_copy_to_constant(weights, on_device, 16),
                   PORTABLE_ERROR_NOT_HOST_MEMORY, "device memory");
    assert_refused(portable_copy_to_constant(weights, NULL, 16), PORTABLE_ERROR_NOT_HOST_MEMORY,
                   "NULL");
    assert_ok(portable_copy_to_constant(weights, NULL, 0));
    assert_ok(portable_copy_to_constant(weights, &new_weights[4], sizeof(float)));
    assert_ok(KERNEL_LAUNCH(read_constants, 1, 1, 0, 0, device));
    assert_ok(portable_copy_to_host(out, device, sizeof out));
    assert_true(out[0] == 99);
    for (int k = 1; k < 12; k++)
        assert_true(out[k] == expected[k]);
}

/* ---- allocation ---- */

static void test_allocation(void **state)
{
    static const size_t sizes[] = {1, 2, 255, 256, 257, 4096, 1000003};
    size_t bytes_before, count_before, bytes, count, total = 0;
    char *pointers[COUNT_OF(sizes)];
    double *numbers = (double *)(void *)&bytes;

    (void)state;
    NEEDS_DEVICE();
    portable_memory_in_use(&bytes_before, &count_before);
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        assert_ok(portable_malloc(&pointers[k], sizes[k]));
        assert_non_null(pointers[k]);
        assert_int_equal((size_t)pointers[k] % 256, 0);
        total += sizes[k];
        portable_memory_in_use(&bytes, &count);
        assert_int_equal(bytes, bytes_before + total);
        assert_int_equal(count, count_before + k + 1);
        for (size_t other = 0; other < k; other++)
            assert_true(pointers[k] >= pointers[other] + sizes[other] ||
                        pointers[other] >= pointers[k] + sizes[k]);
    }
    portable_memory_in_use(NULL, NULL);
    /* Not in the order of allocation. */
    for (size_t k = 0; k < COUNT_OF(sizes); k++)
        assert_ok(portable_free(pointers[(k + 3) * 3 % COUNT_OF(sizes)]));
    portable_memory_in_use(&bytes, &count);
    assert_int_equal(bytes, bytes_before);
    assert_int_equal(count, count_before);

    assert_ok(portable_malloc(&numbers, 0));
    assert_null(numbers);
    assert_ok(portable_free(numbers));
    portable_memory_in_use(NULL, &count);
    assert_int_equal(count, count_before);
}

static void test_many_allocations(void **state)
{
    enum { MANY = 300 };
    static int *pointers[MANY];
    size_t count_before, count;

    (void)state;
    NEEDS_DEVICE();
    portable_memory_in_use(NULL, &count_before);
    for (int k = 0; k < MANY; k++) {
        assert_ok(portable_malloc(&pointers[k], sizeof(int)));
        assert_ok(portable_copy_to_device(pointers[k], &k, sizeof k));
    }
    for (int k = 0; k < MANY; k++) {
        int value;

        assert_ok(portable_copy_to_host(&value, pointers[k], sizeof value));
        assert_int_equal(value, k);
    }
    for (int k = 0; k < MANY; k += 2)
        assert_ok(portable_free(pointers[k]));
    for (int k = 1; k < MANY; k += 2) {
        int value;

        assert_ok(portable_copy_to_host(&value, pointers[k], sizeof value));
        assert_int_equal(value, k);
        assert_ok(portable_free(pointers[k]));
    }
    portable_memory_in_use(NULL, &count);
    assert_int_equal(count, count_before);
}

static void test_allocation_refuses(void **state)
{
    int *pointer = (int *)(void *)&pointer;
    const size_t everything = (size_t)-1;

    (void)state;
    NEEDS_DEVICE();
    assert_refused(portable_malloc((int **)NULL, 4), PORTABLE_ERROR_INVALID_VALUE,
                   "portable_malloc takes the address of a pointer");
    assert_refused(portable_malloc(&pointer, everything), PORTABLE_ERROR_OUT_OF_MEMORY,
                   "18446744073709551615 bytes");
    assert_null(pointer);
    assert_refused(portable_malloc(&pointer, everything / 4), PORTABLE_ERROR_OUT_OF_MEMORY,
                   "4611686018427387903 bytes");
    assert_null(pointer);
}

/* Uninitialised bytes are all ones on the CPU: a NaN in every floating-point type. */
static void test_poison(void **state)
{
    unsigned char bytes[1000];
    unsigned char *device;

    (void)state;
    NEEDS_DEVICE();
    if (on_cuda())
        return;
    assert_ok(portable_malloc(&device, sizeof bytes));
    memset(bytes, 0, sizeof bytes);
    assert_ok(portable_copy_to_host(bytes, device, sizeof bytes));
    assert_ok(portable_free(device));
    for (size_t k = 0; k < sizeof bytes; k++)
        assert_int_equal(bytes[k], 0xff);
}

static void test_free_refuses(void **state)
{
    int *device, on_stack = 0;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_free(NULL));
    assert_ok(portable_malloc(&device, 16));
    assert_refused(portable_free(hidden(device + 1)), PORTABLE_ERROR_INVALID_FREE,
                   "not the start of a live device allocation");
    assert_refused(portable_free(hidden(device + 4)), PORTABLE_ERROR_INVALID_FREE, "not the start");
    assert_refused(portable_free(hidden(&on_stack)), PORTABLE_ERROR_INVALID_FREE, "not the start");
    assert_ok(portable_free(device));
    assert_refused(portable_free(hidden(device)), PORTABLE_ERROR_INVALID_FREE, "not the start");
}

/* ---- copies ---- */

static void test_copies(void **state)
{
    int source[100], result[100], *a, *b;
    portable_stream stream;

    (void)state;
    NEEDS_DEVICE();
    for (int k = 0; k < 100; k++)
        source[k] = 7 * k - 3;
    a = (int *)device_from(NULL, sizeof source);
    b = (int *)device_from(NULL, sizeof source);

    assert_ok(portable_copy_to_device(a, source, sizeof source));
    assert_ok(portable_copy_on_device(b, a, sizeof source));
    memset(result, 0, sizeof result);
    assert_ok(portable_copy_to_host(result, b, sizeof result));
    assert_memory_equal(result, source, sizeof source);

    /* A part in the middle, and the last element. */
    assert_ok(portable_memset(b, 0, sizeof source));
    assert_ok(portable_copy_on_device(b + 10, a + 20, 5 * sizeof(int)));
    assert_ok(portable_copy_to_device(b + 99, &source[99], sizeof(int)));
    assert_ok(portable_copy_to_host(result, b, sizeof result));
    for (int k = 0; k < 100; k++)
        assert_int_equal(result[k], k >= 10 && k < 15 ? source[k + 10] : k == 99 ? source[99] : 0);

    assert_ok(portable_stream_create(&stream));
    assert_ok(portable_memset_async(a, 0, sizeof source, stream));
    assert_ok(portable_copy_to_device_async(a, source, sizeof source, stream));
    assert_ok(portable_copy_on_device_async(b, a, sizeof source, stream));
    memset(result, 0, sizeof result);
    assert_ok(portable_copy_to_host_async(result, b, sizeof result, stream));
    assert_ok(portable_stream_synchronize(stream));
    assert_memory_equal(result, source, sizeof source);
    assert_ok(portable_stream_destroy(stream));
}

/* 6 rows of 5 numbers; columns 1 to 3 of rows 1 to 4 are copied to a denser matrix and back. */
static void test_copies_2d(void **state)
{
    enum { ROWS = 6, COLUMNS = 5, HEIGHT = 4, WIDTH = 3 };
    const size_t pitch = COLUMNS * sizeof(int), width = WIDTH * sizeof(int);
    int source[ROWS][COLUMNS], result[ROWS][COLUMNS], *a, *b;
    portable_stream stream;

    (void)state;
    NEEDS_DEVICE();
    assert_ok(portable_stream_create(&stream));
    for (int k = 0; k < ROWS * COLUMNS; k++)
        source[k / COLUMNS][k % COLUMNS] = k + 1;
    for (int asynchronous = 0; asynchronous < 2; asynchronous++) {
        a = (int *)device_from(NULL, HEIGHT * width);
        b = (int *)device_from(NULL, HEIGHT * 2 * width);
        memset(result, 0, sizeof result);
        if (asynchronous) {
            assert_ok(portable_copy_to_device_2d_async(a, width, &source[1][1], pitch, width,
                                                       HEIGHT, stream));
            assert_ok(
                portable_copy_on_device_2d_async(b, 2 * width, a, width, width, HEIGHT, stream));
            assert_ok(portable_copy_to_host_2d_async(&result[1][1], pitch, b, 2 * width, width,
                                                     HEIGHT, stream));
            assert_ok(portable_stream_synchronize(stream));
        } else {
            assert_ok(portable_copy_to_device_2d(a, width, &source[1][1], pitch, width, HEIGHT));
            assert_ok(portable_copy_on_device_2d(b, 2 * width, a, width, width, HEIGHT));
            assert_ok(portable_copy_to_host_2d(&result[1][1], pitch, b, 2 * width, width, HEIGHT));
        }
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++)
                assert_int_equal(result[r][c],
                                 r >= 1 && r <= HEIGHT && c >= 1 && c <= WIDTH ? source[r][c] : 0);
    }
    assert_ok(portable_stream_destroy(stream));
}

/* All copy functions with one signature, for the table of errors. */
typedef portable_status copy_function(void *to, const void *from, size_t bytes);
typedef portable_status copy_2d_function(void *to, size_t to_pitch, const void *from,
                                         size_t from_pitch, size_t width, size_t height);

static portable_status to_device_async(void *to, const void *from, size_t bytes)
{
    return portable_copy_to_device_async(to, from, bytes, 0);
}
static portable_status to_host_async(void *to, const void *from, size_t bytes)
{
    return portable_copy_to_host_async(to, from, bytes, 0);
}
static portable_status on_device_async(void *to, const void *from, size_t bytes)
{
    return portable_copy_on_device_async(to, from, bytes, 0);
}
static portable_status to_device_2d_async(void *to, size_t to_pitch, const void *from,
                                          size_t from_pitch, size_t width, size_t height)
{
    return portable_copy_to_device_2d_async(to, to_pitch, from, from_pitch, width, height, 0);
}
static portable_status to_host_2d_async(void *to, size_t to_pitch, const void *from,
                                        size_t from_pitch, size_t width, size_t height)
{
    return portable_copy_to_host_2d_async(to, to_pitch, from, from_pitch, width, height, 0);
}
static portable_status on_device_2d_async(void *to, size_t to_pitch, const void *from,
                                          size_t from_pitch, size_t width, size_t height)
{
    return portable_copy_on_device_2d_async(to, to_pitch, from, from_pitch, width, height, 0);
}

static const struct {
    const char *name;
    int to_device, from_device; /* the required side of each end */
    copy_function *copy;
    copy_2d_function *copy_2d;
    const char *name_2d;
} copies[] = {
    {"portable_copy_to_device", 1, 0, portable_copy_to_device, portable_copy_to_device_2d,
     "portable_copy_to_device_2d"},
    {"portable_copy_to_host", 0, 1, portable_copy_to_host, portable_copy_to_host_2d,
     "portable_copy_to_host_2d"},
    {"portable_copy_on_device", 1, 1, portable_copy_on_device, portable_copy_on_device_2d,
     "portable_copy_on_device_2d"},
    {"portable_copy_to_device_async", 1, 0, to_device_async, to_device_2d_async,
     "portable_copy_to_device_2d_async"},
    {"portable_copy_to_host_async", 0, 1, to_host_async, to_host_2d_async,
     "portable_copy_to_host_2d_async"},
    {"portable_copy_on_device_async", 1, 1, on_device_async, on_device_2d_async,
     "portable_copy_on_device_2d_async"},
};

/* The error has that status, begins with the function's name and contains the part. */
static void check_refusal(const char *name, portable_status status, portable_status expected,
                          const char *part)
{
    const size_t length = strlen(name);

    if (status != expected || strncmp(portable_last_message(), name, length) != 0 ||
        portable_last_message()[length] != ':' || !strstr(portable_last_message(), part))
        fail_msg("%s: %s: \"%s\", expected %s and \"%s\"", name, portable_status_string(status),
                 portable_last_message(), portable_status_string(expected), part);
    portable_last_error();
}

static void test_copies_refuse(void **state)
{
    enum { BYTES = 64 };
    char host[BYTES], other_host[BYTES], *device, *other_device, *gone;

    (void)state;
    NEEDS_DEVICE();
    memset(host, 1, sizeof host);
    memset(other_host, 1, sizeof other_host);
    device = (char *)device_from(NULL, BYTES);
    other_device = (char *)device_from(NULL, BYTES);
    assert_ok(portable_malloc(&gone, BYTES));
    assert_ok(portable_free(gone));
    for (size_t k = 0; k < COUNT_OF(copies); k++) {
        const char *const name = copies[k].name, *const name_2d = copies[k].name_2d;
        copy_function *const copy = copies[k].copy;
        copy_2d_function *const copy_2d = copies[k].copy_2d;
        char *const to = copies[k].to_device ? device : host;
        char *const from = copies[k].from_device ? other_device : other_host;
        char *const wrong_to = copies[k].to_device ? host : device;
        char *const wrong_from = copies[k].from_device ? other_host : other_device;
        const portable_status to_status =
            copies[k].to_device ? PORTABLE_ERROR_NOT_DEVICE_MEMORY : PORTABLE_ERROR_NOT_HOST_MEMORY;
        const portable_status from_status = copies[k].from_device ? PORTABLE_ERROR_NOT_DEVICE_MEMORY
                                                                  : PORTABLE_ERROR_NOT_HOST_MEMORY;

        assert_ok(copy(to, from, BYTES));
        assert_ok(copy(to, from, 0));
        assert_ok(copy(NULL, NULL, 0));
        assert_ok(copy_2d(to, 8, from, 8, 8, 8));
        assert_ok(copy_2d(to, 9, from, 9, 1, 8)); /* 7 rows of 9 and one byte: all 64 */
        assert_ok(copy_2d(NULL, 0, NULL, 0, 0, 8));
        assert_ok(copy_2d(NULL, 0, NULL, 0, 8, 0));

        check_refusal(name, copy(wrong_to, from, BYTES), to_status, "destination");
        check_refusal(name, copy(to, wrong_from, BYTES), from_status, "source");
        check_refusal(name, copy(NULL, from, BYTES), to_status, "destination");
        check_refusal(name, copy(to, NULL, BYTES), from_status, "source");
        check_refusal(name_2d, copy_2d(wrong_to, 8, from, 8, 8, 8), to_status, "destination");
        check_refusal(name_2d, copy_2d(to, 8, wrong_from, 8, 8, 8), from_status, "source");
        if (copies[k].to_device) {
            check_refusal(name, copy(to, from, BYTES + 1), PORTABLE_ERROR_OUT_OF_RANGE,
                          "65 bytes from byte 0 of the destination, which has 64");
            check_refusal(name, copy(to + 60, from, 5), PORTABLE_ERROR_OUT_OF_RANGE,
                          "5 bytes from byte 60 of the destination, which has 64");
            check_refusal(name_2d, copy_2d(to, 10, from, 8, 8, 7), PORTABLE_ERROR_OUT_OF_RANGE,
                          "68 bytes from byte 0 of the destination, which has 64");
            if (!on_cuda())
                check_refusal(name, copy(gone, from, BYTES), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                              "is not (or no longer) device memory");
        }
        if (copies[k].from_device) {
            check_refusal(name, copy(to, from + 1, BYTES), PORTABLE_ERROR_OUT_OF_RANGE,
                          "64 bytes from byte 1 of the source, which has 64");
            check_refusal(name, copy(to, from + 63, 2), PORTABLE_ERROR_OUT_OF_RANGE,
                          "2 bytes from byte 63 of the source, which has 64");
            check_refusal(name_2d, copy_2d(to, 8, from + 1, 8, 8, 8), PORTABLE_ERROR_OUT_OF_RANGE,
                          "64 bytes from byte 1 of the source, which has 64");
        }
        check_refusal(name_2d, copy_2d(to, 7, from, 8, 8, 8), PORTABLE_ERROR_INVALID_VALUE,
                      "a pitch of 7 bytes is less than the width of 8");
        check_refusal(name_2d, copy_2d(to, 8, from, 7, 8, 8), PORTABLE_ERROR_INVALID_VALUE,
                      "a pitch of 7 bytes is less than the width of 8");
        check_refusal(name_2d, copy_2d(to, (size_t)-1 / 2, from, 8, 8, 8),
                      PORTABLE_ERROR_INVALID_VALUE, "the size overflows");
    }
}

/* A refused copy copies nothing, not even the part that would have fitted. */
static void test_refused_copy_copies_nothing(void **state)
{
    static const char ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const char zeros[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    char result[8], *device;

    (void)state;
    NEEDS_DEVICE();
    device = (char *)device_from(NULL, 4);
    assert_refused(portable_copy_to_device(device, ones, 8), PORTABLE_ERROR_OUT_OF_RANGE,
                   "8 bytes");
    assert_ok(portable_copy_to_host(result, device, 4));
    assert_memory_equal(result, zeros, 4);
    memset(result, 0, sizeof result);
    assert_ok(portable_memset(device, 1, 4));
    assert_refused(portable_copy_to_host(result, device, 8), PORTABLE_ERROR_OUT_OF_RANGE,
                   "8 bytes");
    assert_memory_equal(result, zeros, 8);
}

static void test_fill(void **state)
{
    unsigned char result[10], host[10] = {0}, *device;

    (void)state;
    NEEDS_DEVICE();
    device = (unsigned char *)device_from(NULL, sizeof result);
    assert_ok(portable_memset(device + 2, 0x1a5, 3)); /* the low byte of the value */
    assert_ok(portable_memset_async(device + 9, -1, 1, 0));
    assert_ok(portable_copy_to_host(result, device, sizeof result));
    for (int k = 0; k < 10; k++)
        assert_int_equal(result[k], k >= 2 && k < 5 ? 0xa5 : k == 9 ? 0xff : 0);
    assert_ok(portable_memset(NULL, 0, 0));
    assert_refused(portable_memset(device + 2, 0, 9), PORTABLE_ERROR_OUT_OF_RANGE,
                   "portable_memset: 9 bytes from byte 2 of the target, which has 10");
    assert_refused(portable_memset(hidden(host), 0, 1), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                   "portable_memset");
    assert_refused(portable_memset(hidden(NULL), 0, 1), PORTABLE_ERROR_NOT_DEVICE_MEMORY,
                   "portable_memset");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_shared),
        TEST(test_shared_dynamic),
        TEST(test_private),
        TEST(test_shared_dynamic_limit),
        TEST(test_constant),
        TEST(test_allocation),
        TEST(test_many_allocations),
        TEST(test_allocation_refuses),
        TEST(test_poison),
        TEST(test_free_refuses),
        TEST(test_copies),
        TEST(test_copies_2d),
        TEST(test_copies_refuse),
        TEST(test_refused_copy_copies_nothing),
        TEST(test_fill),
    };

    return cmocka_run_group_tests_name("memory/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
