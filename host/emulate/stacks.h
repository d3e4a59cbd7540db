/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: the stacks of the threads. */
#ifndef PORTABLE_HOST_EMULATE_STACKS_H
#define PORTABLE_HOST_EMULATE_STACKS_H

#include "host/emulate/environment.h"
#include "host/emulate/launch.h"

#include <sys/mman.h> /* mmap, mprotect, madvise */
#include <unistd.h>   /* sysconf */

/* Linux limits a process to about 65530 mappings, and each stack takes two: itself and its guard
 * page. */
enum { MAX_STACKS = 30000 };

/* Makes room for that number of stacks; those in use stay where they are. Pages take memory when
 * they are first written. */
static int stacks_reserve(size_t slots)
{
    if (slots <= now->stacks.slots)
        return 1;
    const size_t guard = (size_t)sysconf(_SC_PAGESIZE), stride = options.stack + guard;
    if (!now->stacks.base) {
        /* A process may have less address space than for that many. */
        for (now->stacks.limit = MAX_STACKS; now->stacks.limit >= slots;
             now->stacks.limit = slots) {
            void *const base = mmap(NULL, now->stacks.limit * stride, PROT_NONE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            now->stacks.base = base == MAP_FAILED ? NULL : (char *)base;
            if (now->stacks.base || now->stacks.limit == slots)
                break;
        }
        now->stacks.free = (unsigned *)malloc(now->stacks.limit * sizeof *now->stacks.free);
        if (!now->stacks.base || !now->stacks.free)
            return 0;
        /* gdb's generate-core-file writes reserved pages, too, gigabytes of zeros. */
        madvise(now->stacks.base, now->stacks.limit * stride, MADV_DONTDUMP);
        now->stacks.stride = stride;
        now->stacks.guard = guard;
    }
    char *const more = now->stacks.base + now->stacks.slots * stride;
    const size_t bytes = (slots - now->stacks.slots) * stride;
    if (slots > now->stacks.limit || mprotect(more, bytes, PROT_READ | PROT_WRITE) != 0)
        return 0;
    madvise(more, bytes, MADV_DODUMP);
    now->stacks.slots = slots;
    if (now == &first_worker) { /* checks, and warps in lockstep, have no other */
        emulate.stacks = now->stacks.base;
        emulate.stacks_bytes = slots * stride;
    }
    return 1;
}

/* Returns a slot, or the number of slots if the system gives no more guard pages. */
static size_t stack_allocate(void)
{
    if (now->stacks.free_count > 0)
        return now->stacks.free[--now->stacks.free_count];
    const size_t slot = now->stacks.used;
    if (slot >= now->stacks.guarded) {
        if (mprotect(now->stacks.base + slot * now->stacks.stride, now->stacks.guard, PROT_NONE) !=
            0)
            return now->stacks.slots;
        now->stacks.guarded = slot + 1;
    }
    now->stacks.used++;
    return slot;
}
static void stack_free(unsigned slot)
{
    now->stacks.free[now->stacks.free_count++] = slot;
}
static inline char *stack_bottom(unsigned slot)
{
    return now->stacks.base + slot * now->stacks.stride + now->stacks.guard;
}

/* Where the stack of a slot begins, at its upper end: staggered, so that the tops of the stacks do
 * not share one cache set. */
static inline char *stack_top(unsigned slot)
{
    return stack_bottom(slot) + options.stack - slot % 32 * 128;
}

/* Whether the bytes are on the stack. */
static int stack_has(unsigned slot, const char *address, size_t bytes)
{
    const char *const bottom = stack_bottom(slot);
    return address >= bottom && address + bytes <= bottom + options.stack;
}

int emulate_is_on_stack(const void *address)
{
    return (uintptr_t)address - (uintptr_t)now->stacks.base <
               now->stacks.slots * now->stacks.stride ||
           (uintptr_t)address - (uintptr_t)portable_thread_loop_.arena <
               portable_thread_loop_.arena_bytes;
}

/* Whether the address is in the program, a library that calls the runtime, or the runtime. */
static int is_code(const void *address)
{
    return emulate_is_in(EMULATE_CODE, address);
}

/* Stores the return addresses of the calls on a stack, from the frame pointer on; returns how many
 * there are. Code without frame pointers may leave any value in that register, also an address
 * between two variables. */
__attribute__((noinline, no_sanitize("address"))) static int
stack_unwind(unsigned slot, const char *frame, const void **return_addresses, int capacity)
{
    int count = 0;
    while (count < capacity && (uintptr_t)frame % sizeof frame == 0 &&
           stack_has(slot, frame, 2 * sizeof frame)) {
        const void *const *const words = (const void *const *)(const void *)frame;
        if (!is_code(words[1]))
            break;
        return_addresses[count++] = words[1];
        if ((const char *)words[0] <= frame)
            break;
        frame = (const char *)words[0];
    }
    return count;
}

#endif
