/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: each thread stores four floats, two floats apart, so neighbouring stores overlap
 * found by: racecheck
 * expect racecheck: race in kernel spread
 */
#include "bug.h"

#define N 128
#if FIXED
#define STEP 1
#else
#define STEP 2
#endif

/* y: N elements of four floats; a thread's is `values` of them */
KERNEL(spread)(const float *x, float4 *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i / STEP] = make_float4(x[i], x[i], x[i], x[i]);
}

int main(void)
{
    float in[N], *x;
    float4 out[N], *y;

    for (int i = 0; i < N; i++)
        in[i] = (float)i;
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    ZERO(y, N);
    COPY_IN(x, in);
    LAUNCH(spread, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i].x == in[i] && out[i].w == in[i]);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
