/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: in a 3D block a thread reads other threads' values along z without a barrier
 * found by: racecheck
 * expect racecheck: race in kernel column_sums
 * expect racecheck: thread (0, 0, 1)
 * expect racecheck: of shared array cube, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(column_sums)(const int *x, int *sums)
{
    SHARED(int, cube, [4][4][4]);
    const unsigned linear = (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x;
    cube[threadIdx.z][threadIdx.y][threadIdx.x] = x[blockIdx.z * 64 + linear];
#if FIXED
    SYNC_THREADS();
#endif
    if (threadIdx.z == 0) {
        int sum = 0;
        for (int z = 0; z < 4; z++)
            sum += cube[z][threadIdx.y][threadIdx.x];
        sums[blockIdx.z * 16 + linear] = sum;
    }
}

int main(void)
{
    int in[N], out[N / 4], *x, *sums;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(sums, N / 4);
    COPY_IN(x, in);
    LAUNCH(column_sums, DIM3(1, 1, 2), DIM3(4, 4, 4), 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < N / 4; i++)
        EXPECT(out[i] == 4 * (i / 16 * 64 + i % 16) + 16 + 32 + 48);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
