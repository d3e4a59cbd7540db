/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the sweeps of a cooperative kernel have no grid barrier between them
 * found by: racecheck
 * expect racecheck: race in kernel sweeps
 * expect racecheck: by concurrent blocks
 */
#include "bug.h"

#define N 256
#define SWEEPS 4

KERNEL(sweeps)(int *from, int *to)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        to[i] = from[(i + 64) % N];
#if FIXED
        SYNC_GRID();
#endif
        int *const swap = from;
        from = to;
        to = swap;
    }
}

int main(void)
{
    int in[N], out[N], *x, *scratch;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(scratch, N);
    ZERO(scratch, N);
    COPY_IN(x, in);
    LAUNCH_COOPERATIVE(sweeps, 4, N / 4, 0, 0, x, scratch);
    COPY_OUT(out, x);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == (i + 64 * SWEEPS) % N);
    RELEASE(x);
    RELEASE(scratch);
    return 0;
}
