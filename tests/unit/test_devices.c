/* SPDX-License-Identifier: BSD-3-Clause */
/* host/devices.h: rates of known and unknown GPUs, and what fills the device of the tests, a
 * CPU. */
#include "host/devices.h"

#include <setjmp.h> /* this and the next two: what cmocka.h needs before it */
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void test_rates(void **state)
{
    struct portable_device device = {.major = 9, .minor = 0};
    struct device_rates rates;

    (void)state;
    device.multiprocessors = 100;
    device.clock_mhz = 1000;
    rates = device_rates(&device);
    assert_true(rates.real == (sizeof(REAL) == sizeof(double) ? 128e11 : 256e11));
    assert_true(rates.tensor == 4096e11);
    device.minor = 9;
    rates = device_rates(&device);
    assert_true(rates.real == 0 && rates.tensor == 0);
}

static void test_sizes(void **state)
{
    struct portable_device device;

    (void)state;
    assert_int_equal(portable_device_properties(&device), PORTABLE_SUCCESS);
    assert_int_equal(device_blocks(256), device.multiprocessors);
    for (int dimensions = 0; dimensions <= 3; dimensions++)
        assert_int_equal(device_timing_size(1000, dimensions), 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_sizes),
    };

    return cmocka_run_group_tests_name("devices", tests, NULL, NULL) != 0;
}
