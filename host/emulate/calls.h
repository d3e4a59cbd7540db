/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the runtime, which is C, for programs in C and C++. */
#ifndef PORTABLE_HOST_EMULATE_CALLS_H
#define PORTABLE_HOST_EMULATE_CALLS_H

#if defined(__cplusplus)
extern "C" {
#endif
#include "protocol.h"
#if defined(__cplusplus)
}
#endif

/* Asynchronous copies, in the program, so that the checks see each access. The source is read now;
 * until the copy arrives, all-ones bytes are in its place. */
static inline void portable_copy_value_later_(void *to, const unsigned char value[16], size_t bytes)
{
    __builtin_memset(to, 0xff, bytes);
    portable_emulate_copy_start_(to, value, (unsigned)bytes);
}
static inline void portable_copy_later_(int condition, void *to, const void *from, size_t bytes)
{
    unsigned char value[16] = {0};
    if (condition)
        __builtin_memcpy(value, from, bytes);
    portable_copy_value_later_(to, value, bytes);
}
static inline void portable_copy_wait_(unsigned groups)
{
    struct portable_copy_ copy;
    while (portable_emulate_copy_arrived_(groups, &copy))
        __builtin_memcpy(copy.to, copy.value, copy.bytes);
}

#endif
