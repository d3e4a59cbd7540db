/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: sums and maxima in one word do not commute
 * found by: ordercheck
 * expect ordercheck: order decides in kernel score: an atomic
 * expect ordercheck: which do not commute
 * proven: maxima commute
 * proven: sums of integers commute
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(score)(const int *x, int *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const int value = x[blockIdx.x * 64 + threadIdx.x];
            ATOMIC_ADD(&result[0], 1);
            if (value % 16 == 0)
                ATOMIC_MAX(&result[FIXED], value);
        }
    }
}

int main(void)
{
    int in[128], *x;
    int out[2], *result;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(result, 2);
    COPY_IN(x, in);
    ZERO(result, 2);
    LAUNCH(score, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[0] == 128 && out[1] == 112);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
