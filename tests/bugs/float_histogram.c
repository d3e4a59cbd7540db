/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a histogram adds weights that are no multiples of a power of two: sums of whole numbers
 *     are exact
 * found by: ordercheck
 * expect ordercheck: order decides in kernel histogram: an atomic sum of floats
 * proven: the sums of floats are exact in any order
 * reason: no access is invalid: only the order of the threads decides
 */
#include "bug.h"

KERNEL(histogram)(const int *x, float *result)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
#if FIXED
            const float weight = 1;
#else
            const float weight = 0.1f;
#endif
            ATOMIC_ADD(&result[x[blockIdx.x * 64 + threadIdx.x] % 4], weight);
        }
    }
}

int main(void)
{
    int in[128], *x;
    float out[4], *result;

    count_up(in, 128);
    ALLOCATE(x, 128);
    ALLOCATE(result, 4);
    COPY_IN(x, in);
    ZERO(result, 4);
    LAUNCH(histogram, 2, 64, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[0] == 32);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
