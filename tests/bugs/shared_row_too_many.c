/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the row after the last row of a tile is read
 * found by: memcheck
 * expect memcheck: error in kernel lower: a read of 4 bytes
 * expect memcheck: shared array tile
 */
#include "bug.h"

#define N 32

KERNEL(lower)(const int *x, int *y)
{
    FOR_EACH_BLOCK(16, 16) {
        SHARED(int, tile, [16][16]);
        FOR_EACH_THREAD
            tile[threadIdx.y][threadIdx.x] =
                x[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x];
        SYNC_THREADS();
        FOR_EACH_THREAD {
#if FIXED
            const unsigned row = threadIdx.y < 15 ? threadIdx.y + 1 : 15;
#else
            const unsigned row = threadIdx.y + 1;
#endif
            y[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] =
                tile[row][threadIdx.x];
        }
    }
}

int main(void)
{
    int in[N * N], out[N * N], *x, *y;

    count_up(in, N * N);
    ALLOCATE(x, N * N);
    ALLOCATE(y, N * N);
    COPY_IN(x, in);
    LAUNCH(lower, DIM3(2, 2, 1), DIM3(16, 16, 1), 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N * N; i++)
        EXPECT(out[i] == (i / N % 16 < 15 ? i + N : i));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
