/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * portable.h's table of live allocations and its lock, for files with CUDA's types.
 */
#ifndef PORTABLE_HOST_CUDART_ALLOCATIONS_H
#define PORTABLE_HOST_CUDART_ALLOCATIONS_H

#include <stddef.h> /* size_t */

/* As portable.h's PORTABLE_DEVICE_MEMORY_ and the like. */
enum portable_cuda_kind_ {
    MEMORY_DEVICE,
    MEMORY_PINNED,
    MEMORY_TEXTURE, /* a texture or surface object, at its handle */
    MEMORY_MANAGED,
    MEMORY_REGISTERED
};
/* Bits of the tag: cuMemMap mapped the memory; it may not be written; it has guards. */
enum { PORTABLE_CUDA_MAPPED_ = 32, PORTABLE_CUDA_READ_ONLY_ = 64, PORTABLE_CUDA_GUARDED_ = 128 };
struct portable_cuda_allocation_ {
    char *base;
    size_t bytes; /* 0: no allocation */
    enum portable_cuda_kind_ kind;
    unsigned tag; /* whatever the caller keeps there */
};

/* The memory that contains the address. */
struct portable_cuda_allocation_ portable_cuda_allocation_of_(const void *address);
/* The tag of the texture of that handle; -1 without one. */
long portable_cuda_texture_tag_(const void *handle);
void portable_cuda_remove_texture_(const void *handle);
/* 0 without memory for it. */
int portable_cuda_insert_(struct portable_cuda_allocation_ allocation);
/* Gives the allocation that starts there, of that kind, its size and tag. */
void portable_cuda_change_(struct portable_cuda_allocation_ allocation);
/* Removes the allocation that starts there, of a kind in the set of bits. */
struct portable_cuda_allocation_ portable_cuda_remove_(const void *base, unsigned kinds);

/* Memory between guards, which a kernel that writes outside of it damages, for the array that the
 * program has named; NULL without memory. Its tag is PORTABLE_CUDA_GUARDED_, or 0 under
 * memcheck. */
void *portable_cuda_guarded_(size_t bytes);
unsigned portable_cuda_guarded_tag_(void);
void portable_cuda_guarded_free_(void *memory);
/* A portable_status: that of a kernel that failed because it wrote outside of the allocation. */
int portable_cuda_verify_(const struct portable_cuda_allocation_ *allocation);

/* Fills new memory with ones, a NaN, so that a forgotten copy shows: in large pages, where it is
 * large, as most of the time is the system's at the first access to each page. */
void portable_cuda_fill_(void *memory, size_t bytes);

/* The table's lock also guards the runtime's lists; not around the calls above. */
void portable_cuda_lock_(void);
void portable_cuda_unlock_(void);

#endif
