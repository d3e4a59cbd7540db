/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: two arrays in dynamic shared memory overlap by one element
 * found by: racecheck
 * expect racecheck: race in kernel sides
 * expect racecheck: dynamic shared memory
 */
#include "bug.h"

#define N 128

KERNEL(sides)(const int *x, int *y)
{
    SHARED_DYNAMIC(int, memory);
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int *const left = memory;
#if FIXED
    int *const right = memory + blockDim.x;
#else
    int *const right = memory + blockDim.x - 1;
#endif
    left[t] = x[i];
    right[t] = 2 * x[i];
    SYNC_THREADS();
    y[i] = left[t] + right[blockDim.x - 1 - t];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(sides, 2, 64, 128 * sizeof(int), 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i + 2 * (i / 64 * 64 + 63 - i % 64));
    RELEASE(x);
    RELEASE(y);
    return 0;
}
