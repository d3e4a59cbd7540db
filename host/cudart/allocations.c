/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * portable.h's table of live allocations and its lock, for files with CUDA's types.
 */
#include "host/cudart/allocations.h"
#include "host/emulate/check.h"
#include "portable.h"

_Static_assert((int)MEMORY_DEVICE == (int)PORTABLE_DEVICE_MEMORY_, "device memory");
_Static_assert((int)MEMORY_PINNED == (int)PORTABLE_HOST_MEMORY_, "pinned memory");
_Static_assert((int)MEMORY_TEXTURE == (int)PORTABLE_TEXTURE_, "textures");
_Static_assert((int)MEMORY_MANAGED == (int)PORTABLE_MANAGED_MEMORY_, "managed memory");
_Static_assert((int)MEMORY_REGISTERED == (int)PORTABLE_REGISTERED_MEMORY_, "registered memory");

struct portable_cuda_allocation_ portable_cuda_allocation_of_(const void *address)
{
    const struct portable_allocation_ found = portable_allocation_of_(address);
    const struct portable_cuda_allocation_ allocation = {
        found.base, found.bytes, (enum portable_cuda_kind_)found.kind, found.tag};
    return allocation;
}

long portable_cuda_texture_tag_(const void *handle)
{
    portable_lock_(&portable_table_.lock);
    const struct portable_allocation_ *const texture =
        portable_table_find_(handle, PORTABLE_TEXTURE_);
    const long tag = texture ? (long)texture->tag : -1;
    portable_unlock_(&portable_table_.lock);
    return tag;
}

void portable_cuda_remove_texture_(const void *handle)
{
    portable_table_remove_(handle, PORTABLE_TEXTURE_);
}

int portable_cuda_insert_(struct portable_cuda_allocation_ allocation)
{
    return portable_table_insert_(allocation.base, allocation.bytes, (int)allocation.kind,
                                  allocation.tag, (allocation.tag & PORTABLE_CUDA_GUARDED_) != 0) ==
           PORTABLE_SUCCESS;
}

void portable_cuda_change_(struct portable_cuda_allocation_ allocation)
{
    portable_lock_(&portable_table_.lock);
    struct portable_allocation_ *const entry =
        portable_table_find_(allocation.base, (int)allocation.kind);
    if (entry) {
        entry->bytes = allocation.bytes;
        entry->tag = allocation.tag;
    }
    portable_unlock_(&portable_table_.lock);
}

struct portable_cuda_allocation_ portable_cuda_remove_(const void *base, unsigned kinds)
{
    const struct portable_cuda_allocation_ none = {NULL, 0, MEMORY_DEVICE, 0};
    const struct portable_cuda_allocation_ found = portable_cuda_allocation_of_(base);
    const int is_wanted =
        found.bytes > 0 && found.base == (const char *)base && (kinds >> found.kind & 1) != 0;

    return is_wanted && portable_table_remove_(base, (int)found.kind) ? found : none;
}

void *portable_cuda_guarded_(size_t bytes)
{
    return portable_guarded_(256, bytes, emulate_allocated_for);
}

unsigned portable_cuda_guarded_tag_(void)
{
    return portable_has_guards_() ? PORTABLE_CUDA_GUARDED_ : 0;
}

void portable_cuda_guarded_free_(void *memory)
{
    portable_guarded_free_(memory);
}

int portable_cuda_verify_(const struct portable_cuda_allocation_ *allocation)
{
    const struct portable_allocation_ found = {allocation->base, allocation->bytes,
                                               (int)allocation->kind, allocation->tag,
                                               (allocation->tag & PORTABLE_CUDA_GUARDED_) != 0};
    return (int)portable_verify_one_(&found, NULL, PORTABLE_GUARD_);
}

void portable_cuda_fill_(void *memory, size_t bytes)
{
    portable_large_pages_(memory, bytes);
    memset(memory, 0xff, bytes);
}

void portable_cuda_lock_(void)
{
    portable_lock_(&portable_table_.lock);
}

void portable_cuda_unlock_(void)
{
    portable_unlock_(&portable_table_.lock);
}
