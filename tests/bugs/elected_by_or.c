/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the thread that sets a bit first is elected, and writes its number
 * found by: ordercheck
 * expect ordercheck: not proven in kernel elect: an atomic whose result is used
 * expect ordercheck: by block
 * proven: bitwise or commutes
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(elect)(const int *x, int *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const int value = x[blockIdx.x * 64 + threadIdx.x], bit = 1 << value % 8;
#if FIXED
            ATOMIC_OR(&result[0], bit);
#else
            if ((ATOMIC_OR(&result[0], bit) & bit) == 0)
                result[1 + value % 8] = value;
#endif
        }
    }
}

int main(void)
{
    int in[128], *x;
    int out[9], *result;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(result, 9);
    COPY_IN(x, in);
    ZERO(result, 9);
    LAUNCH(elect, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[0] == 255);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
