/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a launch passes the number of elements as the bytes of dynamic shared memory
 * found by: memcheck
 * expect memcheck: error in kernel reverse: a write of 4 bytes
 * expect memcheck: 0 bytes after dynamic shared memory of 64 bytes
 */
#include "bug.h"

#define N 128
#if FIXED
#define BYTES (64 * sizeof(int))
#else
#define BYTES 64
#endif

KERNEL(reverse)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED_DYNAMIC(int, tile);
        FOR_EACH_THREAD
            tile[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
        SYNC_THREADS();
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
    LAUNCH(reverse, 2, 64, BYTES, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 64 + 63 - i % 64);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
