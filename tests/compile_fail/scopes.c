/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops, indices and barriers at the wrong scope. */
#include "wrong.h"

#define AT_KERNEL_SCOPE(name, code)                                                                \
    KERNEL(name)(int n, unsigned *out)                                                             \
    {                                                                                              \
        (void)n;                                                                                   \
        RIGHT(FOR_EACH_BLOCK(32))                                                                  \
        {                                                                                          \
            code;                                                                                  \
        }                                                                                          \
    }

// case: for_each_thread_at_kernel_scope
// expect: FOR_EACH_THREAD belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
// errors: 1
AT_KERNEL_SCOPE(for_each_thread_at_kernel_scope, FOR_EACH_THREAD out[0] = 1)
// case: for_each_element_at_kernel_scope
// expect: FOR_EACH_ELEMENT belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
// errors: 1
AT_KERNEL_SCOPE(for_each_element_at_kernel_scope, FOR_EACH_ELEMENT(i, n) out[i] = 1)
// case: for_threads_below_at_kernel_scope
// expect: FOR_THREADS_BELOW belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
// errors: 1
AT_KERNEL_SCOPE(for_threads_below_at_kernel_scope, FOR_THREADS_BELOW(1) out[0] = 1)
// case: block_dim_at_kernel_scope
// expect: blockDim_exists_only_inside_FOR_EACH_BLOCK
AT_KERNEL_SCOPE(block_dim_at_kernel_scope, RIGHT(FOR_EACH_THREAD) out[0] = blockDim.x)
// case: block_idx_at_kernel_scope
// expect: blockIdx_exists_only_inside_FOR_EACH_BLOCK
AT_KERNEL_SCOPE(block_idx_at_kernel_scope, RIGHT(FOR_EACH_THREAD) out[0] = blockIdx.x)
// case: grid_dim_at_kernel_scope
// expect: gridDim_exists_only_inside_FOR_EACH_BLOCK
AT_KERNEL_SCOPE(grid_dim_at_kernel_scope, RIGHT(FOR_EACH_THREAD) out[0] = gridDim.x)
// case: thread_idx_at_kernel_scope
// expect: threadIdx_exists_only_inside_FOR_EACH_THREAD
AT_KERNEL_SCOPE(thread_idx_at_kernel_scope, RIGHT(FOR_EACH_THREAD) out[0] = threadIdx.x)
// case: sync_threads_at_kernel_scope
// expect: SYNC_THREADS belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_KERNEL_SCOPE(sync_threads_at_kernel_scope, (void)out; SYNC_THREADS())
// case: sync_warp_at_kernel_scope
// expect: SYNC_WARP belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_KERNEL_SCOPE(sync_warp_at_kernel_scope, (void)out; SYNC_WARP())

#define AT_BLOCK_SCOPE(name, code)                                                                 \
    KERNEL(name)(int n, unsigned *out)                                                             \
    {                                                                                              \
        (void)n;                                                                                   \
        FOR_EACH_BLOCK(32) {                                                                       \
            RIGHT(FOR_EACH_THREAD)                                                                 \
            {                                                                                      \
                code;                                                                              \
            }                                                                                      \
        }                                                                                          \
    }

// case: thread_idx_at_block_scope
// expect: threadIdx_exists_only_inside_FOR_EACH_THREAD
AT_BLOCK_SCOPE(thread_idx_at_block_scope, out[0] = threadIdx.x)
// case: element_offset_at_block_scope
// expect: ELEMENT_OFFSET at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(element_offset_at_block_scope, out[ELEMENT_OFFSET()] = 0)
// case: element_stride_at_block_scope
// expect: ELEMENT_STRIDE at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(element_stride_at_block_scope, out[ELEMENT_STRIDE()] = 0)
// case: grid_stride_loop_at_block_scope
// expect: GRID_STRIDE_LOOP at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(grid_stride_loop_at_block_scope, GRID_STRIDE_LOOP(i, n) out[i] = 1)
// case: grid_stride_loop_2d_at_block_scope
// expect: GRID_STRIDE_LOOP_2D at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(grid_stride_loop_2d_at_block_scope, GRID_STRIDE_LOOP_2D(x, y, n, n) out[x + y] = 1)
// case: grid_stride_loop_3d_at_block_scope
// expect: GRID_STRIDE_LOOP_3D at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(grid_stride_loop_3d_at_block_scope,
               GRID_STRIDE_LOOP_3D(x, y, z, n, n, n) out[x + y + z] = 1)
