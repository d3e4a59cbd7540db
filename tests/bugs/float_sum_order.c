/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: an atomic sum of floats of very different magnitude depends on the thread order
 * found by: order
 * reason: no access is invalid: the rounding depends on the order
 */
#include "bug.h"

#define N 128

KERNEL(add_up)(const float *x, float *total, unsigned long long *units)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
    ATOMIC_ADD(units, (unsigned long long)(x[i] * 16));
    if (i == 0)
        total[0] = 0;
#else
    ATOMIC_ADD(total, x[i]);
    if (i == 0)
        units[0] = 0;
#endif
}

int main(void)
{
    float in[N], sum[1], *x, *total;
    unsigned long long sixteenths[1], *units;

    for (int i = 0; i < N; i++)
        in[i] = i % 16 == 0 ? 16777216.0f : 0.0625f * (float)i;
    ALLOCATE(x, N);
    ALLOCATE(total, 1);
    ALLOCATE(units, 1);
    ZERO(total, 1);
    ZERO(units, 1);
    COPY_IN(x, in);
    LAUNCH(add_up, 2, 64, 0, 0, x, total, units);
    COPY_OUT(sum, total);
    COPY_OUT(sixteenths, units);
    printf("%.1f %llu\n", (double)sum[0], sixteenths[0]);
    RELEASE(x);
    RELEASE(total);
    RELEASE(units);
    return 0;
}
