/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of block functions, and what their bodies may not contain. */
#include "wrong.h"

BLOCK_FUNCTION(void, clear, (64), float *x)
{
    FOR_EACH_THREAD
        x[threadIdx.x] = 0;
}

#define CALL(name, ...)                                                                            \
    KERNEL(name)(float *x)                                                                         \
    {                                                                                              \
        WRONG(__VA_ARGS__)                                                                         \
        RIGHT(FOR_EACH_BLOCK(64) BLOCK_CALL(clear, x);)                                            \
    }

// case: block_call_at_kernel_scope
// expect: BLOCK_CALL belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
CALL(block_call_at_kernel_scope, BLOCK_CALL(clear, x);)
// case: block_call_at_thread_scope
// expect: BLOCK_CALL belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
// errors: 1
CALL(block_call_at_thread_scope, FOR_EACH_BLOCK(64) FOR_EACH_THREAD BLOCK_CALL(clear, x);)
// case: block_call_at_warp_scope
// expect: BLOCK_CALL belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
// errors: 1
CALL(block_call_at_warp_scope, FOR_EACH_BLOCK(64) FOR_EACH_WARP BLOCK_CALL(clear, x);)
// case: block_call_in_a_grid_stride_loop
// expect: BLOCK_CALL belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
CALL(block_call_in_a_grid_stride_loop, GRID_STRIDE_LOOP(i, 64) BLOCK_CALL(clear, x + i);)
// case: block_call_in_another_shape
// expect: BLOCK_CALL of clear: FOR_EACH_BLOCK must fix the extents that it fixes
// errors: 1
CALL(block_call_in_another_shape, FOR_EACH_BLOCK(64, 2) BLOCK_CALL(clear, x);)
// case: block_call_in_any_shape
// expect: BLOCK_CALL of clear: FOR_EACH_BLOCK must fix the extents that it fixes
// errors: 1
CALL(block_call_in_any_shape, FOR_EACH_BLOCK(0) BLOCK_CALL(clear, x);)

// case: block_call_in_a_device_function
// expect: BLOCK_CALL belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
WRONG(DEVICE void caller(float *x))
RIGHT(BLOCK_FUNCTION(void, caller, (64), float *x))
{
    BLOCK_CALL(clear, x);
}

// case: for_each_block_in_a_block_function
// expect: FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and GRID_STRIDE_LOOP
// errors: 1
BLOCK_FUNCTION(void, for_each_block_in_a_block_function, (64), float *x)
{
    WRONG(FOR_EACH_BLOCK(64))
    {
        FOR_EACH_THREAD
            x[threadIdx.x] = 0;
    }
}

// case: thread_idx_in_a_block_function
// expect: threadIdx_exists_only_inside_FOR_EACH_THREAD
BLOCK_FUNCTION(void, thread_idx_in_a_block_function, (64), float *x)
{
    RIGHT(FOR_EACH_THREAD)
    x[threadIdx.x] = 0;
}

// case: private_parameter_written
// expect: read-only
BLOCK_FUNCTION(void, private_parameter_written, (64), PRIVATE_PARAMETER(float, x),
               PRIVATE_PARAMETER(float, half_x, [1]))
{
    FOR_EACH_THREAD {
        WRONG(MINE(x) = MINE(x) / 2;)
        RIGHT(MINE(half_x)[0] = MINE(x) / 2;)
    }
}
