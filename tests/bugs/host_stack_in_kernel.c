/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a kernel is passed a pointer to a local array of the host
 * found by: memcheck
 * expect memcheck: error in kernel doubled: a read of 4 bytes
 */
#include "bug.h"

#define N 128

KERNEL(doubled)(const int *x, int *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
#if FIXED
    LAUNCH(doubled, 2, 64, 0, 0, x, y);
#else
    LAUNCH(doubled, 2, 64, 0, 0, in, y);
#endif
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
