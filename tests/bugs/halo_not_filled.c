/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: halo cells outside the array are never initialised
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel three_point
 * expect initcheck: 4 bytes at byte 0 of shared array tile
 */
#include "bug.h"

#define N 128

KERNEL(three_point)(int n, const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, tile, [1 + 64 + 1]);
        const int first = (int)(blockIdx.x * blockDim.x);
        FOR_EACH_THREAD
            tile[1 + threadIdx.x] = x[first + (int)threadIdx.x];
        FOR_THREADS_BELOW(1) {
#if FIXED
            tile[0] = tile[65] = 0;
#endif
            if (first > 0)
                tile[0] = x[first - 1];
            if (first + 64 < n)
                tile[65] = x[first + 64];
        }
        SYNC_THREADS();
        FOR_EACH_THREAD
            y[first + (int)threadIdx.x] =
                tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];
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
    for (int i = 0; i < N - 1; i++)
        EXPECT(out[i] == (i == 0 ? 1 : 3 * i));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
