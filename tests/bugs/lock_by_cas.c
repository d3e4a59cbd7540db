/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a lock protects an update: the threads get it in any order, and the update depends on that
 * found by: ordercheck
 * expect ordercheck: not proven in kernel update: 
 * expect ordercheck: whose success depends on the order: a lock
 * expect ordercheck: not proven in kernel update: a write
 * proven: bitwise xor commutes
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(update)(const int *x, int *result)
{
    FOR_EACH_BLOCK(2) {
        FOR_EACH_THREAD {
            const int value = x[blockIdx.x * 2 + threadIdx.x];
#if FIXED
            ATOMIC_XOR(&result[1], value);
#else
            if (threadIdx.x == 0) {
                while (ATOMIC_CAS(&result[0], 0, 1) != 0)
                    continue;
                result[1] = 3 * result[1] + value;
                __threadfence();
                ATOMIC_EXCHANGE(&result[0], 0);
            }
#endif
        }
    }
}

int main(void)
{
    int in[8], *x;
    int out[2], *result;

    count_up(in, 8);
    ALLOCATE(x, 8);
    ALLOCATE(result, 2);
    COPY_IN(x, in);
    ZERO(result, 2);
    LAUNCH(update, 4, 2, 0, 0, x, result);
    COPY_OUT(out, result);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
