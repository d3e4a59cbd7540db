/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain C: without kernels, so cc compiles it for every target. Exit status 77: no device. */
#include "sums.h"

#include <stdio.h> /* printf */

int main(void)
{
    enum { N = 100000 };
    unsigned long long *total, sum;
    int devices;

    if (portable_device_count(&devices) != PORTABLE_SUCCESS) {
        printf("%s: no device\n", target_of_kernel());
        return 77;
    }
    PORTABLE_CHECK(portable_malloc(&total, sizeof *total));
    PORTABLE_CHECK(portable_memset(total, 0, sizeof *total));
    PORTABLE_CHECK(sum_to(N, total));
    PORTABLE_CHECK(portable_copy_to_host(&sum, total, sizeof sum));
    PORTABLE_CHECK(portable_free(total));
    printf("%s: %llu\n", target_of_kernel(), sum);
    return sum != 1ULL * N * (N + 1) / 2;
}
