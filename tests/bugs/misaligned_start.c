/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a row begins one element after a multiple of 32 bytes, so each warp touches a fifth sector
 * found by: accesscheck
 * limits: sectors=1.2
 * expect accesscheck: excessive sectors in kernel double_row: the global load at
 * expect accesscheck: excessive sectors in kernel double_row: the global store at
 * expect accesscheck: moves 1.25 times the ideal number of sectors; the limit is 1.2
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 256
#if FIXED
#define HALO 8 /* a sector: the first element is the last one of it */
#else
#define HALO 1
#endif

KERNEL(double_row)(int *x)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    x[HALO + i] = 2 * x[HALO + i];
}

int main(void)
{
    int in[HALO + N], out[HALO + N], *x;

    count_up(in, HALO + N);
    ALLOCATE(x, HALO + N);
    COPY_IN(x, in);
    LAUNCH(double_row, N / 64, 64, 0, 0, x);
    COPY_OUT(out, x);
    for (int i = 0; i < HALO + N; i++)
        EXPECT(out[i] == (i < HALO ? i : 2 * i));
    RELEASE(x);
    return 0;
}
