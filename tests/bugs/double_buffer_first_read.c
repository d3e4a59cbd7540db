/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the result is taken from the wrong one of two buffers
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel shift
 * expect initcheck: of shared array buffer
 */
#include "bug.h"

#define N 128

KERNEL(shift)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, buffer, [2][64]);
        int from = 0;
        FOR_EACH_THREAD
            buffer[0][threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
        SYNC_THREADS();
#if !FIXED
        from = 1 - from;
#endif
        FOR_EACH_THREAD
            y[blockIdx.x * 64 + threadIdx.x] = buffer[from][63 - threadIdx.x];
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(shift, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 64 + 63 - i % 64);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
