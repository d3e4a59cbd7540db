/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a warp reads a column of a tile without padding: 32 words of one bank
 * found by: accesscheck
 * limits: wavefronts=1.5,sectors=1
 * expect accesscheck: bank conflicts in kernel transpose: the shared load at
 * expect accesscheck: takes 32.00 times the ideal number of wavefronts; the limit is 1.5
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 64
#if FIXED
#define WIDTH (32 + 1)
#else
#define WIDTH 32
#endif

KERNEL(transpose)(const int *x, int *y)
{
    __shared__ int tile[32][WIDTH];
    const unsigned column = threadIdx.x, row = threadIdx.y;
    tile[row][column] = x[(32 * blockIdx.y + row) * N + 32 * blockIdx.x + column];
    __syncthreads();
    y[(32 * blockIdx.x + row) * N + 32 * blockIdx.y + column] = tile[column][row];
}

int main(void)
{
    int in[N * N], out[N * N], *x, *y;

    count_up(in, N * N);
    ALLOCATE(x, N * N);
    ALLOCATE(y, N * N);
    COPY_IN(x, in);
    LAUNCH(transpose, DIM3(N / 32, N / 32, 1), DIM3(32, 32, 1), 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N * N; i++)
        EXPECT(out[i] == i % N * N + i / N);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
