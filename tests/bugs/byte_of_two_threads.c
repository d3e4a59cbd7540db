/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: two threads write one byte; in the twin, different bytes of one word, which is no
 *     race
 * found by: racecheck
 * expect racecheck: race in kernel parities
 */
#include "bug.h"

#define N 256

KERNEL(parities)(const int *x, unsigned char *y)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
            y[i] = (unsigned char)(x[i] % 2);
#else
            y[i / 2] = (unsigned char)(x[i] % 2);
#endif
        }
    }
}

int main(void)
{
    int in[N], *x;
    unsigned char out[N], *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    ZERO(y, N);
    COPY_IN(x, in);
    LAUNCH(parities, 4, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i % 2);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
