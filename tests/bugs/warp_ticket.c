/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the first lane of each warp draws a range of a list for it: the ranges are in the order of
 *     the warps
 * found by: ordercheck
 * expect ordercheck: not proven in kernel append: an atomic whose result is used
 * proven: sums of integers commute
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(append)(const int *x, int *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const int i = (int)(blockIdx.x * 64 + threadIdx.x);
            if (threadIdx.x % 32 == 0) {
                const int begin = ATOMIC_ADD(&result[4], 1);
                result[FIXED ? i / 32 : begin] = x[i];
            }
        }
    }
}

int main(void)
{
    int in[128], *x;
    int out[5], *result;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(result, 5);
    COPY_IN(x, in);
    ZERO(result, 5);
    LAUNCH(append, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[3] == 96);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
