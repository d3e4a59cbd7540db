/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors, and asynchronous copies. */
#include "test.h"

enum { THREADS = 64, STAGES = 3, TILES = 7 };

/* ---- copies ---- */

/* Each thread's words go through shared memory, 4, 8 and 16 bytes at once, and are reversed by a
 * neighbour, so that copies by others are used. */
KERNEL(copy_widths)(const unsigned *from, unsigned *to)
{
    FOR_EACH_BLOCK(THREADS) {
        ALIGNED(16) SHARED(unsigned, words, [THREADS][8]);
        FOR_EACH_THREAD {
            COPY_ASYNC(&words[threadIdx.x][0], &from[threadIdx.x * 8], 16);
            COPY_ASYNC(&words[threadIdx.x][4], &from[threadIdx.x * 8 + 4], 8);
            COPY_ASYNC(&words[threadIdx.x][6], &from[threadIdx.x * 8 + 6], 4);
            COPY_ASYNC_IF(threadIdx.x % 2 == 0, &words[threadIdx.x][7],
                          &from[threadIdx.x % 2 ? 1u << 30 : threadIdx.x * 8 + 7],
                          sizeof(unsigned));
        }
        COPY_COMMIT();
        COPY_WAIT(0);
        SYNC_THREADS();
        FOR_EACH_THREAD {
            for (unsigned w = 0; w < 8; w++)
                to[threadIdx.x * 8 + w] = words[THREADS - 1 - threadIdx.x][w];
        }
    }
}

static void test_copies_of_each_width(void **state)
{
    static unsigned from[THREADS * 8], to[THREADS * 8];
    unsigned *device_from_words, *device_to;

    (void)state;
    NEEDS_DEVICE();
    for (unsigned i = 0; i < THREADS * 8; i++)
        from[i] = 1 + i * 2654435761u;
    device_from_words = (unsigned *)device_from(from, sizeof from);
    device_to = (unsigned *)device_from(NULL, sizeof to);
    assert_ok(KERNEL_LAUNCH(copy_widths, 1, THREADS, 0, 0, (const unsigned *)device_from_words,
                            device_to));
    assert_ok(portable_copy_to_host(to, device_to, sizeof to));
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned w = 0; w < 8; w++) {
            const unsigned source = THREADS - 1 - t;

            assert_int_equal(to[t * 8 + w], w == 7 && source % 2 ? 0 : from[source * 8 + w]);
        }
}

/* A pipeline: while a tile is summed, the next two are being copied. Copies by a DEVICE
 * function. */
DEVICE void copy_word(float *to, const float *from)
{
    COPY_ASYNC(to, from, sizeof *to);
}
KERNEL(sum_tiles)(const float *from, float *to)
{
    FOR_EACH_BLOCK(THREADS) {
        SHARED(float, tiles, [STAGES][THREADS]);
        PRIVATE(float, sum);
        FOR_EACH_THREAD
            MINE(sum) = 0;
        for (int tile = 1 - STAGES; tile < TILES; tile++) {
            const int next = tile + STAGES - 1;
            if (tile >= 0) {
                COPY_WAIT(STAGES - 2);
                SYNC_THREADS();
            }
            if (next < TILES)
                FOR_EACH_THREAD
                    copy_word(&tiles[next % STAGES][threadIdx.x],
                              &from[(unsigned)next * THREADS + threadIdx.x]);
            COPY_COMMIT();
            if (tile >= 0)
                FOR_EACH_THREAD
                    MINE(sum) += tiles[tile % STAGES][(threadIdx.x + 1) % THREADS];
        }
        FOR_EACH_THREAD
            to[threadIdx.x] = MINE(sum);
    }
}

