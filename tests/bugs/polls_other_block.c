/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a block waits for a value of the one before it, and may see it or not
 * found by: ordercheck
 * expect ordercheck: not proven in kernel chain: an atomic store
 * expect ordercheck: which the load may see or not
 * proven: no atomics whose order could show
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(chain)(const int *x, int *result)
{
    FOR_EACH_BLOCK(32) {
        FOR_THREADS_BELOW(1) {
            int before = 0;
#if !FIXED
            while (blockIdx.x > 0 && before == 0)
                before = ATOMIC_LOAD(&result[blockIdx.x - 1]);
            ATOMIC_STORE(&result[blockIdx.x], before + 1 + x[blockIdx.x]);
#else
            for (unsigned k = 0; k <= blockIdx.x; k++)
                before += 1 + x[k];
            result[blockIdx.x] = before;
#endif
        }
    }
}

int main(void)
{
    int in[64], *x;
    int out[2], *result;

    count_up(in, 64);
    ALLOCATE(x, 64);
    ALLOCATE(result, 2);
    COPY_IN(x, in);
    ZERO(result, 2);
    LAUNCH(chain, 2, 32, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[1] == 3);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
