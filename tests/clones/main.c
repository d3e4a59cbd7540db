/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches the kernels of kernel.c; prints where multiply_add ran, relative to main, and the bits
 * of its results. With -DONE_FILE the kernels are in this file too. */
#if defined(ONE_FILE)
#include "kernel.c"
#else
#include "kernel.h"
#endif

enum { N = 1000 };

static float negative(float x)
{
    return -x;
}

int main(void)
{
    float *x, *y;
    void **where;
    int *count;
    unsigned hash = 2166136261u; /* FNV-1a */

    PORTABLE_CHECK(portable_malloc(&x, N * sizeof *x));
    PORTABLE_CHECK(portable_malloc(&y, N * sizeof *y));
    PORTABLE_CHECK(portable_malloc(&where, sizeof *where));
    PORTABLE_CHECK(portable_malloc(&count, sizeof *count));
    for (int i = 0; i < N; i++) {
        x[i] = 1 + (float)i / 997;
        y[i] = 3 - (float)i / 991;
    }
    PORTABLE_CHECK(KERNEL_LAUNCH(multiply_add, 4, 64, 0, 0, N, negative, x, y, where));
    PORTABLE_CHECK(KERNEL_LAUNCH_AUTO(halve, N, N, x));
    PORTABLE_CHECK(KERNEL_LAUNCH(bounded, 1, 32, 0, 0, count));
    if (*count != 31 * 32 / 2 || KERNEL_LAUNCH(bounded, 1, 64, 0, 0, count) == PORTABLE_SUCCESS)
        return 1;
    for (int i = 0; i < N; i++) {
        hash = (hash ^ half_to_bits(float_to_half(x[i]))) * 16777619u;
        for (unsigned byte = 0; byte < sizeof *y; byte++)
            hash = (hash ^ ((const unsigned char *)&y[i])[byte]) * 16777619u;
    }
    printf("%lld %08x\n", (long long)((size_t)*where - (size_t)main), hash);
    PORTABLE_CHECK(portable_free(x));
    PORTABLE_CHECK(portable_free(y));
    PORTABLE_CHECK(portable_free(where));
    PORTABLE_CHECK(portable_free(count));
    return 0;
}
