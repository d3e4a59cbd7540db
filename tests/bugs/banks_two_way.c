/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a warp's words in shared memory are two apart: two lanes share each of half of the banks
 * found by: accesscheck
 * limits: wavefronts=1.5
 * expect accesscheck: bank conflicts in kernel shift: the shared store at
 * expect accesscheck: bank conflicts in kernel shift: the shared load at
 * expect accesscheck: takes 2.00 times the ideal number of wavefronts; the limit is 1.5
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 128
#if FIXED
#define APART 1
#else
#define APART 2
#endif

KERNEL(shift)(const int *x, int *y)
{
    __shared__ int tile[2 * 64], last;
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[APART * t] = x[i];
    if (t == 0)
        last = 7;
    __syncthreads();
    y[i] = tile[APART * ((t + 1) % 64)] + last; /* of one word to all is no conflict */
}

int main(void)
{
    int in[N], out[N], *x, *y;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(y, N);
    COPY_IN(x, in);
    LAUNCH(shift, N / 64, 64, 0, 0, x, y);
    COPY_OUT(out, y);
    for (int i = 0; i < N; i++)
        EXPECT(out[i] == i / 64 * 64 + (i + 1) % 64 + 7);
    RELEASE(x);
    RELEASE(y);
    return 0;
}
