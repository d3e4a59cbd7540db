/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the same one of two buffers is both read and written
 * found by: racecheck
 * expect racecheck: race in kernel rotate
 * expect racecheck: of shared array buffer, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(rotate)(const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        SHARED(int, buffer, [2][64]);
        FOR_EACH_THREAD {
            buffer[0][threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
            buffer[1][threadIdx.x] = 0;
        }
        SYNC_THREADS();
        for (int step = 0; step < 4; step++) {
            const int from = step % 2;
#if FIXED
            const int to = 1 - from;
#else
            const int to = from;
#endif
            FOR_EACH_THREAD
                buffer[to][threadIdx.x] = buffer[from][(threadIdx.x + 1) % 64];
            SYNC_THREADS();
        }
        FOR_EACH_THREAD
            y[blockIdx.x * blockDim.x + threadIdx.x] = buffer[0][threadIdx.x];
    }
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(rotate, N / 64, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 64 + (i + 4) % 64);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
