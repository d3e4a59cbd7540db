/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: sixteen bytes are read although the array has only eight left
 * found by: memcheck
 * expect memcheck: error in kernel sums_of_four: a read of
 * expect memcheck: device array x of 1016 bytes
 */
#include "bug.h"

#define N 254

KERNEL(sums_of_four)(int n, const float *x, float *sums)
{
    const int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
#if FIXED
    if (4 * t + 4 > n) {
        sums[t] = x[4 * t] + x[4 * t + 1];
        return;
    }
#endif
    const float4 v = *(const float4 *)&x[4 * t];
    sums[t] = v.x + v.y + v.z + v.w;
    (void)n;
}

int main(void)
{
    float in[N], out[64], *x, *sums;

    for (int i = 0; i < N; i++)
        in[i] = (float)i;
    ALLOCATE(x, N);
    ALLOCATE(sums, 64);
    COPY_IN(x, in);
    LAUNCH(sums_of_four, 2, 32, 0, 0, N, x, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == (float)(i < 63 ? 16 * i + 6 : 252 + 253));
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
