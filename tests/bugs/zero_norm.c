/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: rows are divided by their norms, and the norm of a row of zeros is 0
 * found by: fpcheck
 * expect fpcheck: NaN in kernel normalise: 0 / 0 at
 * expect fpcheck: first by block (0, 0, 0), thread (1, 0, 0); 3 times in this launch
 * reason: no access is invalid: a NaN is a value
 */
#include "bug.h"

#include <math.h>

KERNEL(normalise)(float *rows)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD {
            float *const row = rows + 3 * threadIdx.x;
            float sum = 0;
            for (int i = 0; i < 3; i++)
                sum += row[i] * row[i];
#if FIXED
            if (sum == 0)
                sum = 1;
#endif
            const float norm = sqrtf(sum);
            for (int i = 0; i < 3; i++)
                if (threadIdx.x == 1)
                    row[i] = row[i] / norm;
        }
    }
}

int main(void)
{
    float out[96], *rows;

    ALLOCATE(rows, 96);
    ZERO(rows, 96);
    LAUNCH(normalise, 1, 32, 0, 0, rows);
    COPY_OUT(out, rows);
    EXPECT(out[3] == 0);
    RELEASE(rows);
    return 0;
}
