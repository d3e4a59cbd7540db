/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: the shared memory of a block, while others run. */
#ifndef PORTABLE_HOST_EMULATE_SHARED_MEMORY_H
#define PORTABLE_HOST_EMULATE_SHARED_MEMORY_H

#include "host/emulate/launch.h"

/* Copies by hand: under the sanitizers, memcpy is theirs, and checks the gaps between the objects
 * of a section. The assembly keeps the compiler from emitting a memcpy. */
static void copy_bytes(char *to, const char *from, size_t bytes)
{
    typedef uint64_t aligned_words __attribute__((vector_size(32)));
    typedef aligned_words words __attribute__((may_alias, aligned(1)));
    size_t k = 0;
    for (; k + 2 * sizeof(words) <= bytes; k += 2 * sizeof(words)) {
        const words first = *(const words *)(from + k);
        const words second = *(const words *)(from + k + sizeof(words));
        *(words *)(to + k) = first;
        *(words *)(to + k + sizeof(words)) = second;
        __asm__ volatile("" : : : "memory");
    }
    for (; k < bytes; k++) {
        to[k] = from[k];
        __asm__ volatile("" : : : "memory");
    }
}

/* Found once in each launch: another OS thread that launches has other objects, and modules change
 * only between launches. */
size_t emulate_shared_ranges(const struct emulate_range **ranges)
{
    if (!emulate_keeps_ranges() || now->shared_launch != launch.launches) {
        const struct emulate_range *all;
        const size_t count = emulate_ranges(EMULATE_SHARED, &all);
        free(now->shared_ranges);
        now->shared_ranges =
            (struct emulate_range *)calloc(count ? count : 1, sizeof *now->shared_ranges);
        now->shared_count = now->shared_ranges ? count : 0;
        now->shared_launch = launch.launches;
        for (size_t k = 0; k < now->shared_count; k++)
            now->shared_ranges[k] = emulate_range_here(&all[k]);
    }
    *ranges = now->shared_ranges;
    return now->shared_count;
}

/* The object of shared memory that has the address; without bytes if none has. */
static struct emulate_range shared_object(const void *address)
{
    const struct emulate_range *ranges, nothing = {NULL, NULL};
    const size_t count = emulate_shared_ranges(&ranges);
    if ((uintptr_t)address - (uintptr_t)now->shared < emulate.shared_bytes) {
        const struct emulate_range dynamic = {now->shared, now->shared + emulate.shared_bytes};
        return dynamic;
    }
    for (size_t k = 0; k < count; k++)
        if (emulate_in_ranges(&ranges[k], 1, address))
            return ranges[k];
    return nothing;
}

int emulate_is_shared(const void *address)
{
    return shared_object(address).begin != NULL;
}

/* Copies the shared memory of the running block to `saved`, or back. */
static void copy_shared(char *saved, int restore)
{
    const struct emulate_range *ranges;
    const size_t count = emulate_shared_ranges(&ranges);
    for (size_t k = 0; k <= count; k++) {
        char *const at = k < count ? ranges[k].begin : now->shared;
        const size_t bytes =
            k < count ? (size_t)(ranges[k].end - ranges[k].begin) : emulate.shared_bytes;
        copy_bytes(restore ? at : saved, restore ? saved : at, bytes);
        saved += bytes;
    }
}

/* The bytes of that. */
static size_t shared_bytes(void)
{
    const struct emulate_range *ranges;
    const size_t count = emulate_shared_ranges(&ranges);
    size_t bytes = emulate.shared_bytes;
    for (size_t k = 0; k < count; k++)
        bytes += (size_t)(ranges[k].end - ranges[k].begin);
    return bytes;
}

#endif
