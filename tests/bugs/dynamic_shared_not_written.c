/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: dynamic shared memory after the first array is read but never written
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel weigh
 * expect initcheck: dynamic shared memory
 */
#include "bug.h"

#define N 128

KERNEL(weigh)(const int *x, int *y)
{
    SHARED_DYNAMIC(int, memory);
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int *const values = memory, *const weights = memory + blockDim.x;
    values[t] = x[i];
#if FIXED
    weights[t] = 2;
#endif
    SYNC_THREADS();
    y[i] = values[t] * weights[blockDim.x - 1 - t];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(weigh, 2, 64, 128 * sizeof(int), 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
