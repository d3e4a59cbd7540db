/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: two blocks write the element on their common border
 * found by: racecheck
 * expect racecheck: race in kernel edges
 * expect racecheck: by concurrent blocks
 */
#include "bug.h"

#define N 256

/* x: the n cells; y: the n + 1 edges of the cells */
KERNEL(edges)(int n, const int *x, int *y)
{
    FOR_EACH_BLOCK(64) {
        const int first = (int)blockIdx.x * 64;
        FOR_EACH_THREAD
            y[first + (int)threadIdx.x] = x[first + (int)threadIdx.x];
        FOR_THREADS_BELOW(1) {
#if FIXED
            if (first + 64 == n)
                y[n] = x[n - 1] + 1;
#else
            y[first + 64] = x[first + 63] + 1;
#endif
        }
    }
    (void)n;
}

int main(void)
{
    int in[N], out[N + 1], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N + 1);
    COPY_IN(x, in);
    LAUNCH(edges, N / 64, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i <= N; i++)
        EXPECT(out[i] == i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
