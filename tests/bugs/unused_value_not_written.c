/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: uninitialised memory is read, but the values are unused: a compiler may remove such reads,
 *     but a tool must still see them
 * found by: initcheck
 * expect initcheck: uninitialised read in kernel of_device
 * expect initcheck: uninitialised read in kernel of_shared
 * expect initcheck: uninitialised read in kernel in_loop
 * expect initcheck: uninitialised read in kernel times_zero
 * expect initcheck: uninitialised read in kernel half_of_pair
 * expect initcheck: uninitialised read in kernel by_function
 */
#include "bug.h"

struct pair {
    int a, b;
};

KERNEL(of_device)(const int *x)
{
    int value = x[threadIdx.x];
    (void)value;
}

KERNEL(of_shared)(void)
{
    SHARED(int, tile, [64]);
#if FIXED
    tile[threadIdx.x] = 0;
#endif
    int value = tile[threadIdx.x];
    (void)value;
}

KERNEL(in_loop)(int n, const int *x)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k];
    (void)sum;
}

KERNEL(times_zero)(const int *x, int *y)
{
    int zero = 0;
    y[threadIdx.x] = zero * x[threadIdx.x];
}

KERNEL(half_of_pair)(int *y)
{
    SHARED(struct pair, tile, [64]);
    tile[threadIdx.x].a = 1;
#if FIXED
    tile[threadIdx.x].b = 1;
#endif
    struct pair pair = tile[threadIdx.x];
    y[threadIdx.x] = pair.a;
}

DEVICE int element(const int *x, unsigned k)
{
    return x[k];
}

KERNEL(by_function)(const int *x)
{
    (void)element(x, threadIdx.x);
}

int main(void)
{
    int *x, *y;

    ALLOCATE(x, 64);
    ALLOCATE(y, 64);
#if FIXED
    ZERO(x, 64);
#endif
    LAUNCH(of_device, 1, 64, 0, 0, x);
    LAUNCH(of_shared, 1, 64, 0, 0);
    LAUNCH(in_loop, 1, 64, 0, 0, 64, x);
    LAUNCH(times_zero, 1, 64, 0, 0, x, y);
    LAUNCH(half_of_pair, 1, 64, 0, 0, y);
    LAUNCH(by_function, 1, 64, 0, 0, x);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
