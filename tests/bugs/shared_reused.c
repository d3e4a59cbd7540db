/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a shared array is reused before all threads have read its previous values
 * found by: racecheck
 * expect racecheck: race in kernel center
 * expect racecheck: of shared array value, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(center)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, value, [1]);
        PRIVATE(int, low);
        FOR_THREADS_BELOW(1)
            value[0] = x[blockIdx.x * 64];
        SYNC_THREADS();
        FOR_EACH_THREAD
            MINE(low) = value[0];
#if FIXED
        SYNC_THREADS();
#endif
        FOR_THREADS_BELOW(1)
            value[0] = x[blockIdx.x * 64 + 63];
        SYNC_THREADS();
        FOR_EACH_THREAD
            y[blockIdx.x * 64 + threadIdx.x] = MINE(low) + value[0];
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(center, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 128 + 63);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
