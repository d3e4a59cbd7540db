/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics at the wrong scope. */
#include "wrong.h"

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
