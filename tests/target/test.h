/* SPDX-License-Identifier: BSD-3-Clause */
/* Common code of the target tests: each test_*.c is one program, compiled once per target.
 *
 *     cc -std=c11 -I. test_x.c -lcmocka               the CPU targets
 *     nvcc -x cu -std=c++17 -I. test_x.c -lcmocka     the CUDA target
 *
 * The files keep to the common subset of C11 and C++17. A test for the CPU targets only begins
 * with `if (on_cuda()) return;`, or is left out by `#if !PORTABLE_TARGET_CUDA` if nvcc
 * cannot compile it. */
#ifndef PORTABLE_TESTS_TARGET_TEST_H
#define PORTABLE_TESTS_TARGET_TEST_H

#include "portable.h"

#include <float.h>  /* FLT_MAX, DBL_MAX */
#include <limits.h> /* INT_MAX, LLONG_MAX */
#include <string.h> /* memcmp, memcpy, memset, strcmp, strstr */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif

/* Some tests ask for more memory than there is; the address sanitizer must return NULL, too. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(TEST_ADDRESS_SANITIZER) && !PORTABLE_TARGET_EMULATE /* memcheck has its own options */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static inline int on_cuda(void)
{
    return strcmp(PORTABLE_TARGET_NAME, "cuda") == 0;
}

/* Targets whose threads are loops: serial and openmp. */
static inline int on_loops(void)
{
    return strcmp(PORTABLE_TARGET_NAME, "serial") == 0 ||
           strcmp(PORTABLE_TARGET_NAME, "openmp") == 0;
}
static inline int on_emulate(void)
{
    return strcmp(PORTABLE_TARGET_NAME, "emulate") == 0;
}

/* First in every test that needs a device: skips the test without one. */
#define NEEDS_DEVICE()                                                                             \
    do {                                                                                           \
        int devices_;                                                                              \
        if (portable_device_count(&devices_) != PORTABLE_SUCCESS) {                                \
            print_message("# SKIP %s: %s\n", __func__, portable_last_message());                   \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

/* The call succeeds. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        const portable_status status_ = (call);                                                    \
        if (status_ != PORTABLE_SUCCESS)                                                           \
            fail_msg("%s: %s: %s", #call, portable_status_string(status_),                         \
                     portable_last_message());                                                     \
    } while (0)

/* The call fails with that status, and a message that contains `part`. The failure is then cleared,
 * so that it does not show anywhere else. */
#define assert_refused(call, expected, part)                                                       \
    do {                                                                                           \
        const portable_status status_ = (call);                                                    \
        if (status_ != (expected))                                                                 \
            fail_msg("%s: \"%s\" where \"%s\" was expected", #call,                                \
                     portable_status_string(status_), portable_status_string(expected));           \
        if (!strstr(portable_last_message(), (part)))                                              \
            fail_msg("%s: the sentence \"%s\" lacks \"%s\"", #call, portable_last_message(),       \
                     (part));                                                                      \
        portable_last_error();                                                                     \
    } while (0)

/* Device memory that is freed at the end of the test, even if it fails. */
static void *test_buffers[64];
static size_t test_buffer_count;

/* `bytes` bytes of device memory, copied from `from`, or zero if it is NULL. */
static inline void *device_from(const void *from, size_t bytes)
{
    void *device;

    if (test_buffer_count == COUNT_OF(test_buffers))
        fail_msg("a test has at most %zu device buffers", COUNT_OF(test_buffers));
    assert_ok(portable_malloc(&device, bytes));
    test_buffers[test_buffer_count++] = device;
    if (from)
        assert_ok(portable_copy_to_device(device, from, bytes));
    else
        assert_ok(portable_memset(device, 0, bytes));
    return device;
}

static inline int test_setup(void **state)
{
    (void)state;
    portable_last_error();
    return 0;
}

static inline int test_teardown(void **state)
{
    int failures = 0;

    (void)state;
    while (test_buffer_count > 0)
        failures += portable_free(test_buffers[--test_buffer_count]) != PORTABLE_SUCCESS;
    portable_last_error();
    return failures;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, test_setup, test_teardown)

#endif
