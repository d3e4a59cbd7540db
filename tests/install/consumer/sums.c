/* SPDX-License-Identifier: BSD-3-Clause */
#include "sums.h"

#define BLOCK 128

KERNEL(sum_up)(int n, unsigned long long *total)
{
    FOR_EACH_BLOCK(BLOCK) {
        SHARED(unsigned long long, partial, [BLOCK]);
        FOR_EACH_THREAD
            partial[threadIdx.x] = 0;
        FOR_EACH_ELEMENT(i, n)
            partial[threadIdx.x] += (unsigned)i + 1;
        for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
            SYNC_THREADS();
            FOR_THREADS_BELOW(half)
                partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        FOR_THREADS_BELOW(1)
            ATOMIC_ADD(total, partial[0]);
    }
}

portable_status sum_to(int n, unsigned long long *total)
{
    return KERNEL_LAUNCH(sum_up, 3, BLOCK, 0, 0, n, total);
}

const char *target_of_kernel(void)
{
    return PORTABLE_TARGET_NAME;
}
