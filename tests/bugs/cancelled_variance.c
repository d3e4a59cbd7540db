/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the variance of nearly equal numbers, as the mean of the squares less the square of the
 *     mean, is negative
 * found by: fpcheck
 * expect fpcheck: NaN in kernel deviate:
 * expect fpcheck: at tests/bugs/cancelled_variance.c:
 * reason: no access is invalid: a NaN is a value
 */
#include "bug.h"

#include <math.h>

DEVICE float deviation(const float *x)
{
    float sum = 0, squares = 0;

    for (int i = 0; i < 3; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
#if FIXED
    squares = 0;
    for (int i = 0; i < 3; i++)
        squares += (x[i] - sum / 3) * (x[i] - sum / 3);
    return sqrtf(squares / 3);
#else
    return sqrtf(squares / 3 - (sum / 3) * (sum / 3));
#endif
}

KERNEL(deviate)(const float *x, float *result)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD
            result[threadIdx.x] = deviation(&x[threadIdx.x]);
    }
}

int main(void)
{
    float in[34], out[32], *x, *result;

    for (int i = 0; i < 34; i++)
        in[i] = i % 3 == 0 ? 100.21f : 100.2f;
    ALLOCATE(x, 34);
    ALLOCATE(result, 32);
    COPY_IN(x, in);
    LAUNCH(deviate, 1, 32, 0, 0, x, result);
    COPY_OUT(out, result);
    EXPECT(out[0] > 0.004f && out[0] < 0.006f);
    RELEASE(x);
    RELEASE(result);
    return 0;
}
