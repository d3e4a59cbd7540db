/* SPDX-License-Identifier: BSD-3-Clause */
/* portable_algorithms.h on more elements than 32 bits count. Not on emulate, where it would take
 * minutes. */
#define _POSIX_C_SOURCE 200809L

#include "portable_algorithms.h"

#include "test.h"

#include <unistd.h> /* sysconf */

/* More equal bytes than 32 bits count, where there is memory for them. */
static void test_more_than_32_bits(void **state)
{
    const size_t n = ((size_t)1 << 32) + 1, least_memory = (size_t)12 << 30;
    unsigned long long *counts, host[256];
    unsigned char *x;

    (void)state;
    NEEDS_DEVICE();
    if ((size_t)sysconf(_SC_PHYS_PAGES) < least_memory / (size_t)sysconf(_SC_PAGESIZE)) {
        print_message("# SKIP %s: there are less than 12 GiB of memory\n", __func__);
        skip();
    }
    assert_ok(portable_malloc(&x, n));
    assert_ok(portable_memset(x, 7, n));
    counts = (unsigned long long *)device_from(NULL, sizeof host);
    assert_ok(portable_histogram_bytes(n, x, counts, 0));
    assert_ok(portable_copy_to_host(host, counts, sizeof host));
    assert_true(host[6] == 0 && host[7] == n && host[8] == 0);
    assert_ok(portable_free(x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_more_than_32_bits),
    };

    return cmocka_run_group_tests_name("large/" PORTABLE_TARGET_NAME, tests, NULL, NULL) != 0;
}
