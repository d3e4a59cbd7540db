/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a thread stores two ints at once, and its neighbour reads the second with no barrier between
 * found by: racecheck
 * expect racecheck: race in kernel seconds
 * expect racecheck: of shared array pairs, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(seconds)(const int2 *x, int *y)
{
    SHARED(int2, pairs, [64]);
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    pairs[t] = x[i];
#if FIXED
    SYNC_THREADS();
#endif
    y[i] = pairs[(t + 1) % 64].y;
}

int main(void)
{
    int out[N], *y;
    int2 in[N], *x;

    for (int i = 0; i < N; i++)
        in[i] = make_int2(i, -i);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(seconds, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == -(i / 64 * 64 + (i + 1) % 64));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
