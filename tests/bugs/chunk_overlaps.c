/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: each thread fills a chunk of elements and the first element of the next chunk
 * found by: racecheck
 * expect racecheck: race in kernel fill_chunks
 */
#include "bug.h"

#define N 512
#define CHUNK 4

KERNEL(fill_chunks)(int n, int *y)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD {
            const int first = (int)(blockIdx.x * 64 + threadIdx.x) * CHUNK;
#if FIXED
            for (int i = first; i < first + CHUNK && i < n; i++)
#else
            for (int i = first; i <= first + CHUNK && i < n; i++)
#endif
                y[i] = i / CHUNK;
        }
    }
}

int main(void)
{
    int out[N], *y;

    ALLOCATE(y, N);
    LAUNCH(fill_chunks, 2, 64, 0, 0, N, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / CHUNK);
    RELEASE(y);
    return 0;
}
