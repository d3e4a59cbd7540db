/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the scheduler, and the libc functions that a check wraps, in a test that includes the
 * check's source: the test updates `emulate` itself. */
#include <stdio.h>  /* snprintf */
#include <string.h> /* memmove, memset */

struct emulate_state emulate;
struct emulate_uses emulate_uses;
__thread int emulate_running;

char *emulate_where(char *text, size_t size, unsigned long long block_id, unsigned thread)
{
    snprintf(text, size, "block (%llu, 0, 0), thread (%u, 0, 0)", block_id, thread);
    return text;
}

void *__real_memcpy(void *to, const void *from, size_t bytes)
{
    return memmove(to, from, bytes);
}

void *__real_memmove(void *to, const void *from, size_t bytes)
{
    return memmove(to, from, bytes);
}

void *__real_memset(void *to, int byte, size_t bytes)
{
    return memset(to, byte, bytes);
}
