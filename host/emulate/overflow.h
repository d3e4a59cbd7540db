/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For fpcheck: a number too large for a half or a bfloat16, whose conversion computes with
 * integers. A double overflows instead; the bytes behind that instruction do nothing, and name the
 * type.
 */
#ifndef PORTABLE_HOST_EMULATE_OVERFLOW_H
#define PORTABLE_HOST_EMULATE_OVERFLOW_H

#define PORTABLE_OVERFLOWS_(name)                                                                  \
    static inline __attribute__((always_inline)) void portable_overflows_##name##_(double x)       \
    {                                                                                              \
        const double largest = 1.7976931348623157e308;                                             \
        __asm__ volatile("mulsd %1, %0\n\t.byte 0x0f, 0x1f, 0x80\n\t.ascii \"" #name "\""          \
                         : "+x"(x)                                                                 \
                         : "x"(largest));                                                          \
    }
PORTABLE_OVERFLOWS_(half)
PORTABLE_OVERFLOWS_(bf16)
#undef PORTABLE_OVERFLOWS_

#endif
