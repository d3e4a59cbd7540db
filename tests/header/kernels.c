/* SPDX-License-Identifier: BSD-3-Clause */
/* The part in C of the program kernels.cpp. */
#include "kernels.h"

KERNEL(c_scale)(int n, float by, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] *= by;
}

KERNEL_LAUNCH_BOUNDS(c_at_most_64, 64, 1)(int *count)
{
    FOR_EACH_BLOCK() {
        FOR_EACH_THREAD
            ATOMIC_ADD(count, 1);
    }
}

/* On emulate by a launch of C++'s kernel, too: (x + 1) * by. */
portable_status c_scale_launched(int n, float by, float *x)
{
    portable_status status = PORTABLE_SUCCESS;

#if PORTABLE_TARGET_EMULATE
    status = KERNEL_LAUNCH(cpp_add, 2, 64, 0, 0, n, 1, x);
#endif
    return status == PORTABLE_SUCCESS ? KERNEL_LAUNCH(c_scale, 2, 64, 0, 0, n, by, x) : status;
}
