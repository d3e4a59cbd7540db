/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a softmax does not subtract the largest element first
 * found by: fpcheck
 * expect fpcheck: infinity in kernel softmax: an overflow in a math function at
 * expect fpcheck: NaN in kernel softmax: inf / inf at
 * expect fpcheck: first by block (1, 0, 0), thread (0, 0, 0); 8 times in this launch
 * reason: no access is invalid: an infinity is a value
 */
#include "bug.h"

#include <math.h>

KERNEL(softmax)(const float *scores, float *result)
{
    FOR_EACH_BLOCK(32) {
        SHARED(float, powers, [32]);

        FOR_EACH_THREAD {
            const float score = scores[blockIdx.x * 32 + threadIdx.x];
#if FIXED
            powers[threadIdx.x] = expf(score - 100);
#else
            powers[threadIdx.x] = expf(score);
#endif
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            float sum = 0;
            for (int i = 0; i < 32; i++)
                sum += powers[i];
            result[blockIdx.x * 32 + threadIdx.x] = powers[threadIdx.x] / sum;
        }
    }
}

int main(void)
{
    float in[64], out[64], *scores, *result;

    for (int i = 0; i < 64; i++)
        in[i] = i >= 32 && i < 40 ? 100.0f : 0.0f;
    ALLOCATE(scores, 64);
    ALLOCATE(result, 64);
    COPY_IN(scores, in);
    LAUNCH(softmax, 2, 32, 0, 0, scores, result);
    COPY_OUT(out, result);
    EXPECT(out[32] == 0.125f);
    RELEASE(scores);
    RELEASE(result);
    return 0;
}
