/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics of types that CUDA has none for, and at the wrong scope. */
#include "wrong.h"

#define OF_TYPE(name, wrong, right, call)                                                          \
    KERNEL(name)(int n, void *memory)                                                              \
    {                                                                                              \
        typedef WRONG(wrong) RIGHT(right) number;                                                  \
        number *out = (number *)memory;                                                            \
        GRID_STRIDE_LOOP(i, n)                                                                     \
            call;                                                                                  \
    }

// case: atomic_add_of_long
// expect-gcc: '_Generic' selector of type 'long int'
// expect-clang: type 'number' (aka 'long') not compatible with any generic association
OF_TYPE(atomic_add_of_long, long, int, ATOMIC_ADD(&out[i], (number)1))
// case: atomic_add_of_short
// expect-gcc: '_Generic' selector of type 'short int'
// expect-clang: type 'number' (aka 'short') not compatible with any generic association
OF_TYPE(atomic_add_of_short, short, int, ATOMIC_ADD(&out[i], (number)1))
// case: atomic_and_of_float
// expect-gcc: '_Generic' selector of type 'float'
// expect-clang: type 'number' (aka 'float') not compatible with any generic association
OF_TYPE(atomic_and_of_float, float, int, ATOMIC_AND(&out[i], (number)1))
// case: atomic_cas_of_long_long
// expect-gcc: '_Generic' selector of type 'long long int'
// expect-clang: type 'number' (aka 'long long') not compatible with any generic association
OF_TYPE(atomic_cas_of_long_long, long long, unsigned long long,
        ATOMIC_CAS(&out[i], (number)1, (number)2))
// case: atomic_dec_of_float
// expect-gcc: '_Generic' selector of type 'float'
// expect-clang: type 'number' (aka 'float') not compatible with any generic association
OF_TYPE(atomic_dec_of_float, float, unsigned long long, ATOMIC_DEC(&out[i], (number)1))
// case: atomic_inc_of_int
// expect-gcc: '_Generic' selector of type 'int'
// expect-clang: type 'number' (aka 'int') not compatible with any generic association
OF_TYPE(atomic_inc_of_int, int, unsigned, ATOMIC_INC(&out[i], (number)1))
// case: atomic_load_of_long_long
// expect-gcc: '_Generic' selector of type 'long long int'
// expect-clang: type 'number' (aka 'long long') not compatible with any generic association
OF_TYPE(atomic_load_of_long_long, long long, unsigned long long,
        out[i] = ATOMIC_LOAD((const number *)&out[i + n]))
// case: atomic_max_of_char
// expect-gcc: '_Generic' selector of type 'char'
// expect-clang: type 'number' (aka 'char') not compatible with any generic association
OF_TYPE(atomic_max_of_char, char, float, ATOMIC_MAX(&out[i], (number)1))
// case: atomic_store_of_short
// expect-gcc: '_Generic' selector of type 'short int'
// expect-clang: type 'number' (aka 'short') not compatible with any generic association
OF_TYPE(atomic_store_of_short, short, int, ATOMIC_STORE(&out[i], (number)1))
// case: atomic_xor_block_of_double
// expect-gcc: '_Generic' selector of type 'double'
// expect-clang: type 'number' (aka 'double') not compatible with any generic association
OF_TYPE(atomic_xor_block_of_double, double, unsigned long long,
        ATOMIC_XOR_BLOCK(&out[i], (number)1))

#define AT_BLOCK_SCOPE(name, call)                                                                 \
    KERNEL(name)(unsigned *out)                                                                    \
    {                                                                                              \
        FOR_EACH_BLOCK(32) {                                                                       \
            RIGHT(FOR_THREADS_BELOW(1))                                                            \
            call;                                                                                  \
        }                                                                                          \
    }

// case: atomic_add_at_block_scope
// expect: ATOMIC_ADD at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(atomic_add_at_block_scope, ATOMIC_ADD(out, 1u))
// case: atomic_cas_at_block_scope
// expect: ATOMIC_CAS at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(atomic_cas_at_block_scope, ATOMIC_CAS(out, 0u, 1u))
// case: atomic_inc_at_block_scope
// expect: ATOMIC_INC at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(atomic_inc_at_block_scope, ATOMIC_INC(out, 9u))
// case: atomic_load_at_block_scope
// expect: ATOMIC_LOAD at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(atomic_load_at_block_scope, out[0] = ATOMIC_LOAD((const unsigned *)&out[1]))
// case: atomic_min_block_at_block_scope
// expect: ATOMIC_MIN_BLOCK at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(atomic_min_block_at_block_scope, ATOMIC_MIN_BLOCK(out, 1u))
// case: atomic_or_at_block_scope
// expect: ATOMIC_OR at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(atomic_or_at_block_scope, ATOMIC_OR(out, 1u))
// case: atomic_store_at_block_scope
// expect: ATOMIC_STORE at block scope would run once per block on the CPU
AT_BLOCK_SCOPE(atomic_store_at_block_scope, ATOMIC_STORE(out, 1u))

// case: atomic_add_at_warp_scope
// expect: ATOMIC_ADD at warp scope would run once per warp on the CPU and once per thread on the GPU
KERNEL(atomic_add_at_warp_scope)(int *out)
{
    FOR_EACH_BLOCK(32) {
        WRONG(FOR_EACH_WARP)
        RIGHT(FOR_EACH_THREAD)
        ATOMIC_ADD(out, 1);
    }
}
