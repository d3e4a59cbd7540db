/* SPDX-License-Identifier: BSD-3-Clause */
/* host/algorithms/order.h: each warp's elements and increments are in ascending order. */
#include "order.h"

#include "test.h"

enum { MOST_THREADS = 384, ITEMS = 5, MOST = MOST_THREADS * ITEMS, BITS = 3, COUNTERS = 1 << BITS };

/* For each element its place among those of its warp with the same index, and its thread.
 * x: indices; places, threads: one for each element; totals: COUNTERS for each warp */
#define ORDER_KERNEL(name, shape, rank, size)                                                      \
    KERNEL(name)(const unsigned *x, unsigned *places, unsigned *threads, unsigned *totals)         \
    {                                                                                              \
        FOR_EACH_BLOCK                                                                             \
            shape                                                                                  \
            {                                                                                      \
                SHARED(unsigned, counters, [(size) / WARP_SIZE * COUNTERS]);                       \
                FOR_EACH_THREAD {                                                                  \
                    for (unsigned k = rank; k < (size) / WARP_SIZE * COUNTERS; k += (size))        \
                        counters[k] = 0;                                                           \
                }                                                                                  \
                SYNC_THREADS();                                                                    \
                FOR_EACH_IN_ORDER(i, warp, (size)*ITEMS)                                           \
                {                                                                                  \
                    places[i] = INCREMENT_IN_ORDER(&counters[warp * COUNTERS], x[i], BITS);        \
                    threads[i] = rank;                                                             \
                }                                                                                  \
                SYNC_THREADS();                                                                    \
                FOR_EACH_THREAD {                                                                  \
                    for (unsigned k = rank; k < (size) / WARP_SIZE * COUNTERS; k += (size))        \
                        totals[k] = counters[k];                                                   \
                }                                                                                  \
            }                                                                                      \
    }
/* clang-format off */
#define ROW threadIdx.x
#define PLANE (threadIdx.y * 16 + threadIdx.x)
ORDER_KERNEL(order_384, (384), ROW, 384u) /* four warps side by side */
ORDER_KERNEL(order_96, (96), ROW, 96u) /* three warps, one after the other */
ORDER_KERNEL(order_plane, (16, 8), PLANE, 128u)
/* clang-format on */

static unsigned x[MOST], places[MOST], threads[MOST], totals[MOST_THREADS / 32 * COUNTERS];

static void compare(unsigned size)
{
    const unsigned part = 32 * ITEMS;

    for (unsigned warp = 0; warp < size / 32; warp++) {
        unsigned counts[COUNTERS] = {0};

        for (unsigned i = warp * part; i < (warp + 1) * part; i++) {
            assert_int_equal(places[i], counts[x[i]]++);
            assert_int_equal(threads[i], warp * 32 + i % 32);
        }
        for (unsigned k = 0; k < COUNTERS; k++)
            assert_int_equal(totals[warp * COUNTERS + k], counts[k]);
    }
}

#define CHECK_ORDER(kernel, x_extent, y_extent)                                                    \
    do {                                                                                           \
        assert_ok(KERNEL_LAUNCH(kernel, 1, DIM3(x_extent, y_extent, 1), 0, 0, device_x,            \
                                device_places, device_threads, device_totals));                    \
        assert_ok(portable_copy_to_host(places, device_places, sizeof places));                    \
        assert_ok(portable_copy_to_host(threads, device_threads, sizeof threads));                 \
        assert_ok(portable_copy_to_host(totals, device_totals, sizeof totals));                    \
        compare((x_extent) * (y_extent));                                                          \
    } while (0)

/* Mixed indices, one index, two that alternate. */
static void test_order(void **state)
{
    unsigned *device_x, *device_places, *device_threads, *device_totals;

    (void)state;
    NEEDS_DEVICE();
    device_places = (unsigned *)device_from(NULL, sizeof places);
    device_threads = (unsigned *)device_from(NULL, sizeof threads);
    device_totals = (unsigned *)device_from(NULL, sizeof totals);
    for (unsigned kind = 0; kind < 3; kind++) {
        for (unsigned k = 0; k < MOST; k++)
            x[k] = kind == 0 ? k * k / 7 % COUNTERS : kind == 1 ? 0 : COUNTERS - 1 - k % 2;
        device_x = (unsigned *)device_from(x, sizeof x);
        CHECK_ORDER(order_384, 384, 1);
        CHECK_ORDER(order_96, 96, 1);
        CHECK_ORDER(order_plane, 16, 8);
    }
}

KERNEL(order_large)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        SHARED(unsigned, counters, [2 * COUNTERS]);
        FOR_THREADS_BELOW(2 * COUNTERS)
            counters[threadIdx.x] = 0;
        SYNC_THREADS();
        FOR_EACH_IN_ORDER(i, warp, 32)
        {
            out[i] = INCREMENT_IN_ORDER(&counters[warp], i == 7 ? COUNTERS : 0u, BITS);
        }
    }
}

static void test_large_index(void **state)
{
    unsigned *device_places;

    (void)state;
    NEEDS_DEVICE();
    device_places = (unsigned *)device_from(NULL, sizeof places);
    const portable_status status = KERNEL_LAUNCH(order_large, 1, 32, 0, 0, device_places);
    if (!PORTABLE_TARGET_EMULATE) {
        assert_ok(status);
        return;
    }
    assert_int_equal(status, PORTABLE_ERROR_INVALID_VALUE);
    assert_non_null(
        strstr(portable_last_message(), "INCREMENT_IN_ORDER with index 8 of more than 3 bits"));
}

KERNEL(order_odd)(unsigned *out)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_IN_ORDER(i, warp, 100)
        {
            out[i] = warp;
        }
    }
}

/* Only emulate looks: elsewhere the kernel must not run. */
static void test_odd_count(void **state)
{
    unsigned *device_places;

    (void)state;
    NEEDS_DEVICE();
    if (!PORTABLE_TARGET_EMULATE)
        return;
    device_places = (unsigned *)device_from(NULL, sizeof places);
    assert_int_equal(KERNEL_LAUNCH(order_odd, 1, 64, 0, 0, device_places),
                     PORTABLE_ERROR_INVALID_VALUE);
    assert_non_null(
        strstr(portable_last_message(), "FOR_EACH_IN_ORDER with n = 100 in a block of 64 threads"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_order), TEST(test_large_index),
                                       TEST(test_odd_count)};

    return cmocka_run_group_tests_name("order/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
