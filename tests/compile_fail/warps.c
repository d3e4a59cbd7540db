/* SPDX-License-Identifier: BSD-3-Clause */
/* Warp operations and collectives at the wrong scope and of the wrong types. */
#include "wrong.h"

#define AT_THREAD_SCOPE(name, type, call)                                                          \
    KERNEL(name)(unsigned *out)                                                                    \
    {                                                                                              \
        FOR_EACH_BLOCK(32) {                                                                       \
            PRIVATE(unsigned, value);                                                              \
            PRIVATE(type, result);                                                                 \
            FOR_EACH_THREAD {                                                                      \
                MINE(value) = threadIdx.x;                                                         \
                WRONG(call;)                                                                       \
            }                                                                                      \
            RIGHT(call;)                                                                           \
            FOR_EACH_THREAD                                                                        \
                out[threadIdx.x] = (unsigned)MINE(result);                                         \
        }                                                                                          \
    }

// case: all_at_thread_scope
// expect: ALL belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(all_at_thread_scope, int, ALL(result, MINE(value) > 3))
// case: any_at_thread_scope
// expect: ANY belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(any_at_thread_scope, int, ANY(result, MINE(value) > 3))
// case: ballot_at_thread_scope
// expect: BALLOT belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(ballot_at_thread_scope, unsigned, BALLOT(result, MINE(value) > 3))
// case: block_reduce_at_thread_scope
// expect: BLOCK_REDUCE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(block_reduce_at_thread_scope, unsigned, BLOCK_REDUCE_MAX(result, value))
// case: block_scan_at_thread_scope
// expect: BLOCK_SCAN belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(block_scan_at_thread_scope, unsigned, BLOCK_SCAN_ADD_INCLUSIVE(result, value))
// case: shuffle_at_thread_scope
// expect: SHUFFLE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(shuffle_at_thread_scope, unsigned, SHUFFLE(result, value, 0))
// case: shuffle_down_at_thread_scope
// expect: SHUFFLE_DOWN belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(shuffle_down_at_thread_scope, unsigned, SHUFFLE_DOWN(result, value, 1))
// case: shuffle_up_at_thread_scope
// expect: SHUFFLE_UP belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(shuffle_up_at_thread_scope, unsigned, SHUFFLE_UP(result, value, 1))
// case: shuffle_xor_at_thread_scope
// expect: SHUFFLE_XOR belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(shuffle_xor_at_thread_scope, unsigned, SHUFFLE_XOR(result, value, 1))
// case: warp_reduce_at_thread_scope
// expect: WARP_REDUCE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_THREAD_SCOPE(warp_reduce_at_thread_scope, unsigned, WARP_REDUCE_ADD(result, value))

#define AT_KERNEL_SCOPE(name, call)                                                                \
    KERNEL(name)(unsigned *out)                                                                    \
    {                                                                                              \
        unsigned value[32] = {1}, result[32] = {2};                                                \
        WRONG(call;)                                                                               \
        RIGHT(result[0] = value[0];)                                                               \
        out[0] = result[0];                                                                        \
    }

// case: block_reduce_at_kernel_scope
// expect: BLOCK_REDUCE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_KERNEL_SCOPE(block_reduce_at_kernel_scope, BLOCK_REDUCE_ADD(result, value))
// case: shuffle_at_kernel_scope
// expect: SHUFFLE belongs at block scope: inside FOR_EACH_BLOCK, outside FOR_EACH_THREAD
AT_KERNEL_SCOPE(shuffle_at_kernel_scope, SHUFFLE(result, value, 0))

/* The types of value and result that are wrong, then those that are right. */
#define OF_TYPES(name, value_wrong, result_wrong, value_right, result_right, call)                 \
    KERNEL(name)(unsigned *out)                                                                    \
    {                                                                                              \
        FOR_EACH_BLOCK(32) {                                                                       \
            PRIVATE(WRONG(value_wrong) RIGHT(value_right), value);                                 \
            PRIVATE(WRONG(result_wrong) RIGHT(result_right), result);                              \
            FOR_EACH_THREAD                                                                        \
                MINE(value) = 1;                                                                   \
            call;                                                                                  \
            FOR_EACH_THREAD                                                                        \
                out[threadIdx.x] = (unsigned)MINE(result);                                         \
        }                                                                                          \
    }

// case: any_into_unsigned
// expect: ANY: the destination must be a PRIVATE of type int
OF_TYPES(any_into_unsigned, int, unsigned, int, int, ANY(result, MINE(value) > 0))
// case: ballot_into_int
// expect: BALLOT: the destination must be a PRIVATE of type unsigned
OF_TYPES(ballot_into_int, int, int, int, unsigned, BALLOT(result, MINE(value) > 0))
// case: block_reduce_of_char
// expect: BLOCK_REDUCE takes a PRIVATE of int, unsigned, long long, unsigned long long, float or double
// errors: 1
OF_TYPES(block_reduce_of_char, char, char, int, int, BLOCK_REDUCE_ADD(result, value))
// case: block_reduce_of_two_types
// expect: BLOCK_REDUCE: source and destination must be PRIVATE and of one type
OF_TYPES(block_reduce_of_two_types, int, unsigned, int, int, BLOCK_REDUCE_MIN(result, value))
// case: block_scan_of_two_types
// expect: BLOCK_SCAN: source and destination must be PRIVATE and of one type
OF_TYPES(block_scan_of_two_types, int, long long, long long, long long,
         BLOCK_SCAN_ADD_EXCLUSIVE(result, value))
// case: shuffle_of_long_double
// expect: SHUFFLE takes a PRIVATE of an integer type of up to 64 bits, float or double
// errors: 1
OF_TYPES(shuffle_of_long_double, long double, long double, int, int, SHUFFLE(result, value, 0))
// case: shuffle_of_two_types
// expect: SHUFFLE: source and destination must be PRIVATE and of one type
OF_TYPES(shuffle_of_two_types, float, double, float, float, SHUFFLE(result, value, 0))
