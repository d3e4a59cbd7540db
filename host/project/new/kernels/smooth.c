/* SPDX-License-Identifier: 0BSD */
/* Smoothing: each element becomes a weighted mean of itself and its two neighbours. */
#include "portable.h"

/* y[i] = (x[i - 1] + 2 x[i] + x[i + 1]) / 4, with x[-1] = x[0] and x[n] = x[n - 1].
 * Each block reads its elements and one halo element on each side once. One element per thread: the
 * grid must cover n.  x, y: n elements */
KERNEL(smooth)(int n, const REAL *RESTRICT x, REAL *RESTRICT y)
{
    FOR_EACH_BLOCK(0) {
        SHARED(REAL, tile, [1 + 1024 + 1]);
        const int first = (int)(blockIdx.x * blockDim.x);
        const int count = n - first < (int)blockDim.x ? n - first : (int)blockDim.x;
        FOR_THREADS_BELOW(count)
            tile[1 + threadIdx.x] = x[first + (int)threadIdx.x];
        FOR_THREADS_BELOW(count < 1 ? count : 1) {
            tile[0] = x[first > 0 ? first - 1 : 0];
            tile[1 + count] = x[first + count < n ? first + count : n - 1];
        }
        SYNC_THREADS();
        FOR_THREADS_BELOW(count)
            y[first + (int)threadIdx.x] =
                (tile[threadIdx.x] + 2 * tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 4;
    }
}
