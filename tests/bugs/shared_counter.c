/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the threads of a block count in shared memory without an atomic
 * found by: racecheck
 * expect racecheck: race in kernel count_odd
 * expect racecheck: of shared array count, with no barrier between them
 */
#include "bug.h"

#define N 256

KERNEL(count_odd)(int n, const int *x, int *counts)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, count, [1]);
        FOR_THREADS_BELOW(1)
            count[0] = 0;
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n) {
            if (x[i] % 2 != 0) {
#if FIXED
                ATOMIC_ADD_BLOCK(&count[0], 1);
#else
                count[0]++;
#endif
            }
        }
        SYNC_THREADS();
        FOR_THREADS_BELOW(1)
            counts[blockIdx.x] = count[0];
    }
}

int main(void)
{
    int in[N], out[2], *x, *counts;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(counts, 2);
    COPY_IN(x, in);
    LAUNCH(count_odd, 2, 64, 0, 0, N, x, counts);
    COPY_OUT(out, counts);
    EXPECT(out[0] == N / 4 && out[1] == N / 4);
    RELEASE(x);
    RELEASE(counts);
    return 0;
}
