/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a counter is read by a plain load while other threads may still add to it atomically
 * found by: racecheck
 * expect racecheck: race in kernel share_of_odd
 * expect racecheck: at tests/bugs/atomic_then_plain_read.c:28
 * expect racecheck: an atomic by block (0, 0, 0), thread (1, 0, 0) at tests/bugs/atomic_then_plain_read.c:22,
 * expect racecheck: of shared array count, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(share_of_odd)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, count, [1]);
        FOR_THREADS_BELOW(1)
            count[0] = 0;
        SYNC_THREADS();
        FOR_EACH_THREAD {
            if (x[blockIdx.x * 64 + threadIdx.x] % 2 != 0)
                ATOMIC_ADD(&count[0], 1);
        }
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            y[blockIdx.x * 64 + threadIdx.x] = count[0];
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(share_of_odd, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 32);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
