/* SPDX-License-Identifier: BSD-3-Clause */
/* portable_tiles.h, on halves whose products and sums are exact in any order. */
#include "test.h"

#include "portable_tiles.h"

/* C = A B for each of `times` blocks in x, one after the other in the same product; stride is that
 * of C. */
KERNEL_LAUNCH_BOUNDS(multiply, TILE_THREADS, 1)
(int m, int n, int k, int times, TILE_MATRIX(a), TILE_MATRIX(b), int stride, float *c)
{
    FOR_EACH_BLOCK(TILE_THREADS) {
        TILE_PRODUCT(product, a, b);
        const int row = (int)blockIdx.y * TILE_ROWS;
        for (int t = 0; t < times; t++) {
            const int column = ((int)blockIdx.x * times + t) * TILE_COLUMNS;
            for (int i = 0; i < TILE_AHEAD; i++)
                TILE_PUSH(product, row, i * TILE_DEPTH, column);
            for (int i = 0; i < k; i += TILE_DEPTH) {
                TILE_MULTIPLY_ADD(product);
                TILE_PUSH(product, row, i + TILE_AHEAD * TILE_DEPTH, column);
            }
            TILE_STORE(product, c + (size_t)row * (size_t)stride + column, stride, m - row,
                       n - column);
        }
    }
}

static int left(int row, int i)
{
    return (row * 7 + i * 3) % 11 - 5;
}
static int right(int i, int column)
{
    return (i * 5 + column) % 9 - 4;
}

static half *matrix_of(int rows, int columns, int (*element)(int, int))
{
    const size_t bytes = ((size_t)rows * (size_t)columns + 1) * sizeof(half);
    half *const host = (half *)malloc(bytes), *device;

    assert_non_null(host);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            host[row * columns + column] = float_to_half((float)element(row, column));
    device = (half *)device_from(host, bytes);
    free(host);
    return device;
}

/* C is `stride` floats wide and begins `offset` floats into its array, whose other elements must
 * keep their -1. */
static void check_product(int m, int n, int k, int times, int stride, int offset)
{
    const size_t count = (size_t)m * (size_t)stride + (size_t)offset + 1;
    float *const c = (float *)malloc(count * sizeof *c), *device;
    half *const a = matrix_of(m, k, left), *const b = matrix_of(k, n, right);
    struct portable_matrix of_a, of_b;
    const dim3 grid = DIM3((unsigned)((n + TILE_COLUMNS * times - 1) / (TILE_COLUMNS * times)),
                           (unsigned)((m + TILE_ROWS - 1) / TILE_ROWS), 1);

    assert_non_null(c);
    for (size_t e = 0; e < count; e++)
        c[e] = -1;
    device = (float *)device_from(c, count * sizeof *c);
    assert_ok(portable_matrix_init(&of_a, a, m, k));
    assert_ok(portable_matrix_init(&of_b, b, k, n));
    assert_ok(KERNEL_LAUNCH(multiply, grid, TILE_THREADS, TILE_BYTES, 0, m, n, k, times, of_a, of_b,
                            stride, device + offset));
    assert_ok(portable_copy_to_host(c, device, count * sizeof *c));
    for (size_t e = 0; e < count; e++) {
        const int row = (int)(((long long)e - offset) / stride);
        const int column = (int)(((long long)e - offset) % stride);
        int sum = 0;

        for (int i = 0; i < k; i++)
            sum += left(row, i) * right(i, column);
        assert_true(c[e] == (float)(e < (size_t)offset || row >= m || column >= n ? -1 : sum));
    }
    free(c);
}

static int has_shared(void)
{
    struct portable_device device;

    assert_ok(portable_device_properties(&device));
    if (device.shared_raised_bytes < TILE_BYTES)
        return 0;
    assert_ok(KERNEL_SHARED_LIMIT(multiply, TILE_BYTES));
    return 1;
}

