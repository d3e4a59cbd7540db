/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that are called like functions. The compilers find it when they generate code. */
#include "wrong.h"
// flags: -S
// again: -S -DPORTABLE_TARGET_EMULATE=1

KERNEL(fill)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 1;
}
KERNEL(declared)(int n, float *x);
KERNEL_LAUNCH_BOUNDS(bounded, 64, 1)(float *x)
{
    FOR_EACH_BLOCK(64) {
        FOR_EACH_THREAD
            x[threadIdx.x] = 1;
    }
}
KERNEL(without_parameters)(void)
{
    FOR_EACH_BLOCK(1) {
    }
}

#define STARTED(...) ((void)(KERNEL_LAUNCH(__VA_ARGS__)))

// case: kernel_called_like_a_function
// expect: a kernel is started by KERNEL_LAUNCH(fill, grid, block, shared_bytes, stream, arguments...)
// errors: 1
void kernel_called_like_a_function(float *x)
{
    WRONG(fill(64, x));
    RIGHT(STARTED(fill, 1, 64, 0, 0, 64, x));
}
// case: declared_kernel_called_like_a_function
// expect: a kernel is started by KERNEL_LAUNCH(declared, grid, block, shared_bytes, stream, arguments...)
// errors: 1
void declared_kernel_called_like_a_function(float *x)
{
    WRONG(declared(64, x));
    RIGHT(STARTED(declared, 1, 64, 0, 0, 64, x));
}
// case: bounded_kernel_called_like_a_function
// expect: a kernel is started by KERNEL_LAUNCH(bounded, grid, block, shared_bytes, stream, arguments...)
// errors: 1
void bounded_kernel_called_like_a_function(float *x)
{
    WRONG(bounded(x));
    RIGHT(STARTED(bounded, 1, 64, 0, 0, x));
}
// case: kernel_without_parameters_called_like_a_function
// expect: a kernel is started by KERNEL_LAUNCH(without_parameters, grid, block, shared_bytes, stream, arguments...)
// errors: 1
void kernel_without_parameters_called_like_a_function(void)
{
    WRONG(without_parameters());
    RIGHT(STARTED(without_parameters, 1, 1, 0, 0));
}
// case: kernel_called_by_a_kernel
// expect: a kernel is started by KERNEL_LAUNCH(fill, grid, block, shared_bytes, stream, arguments...)
// errors: 1
KERNEL(kernel_called_by_a_kernel)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 2;
    WRONG(fill(n, x);)
}
