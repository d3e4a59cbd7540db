/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of cmocka that the kernel tests use, for machines without it: runs each test, and ends
 * the program at the first failure. */
#ifndef PORTABLE_TESTS_EMULATE_STANDIN_CMOCKA_H
#define PORTABLE_TESTS_EMULATE_STANDIN_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state), (*teardown)(void **state);
};

#define cmocka_unit_test_setup_teardown(test, setup, teardown)                                     \
    {                                                                                              \
#test, test, setup, teardown                                                               \
    }
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    standin_run(tests, sizeof(tests) / sizeof *(tests))
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run_group_tests(tests, setup, teardown)

static int standin_skipped;

static inline int standin_run(const struct CMUnitTest *tests, size_t count)
{
    size_t skipped = 0;

    for (size_t k = 0; k < count; k++) {
        void *state = NULL;

        standin_skipped = 0;
        if (tests[k].setup(&state) == 0)
            tests[k].test(&state);
        if (tests[k].teardown(&state) != 0) {
            printf("%s: its teardown failed\n", tests[k].name);
            return 1;
        }
        skipped += (size_t)standin_skipped;
    }
    printf("%zu tests passed, %zu skipped\n", count - skipped, skipped);
    return 0;
}

#define print_message(...) printf(__VA_ARGS__)
#define fail_msg(...)                                                                              \
    do {                                                                                           \
        printf("%s:%d: ", __FILE__, __LINE__);                                                     \
        printf(__VA_ARGS__);                                                                       \
        printf("\n");                                                                              \
        exit(1);                                                                                   \
    } while (0)
#define fail() fail_msg("it must not come here")
#define skip()                                                                                     \
    do {                                                                                           \
        standin_skipped = 1;                                                                       \
        return;                                                                                    \
    } while (0)
#define assert_true(condition)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s", #condition);                                                            \
    } while (0)
#define assert_false(condition) assert_true(!(condition))
#define assert_int_equal(a, b)                                                                     \
    do {                                                                                           \
        const unsigned long long standin_a = (unsigned long long)(a);                              \
        const unsigned long long standin_b = (unsigned long long)(b);                              \
        if (standin_a != standin_b)                                                                \
            fail_msg("%s is %#llx, %s is %#llx", #a, standin_a, #b, standin_b);                    \
    } while (0)
#define assert_int_not_equal(a, b) assert_true((unsigned long long)(a) != (unsigned long long)(b))
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) assert_true((const void *)(a) != (const void *)(b))
#define assert_null(a) assert_true((a) == NULL)
#define assert_non_null(a) assert_true((a) != NULL)
#define assert_string_equal(a, b) assert_true(strcmp((a), (b)) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp((a), (b)) != 0)
#define assert_memory_equal(a, b, bytes) assert_true(memcmp((a), (b), (bytes)) == 0)

#endif
