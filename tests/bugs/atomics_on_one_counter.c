/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: all threads add to one counter in device memory, in place of a sum for each block
 * found by: accesscheck
 * limits: atomics=4
 * expect accesscheck: atomics on one address in kernel count_even: the global atomic at
 * expect accesscheck: has 32.00 threads of a warp on one address; the limit is 4
 * reason: no access is invalid: it is slow
 */
#include "bug.h"

#define N 1024

KERNEL(count_even)(const int *x, int *count)
{
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const int is_even = x[i] % 2 == 0;
#if FIXED
    const unsigned even = __ballot_sync(0xffffffff, is_even);
    if (t % 32 == 0)
        atomicAdd(count, __popc(even));
#else
    atomicAdd(count, is_even);
#endif
}

int main(void)
{
    int in[N], out[1], *x, *count;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(count, 1);
    ZERO(count, 1);
    COPY_IN(x, in);
    LAUNCH(count_even, N / 128, 128, 0, 0, x, count);
    COPY_OUT(out, count);
    EXPECT(out[0] == N / 2);
    RELEASE(x);
    RELEASE(count);
    return 0;
}
