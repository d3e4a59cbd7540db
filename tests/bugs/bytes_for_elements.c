/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a kernel is passed a number of bytes as its number of elements
 * found by: memcheck
 * expect memcheck: error in kernel squares: a read of 4 bytes
 * expect memcheck: 0 bytes after device array x of 512 bytes
 */
#include "bug.h"

#define N 128

KERNEL(squares)(unsigned n, const int *x, int *y)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] * x[i];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
#if FIXED
    LAUNCH(squares, 2, 64, 0, 0, N, x, y);
#else
    LAUNCH(squares, 2, 64, 0, 0, sizeof in, x, y);
#endif
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
