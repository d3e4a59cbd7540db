/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a sum of squares is stored as a half, whose largest number is 65504
 * found by: fpcheck
 * expect fpcheck: infinity in kernel sum_squares: 65536 as a half at
 * reason: no access is invalid: an infinity is a value
 */
#include "bug.h"

KERNEL(sum_squares)(const float *x, half *result)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD {
            float sum = 0;
            for (int i = 0; i < 4; i++)
                sum += x[4 * threadIdx.x + i] * x[4 * threadIdx.x + i];
#if FIXED
            sum /= 4;
#endif
            result[threadIdx.x] = float_to_half(sum);
        }
    }
}

int main(void)
{
    float in[128], *x;
    half out[32], *result;

    for (int i = 0; i < 128; i++)
        in[i] = 128;
    ALLOCATE(x, 128);
    ALLOCATE(result, 32);
    COPY_IN(x, in);
    LAUNCH(sum_squares, 1, 32, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(half_to_float(out[0]) == 16384);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
