/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the scheduler, and the libc functions that a check wraps, in a test that includes the
 * check's source: the test updates `emulate` itself. */
#include <stdio.h>  /* snprintf */
#include <string.h> /* memmove, memset */
#include <unistd.h> /* readlink */

struct emulate_state emulate;
__thread struct emulate_fault emulate_fault;
struct emulate_uses emulate_uses;
int emulate_is_instrumented(const void *address)
{
    (void)address;
    return 1;
}
char *emulate_file(const void *address, char *text, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", text, size - 1);

    (void)address;
    text[length > 0 ? length : 0] = '\0';
    return text;
}
__thread int emulate_running;
int emulate_lockstep;
void emulate_step(const void *caller)
{
    (void)caller;
}

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
