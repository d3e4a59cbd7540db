/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: one thread uses the old value of a counter to which others add: they add before it or after
 * found by: ordercheck
 * expect ordercheck: not proven in kernel sample: an atomic whose result is used
 * expect ordercheck: and an atomic sum by block
 * proven: sums of integers commute
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(sample)(const int *x, int *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const int value = x[blockIdx.x * 64 + threadIdx.x];
            if (value == 0) {
                const int before = ATOMIC_ADD(&result[0], 1);
                result[1] = FIXED ? value : before;
            } else {
                ATOMIC_ADD(&result[0], value);
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
    LAUNCH(sample, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[0] == 127 * 64 + 1 && out[1] == 0);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
