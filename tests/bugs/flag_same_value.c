/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: many threads set a flag to the same value without an atomic
 * found by: racecheck
 * expect racecheck: race in kernel any_negative
 */
#include "bug.h"

#define N 256

KERNEL(any_negative)(const int *x, int *found)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] < 0) {
#if FIXED
        ATOMIC_EXCHANGE(found, 1);
#else
        found[0] = 1;
#endif
    }
}

int main(void)
{
    int in[N], out[1], *x, *found;

    for (int i = 0; i < N; i++)
        in[i] = i % 3 - 1;
    ALLOCATE(x, N);
    ALLOCATE(found, 1);
    ZERO(found, 1);
    COPY_IN(x, in);
    LAUNCH(any_negative, 2, 128, 0, 0, x, found);
    COPY_OUT(out, found);
    EXPECT(out[0] == 1);
    RELEASE(x);
    RELEASE(found);
    return 0;
}
