/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a sum at kernel scope is carried from one grid-stride loop to the next: it covers one
 *     thread's elements on CUDA, all elements on serial
 * found by: compare
 * reason: on CUDA the program behaves as written
 */
#include "bug.h"

#define N 256

KERNEL(average)(int n, const int *x, int *total, int *count)
{
#if FIXED
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(total, x[i]);
#else
    int sum = 0;
    GRID_STRIDE_LOOP(i, n)
        sum += x[i];
    GRID_STRIDE_LOOP(k, 1)
        total[k] = sum;
#endif
    GRID_STRIDE_LOOP(k, 1)
        count[k] = n;
}

int main(void)
{
    int in[N], out[1], *x, *total, *count;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(total, 1);
    ALLOCATE(count, 1);
    ZERO(total, 1);
    COPY_IN(x, in);
    LAUNCH(average, 2, 32, 0, 0, N, x, total, count);
    COPY_OUT(out, total);
    print_ints(out, 1);
    COPY_OUT(out, count);
    print_ints(out, 1);
    RELEASE(x);
    RELEASE(total);
    RELEASE(count);
    return 0;
}
