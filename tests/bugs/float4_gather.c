/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a 16-byte read includes values written by three other threads, with no barrier between
 * found by: racecheck
 * expect racecheck: race in kernel sums_of_four
 * expect racecheck: of shared array row, with no barrier between them
 */
#include "bug.h"

#define N 128

KERNEL(sums_of_four)(const float *x, float *sums)
{
    ALIGNED(16) SHARED(float, row, [64]);
    const unsigned t = threadIdx.x;
    row[t] = x[blockIdx.x * 64 + t];
#if FIXED
    SYNC_THREADS();
#endif
    if (t < 16) {
        const float4 v = *(const float4 *)&row[4 * t];
        sums[blockIdx.x * 16 + t] = v.x + v.y + v.z + v.w;
    }
}

int main(void)
{
    float in[N], out[N / 4], *x, *sums;

    for (int i = 0; i < N; i++)
        in[i] = (float)i;
    ALLOCATE(x, N);
    ALLOCATE(sums, N / 4);
    COPY_IN(x, in);
    LAUNCH(sums_of_four, 2, 64, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < N / 4; i++)
        EXPECT(out[i] == (float)(16 * i + 6));
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