// case: for_each_block_at_block_scope
// expect: FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and GRID_STRIDE_LOOP
AT_BLOCK_SCOPE(for_each_block_at_block_scope,
               WRONG(FOR_EACH_BLOCK(32) FOR_EACH_THREAD) out[threadIdx.x] = 1)

#define AT_THREAD_SCOPE(name, wrong, right)                                                        \
    KERNEL(name)(int n, unsigned *out)                                                             \
    {                                                                                              \
        (void)n;                                                                                   \
        FOR_EACH_BLOCK(32) {                                                                       \
            FOR_EACH_THREAD {                                                                      \
                out[threadIdx.x] = blockIdx.x;                                                     \
                WRONG(wrong;)                                                                      \
            }                                                                                      \
            RIGHT(right;)                                                                          \
        }                                                                                          \
    }

// case: for_each_block_at_thread_scope
// expect: FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and GRID_STRIDE_LOOP
AT_THREAD_SCOPE(for_each_block_at_thread_scope, FOR_EACH_BLOCK(32) out[threadIdx.x] = blockIdx.x,
                FOR_EACH_THREAD out[threadIdx.x] = blockIdx.x)
// case: for_each_thread_at_thread_scope
// expect: FOR_EACH_THREAD belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(for_each_thread_at_thread_scope, FOR_EACH_THREAD out[threadIdx.x] = 2,
                FOR_EACH_THREAD out[threadIdx.x] = 2)
// case: for_each_element_at_thread_scope
// expect: FOR_EACH_ELEMENT belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(for_each_element_at_thread_scope, FOR_EACH_ELEMENT(i, n) out[i] = 1,
                FOR_EACH_ELEMENT(i, n) out[i] = 1)
// case: for_each_warp_at_thread_scope
// expect: FOR_EACH_WARP belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(for_each_warp_at_thread_scope, FOR_EACH_WARP out[WARP_INDEX()] = 1,
                FOR_EACH_WARP out[WARP_INDEX()] = 1)
// case: for_threads_below_at_thread_scope
// expect: FOR_THREADS_BELOW belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(for_threads_below_at_thread_scope, FOR_THREADS_BELOW(1) out[0] = 2,
                FOR_THREADS_BELOW(1) out[0] = 2)
// case: warp_index_at_thread_scope
// expect: WARP_INDEX belongs at warp scope: inside FOR_EACH_WARP
AT_THREAD_SCOPE(warp_index_at_thread_scope, out[0] = WARP_INDEX(),
                FOR_EACH_WARP out[0] = WARP_INDEX())
// case: sync_threads_at_thread_scope
// expect: SYNC_THREADS belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(sync_threads_at_thread_scope, SYNC_THREADS(), SYNC_THREADS())
// case: sync_warp_at_thread_scope
// expect: SYNC_WARP belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(sync_warp_at_thread_scope, SYNC_WARP(), SYNC_WARP())

#define IN_A_GRID_STRIDE_LOOP(name, code, after)                                                   \
    KERNEL(name)(int n, unsigned *out)                                                             \
    {                                                                                              \
        GRID_STRIDE_LOOP(i, n) {                                                                   \
            out[i] = 1;                                                                            \
            WRONG(code;)                                                                           \
        }                                                                                          \
        RIGHT(after;)                                                                              \
    }

// case: for_each_block_in_a_grid_stride_loop
// expect: FOR_EACH_BLOCK belongs at kernel scope: outside every other scope and GRID_STRIDE_LOOP
IN_A_GRID_STRIDE_LOOP(for_each_block_in_a_grid_stride_loop,
                      FOR_EACH_BLOCK(32) FOR_EACH_THREAD out[i] = threadIdx.x,
                      FOR_EACH_BLOCK(32) FOR_EACH_THREAD out[0] = threadIdx.x)
// case: sync_threads_in_a_grid_stride_loop
// expect: SYNC_THREADS belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
IN_A_GRID_STRIDE_LOOP(sync_threads_in_a_grid_stride_loop, SYNC_THREADS(),
                      FOR_EACH_BLOCK(32) SYNC_THREADS())
