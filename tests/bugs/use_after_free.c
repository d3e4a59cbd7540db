/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a kernel reads memory that was freed before the launch
 * found by: memcheck
 * expect memcheck: error in kernel doubled: a read of 4 bytes
 * expect memcheck: of device array x of 512 bytes, allocated at tests/bugs/use_after_free.c:
 * expect memcheck: and freed at tests/bugs/use_after_free.c:
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
#if !FIXED
    RELEASE(x);
#endif
    LAUNCH(doubled, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
#if FIXED
    RELEASE(x);
#endif
    RELEASE(y);
    return 0;
}
