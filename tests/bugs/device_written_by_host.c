/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the host writes device memory through its pointer
 * found by: memcheck
 * expect memcheck: error in host code: a write of 4 bytes
 * reason: a GPU tool does not check host accesses; the program crashes
 */
#include "bug.h"

#define N 128

KERNEL(add_up)(const int *x, int *total)
{
    atomicAdd(total, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main(void)
{
    int in[N], out[1], *x, *total;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(total, 1);
    COPY_IN(x, in);
#if FIXED
    ZERO(total, 1);
#else
    *total = 0;
#endif
    LAUNCH(add_up, 2, 64, 0, 0, x, total);
    COPY_OUT(out, total);
    EXPECT(out[0] == N * (N - 1) / 2);
    RELEASE(x);
    RELEASE(total);
    return 0;
}
