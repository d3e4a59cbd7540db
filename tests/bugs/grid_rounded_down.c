/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the number of blocks is rounded down, so the remaining elements are never written
 * found by: initcheck
 * expect initcheck: copy to the host of uninitialised memory: 144 bytes from byte 256
 */
#include "bug.h"

#define N 100
#if FIXED
#define BLOCKS ((N + 63) / 64)
#else
#define BLOCKS (N / 64)
#endif

KERNEL(squares)(int n, int *y)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] = i * i;
}

int main(void)
{
    int out[N], *y;

    ALLOCATE(y, N);
    LAUNCH(squares, BLOCKS, 64, 0, 0, N, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i * i);
    RELEASE(y);
    return 0;
}
