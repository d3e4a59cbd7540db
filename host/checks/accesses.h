/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes the object at an address: "shared array tile", "device array x of 1024 bytes, allocated
 * at saxpy.c:30".
 */
#ifndef PORTABLE_HOST_CHECKS_ACCESSES_H
#define PORTABLE_HOST_CHECKS_ACCESSES_H

#include "host/checks/findings.h" /* struct finding_place */
#include "host/emulate/check.h"

enum object_kind {
    OBJECT_SHARED,
    OBJECT_DYNAMIC_SHARED,
    OBJECT_DEVICE,
    OBJECT_PINNED, /* pinned, managed and registered memory: only streamcheck tells of it */
    OBJECT_MANAGED,
    OBJECT_REGISTERED,
    OBJECT_CONSTANT,
    OBJECT_VARIABLE
};

struct object {
    enum object_kind kind;
    const char *address; /* NULL, and 0 bytes, for a variable without a symbol */
    size_t bytes;
    const void *caller; /* of portable_malloc; NULL unless allocated */
    char name[64];      /* "" for unnamed device memory */
};

/* Maintains the table of device memory; a check forwards every PORTABLE_MEMORY_NEW_ and _FREE_. */
void object_memory(enum portable_memory_event_ event, const void *memory, size_t bytes,
                   const void *caller);

/* The same for memory of any kind. */
void object_new(enum object_kind kind, const void *memory, size_t bytes, const void *caller);
void object_free(const void *memory);

/* Calls a function with each device array. */
void object_each(void (*with)(const char *address, size_t bytes));

/* Shared memory means that of the running block. */
void object_at(const void *address, struct object *object);

/* Writes "24 bytes at byte 1000 of OBJECT", with `between` in place of " at"; returns text. */
char *object_text(char *text, size_t size, const struct object *object, const char *between,
                  const void *address, size_t bytes);

/* Where it was allocated; no place for a variable. */
struct finding_place object_place(const struct object *object);

/* Returns 1 for the stack of a simulated thread. */
static inline int object_is_on_stack(const void *address)
{
    return (uintptr_t)address - (uintptr_t)emulate.stacks < emulate.stacks_bytes;
}

/* Returns 1 for static or dynamic shared memory of the running block. */
static inline int object_is_shared(const struct emulate_range *ranges, size_t count,
                                   const void *address)
{
    return emulate_in_ranges(ranges, count, address) ||
           (size_t)((uintptr_t)address - (uintptr_t)emulate.shared) < emulate.shared_bytes;
}

#endif
