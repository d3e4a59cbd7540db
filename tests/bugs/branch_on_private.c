/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a branch around a barrier depends on a block-scope variable, which differs between
 *     threads
 * found by: synccheck
 * expect synccheck: divergence in kernel refine
 */
#include "bug.h"

#define N 128

KERNEL(refine)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, tile, [64]);
#if FIXED
        SHARED(int, more, [1]);
        FOR_THREADS_BELOW(1)
            more[0] = 0;
        SYNC_THREADS();
        FOR_EACH_THREAD {
            tile[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
            if (tile[threadIdx.x] % 64 == 63)
                ATOMIC_OR(&more[0], 1);
        }
        SYNC_THREADS();
        if (more[0]) {
#else
        int more = 0;
        FOR_EACH_THREAD {
            tile[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
            more = tile[threadIdx.x] % 64 == 63;
        }
        SYNC_THREADS();
        if (more) {
#endif
            FOR_EACH_THREAD
                tile[threadIdx.x] *= 2;
            SYNC_THREADS();
        }
        FOR_EACH_THREAD
            y[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(refine, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * (i / 64 * 64 + 63 - i % 64));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
