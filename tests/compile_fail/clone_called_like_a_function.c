/* SPDX-License-Identifier: BSD-3-Clause */
/* The same in optimised code of gcc, and of clang since version 18, where kernels have clones: gcc
 * shows the parameter that only a launch has, clang that there is one more. */
#include "wrong.h"
// flags: -S -O2

KERNEL(fill)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 1;
}

// case: clone_called_like_a_function
// expect-gcc: incompatible type for argument 1 of 'fill'
// expect-clang: call
void clone_called_like_a_function(float *x)
{
    WRONG(fill(64, x));
    RIGHT((void)(KERNEL_LAUNCH(fill, 1, 64, 0, 0, 64, x)));
}
