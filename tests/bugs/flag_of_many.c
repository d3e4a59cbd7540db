/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: threads write what they found into one word, not that they found something
 * found by: ordercheck
 * expect ordercheck: order decides in kernel search: a write
 * expect ordercheck: with no barrier between them
 * proven: the stored values are equal
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(search)(const int *x, int *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const int value = x[blockIdx.x * 64 + threadIdx.x];
            if (value % 7 == 0) {
#if FIXED
                ATOMIC_STORE(&result[blockIdx.x], 1);
#else
                result[blockIdx.x] = value;
#endif
            }
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
    LAUNCH(search, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[0] == 1 && out[1] == 1);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
