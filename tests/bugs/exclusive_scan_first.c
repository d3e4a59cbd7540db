/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: an exclusive scan shifts its sums up by one element and never writes the first
 * found by: initcheck
 * expect initcheck: copy to the host of uninitialised memory: 4 bytes from byte 0
 */
#include "bug.h"

#define N 64

KERNEL(sums_before)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        PRIVATE(int, sum);
        FOR_EACH_THREAD
            MINE(sum) = x[threadIdx.x];
        BLOCK_SCAN_ADD_INCLUSIVE(sum, sum);
#if FIXED
        FOR_THREADS_BELOW(1)
            y[0] = 0;
#endif
        FOR_THREADS_BELOW(63)
            y[threadIdx.x + 1] = MINE(sum);
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(sums_before, 1, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i * (i - 1) / 2);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
