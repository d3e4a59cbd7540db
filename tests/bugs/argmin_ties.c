/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: of several least elements, the thread that comes last writes its index
 * found by: ordercheck
 * expect ordercheck: order decides in kernel least: a write
 * expect ordercheck: by concurrent blocks
 * proven: minima commute
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(least)(const int *x, int *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const int i = (int)(blockIdx.x * 64 + threadIdx.x);
            if (x[i] % 50 == 0) {
#if FIXED
                ATOMIC_MIN(&result[0], i - 1000);
#else
                result[0] = i - 1000;
#endif
            }
        }
    }
}

int main(void)
{
    int in[128], *x;
    int out[1], *result;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(result, 1);
    COPY_IN(x, in);
    ZERO(result, 1);
    LAUNCH(least, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[0] == -1000);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
