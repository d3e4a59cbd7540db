/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the scheduler and the checks ask of portable.h's tables: the program's live allocations, and
 * the objects that portable.h itself keeps on the heap.
 */
#ifndef PORTABLE_HOST_EMULATE_ALLOCATIONS_H
#define PORTABLE_HOST_EMULATE_ALLOCATIONS_H

#include "portable.h"

/* The first live allocation, of memory or a texture, after the given one or, of NULL, at all; NULL
 * at the end. */
static inline const struct portable_allocation_ *
emulate_next_allocation(const struct portable_allocation_ *allocation)
{
    const struct portable_allocation_ *const end = portable_table_.entries + portable_table_.count;

    allocation = allocation ? allocation + 1 : portable_table_.entries;
    while (allocation < end && allocation->bytes == 0)
        allocation++;
    return allocation < end ? allocation : NULL;
}
#define EMULATE_EACH_ALLOCATION(name)                                                              \
    for (const struct portable_allocation_ *name = NULL;                                           \
         (name = emulate_next_allocation(name)) != NULL;)

/* Calls visit for each object of portable.h's on the host's heap that kernels read: textures, the
 * limits of kernels, and the addresses of device memory, for refusing a copy. */
static inline void emulate_each_object(void (*visit)(const volatile void *object))
{
    EMULATE_EACH_ALLOCATION(allocation)
    if (allocation->kind == PORTABLE_TEXTURE_)
        visit(allocation->base);
    visit(portable_kernels_.records);
    visit(portable_table_.entries);
}

#endif
