/* SPDX-License-Identifier: BSD-3-Clause */
/* SHARED, PRIVATE, MINE, fragments and COPY_ASYNC: wrong scopes and sizes. */
#include "wrong.h"

/* In a kernel with its mistake at kernel scope or at thread scope. */
#define DECLARED(name, at_kernel_scope, at_thread_scope, declaration, element)                     \
    KERNEL(name)(unsigned *out)                                                                    \
    {                                                                                              \
        WRONG(at_kernel_scope)                                                                     \
        FOR_EACH_BLOCK(32) {                                                                       \
            RIGHT(declaration)                                                                     \
            FOR_EACH_THREAD {                                                                      \
                WRONG(at_thread_scope)                                                             \
                element = 1;                                                                       \
                out[threadIdx.x] = element;                                                        \
            }                                                                                      \
        }                                                                                          \
    }
#define AT_KERNEL_SCOPE(name, declaration, element)                                                \
    DECLARED(name, declaration, , declaration, element)
#define AT_THREAD_SCOPE(name, declaration, element)                                                \
    DECLARED(name, , declaration, declaration, element)

// case: private_at_kernel_scope
// expect: PRIVATE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_KERNEL_SCOPE(private_at_kernel_scope, PRIVATE(unsigned, value);, MINE(value))
// case: private_at_thread_scope
// expect: PRIVATE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(private_at_thread_scope, PRIVATE(unsigned, value);, MINE(value))
// case: shared_at_kernel_scope
// expect: SHARED belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_KERNEL_SCOPE(shared_at_kernel_scope, SHARED(unsigned, tile, [32]);, tile[threadIdx.x])
// case: shared_at_thread_scope
// expect: SHARED belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(shared_at_thread_scope, SHARED(unsigned, tile, [32]);, tile[threadIdx.x])
// case: shared_dynamic_at_kernel_scope
// expect: SHARED_DYNAMIC belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_KERNEL_SCOPE(shared_dynamic_at_kernel_scope, SHARED_DYNAMIC(unsigned, tile);, tile[threadIdx.x])

// case: shared_over_48_kib
// expect: SHARED exceeds 48 KiB per block; use SHARED_DYNAMIC
KERNEL(shared_over_48_kib)(double *out)
{
    FOR_EACH_BLOCK(32) {
        SHARED(double, tile, [WRONG(6145) RIGHT(6144)]);
        FOR_EACH_THREAD {
            tile[threadIdx.x] = 1;
            out[threadIdx.x] = tile[threadIdx.x];
        }
    }
}

// case: private_over_1_mib
// expect: PRIVATE: over 1 MiB for the block
KERNEL(private_over_1_mib)(double *x)
{
    FOR_EACH_BLOCK(WRONG(0) RIGHT(32)) {
        PRIVATE(double, values, [129]);
        FOR_EACH_THREAD {
            MINE(values)[128] = 1;
            x[threadIdx.x] = MINE(values)[128];
        }
    }
}

// case: mine_at_block_scope
// expect: MINE belongs at thread scope: inside FOR_EACH_THREAD
KERNEL(mine_at_block_scope)(unsigned *out)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(unsigned, value);
        RIGHT(FOR_EACH_THREAD)
        MINE(value) = 1;
        FOR_EACH_THREAD
            out[threadIdx.x] = MINE(value);
    }
}

// case: mine_at_kernel_scope
// expect: MINE belongs at thread scope: inside FOR_EACH_THREAD
KERNEL(mine_at_kernel_scope)(unsigned *out)
{
    unsigned value[32] = {1};
    out[0] = WRONG(MINE(value)) RIGHT(value[0]);
}

// case: mine_at_warp_scope
// expect: MINE belongs at thread scope: inside FOR_EACH_THREAD
KERNEL(mine_at_warp_scope)(int *out)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(int, value);
        FOR_EACH_THREAD
            MINE(value) = 1;
        WRONG(FOR_EACH_WARP)
        RIGHT(FOR_EACH_THREAD)
        out[0] = MINE(value);
    }
}

// case: fragment_at_thread_scope
// expect: FRAGMENT_C belongs at block scope or at warp scope
KERNEL(fragment_at_thread_scope)(float *to)
{
    FOR_EACH_BLOCK(32) {
        RIGHT(FRAGMENT_C(c);)
        WRONG(FOR_EACH_THREAD {
            FRAGMENT_C(c);
            to[0] = c[0].value[0][0];
        })
        FOR_EACH_WARP
        {
            FRAGMENT_FILL(c, 0.0f);
            FRAGMENT_STORE(to, c, 16);
        }
    }
}

