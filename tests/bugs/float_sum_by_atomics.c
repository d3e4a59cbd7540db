/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: blocks add floats to a sum by atomics: each order rounds differently
 * found by: ordercheck
 * expect ordercheck: order decides in kernel sum: an atomic sum of floats
 * expect ordercheck: whose sum is rounded differently in another order
 * proven: no atomics whose order could show
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(sum)(const int *x, float *result)
{
    FOR_EACH_BLOCK(64) {
        PRIVATE(float, term);
        FOR_EACH_THREAD
            MINE(term) = 1 / (float)(1 + x[blockIdx.x * 64 + threadIdx.x]);
        BLOCK_REDUCE_ADD(term, term);
        FOR_THREADS_BELOW(1) {
#if FIXED
            result[blockIdx.x] = MINE(term);
#else
            ATOMIC_ADD(&result[0], MINE(term));
#endif
        }
    }
}

int main(void)
{
    int in[256], *x;
    float out[4], *result;

    count_up(in, 256);
    ALLOCATE(x, 256);
    ALLOCATE(result, 4);
    COPY_IN(x, in);
    ZERO(result, 4);
    LAUNCH(sum, 4, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
