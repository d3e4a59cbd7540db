/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's file, for make run: doubles its arguments on the device, and fails on request. */
#include "portable.h"

KERNEL(twice)(int n, int *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] *= 2;
}

int main(int count, char **arguments)
{
    int values[16], *device;
    const int n = count - 1;

    if (n < 1 || n > 16) {
        fprintf(stderr, "program: 1 to 16 numbers\n");
        return 2;
    }
    for (int i = 0; i < n; i++)
        values[i] = atoi(arguments[i + 1]);
    PORTABLE_CHECK(portable_malloc(&device, (size_t)n * sizeof *device));
    PORTABLE_CHECK(portable_copy_to_device(device, values, (size_t)n * sizeof *device));
    PORTABLE_CHECK(KERNEL_LAUNCH_AUTO(twice, n, n, device));
    PORTABLE_CHECK(portable_copy_to_host(values, device, (size_t)n * sizeof *device));
    PORTABLE_CHECK(portable_free(device));
    for (int i = 0; i < n; i++)
        printf("%d\n", values[i]);
    return 0;
}
