/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: each cell belongs to the first thread that claims it by compare-and-swap
 * found by: order
 * reason: no access is invalid: the result depends on which thread comes first
 */
#include "bug.h"

#define N 128
#define CELLS 8

KERNEL(claim)(int n, int *owner)
{
    GRID_STRIDE_LOOP(i, n) {
#if FIXED
        ATOMIC_MIN(&owner[i * i % CELLS], i);
#else
        ATOMIC_CAS(&owner[i * i % CELLS], n, i);
#endif
    }
}

int main(void)
{
    int in[CELLS], out[CELLS], *owner;

    for (int c = 0; c < CELLS; c++)
        in[c] = N;
    ALLOCATE(owner, CELLS);
    COPY_IN(owner, in);
    LAUNCH(claim, 2, 64, 0, 0, N, owner);
    COPY_OUT(out, owner);
    print_ints(out, CELLS);
    RELEASE(owner);
    return 0;
}
