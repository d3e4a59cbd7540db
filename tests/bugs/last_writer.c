/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: several threads exchange a value atomically, and the last one's stays
 * found by: order ordercheck
 * expect ordercheck: which store different values: the last one stays
 * reason: no access is invalid: the result depends on which thread comes last
 */
#include "bug.h"

#define N 128

KERNEL(find_multiple)(const int *x, int *found)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (x[i] % 7 == 0) {
#if FIXED
        ATOMIC_MAX(found, i);
#else
        ATOMIC_EXCHANGE(found, i);
#endif
    }
}

int main(void)
{
    int in[N], out[1], *x, *found;

    count_up(in, N);
    ALLOCATE(x, N);
    ALLOCATE(found, 1);
    ZERO(found, 1);
    COPY_IN(x, in);
    LAUNCH(find_multiple, 2, 64, 0, 0, x, found);
    COPY_OUT(out, found);
    print_ints(out, 1);
    RELEASE(x);
    RELEASE(found);
    return 0;
}
