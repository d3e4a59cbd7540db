/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes that each CPU target refuses, emulate too, each with one error that names the cure. */
#include "wrong.h"
// again: -DPORTABLE_TARGET_EMULATE=1

// case: block_of_a_variable
// expect: FOR_EACH_BLOCK takes constants; 0 leaves an extent to the launch
// errors: 1
KERNEL(block_of_a_variable)(int n, int *x)
{
    FOR_EACH_BLOCK(WRONG(n) RIGHT(0)) {
        PRIVATE(int, value);
        FOR_EACH_THREAD
            MINE(value) = n;
        SYNC_THREADS();
        FOR_EACH_THREAD
            x[threadIdx.x] = MINE(value);
    }
}

// case: shared_of_a_variable
// expect: SHARED takes constant extents; a launch gives the size of SHARED_DYNAMIC
KERNEL(shared_of_a_variable)(int n, int *x)
{
    FOR_EACH_BLOCK(32) {
        WRONG(SHARED(int, tile, [n][2]);)
        RIGHT(SHARED(int, tile, [32][2]);)
        FOR_EACH_THREAD
            tile[threadIdx.x][1] = n;
        SYNC_THREADS();
        FOR_EACH_THREAD
            x[threadIdx.x] = tile[31 - threadIdx.x][1];
    }
}

#define OF_TYPE(name, wrong, right, call)                                                          \
    KERNEL(name)(int n, void *memory)                                                              \
    {                                                                                              \
        typedef WRONG(wrong) RIGHT(right) number;                                                  \
        number *out = (number *)memory;                                                            \
        GRID_STRIDE_LOOP(i, n)                                                                     \
            call;                                                                                  \
    }

// case: atomic_add_of_long
// expect: ATOMIC_ADD takes a pointer to int, unsigned, unsigned long long, float or double
// errors: 1
OF_TYPE(atomic_add_of_long, long, int, ATOMIC_ADD(&out[i], (number)1))
// case: atomic_add_of_short
// expect: ATOMIC_ADD takes a pointer to int, unsigned, unsigned long long, float or double
// errors: 1
OF_TYPE(atomic_add_of_short, short, int, ATOMIC_ADD(&out[i], (number)1))
// case: atomic_and_of_float
// expect: ATOMIC_AND takes a pointer to int, unsigned or unsigned long long
// errors: 1
OF_TYPE(atomic_and_of_float, float, int, ATOMIC_AND(&out[i], (number)1))
// case: atomic_cas_of_long_long
// expect: ATOMIC_CAS takes a pointer to int, unsigned, unsigned long long, float or double
// errors: 1
OF_TYPE(atomic_cas_of_long_long, long long, unsigned long long,
        ATOMIC_CAS(&out[i], (number)1, (number)2))
// case: atomic_dec_of_float
// expect: ATOMIC_DEC takes a pointer to unsigned or unsigned long long
// errors: 1
OF_TYPE(atomic_dec_of_float, float, unsigned long long, ATOMIC_DEC(&out[i], (number)1))
// case: atomic_inc_of_int
// expect: ATOMIC_INC takes a pointer to unsigned or unsigned long long
// errors: 1
OF_TYPE(atomic_inc_of_int, int, unsigned, ATOMIC_INC(&out[i], (number)1))
// case: atomic_load_of_long_long
// expect: ATOMIC_LOAD takes a pointer to int, unsigned, unsigned long long, float or double
// errors: 1
OF_TYPE(atomic_load_of_long_long, long long, unsigned long long,
        out[i] = ATOMIC_LOAD((const number *)&out[i + n]))
// case: atomic_max_of_char
// expect: ATOMIC_MAX takes a pointer to int, unsigned, unsigned long long, float or double
// errors: 1
OF_TYPE(atomic_max_of_char, char, float, ATOMIC_MAX(&out[i], (number)1))
// case: atomic_store_of_short
// expect: ATOMIC_STORE takes a pointer to int, unsigned, unsigned long long, float or double
// errors: 1
OF_TYPE(atomic_store_of_short, short, int, ATOMIC_STORE(&out[i], (number)1))
// case: atomic_xor_block_of_double
// expect: ATOMIC_XOR_BLOCK takes a pointer to int, unsigned or unsigned long long
// errors: 1
OF_TYPE(atomic_xor_block_of_double, double, unsigned long long,
        ATOMIC_XOR_BLOCK(&out[i], (number)1))

/* In a block of 32 threads. */
#define IN_A_BLOCK(name, ...)                                                                      \
    KERNEL(name)(int *x)                                                                           \
    {                                                                                              \
        FOR_EACH_BLOCK(32) {                                                                       \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

// case: private_with_an_initialiser
// expect: PRIVATE_has_no_initialiser_assign_MINE_at_thread_scope
// errors: 1
IN_A_BLOCK(
    private_with_an_initialiser, PRIVATE(int, value) WRONG(= 0); FOR_EACH_THREAD {
        MINE(value) = 1;
        x[threadIdx.x] = MINE(value);
    })
// case: private_array_with_an_initialiser
// expect-gcc: PRIVATE_has_no_initialiser_assign_MINE_at_thread_scope
// expect-clang: PRIVATE_has_no_initialiser_assign_MINE_at_thread_scope
// errors: 1
IN_A_BLOCK(
    private_array_with_an_initialiser, PRIVATE(int, values, [2]) WRONG(= 5); FOR_EACH_THREAD {
        MINE(values)[1] = 1;
        x[threadIdx.x] = MINE(values)[1];
    })

BLOCK_FUNCTION(int, sum, (32), int n, int *x)
{
    FOR_EACH_THREAD
        x[threadIdx.x] += n;
    return n;
}

// case: block_function_that_calls_itself
// expect: a BLOCK_FUNCTION cannot call itself
// errors: 1
BLOCK_FUNCTION(int, power, (32), int n, int *x)
{
    return n == 0 ? 1 : WRONG(BLOCK_CALL(power, n - 1, x)) RIGHT(BLOCK_CALL(sum, n - 1, x));
}

KERNEL(fill)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 1;
}

// case: launch_without_a_stream
// expect: the stream of a launch is a portable_stream or 0: KERNEL_LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...)
WRONG(portable_status launch_without_a_stream(float *x) {
    return KERNEL_LAUNCH(fill, 1, 64, 64, x, x);
})
// case: launch_without_shared_bytes
// expect: the stream of a launch is a portable_stream or 0: KERNEL_LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...)
WRONG(portable_status launch_without_shared_bytes(float *x) {
    return KERNEL_LAUNCH(fill, 1, 64, 64, x);
})
// case: launch_without_arguments
// expect-gcc: too few arguments to function
// expect-clang: too few arguments to function call, expected 2, have 1
WRONG(portable_status launch_without_arguments(void) {
    return KERNEL_LAUNCH(fill, 1, 64, 0, 0, 64);
})
