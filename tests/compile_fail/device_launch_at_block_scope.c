// expect: DEVICE_LAUNCH at block scope would run once per block on the CPU and once per thread on the GPU
/* SPDX-License-Identifier: BSD-3-Clause */
#include "portable.h"

KERNEL_CHILD(child, int *);

KERNEL(probe)(int *out)
{
    FOR_EACH_BLOCK(32) {
#ifdef CORRECTED
        FOR_THREADS_BELOW(1)
#endif
            DEVICE_LAUNCH(child, 1, 1, 0, out);
    }
}
