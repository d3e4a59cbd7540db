/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a memcpy copies one element too many and overwrites the neighbour's first
 * found by: racecheck
 * expect racecheck: race in kernel copy_rows
 * expect racecheck: of shared array rows, with no barrier between them
 */
#include "bug.h"

#define N 256
#if FIXED
#define COUNT 4
#else
#define COUNT 5
#endif

KERNEL(copy_rows)(const int *x, int *y)
{
    FOR_EACH_BLOCK(32) {
        SHARED(int, rows, [32 * 4 + 1]);
        FOR_EACH_THREAD
            memcpy(&rows[threadIdx.x * 4], &x[(blockIdx.x * 32 + threadIdx.x) * 4],
                   COUNT * sizeof(int));
        SYNC_THREADS();
        FOR_EACH_THREAD {
            for (unsigned k = 0; k < 4; k++)
                y[(blockIdx.x * 32 + threadIdx.x) * 4 + k] = rows[(31 - threadIdx.x) * 4 + k];
        }
    }
}

int main(void)
{
    int in[N + 1], out[N], *x, *y;

    count_up(in, N + 1);
    ALLOCATE(x, N + 1);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(copy_rows, 2, 32, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 128 * 128 + (31 - i % 128 / 4) * 4 + i % 4);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
