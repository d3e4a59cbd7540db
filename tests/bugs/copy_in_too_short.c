/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a copy to the device passes the number of elements as the number of bytes
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel doubled
 * expect initcheck: at byte 128 of device array x of 512 bytes
 */
#include "bug.h"

#define N 128
#if FIXED
#define BYTES (N * sizeof(int))
#else
#define BYTES N
#endif

KERNEL(doubled)(const int *x, int *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    PORTABLE_CHECK(portable_copy_to_device(x, in, BYTES));
    LAUNCH(doubled, 2, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == 2 * i);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
