/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: 1 is shifted by the thread index, which may be 32 or more
 * found by: memcheck
 * expect memcheck: error in kernel masks
 * expect memcheck: shift
 * reason: a GPU shifts by 32 or more without an error
 */
#include "bug.h"

#define N 128

KERNEL(masks)(unsigned *y)
{
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
#if FIXED
    y[i] = 1u << t % 32;
#else
    y[i] = 1u << t;
#endif
}

int main(void)
{
    unsigned out[N], *y;

    ALLOCATE(y, N);
    LAUNCH(masks, 2, 64, 0, 0, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 1u << i % 32);
    RELEASE(y);
    return 0;
}
