/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches the kernels of first.c, and its own. */
#include "second.h"

KERNEL(count_shared)(size_t bytes, int *count)
{
    FOR_EACH_BLOCK(1) {
        SHARED_DYNAMIC(char, scratch);
        FOR_EACH_THREAD {
            scratch[bytes - 1] = 1;
            *count = scratch[bytes - 1];
        }
    }
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
