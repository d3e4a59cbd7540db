/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a tile with a halo on both sides is declared with room for only one
 * found by: memcheck
 * expect memcheck: error in kernel three_point
 * expect memcheck: 0 bytes after shared array tile
 */
#include "bug.h"

#define N 128
#if FIXED
#define ROOM (1 + 64 + 1)
#else
#define ROOM (1 + 64)
#endif

KERNEL(three_point)(int n, const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, tile, [ROOM]);
        const int first = (int)(blockIdx.x * blockDim.x);
        FOR_EACH_THREAD
            tile[1 + threadIdx.x] = x[first + (int)threadIdx.x];
        FOR_THREADS_BELOW(1) {
            int *const last = tile + 64;
            tile[0] = first > 0 ? x[first - 1] : 0;
            last[1] = first + 64 < n ? x[first + 64] : 0;
        }
        SYNC_THREADS();
        FOR_EACH_THREAD {
            const int *const own = tile + 1 + threadIdx.x;
            y[first + (int)threadIdx.x] = own[-1] + own[0] + own[1];
        }
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(three_point, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 1; i < N - 1; i++)
        EXPECT(out[i] == 3 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
