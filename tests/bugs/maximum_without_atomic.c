/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a maximum is compared and then written, in two steps
 * found by: racecheck
 * expect racecheck: race in kernel maximum
 */
#include "bug.h"

#define N 256

KERNEL(maximum)(const int *x, int *best)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
    ATOMIC_MAX(best, x[i]);
#else
    if (x[i] > best[0])
        best[0] = x[i];
#endif
}

int main(void)
{
    int in[N], out[1], *x, *best;

    for (int i = 0; i < N; i++)
        in[i] = 7 * i % N;
    ALLOCATE(x, N);
    ALLOCATE(best, 1);
    ZERO(best, 1);
    COPY_IN(x, in);
    LAUNCH(maximum, 2, N / 2, 0, 0, x, best);
    COPY_OUT(out, best);
    EXPECT(out[0] == N - 1);
    RELEASE(x);
    RELEASE(best);
    return 0;
}
