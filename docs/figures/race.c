/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

/* Without a barrier: the program whose race docs/figures/race.svg shows. */
KERNEL(reverse)(int *x)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, tile, [64]);
        FOR_EACH_THREAD
            tile[threadIdx.x] = x[threadIdx.x];
        FOR_EACH_THREAD
            x[threadIdx.x] = tile[63 - threadIdx.x];
    }
}

int main(void)
{
    int *x;

    PORTABLE_CHECK(portable_malloc(&x, 64 * sizeof *x));
    PORTABLE_CHECK(portable_memset(x, 0, 64 * sizeof *x));
    PORTABLE_CHECK(KERNEL_LAUNCH(reverse, 1, 64, 0, 0, x));
    PORTABLE_CHECK(portable_free(x));
    return 0;
}