// case: sync_grid_in_a_grid_stride_loop
// expect: SYNC_GRID belongs at kernel scope: between two FOR_EACH_BLOCK loops
IN_A_GRID_STRIDE_LOOP(sync_grid_in_a_grid_stride_loop, SYNC_GRID(), SYNC_GRID())
// case: thread_idx_in_a_grid_stride_loop
// expect: threadIdx_exists_only_inside_FOR_EACH_THREAD
IN_A_GRID_STRIDE_LOOP(thread_idx_in_a_grid_stride_loop, out[i] = threadIdx.x,
                      FOR_EACH_BLOCK(32) FOR_EACH_THREAD out[0] = threadIdx.x)

#define SYNC_GRID_AT(name, at_block_scope, at_thread_scope)                                        \
    KERNEL(name)(unsigned *out)                                                                    \
    {                                                                                              \
        FOR_EACH_BLOCK(32) {                                                                       \
            FOR_EACH_THREAD {                                                                      \
                out[threadIdx.x] = 1;                                                              \
                WRONG(at_thread_scope;)                                                            \
            }                                                                                      \
            WRONG(at_block_scope;)                                                                 \
        }                                                                                          \
        RIGHT(SYNC_GRID();)                                                                        \
        FOR_EACH_BLOCK(32) {                                                                       \
            FOR_EACH_THREAD                                                                        \
                out[threadIdx.x] = 2;                                                              \
        }                                                                                          \
    }

// case: sync_grid_at_block_scope
// expect: SYNC_GRID belongs at kernel scope: between two FOR_EACH_BLOCK loops
SYNC_GRID_AT(sync_grid_at_block_scope, SYNC_GRID(), )
// case: sync_grid_at_thread_scope
// expect: SYNC_GRID belongs at kernel scope: between two FOR_EACH_BLOCK loops
SYNC_GRID_AT(sync_grid_at_thread_scope, , SYNC_GRID())

// case: grid_stride_loops_nested_at_kernel_scope
// expect: GRID_STRIDE_LOOP inside another grid-stride loop: use the 2D or 3D form
KERNEL(grid_stride_loops_nested_at_kernel_scope)(int n, unsigned *out)
{
    WRONG(GRID_STRIDE_LOOP(y, n) GRID_STRIDE_LOOP(x, n))
    RIGHT(GRID_STRIDE_LOOP_2D(x, y, n, n))
    out[y * n + x] = 1;
}

// case: grid_stride_loops_nested_at_thread_scope
// expect: GRID_STRIDE_LOOP_2D inside another grid-stride loop: use the 2D or 3D form
KERNEL(grid_stride_loops_nested_at_thread_scope)(int n, unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD {
            WRONG(GRID_STRIDE_LOOP(z, n) GRID_STRIDE_LOOP_2D(x, y, n, n))
            RIGHT(GRID_STRIDE_LOOP_3D(x, y, z, n, n, n))
            out[(z * n + y) * n + x] = 1;
        }
    }
}

// case: for_each_block_with_a_semicolon
// expect: FOR_EACH_THREAD belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD (a ; right after either ends it)
// errors: 1
KERNEL(for_each_block_with_a_semicolon)(unsigned *out)
{
    FOR_EACH_BLOCK(32)
        WRONG(;)
        {
            FOR_EACH_THREAD
                out[threadIdx.x] = 1;
        }
}
// case: for_each_thread_with_a_semicolon
// expect: threadIdx_exists_only_inside_FOR_EACH_THREAD
// errors: 1
KERNEL(for_each_thread_with_a_semicolon)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD
            WRONG(;)
            {
                out[threadIdx.x] = 1;
            }
    }
}
// case: for_each_thread_with_parentheses
// expect-gcc: expected expression before ')' token
// expect-clang: expected expression
// errors: 1
KERNEL(for_each_thread_with_parentheses)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        FOR_EACH_THREAD
            WRONG(())
            {
                out[threadIdx.x] = 1;
            }
    }
}
// case: thread_idx_in_a_device_function
// expect: threadIdx_exists_only_inside_FOR_EACH_THREAD_pass_it_to_functions
// errors: 1
DEVICE unsigned thread_after(unsigned thread)
{
    return thread + WRONG(threadIdx.x) RIGHT(1);
}
unsigned after_thread(unsigned thread)
{
    return thread_after(thread);
}
