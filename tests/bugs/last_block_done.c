/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the last block to draw a ticket adds up the sums of all: the result is the same, but that
 *     is not proven
 * found by: ordercheck
 * expect ordercheck: not proven in kernel sums: an atomic whose result is used
 * expect ordercheck: not proven in kernel sums: a write by block
 * proven: no atomics whose order could show
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(sums)(const int *x, int *result)
{
    FOR_EACH_BLOCK(64) {
        PRIVATE(int, sum);
        FOR_EACH_THREAD
            MINE(sum) = x[blockIdx.x * 64 + threadIdx.x];
        BLOCK_REDUCE_ADD(sum, sum);
        FOR_THREADS_BELOW(1) {
            result[1 + blockIdx.x] = MINE(sum);
#if !FIXED
            __threadfence();
            if (ATOMIC_ADD(&result[0], 1) == (int)gridDim.x - 1) {
                int total = 0;
                for (unsigned k = 0; k < gridDim.x; k++)
                    total += result[1 + k];
                result[3] = total;
            }
#endif
        }
    }
}
#if FIXED
KERNEL(total)(int *result)
{
    FOR_EACH_BLOCK(1)
        FOR_EACH_THREAD
            result[3] = result[1] + result[2];
}
#endif

int main(void)
{
    int in[128], *x;
    int out[4], *result;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(result, 4);
    COPY_IN(x, in);
    ZERO(result, 4);
    LAUNCH(sums, 2, 64, 0, 0, x, result);
#if FIXED
    LAUNCH(total, 1, 1, 0, 0, result);
#endif
    COPY_OUT(out, result);
    EXPECT(out[3] == 127 * 64);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
