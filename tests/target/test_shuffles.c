/* SPDX-License-Identifier: BSD-3-Clause */
/* Shuffles of the integers that warps exchange as a wider type: long, size_t, short and char. */
#include "test.h"

enum { THREADS = 64 };

/* X(suffix, type) */
#define FOR_TYPES(X)                                                                               \
    X(long, long)                                                                                  \
    X(size, size_t)                                                                                \
    X(short, short)                                                                                \
    X(ushort, unsigned short)                                                                      \
    X(char, char)                                                                                  \
    X(schar, signed char)                                                                          \
    X(uchar, unsigned char)

/* clang-format off */
#define SHUFFLE_TEST(suffix, type)                                                                 \
    KERNEL(shuffle_##suffix)(const type *x, type *out)                                             \
    {                                                                                              \
        FOR_EACH_BLOCK(THREADS) {                                                                  \
            PRIVATE(type, source);                                                                 \
            PRIVATE(type, any);                                                                    \
            PRIVATE(type, up);                                                                     \
            PRIVATE(type, down);                                                                   \
            PRIVATE(type, other);                                                                  \
            FOR_EACH_THREAD                                                                        \
                MINE(source) = x[threadIdx.x];                                                     \
            SHUFFLE(any, source, threadIdx.x * 3);                                                 \
            SHUFFLE_UP(up, source, 2);                                                             \
            SHUFFLE_DOWN(down, source, 5);                                                         \
            SHUFFLE_XOR(other, source, 9);                                                         \
            FOR_EACH_THREAD {                                                                      \
                out[4 * threadIdx.x] = MINE(any);                                                  \
                out[4 * threadIdx.x + 1] = MINE(up);                                               \
                out[4 * threadIdx.x + 2] = MINE(down);                                             \
                out[4 * threadIdx.x + 3] = MINE(other);                                            \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void test_##suffix(void **state)                                                        \
    {                                                                                              \
        static type x[THREADS], out[THREADS][4];                                                   \
        type *device_x, *device_out;                                                               \
                                                                                                   \
        (void)state;                                                                               \
        NEEDS_DEVICE();                                                                            \
        for (int t = 0; t < THREADS; t++)                                                          \
            x[t] = (type)((unsigned long long)(t + 1) * 0x9e3779b97f4a7c15ULL);                    \
        device_x = (type *)device_from(x, sizeof x);                                               \
        device_out = (type *)device_from(NULL, sizeof out);                                        \
        assert_ok(KERNEL_LAUNCH(shuffle_##suffix, 1, THREADS, 0, 0, device_x, device_out));        \
        assert_ok(portable_copy_to_host(out, device_out, sizeof out));                             \
        for (int t = 0; t < THREADS; t++) {                                                        \
            const int lane = t % WARP_SIZE, first = t - lane;                                      \
                                                                                                   \
            assert_true(out[t][0] == x[first + 3 * t % WARP_SIZE]);                                \
            assert_true(out[t][1] == x[lane < 2 ? t : t - 2]);                                     \
            assert_true(out[t][2] == x[lane + 5 < WARP_SIZE ? t + 5 : t]);                         \
            assert_true(out[t][3] == x[first + (lane ^ 9)]);                                       \
        }                                                                                          \
    }
FOR_TYPES(SHUFFLE_TEST)
/* clang-format on */

#define ENTRY(suffix, type) TEST(test_##suffix),

int main(void)
{
    const struct CMUnitTest tests[] = {FOR_TYPES(ENTRY)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
