/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: the state of a random generator is a variable at block scope:
 *     on serial each thread continues the sequence of the previous one
 * found by: compare
 * reason: on CUDA nothing is wrong
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
