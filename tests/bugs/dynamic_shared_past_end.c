/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the last thread reads one element past dynamic shared memory
 * found by: memcheck
 * expect memcheck: error in kernel pair_sums: a read of 4 bytes
 * expect memcheck: 0 bytes after dynamic shared memory of 260 bytes
 */
#include "bug.h"

#define N 130

KERNEL(pair_sums)(const int *x, int *y)
{
    SHARED_DYNAMIC(int, tile);
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = x[i];
    SYNC_THREADS();
#if FIXED
    y[i] = tile[t] + tile[(t + 1) % blockDim.x];
#else
    y[i] = tile[t] + tile[t + 1];
#endif
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(pair_sums, 2, N / 2, N / 2 * sizeof(int), 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i + i / 65 * 65 + (i + 1) % 65);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