static void test_copies_in_stages(void **state)
{
    static float from[TILES * THREADS], to[THREADS];
    float *device_numbers, *device_to;

    (void)state;
    NEEDS_DEVICE();
    for (int i = 0; i < TILES * THREADS; i++)
        from[i] = (float)(i * i % 97);
    device_numbers = (float *)device_from(from, sizeof from);
    device_to = (float *)device_from(NULL, sizeof to);
    assert_ok(KERNEL_LAUNCH(sum_tiles, 1, THREADS, 0, 0, (const float *)device_numbers, device_to));
    assert_ok(portable_copy_to_host(to, device_to, sizeof to));
    for (int t = 0; t < THREADS; t++) {
        float expected = 0;

        for (int tile = 0; tile < TILES; tile++)
            expected += from[tile * THREADS + (t + 1) % THREADS];
        assert_true(to[t] == expected);
    }
}

KERNEL(copy_from)(int offset, const float *from, float *to)
{
    FOR_EACH_BLOCK(32) {
        ALIGNED(16) SHARED(float, words, [32 * 4]);
        FOR_EACH_THREAD
            COPY_ASYNC(&words[threadIdx.x * 4], from + offset + threadIdx.x * 4, 16);
        COPY_COMMIT();
        COPY_WAIT(0);
        FOR_EACH_THREAD
            to[threadIdx.x] = words[threadIdx.x * 4];
    }
}

static void test_cpu_refuses_copies_that_are_not_aligned(void **state)
{
    float *from, *to;

    (void)state;
    if (on_cuda())
        return;
    from = (float *)device_from(NULL, 256 * sizeof *from);
    to = (float *)device_from(NULL, 32 * sizeof *to);
    assert_ok(KERNEL_LAUNCH(copy_from, 1, 32, 0, 0, 4, (const float *)from, to));
    assert_refused(KERNEL_LAUNCH(copy_from, 1, 32, 0, 0, 2, (const float *)from, to),
                   PORTABLE_ERROR_INVALID_VALUE, "COPY_ASYNC of 16 bytes");
}

/* ---- vectors ---- */

DEVICE REAL_VECTOR axpy(REAL a, REAL_VECTOR x, REAL_VECTOR y)
{
    return a * x + y;
}

KERNEL(vector_arithmetic)(const REAL *x, REAL *y)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(REAL_VECTOR, sum, [2]);
        FOR_EACH_THREAD {
            const REAL_VECTOR zero = {0};
            MINE(sum)[0] = zero;
            MINE(sum)[1] = real_vector(x + 1);
        }
        FOR_EACH_THREAD {
            const REAL_VECTOR mine = real_vector(x + 3 + threadIdx.x);
            MINE(sum)[0] += axpy((REAL)2, mine, mine * mine);
            MINE(sum)[0] += MINE(sum)[1] - mine;
            MINE(sum)[0][0] += 1;
        }
        FOR_EACH_THREAD {
            for (int l = 0; l < REAL_LANES; l++)
                y[(int)threadIdx.x * REAL_LANES + l] = MINE(sum)[0][l];
        }
    }
}

static void test_vectors_are_element_by_element(void **state)
{
    static REAL x[64], y[32 * REAL_LANES];
    REAL *device_x, *device_y;

    (void)state;
    NEEDS_DEVICE();
    for (int i = 0; i < 64; i++)
        x[i] = (REAL)(i * 5 % 23 - 11);
    device_x = (REAL *)device_from(x, sizeof x);
    device_y = (REAL *)device_from(NULL, sizeof y);
    assert_ok(KERNEL_LAUNCH(vector_arithmetic, 1, 32, 0, 0, (const REAL *)device_x, device_y));
    assert_ok(portable_copy_to_host(y, device_y, sizeof y));
    for (int t = 0; t < 32; t++)
        for (int l = 0; l < REAL_LANES; l++) {
            const REAL v = x[3 + t + l];

            assert_true(y[t * REAL_LANES + l] == 2 * v + v * v + x[1 + l] - v + (l == 0));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_copies_of_each_width),
        TEST(test_copies_in_stages),
        TEST(test_cpu_refuses_copies_that_are_not_aligned),
        TEST(test_vectors_are_element_by_element),
    };

    return cmocka_run_group_tests_name("copies/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
