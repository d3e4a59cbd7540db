/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: elements past the end of arrays are written but never read, or read but never used: a
 *     compiler may remove such accesses, but a tool must still see them
 * found by: memcheck
 * expect memcheck: error in kernel shared_write: a write of 4 bytes
 * expect memcheck: error in kernel shared_read: a read of 4 bytes
 * expect memcheck: error in kernel device_read: a read of 4 bytes
 * expect memcheck: error in kernel local_write: a write of 4 bytes
 * expect memcheck: error in kernel local_read: a read of 4 bytes
 * expect memcheck: error in kernel by_function: a read of 4 bytes
 * expect memcheck: error in kernel times_zero: a read of 4 bytes
 */
#include "bug.h"

#define N 64
#if FIXED
#define LAST (N - 1)
#else
#define LAST N
#endif

KERNEL(shared_write)(int last)
{
    SHARED(int, tile, [N]);
    if (threadIdx.x == 0)
        tile[last] = 1;
}

KERNEL(shared_read)(int last, const int *x)
{
    SHARED(int, tile, [N]);
    tile[threadIdx.x] = x[threadIdx.x];
    SYNC_THREADS();
    if (threadIdx.x == 0) {
        int value = tile[last];
        (void)value;
    }
}

KERNEL(device_read)(int last, const int *x)
{
    int value = x[last];
    (void)value;
}

KERNEL(local_write)(int last)
{
    int values[N];
    values[last] = 1;
}

KERNEL(local_read)(int last)
{
    int values[N] = {0};
    int value = values[last];
    (void)value;
}

DEVICE int element(const int *x, int k)
{
    return x[k];
}

KERNEL(by_function)(int last, const int *x)
{
    (void)element(x, last);
}

KERNEL(times_zero)(int last, const int *x, int *y)
{
    int zero = 0;
    y[threadIdx.x] = zero * x[last];
}

int main(void)
{
    int in[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(shared_write, 1, N, 0, 0, LAST);
    LAUNCH(shared_read, 1, N, 0, 0, LAST, x);
    LAUNCH(device_read, 1, N, 0, 0, LAST, x);
    LAUNCH(local_write, 1, N, 0, 0, LAST);
    LAUNCH(local_read, 1, N, 0, 0, LAST);
    LAUNCH(by_function, 1, N, 0, 0, LAST, x);
    LAUNCH(times_zero, 1, N, 0, 0, LAST, x, y);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
