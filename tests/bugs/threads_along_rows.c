/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: each thread goes along a row of a matrix, so the threads of a warp access a column at a time
 * found by: accesscheck
 * limits: sectors=2
 * expect accesscheck: excessive sectors in kernel row_sums: the global load at
 * expect accesscheck: moves 8.00 times the ideal number of sectors; the limit is 2
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 64

/* The matrix is symmetric: its rows have the sums of its columns. */
KERNEL(row_sums)(const int *x, int *sums)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (unsigned k = 0; k < N; k++)
#if FIXED
        sum += x[k * N + t];
#else
        sum += x[t * N + k];
#endif
    sums[t] = sum;
}

int main(void)
{
    int in[N * N], out[N], *x, *sums;

    for (int i = 0; i < N * N; i++)
        in[i] = i / N + i % N;
    ALLOCATE(x, N * N);
    ALLOCATE(sums, N);
    COPY_IN(x, in);
    LAUNCH(row_sums, 1, N, 0, 0, x, sums);
    COPY_OUT(out, sums);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == N * i + N * (N - 1) / 2);
    RELEASE(x);
    RELEASE(sums);
    return 0;
}
