/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels in C++ on emulate. */
// flags: -x c++ -std=c++17 -DPORTABLE_TARGET_EMULATE=1
#include "wrong.h"

// case: atomic_of_long_in_cpp
// expect-gcc: invalid conversion from
// expect-clang: no matching function for call to 'portable_plain_add_'
KERNEL(atomic_of_long_in_cpp)(WRONG(long) RIGHT(int) * sum)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD
            ATOMIC_ADD(sum, 1);
    }
}

// case: bound_is_a_float_in_cpp
// expect: the bound of a loop must be an integer
KERNEL(bound_is_a_float_in_cpp)(WRONG(float) RIGHT(int) n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[(int)i] = 0;
}

// case: block_reduce_of_char_in_cpp
// expect-gcc: use of deleted function
// expect-clang: call to deleted function 'portable_reduce_add_'
KERNEL(block_reduce_of_char_in_cpp)(int *out)
{
    FOR_EACH_BLOCK(64) {
        PRIVATE(WRONG(char) RIGHT(int), value);
        FOR_EACH_THREAD
            MINE(value) = 1;
        BLOCK_REDUCE_ADD(value, value);
        FOR_EACH_THREAD
            out[threadIdx.x] = MINE(value);
    }
}
