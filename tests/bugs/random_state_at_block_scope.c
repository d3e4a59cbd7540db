/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: a random generator's state is a block-scope variable: on serial each thread continues where
 *     the previous one stopped
 * found by: compare
 * reason: the program is correct on CUDA
 */
#include "bug.h"

#define N 64

KERNEL(random_numbers)(int *y)
{
    FOR_EACH_BLOCK(32) {
#if !FIXED
        unsigned state = 1;
#endif
        FOR_EACH_THREAD {
#if FIXED
            unsigned state = 1;
#endif
            for (unsigned k = 0; k <= threadIdx.x; k++)
                state = 1664525u * state + 1013904223u;
            y[blockIdx.x * 32 + threadIdx.x] = (int)(state >> 24);
        }
    }
}

int main(void)
{
    int out[N], *y;

    ALLOCATE(y, N);
    LAUNCH(random_numbers, 2, 32, 0, 0, y);
    COPY_OUT(out, y);
    print_ints(out, N);
    RELEASE(y);
    return 0;
}
