/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a barrier in a loop over each thread's elements, whose number differs between threads
 * found by: synccheck
 * expect synccheck: divergence in kernel tiles
 */
#include "bug.h"

#define N 100

KERNEL(tiles)(int n, const int *x, int *y)
{
    SHARED(int, tile, [64]);
    const int t = (int)threadIdx.x;
#if FIXED
    for (int first = 0; first < n; first += 64) {
        const int i = first + t;
#else
    for (int i = t; i < n; i += 64) {
        const int first = i - t;
#endif
        const int count = n - first < 64 ? n - first : 64;
        if (i < n)
            tile[t] = x[i];
        SYNC_THREADS();
        if (i < n)
            y[(int)blockIdx.x * n + i] = tile[count - 1 - t];
        SYNC_THREADS();
    }
}

int main(void)
{
    int in[N], out[2 * N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, 2 * N);
    COPY_IN(x, in);
    LAUNCH(tiles, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < 2 * N; i++)
        EXPECT(out[i] == (i % N < 64 ? 63 - i % N : 99 + 64 - i % N));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
