/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with -fopenmp, it launches kernels of mixed_kernels.c, which is not: each launch with
 * more than one OS thread must fail with an explanation. */
#include "portable.h"

KERNEL(add_in_loop)(int n, int *x);
KERNEL(add_in_blocks)(int n, int *x);

static int wrong(portable_status status)
{
    const char *const why = portable_last_message();
    const int refused = status == PORTABLE_ERROR_INVALID_LAUNCH && strstr(why, "without -fopenmp");

    if (!refused)
        printf("a launch of several OS threads gave status %d: %s\n", (int)status, why);
    portable_last_error();
    return !refused;
}

int main(void)
{
    int *x, failures;

    omp_set_num_threads(4);
    omp_set_dynamic(0);
    PORTABLE_CHECK(portable_malloc(&x, 100 * sizeof *x));
    PORTABLE_CHECK(portable_memset(x, 0, 100 * sizeof *x));
    PORTABLE_CHECK(KERNEL_LAUNCH(add_in_loop, 1, 64, 0, 0, 100, x));
    failures = wrong(KERNEL_LAUNCH(add_in_loop, 8, 64, 0, 0, 100, x));
    failures += wrong(KERNEL_LAUNCH(add_in_blocks, 8, 64, 0, 0, 100, x));
    PORTABLE_CHECK(portable_free(x));
    return failures != 0;
}
