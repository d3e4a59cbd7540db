/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a copy on the device covers only half of the array
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel doubled
 * expect initcheck: at byte 256 of device array copy of 512 bytes
 */
#include "bug.h"

#define N 128
#if FIXED
#define BYTES (N * sizeof(int))
#else
#define BYTES (N * sizeof(short))
#endif

KERNEL(doubled)(const int *x, int *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}

int main(void)
{
    int in[N], out[N], *x, *copy, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(copy, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    PORTABLE_CHECK(portable_copy_on_device(copy, x, BYTES));
    LAUNCH(doubled, 2, 64, 0, 0, copy, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    RELEASE(x);
    RELEASE(copy);
    RELEASE(y);
    return 0;
}
