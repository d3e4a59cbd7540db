/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of another type, which C compilers only warn of. */
// flags: -Werror
#include "wrong.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}

// case: launch_argument_of_another_type
// expect-gcc: incompatible pointer type
// expect-clang: incompatible pointer types passing
portable_status launch_argument_of_another_type(WRONG(const int) RIGHT(float) * x)
{
    return KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100, x);
}

// case: launch_auto_argument_of_another_type
// expect-gcc: incompatible pointer type
// expect-clang: incompatible pointer types passing
portable_status launch_auto_argument_of_another_type(float *x)
{
    return KERNEL_LAUNCH_AUTO(probe, 100, 100, WRONG(&) x);
}

// case: launch_stream_is_an_integer
// expect-gcc: makes pointer from integer without a cast
// expect-clang: incompatible integer to pointer conversion
portable_status launch_stream_is_an_integer(float *x)
{
    return KERNEL_LAUNCH(probe, 4, 32, 0, WRONG(7) RIGHT(0), 100, x);
}

// case: device_launch_argument_of_another_type
// expect-gcc: passing argument 1 of 'child' from incompatible pointer type
// expect-clang: incompatible pointer types passing
KERNEL_CHILD(child, float *);
KERNEL(device_launch_argument_of_another_type)(WRONG(int) RIGHT(float) * out)
{
    GRID_STRIDE_LOOP(i, 1)
        DEVICE_LAUNCH(child, 1, 1, 0, out + i);
}

// case: fragment_of_two_kinds
// expect-gcc: passing argument 3 of 'portable_fragment_multiply_add_' from incompatible pointer type
// expect-clang: incompatible pointer types passing
KERNEL(fragment_of_two_kinds)(const half *from, float *to)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_WARP
        {
            FRAGMENT_A(a);
            WRONG(FRAGMENT_A(b);)
            RIGHT(FRAGMENT_B(b);)
            FRAGMENT_C(c);
            FRAGMENT_FILL(c, 0.0f);
            FRAGMENT_LOAD(a, from, 16);
            FRAGMENT_LOAD(b, from, 16);
            FRAGMENT_MULTIPLY_ADD(c, a, b, c);
            FRAGMENT_STORE(to, c, 16);
        }
    }
}
