/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: two counters are read at once although the array has only one left
 * found by: memcheck
 * expect memcheck: error in kernel sums_of_two: a read of 8 bytes by block (1, 0, 0), thread (31, 0, 0)
 * expect memcheck: across the end of device array x of 508 bytes
 */
#include "bug.h"

#define N 127

KERNEL(sums_of_two)(int n, const unsigned *x, unsigned *sums)
{
    const int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
#if FIXED
    if (2 * t + 2 > n) {
        sums[t] = x[2 * t];
        return;
    }
#endif
    const unsigned long long pair = *(const unsigned long long *)(const void *)&x[2 * t];
    sums[t] = (unsigned)pair + (unsigned)(pair >> 32);
    (void)n;
}

int main(void)
{
    unsigned in[N], out[64], *x, *sums;

    for (int i = 0; i < N; i++)
        in[i] = (unsigned)i;
    ALLOCATE(x, N);
    ALLOCATE(sums, 64);
    COPY_IN(x, in);
    LAUNCH(sums_of_two, 2, 32, 0, 0, N, x, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == (unsigned)(i < 63 ? 4 * i + 1 : 126));
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