// case: fragment_load_at_block_scope
// expect: FRAGMENT_LOAD belongs at warp scope: inside FOR_EACH_WARP
KERNEL(fragment_load_at_block_scope)(const half *from, float *to)
{
    FOR_EACH_BLOCK(32) {
        FRAGMENT_A(a);
        FRAGMENT_C(c);
        RIGHT(FOR_EACH_WARP)
        FRAGMENT_LOAD(a, from, 16);
        FOR_EACH_WARP
        FRAGMENT_STORE(to, c, 16);
    }
}

// case: fragments_over_1_mib
// expect: FRAGMENT_C: over 1 MiB for the block
KERNEL(fragments_over_1_mib)(float *to)
{
    FOR_EACH_BLOCK(0) {
        FRAGMENT_C(c, [WRONG(33) RIGHT(32)]);
        FOR_EACH_WARP
        {
            FRAGMENT_FILL(c[1], 0.0f);
            FRAGMENT_STORE(to, c[1], 16);
        }
    }
}

// case: private_without_mine
// expect: PRIVATE_value_is_used_as_MINE_value
// errors: 1
KERNEL(private_without_mine)(float *x)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(float, value);
        FOR_EACH_THREAD
            MINE(value) = 1;
        FOR_EACH_THREAD
            x[threadIdx.x] = WRONG(value) RIGHT(MINE(value));
    }
}
// case: private_assigned_without_mine
// expect-gcc: assignment to expression with array type
// expect-clang: PRIVATE_value_is_used_as_MINE_value
// errors: 1
KERNEL(private_assigned_without_mine)(float *x)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(float, value);
        FOR_EACH_THREAD
            WRONG(value) RIGHT(MINE(value)) = 1;
        FOR_EACH_THREAD
            x[threadIdx.x] = MINE(value);
    }
}
// case: private_array_of_a_variable
// expect: PRIVATE takes constant extents
// errors: 1
KERNEL(private_array_of_a_variable)(int n, float *x)
{
    FOR_EACH_BLOCK(32) {
        PRIVATE(float, values, [WRONG(n) RIGHT(4)]);
        FOR_EACH_THREAD
            x[threadIdx.x] = MINE(values)[0] = (float)n;
    }
}

#define COPY(name, copy, wait)                                                                     \
    KERNEL(name)(const float *x, float *y)                                                         \
    {                                                                                              \
        FOR_EACH_BLOCK(32) {                                                                       \
            ALIGNED(16) SHARED(float, tile, [128]);                                                \
            copy;                                                                                  \
            COPY_COMMIT();                                                                         \
            wait;                                                                                  \
            FOR_EACH_THREAD                                                                        \
                y[threadIdx.x] = tile[threadIdx.x];                                                \
        }                                                                                          \
    }
#define COPY_EACH                                                                                  \
    FOR_EACH_THREAD                                                                                \
    COPY_ASYNC(&tile[threadIdx.x], &x[threadIdx.x], 4)

// case: copy_async_at_block_scope
// expect: COPY_ASYNC at block scope would run once per block on the CPU
COPY(copy_async_at_block_scope, WRONG(COPY_ASYNC(&tile[0], &x[0], 4)) RIGHT(COPY_EACH),
     COPY_WAIT(0))
// case: copy_async_at_warp_scope
// expect: COPY_ASYNC at warp scope would run once per warp on the CPU
COPY(copy_async_at_warp_scope,
     WRONG(FOR_EACH_WARP) RIGHT(FOR_EACH_THREAD) COPY_ASYNC_IF(x[0] > 0, &tile[0], &x[0], 4),
     COPY_WAIT(0))
// case: copy_async_of_12_bytes
// expect: COPY_ASYNC copies 4, 8 or 16 bytes, a constant
COPY(copy_async_of_12_bytes,
     FOR_EACH_THREAD COPY_ASYNC(&tile[4 * threadIdx.x], &x[4 * threadIdx.x], WRONG(12) RIGHT(8)),
     COPY_WAIT(0))
// case: copy_commit_at_thread_scope
// expect: COPY_COMMIT belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
COPY(copy_commit_at_thread_scope, COPY_EACH; WRONG(FOR_EACH_THREAD COPY_COMMIT()), COPY_WAIT(0))
// case: copy_wait_at_thread_scope
// expect: COPY_WAIT belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
COPY(copy_wait_at_thread_scope, COPY_EACH, WRONG(FOR_EACH_THREAD) COPY_WAIT(0))
// case: copy_wait_of_9_groups
// expect: COPY_WAIT takes 0 to 8 groups, a constant
COPY(copy_wait_of_9_groups, COPY_EACH, COPY_WAIT(WRONG(9) RIGHT(8)))