static void test_products_of_every_shape(void **state)
{
    (void)state;
    NEEDS_DEVICE();
    if (!has_shared())
        skip();
    check_product(1, 8, 8, 1, 8, 0);
    check_product(128, 256, 64, 1, 256, 0);
    check_product(131, 264, 200, 1, 264, 0);
    check_product(40, 520, 72, 1, 521, 1);
    check_product(7, 24, 640, 1, 31, 3);
}

/* TILE_STORE leaves an empty queue and zeros. */
static void test_products_one_after_another(void **state)
{
    (void)state;
    NEEDS_DEVICE();
    if (!has_shared())
        skip();
    check_product(3, 5 * TILE_COLUMNS, 64, 5, 5 * TILE_COLUMNS, 0);
    check_product(100, 2 * TILE_COLUMNS - 8, 456, 2, 2 * TILE_COLUMNS, 0);
}

static void test_matrix_is_checked(void **state)
{
    struct portable_matrix matrix;
    half *elements;

    (void)state;
    NEEDS_DEVICE();
    elements = (half *)device_from(NULL, 64 * sizeof *elements);
    assert_ok(portable_matrix_init(&matrix, elements, 2, 24));
    assert_refused(portable_matrix_init(NULL, elements, 2, 24), PORTABLE_ERROR_INVALID_VALUE,
                   "no place");
    assert_refused(portable_matrix_init(&matrix, elements, 2, 20), PORTABLE_ERROR_INVALID_VALUE,
                   "multiple of 8");
    assert_refused(portable_matrix_init(&matrix, elements, -2, 24), PORTABLE_ERROR_INVALID_VALUE,
                   "-2 x 24");
    assert_refused(portable_matrix_init(&matrix, elements + 1, 2, 24), PORTABLE_ERROR_INVALID_VALUE,
                   "not a multiple of 16");
    assert_refused(portable_matrix_init(&matrix, NULL, 2, 24), PORTABLE_ERROR_INVALID_VALUE,
                   "not a multiple of 16");
    assert_refused(portable_matrix_init(&matrix, elements, 0, 24), PORTABLE_ERROR_INVALID_VALUE,
                   "0 x 24");
}

#if !PORTABLE_TARGET_CUDA
KERNEL(push_and_multiply)(int pushes, int products, TILE_MATRIX(a), TILE_MATRIX(b))
{
    FOR_EACH_BLOCK(TILE_THREADS) {
        TILE_PRODUCT(product, a, b);
        for (int p = 0; p < pushes; p++)
            TILE_PUSH(product, 0, 0, 0);
        for (int p = 0; p < products; p++)
            TILE_MULTIPLY_ADD(product);
    }
}

static void test_cpu_refuses_full_and_empty_queues(void **state)
{
    half *const elements = matrix_of(8, 8, left);
    struct portable_matrix matrix;

    (void)state;
    assert_ok(KERNEL_SHARED_LIMIT(push_and_multiply, TILE_BYTES));
    assert_ok(portable_matrix_init(&matrix, elements, 8, 8));
    assert_ok(KERNEL_LAUNCH(push_and_multiply, 1, TILE_THREADS, TILE_BYTES, 0, TILE_AHEAD,
                            TILE_AHEAD, matrix, matrix));
    assert_refused(KERNEL_LAUNCH(push_and_multiply, 1, TILE_THREADS, TILE_BYTES, 0, TILE_AHEAD + 1,
                                 0, matrix, matrix),
                   PORTABLE_ERROR_INVALID_VALUE, "TILE_PUSH: 2 pairs of tiles wait");
    assert_refused(
        KERNEL_LAUNCH(push_and_multiply, 1, TILE_THREADS, TILE_BYTES, 0, 1, 2, matrix, matrix),
        PORTABLE_ERROR_INVALID_VALUE, "TILE_MULTIPLY_ADD: no pair");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_products_of_every_shape),
        TEST(test_products_one_after_another),
        TEST(test_matrix_is_checked),
#if !PORTABLE_TARGET_CUDA
        TEST(test_cpu_refuses_full_and_empty_queues),
#endif
    };

    return cmocka_run_group_tests_name("tiles/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
