/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels compiled without -fopenmp, for mixed_main.c. */
#include "portable.h"

KERNEL(add_in_loop)(int n, int *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] += 1;
}

KERNEL(add_in_blocks)(int n, int *x)
{
    FOR_EACH_BLOCK(0) {
        FOR_EACH_ELEMENT(i, n)
            x[i] += 1;
    }
}
