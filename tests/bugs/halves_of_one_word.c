/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: two threads write 16 bits each of one word by read-modify-write
 * found by: racecheck
 * expect racecheck: race in kernel pack
 */
#include "bug.h"

#define N 128

KERNEL(pack)(const int *x, unsigned short *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
    y[i] = (unsigned short)x[i];
#else
    ((unsigned *)y)[i / 2] |= (unsigned)x[i] << 16 * (i % 2);
#endif
}

int main(void)
{
    int in[N], *x;
    unsigned short out[N], *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    ZERO(y, N);
    COPY_IN(x, in);
    LAUNCH(pack, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
