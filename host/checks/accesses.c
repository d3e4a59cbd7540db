/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/checks/accesses.h"

#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* realloc */
#include <string.h> /* memmove */

/* By address. */
struct allocation {
    enum object_kind kind;
    const char *address;
    size_t bytes;
    const void *caller;
    char name[64];
};
static struct allocation *allocations;
static size_t allocation_count, allocation_room;

/* The number of allocations that begin at or below the address. */
static size_t up_to(const char *address)
{
    size_t low = 0, high = allocation_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if ((uintptr_t)allocations[middle].address <= (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void object_free(const void *memory)
{
    const size_t place = up_to((const char *)memory);

    if (place == 0 || allocations[place - 1].address != (const char *)memory)
        return;
    struct allocation *const at = &allocations[place - 1];
    memmove(at, at + 1, (allocation_count - place) * sizeof *at);
    allocation_count--;
}

void object_new(enum object_kind kind, const void *memory, size_t bytes, const void *caller)
{
    const size_t place = up_to((const char *)memory);
    struct allocation *at;

    if (allocation_count == allocation_room) {
        size_t room = allocation_room != 0 ? 2 * allocation_room : 64;

        at = (struct allocation *)realloc(allocations, room * sizeof *at);
        if (at == NULL)
            return; /* the object then has no name */
        allocations = at;
        allocation_room = room;
    }
    at = &allocations[place];
    memmove(at + 1, at, (allocation_count - place) * sizeof *at);
    at->kind = kind;
    at->address = (const char *)memory;
    at->bytes = bytes;
    at->caller = caller;
    snprintf(at->name, sizeof at->name, "%s", kind == OBJECT_DEVICE ? emulate.array : "");
    allocation_count++;
}

void object_memory(enum portable_memory_event_ event, const void *memory, size_t bytes,
                   const void *caller)
{
    if (event == PORTABLE_MEMORY_FREE_)
        object_free(memory);
    if (event == PORTABLE_MEMORY_NEW_)
        object_new(OBJECT_DEVICE, memory, bytes, caller);
}

void object_each(void (*with)(const char *address, size_t bytes))
{
    for (size_t k = 0; k < allocation_count; k++)
        if (allocations[k].kind == OBJECT_DEVICE)
            with(allocations[k].address, allocations[k].bytes);
}

static int in_section(enum emulate_section which, const void *address, struct object *object)
{
    struct emulate_object found;

    if (!emulate_object_at(which, address, &found))
        return 0;
    object->kind = which == EMULATE_SHARED ? OBJECT_SHARED : OBJECT_CONSTANT;
    object->address = found.address;
    object->bytes = found.bytes;
    snprintf(object->name, sizeof object->name, "%s", found.name);
    return 1;
}

static void variable_at(const void *address, struct object *object)
{
    struct emulate_object found;

    object->kind = OBJECT_VARIABLE;
    if (!emulate_variable_at(address, &found))
        return;
    object->address = found.address;
    object->bytes = found.bytes;
    snprintf(object->name, sizeof object->name, "%s", found.name);
}

void object_at(const void *address, struct object *object)
{
    size_t place = up_to((const char *)address);

    memset(object, 0, sizeof *object);
    if ((uintptr_t)address - (uintptr_t)emulate.shared < emulate.shared_bytes) {
        object->kind = OBJECT_DYNAMIC_SHARED;
        object->address = emulate.shared;
        object->bytes = emulate.shared_bytes;
    } else if (place > 0 && (uintptr_t)address - (uintptr_t)allocations[place - 1].address <
                                allocations[place - 1].bytes) {
        object->kind = allocations[place - 1].kind;
        object->address = allocations[place - 1].address;
        object->bytes = allocations[place - 1].bytes;
        object->caller = allocations[place - 1].caller;
        snprintf(object->name, sizeof object->name, "%s", allocations[place - 1].name);
    } else if (!in_section(EMULATE_SHARED, address, object) &&
               !in_section(EMULATE_CONSTANT, address, object)) {
        variable_at(address, object);
    }
}

char *object_text(char *text, size_t size, const struct object *object, const char *between,
                  const void *address, size_t bytes)
{
    int length = snprintf(text, size, "%zu %s", bytes, bytes == 1 ? "byte" : "bytes");

    if (object->address != NULL && (size_t)length < size)
        length += snprintf(text + length, size - (size_t)length, "%s byte %zu", between,
                           (size_t)((const char *)address - object->address));
    if ((size_t)length >= size)
        return text;
    text += length;
    size -= (size_t)length;
    switch (object->kind) {
    case OBJECT_SHARED: snprintf(text, size, " of shared array %s", object->name); break;
    case OBJECT_DYNAMIC_SHARED: snprintf(text, size, " of dynamic shared memory"); break;
    case OBJECT_DEVICE:
        snprintf(text, size, " of device %s%s of %zu %s, allocated at %s",
                 object->name[0] != '\0' ? "array " : "memory", object->name, object->bytes,
                 object->bytes == 1 ? "byte" : "bytes", findings_line(object->caller));
        break;
    case OBJECT_PINNED:
    case OBJECT_MANAGED:
    case OBJECT_REGISTERED:
        snprintf(text, size, " of %s memory of %zu %s, allocated at %s",
                 object->kind == OBJECT_PINNED    ? "pinned"
                 : object->kind == OBJECT_MANAGED ? "managed"
                                                  : "registered",
                 object->bytes, object->bytes == 1 ? "byte" : "bytes",
                 findings_line(object->caller));
        break;
    case OBJECT_CONSTANT: snprintf(text, size, " of constant array %s", object->name); break;
    case OBJECT_VARIABLE:
        snprintf(text, size, object->address != NULL ? " of variable %s" : " of %s",
                 object->address != NULL ? object->name : "a variable of the program");
        break;
    }
    return text - length;
}

struct finding_place object_place(const struct object *object)
{
    struct finding_place place = {NULL, NULL};

    if (object->caller != NULL) {
        place.line = findings_line(object->caller);
        place.what = "the allocation";
    }
    return place;
}
