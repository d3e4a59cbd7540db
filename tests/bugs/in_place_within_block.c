/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a block shifts its elements in place, with no barrier between the reads and the writes
 * found by: racecheck
 * expect racecheck: race in kernel rotate
 */
#include "bug.h"

#define N 128

KERNEL(rotate)(int *x)
{
    const unsigned first = blockIdx.x * blockDim.x, t = threadIdx.x;
    const int next = x[first + (t + 1) % blockDim.x];
#if FIXED
    SYNC_THREADS();
#endif
    x[first + t] = next;
}

int main(void)
{
    int in[N], out[N], *x;

    count_up(in, N);
    ALLOCATE(x, N);
    COPY_IN(x, in);
    LAUNCH(rotate, 2, 64, 0, 0, x);
    COPY_OUT(out, x);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 64 + (i + 1) % 64);
    RELEASE(x);
    return 0;
}
