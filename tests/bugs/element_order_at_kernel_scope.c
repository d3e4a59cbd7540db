/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a kernel-scope loop relies on visiting the elements in order, in a single thread
 * found by: compare
 * reason: on CUDA the program behaves as written
 */
#include "bug.h"

#define N 256

KERNEL(running_maxima)(int n, const int *x, int *y)
{
#if FIXED
    GRID_STRIDE_LOOP(i, n) {
        int largest = 0;
        for (int k = 0; k <= i; k++)
            largest = x[k] > largest ? x[k] : largest;
        y[i] = largest;
    }
#else
    int largest = 0;
    GRID_STRIDE_LOOP(i, n) {
        largest = x[i] > largest ? x[i] : largest;
        y[i] = largest;
    }
#endif
}

int main(void)
{
    int in[N], out[N], *x, *y;

    for (int i = 0; i < N; i++)
        in[i] = i * 37 % N;
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(running_maxima, 2, 32, 0, 0, N, x, y);
    COPY_OUT(out, y);
    print_ints(out, N);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
