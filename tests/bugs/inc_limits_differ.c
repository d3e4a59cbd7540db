/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: threads count modulo different limits: which remainders come first decides
 * found by: ordercheck
 * expect ordercheck: order decides in kernel count: an atomic inc
 * expect ordercheck: which have different limits
 * proven: the limits of inc are equal
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(count)(const int *x, unsigned *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const unsigned value = (unsigned)x[blockIdx.x * 64 + threadIdx.x];
            ATOMIC_INC(&result[0], FIXED ? 9u : 5 + value % 7);
        }
    }
}

int main(void)
{
    int in[128], *x;
    unsigned out[1], *result;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(result, 1);
    COPY_IN(x, in);
    ZERO(result, 1);
    LAUNCH(count, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[0] == 128 % 10);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
