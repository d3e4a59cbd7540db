/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches the kernels of first.c, and its own. */
#include "second.h"

/* A prototype, a function that no one calls, and one that the kernel calls. */
BLOCK_FUNCTION(int, write_last, (1), char *bytes, size_t last, PRIVATE_PARAMETER(char, value));
BLOCK_FUNCTION(void, unused, (), int *count)
{
    FOR_EACH_THREAD
        *count = 1;
}

/* A function of the host too, which has no pragma of the device's. */
DEVICE int sum_of(int n, const int *x)
{
    int sum = 0;

    UNROLL(4)
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

KERNEL(count_shared)(size_t bytes, int *count)
{
    FOR_EACH_BLOCK(1) {
        SHARED_DYNAMIC(char, scratch);
        PRIVATE(char, one);
        FOR_EACH_THREAD
            MINE(one) = 1;
        const int last = BLOCK_CALL(write_last, scratch, bytes - 1, one);
        FOR_EACH_THREAD
            *count = last + sum_of(0, count);
    }
}

BLOCK_FUNCTION(int, write_last, (1), char *bytes, size_t last, PRIVATE_PARAMETER(char, value))
{
    FOR_EACH_THREAD
        bytes[last] = MINE(value);
    return bytes[last];
}

portable_status second_add(int n, float what, float *x)
{
    return KERNEL_LAUNCH(add, 2, 64, 0, 0, n, what, x);
}

portable_status second_too_many_threads(int *count)
{
    return KERNEL_LAUNCH(at_most_128, 1, 129, 0, 0, count);
}

portable_status second_raise_shared_limit(void)
{
    return KERNEL_SHARED_LIMIT(count_shared, 64 * 1024);
}
