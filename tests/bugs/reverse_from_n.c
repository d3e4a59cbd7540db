/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a reversal counts from n instead of n - 1
 * found by: memcheck
 * expect memcheck: error in kernel reverse: a read of 8 bytes by block (0, 0, 0), thread (0, 0, 0)
 * expect memcheck: 0 bytes after device array x of 1024 bytes
 */
#include "bug.h"

#define N 128

KERNEL(reverse)(unsigned n, const double *x, double *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
    y[i] = x[n - 1 - i];
#else
    y[i] = x[n - i];
#endif
}

int main(void)
{
    double in[N], out[N], *x, *y;

    for (int i = 0; i < N; i++)
        in[i] = i;
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(reverse, 2, 64, 0, 0, N, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == N - 1 - i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
