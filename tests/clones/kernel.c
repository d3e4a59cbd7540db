/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel whose result shows contraction, and whose address shows which clone of it ran. */
#include "kernel.h"

/* Inlined into each clone, and called by its address from each of them. */
DEVICE float square(float x)
{
    return x * x;
}

KERNEL(multiply_add)
(int n, float (*of)(float), const float *RESTRICT x, float *RESTRICT y, void **RESTRICT where)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = square(x[i]) + y[i] * 0.1f;
    GRID_STRIDE_LOOP(i, 1) {
        void *here = NULL;
#if defined(__x86_64__)
        __asm__ volatile("lea 0(%%rip), %0" : "=r"(here));
#endif
        where[i] = here;
        y[i] = of(y[i]);
    }
}

KERNEL_LAUNCH_BOUNDS(bounded, 32, 1)(int *count)
{
    FOR_EACH_BLOCK(32) {
        SHARED(int, seen, [32]);
        PRIVATE(int, sum);
        FOR_EACH_THREAD
            seen[threadIdx.x] = (int)threadIdx.x;
        SYNC_THREADS();
        FOR_EACH_THREAD
            MINE(sum) = seen[31 - threadIdx.x];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1)
            *count = MINE(sum);
    }
}

KERNEL(halve)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        if (x[i] > 1 && (x[i] /= 2) > 1)
            DEVICE_LAUNCH(halve, 1, 1, 0, 1, x + i);
}
