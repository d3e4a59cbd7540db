/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The modules that use the runtime, which are the program and its libraries, and their objects:
 * ranges of addresses, variables, functions. Internal.
 */
#ifndef PORTABLE_HOST_EMULATE_OBJECTS_H
#define PORTABLE_HOST_EMULATE_OBJECTS_H

#include <stddef.h> /* size_t */
#include <stdint.h> /* uintptr_t */

/* The runtime's own, if it is a library. */
#pragma GCC visibility push(hidden)

/* The address ranges of a section of the program and of the libraries that call the runtime: their
 * SHARED or CONSTANT objects, and nothing else; their code; everything that was loaded. In
 * ascending order, valid until the end of the launch. Returns the number of ranges. */
enum emulate_section {
    EMULATE_SHARED,
    EMULATE_CONSTANT,
    EMULATE_CODE,
    EMULATE_LOADED,
    EMULATE_SECTIONS
};
struct emulate_range {
    char *begin, *end;
};
size_t emulate_ranges(enum emulate_section which, const struct emulate_range **ranges);
/* A SHARED object may be thread-local: then its address above is that of its first value in the
 * module, and each OS thread has its own. Where the calling one has the range. */
struct emulate_range emulate_range_here(const struct emulate_range *range);
/* How often the modules were read: again after a library was loaded, but not while a launch keeps
 * the ranges, from its beginning (1) to its end (0). */
extern unsigned emulate_reads;
void emulate_keep_ranges(int keep);
int emulate_keeps_ranges(void);
/* Writes "the program", or the path of the library that contains the address; returns text. */
char *emulate_module(const void *address, char *text, size_t size);

static inline int emulate_in_ranges(const struct emulate_range *ranges, size_t count,
                                    const void *address)
{
    for (size_t k = 0; k < count; k++)
        if ((uintptr_t)address - (uintptr_t)ranges[k].begin <
            (uintptr_t)ranges[k].end - (uintptr_t)ranges[k].begin)
            return 1;
    return 0;
}

/* Whether the address is in one of them. Any OS thread may ask, also while no launch keeps them. */
int emulate_is_in(enum emulate_section which, const void *address);

/* Writes the absolute path of the file that is mapped at the address; returns text, or NULL. */
char *emulate_file(const void *address, char *text, size_t size);

/* The users of the runtime. A preloaded runtime is in every process that the program starts. */
extern struct emulate_uses {
    int is_library; /* not linked into the program: then */
    int modules;    /* the number of modules with its check */
    int program;    /* 1 if the program is one of them */
} emulate_uses;

/* Whether the accesses of the code at the address are seen: a library may have been built without a
 * check. For those that see them. */
int emulate_is_instrumented(const void *address);

/* Finds a SHARED or CONSTANT object by an address in it. Returns 0 if there is none. */
struct emulate_object {
    char name[64];
    char *address;
    size_t bytes;
};
int emulate_object_at(enum emulate_section which, const void *address,
                      struct emulate_object *object);
/* The index-th of them, by address; 0 after the last. */
int emulate_object(enum emulate_section which, size_t index, struct emulate_object *object);
/* Finds any other static variable by an address in it. Returns 0 if there is none. */
int emulate_variable_at(const void *address, struct emulate_object *object);

/* The return address in user code of the portable_* function that is running. *through_library:
 * whether Thrust or CUB is in between, unless that is NULL. */
const void *emulate_caller(int *through_library);

#pragma GCC visibility pop

#endif
