/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a structure of four floats is copied from an address that is not a multiple of 16
 * found by: memcheck
 * expect memcheck: error in kernel copied_sums
 * expect memcheck: misaligned
 * not by clang memcheck: it checks the alignment of a structure's members, not of one copied whole
 */
#include "bug.h"

#define N 256
#if FIXED
#define OFFSET 4
#else
#define OFFSET 1
#endif

KERNEL(copied_sums)(const float *x, float *sums)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD {
            const unsigned t = blockIdx.x * 32 + threadIdx.x;
            if (4 * t + OFFSET + 4 <= N) {
                const float4 v = *(const float4 *)&x[4 * t + OFFSET];
                sums[t] = v.x + v.y + v.z + v.w;
            } else {
                sums[t] = 0;
            }
        }
    }
}

int main(void)
{
    float in[N], out[64], *x, *sums;

    for (int i = 0; i < N; i++)
        in[i] = (float)i;
    ALLOCATE(x, N);
    ALLOCATE(sums, 64);
    COPY_IN(x, in);
    LAUNCH(copied_sums, 2, 32, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < 63; i++)
        EXPECT(out[i] == (float)(16 * i + 22));
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
