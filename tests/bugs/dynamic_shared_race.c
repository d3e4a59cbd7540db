/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a missing barrier between writes and reads of dynamic shared memory
 * found by: racecheck
 * expect racecheck: race in kernel reverse
 * expect racecheck: dynamic shared memory
 */
#include "bug.h"

#define N 128

KERNEL(reverse)(const int *x, int *y)
{
    FOR_EACH_BLOCK(0) {
        SHARED_DYNAMIC(int, tile);
        FOR_EACH_THREAD
            tile[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            y[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(reverse, 4, N / 4, N / 4 * sizeof(int), 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 32 * 32 + 31 - i % 32);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
