/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a transposition reads its tile's columns before all rows are written
 * found by: racecheck
 * expect racecheck: race in kernel transpose
 * expect racecheck: of shared array tile, with no barrier between them
 */
#include "bug.h"

#define N 32

KERNEL(transpose)(const int *x, int *y)
{
    FOR_EACH_BLOCK(16, 16) {
        SHARED(int, tile, [16][17]);
        FOR_EACH_THREAD
            tile[threadIdx.y][threadIdx.x] =
                x[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x];
#if FIXED
        SYNC_THREADS();
#endif
        FOR_EACH_THREAD
            y[(blockIdx.x * 16 + threadIdx.y) * N + blockIdx.y * 16 + threadIdx.x] =
                tile[threadIdx.x][threadIdx.y];
    }
}

int main(void)
{
    int in[N * N], out[N * N], *x, *y;

    count_up(in, N * N);
    ALLOCATE(x, N * N);
    ALLOCATE(y, N * N);
    COPY_IN(x, in);
    LAUNCH(transpose, DIM3(2, 2, 1), DIM3(16, 16, 1), 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N * N; i++)
        EXPECT(out[i] == i % N * N + i / N);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
