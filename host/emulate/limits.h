/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: the limits of a GPU. */
#ifndef PORTABLE_HOST_EMULATE_LIMITS_H
#define PORTABLE_HOST_EMULATE_LIMITS_H

#include "host/emulate/launch.h"
#include "host/emulate/stacks.h"

/* How many blocks of the launch a large GPU, an H100, runs at a time, and no more than there are
 * stacks for. */
static unsigned long long max_resident_blocks(unsigned long long blocks)
{
    enum {
        PROCESSORS = 132,
        BLOCKS = 32,
        THREADS = 2048,
        SHARED_BYTES = 228 << 10,
        OF_SYSTEM = 1 << 10
    };
    const unsigned threads = (emulate.threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    const size_t by_shared = SHARED_BYTES / (emulate.shared_bytes + OF_SYSTEM);
    unsigned long long result = THREADS / threads < BLOCKS ? THREADS / threads : BLOCKS;
    if (by_shared < result)
        result = by_shared > 0 ? by_shared : 1;
    result *= PROCESSORS;
    if (result > now->stacks.limit / emulate.threads)
        result = now->stacks.limit / emulate.threads;
    return result < blocks ? result : blocks;
}

/* Returns 1 if the arguments are within the limit of the newest GPUs, and leave room on the
 * stacks. */
static int arguments_fit(void)
{
    enum { MAX_BYTES = 32 << 10 };
    const size_t limit = options.stack / 2 < MAX_BYTES ? options.stack / 2 : MAX_BYTES;
    if (launch.stack_bytes <= limit)
        return 1;
    portable_launch_.status = portable_fail_(PORTABLE_ERROR_INVALID_LAUNCH,
                                             "kernel %s: arguments of %zu bytes, and the limit is "
                                             "%zu",
                                             emulate.kernel, launch.stack_bytes, limit);
    return 0;
}

/* Returns 1 if there are stacks for the threads of all blocks of a cooperative launch at once. */
static int stacks_suffice(unsigned long long blocks)
{
    if (blocks <= MAX_STACKS / emulate.threads)
        return 1;
    portable_launch_.status =
        portable_fail_(PORTABLE_ERROR_INVALID_LAUNCH,
                       "kernel %s: %llu blocks of %u threads at once, and the emulate target has "
                       "stacks for %d",
                       emulate.kernel, blocks, emulate.threads, MAX_STACKS);
    return 0;
}

/* The bytes of the SHARED or CONSTANT objects in a range, and the largest of them. */
static size_t bytes_within(enum emulate_section which, const struct emulate_range *range,
                           struct emulate_object *largest)
{
    struct emulate_object object;
    size_t bytes = 0;
    largest->bytes = 0;
    for (size_t k = 0; emulate_object(which, k, &object); k++)
        if (emulate_in_ranges(range, 1, object.address)) {
            bytes += object.bytes;
            if (object.bytes > largest->bytes)
                *largest = object;
        }
    return bytes;
}

/* The sizes of the modules' objects, the same for every launch. */
static struct {
    unsigned reads;                /* emulate_reads, when this was found */
    size_t constant;               /* the most bytes of constant memory in a module */
    struct emulate_object largest; /* SHARED one */
} variables;

/* Called before a launch. Without names and sizes of its objects, a check would mistake one object
 * for another. */
static void find_variables(void)
{
    const struct emulate_range *ranges;
    struct emulate_object largest;
    char module[300];
    size_t count = emulate_ranges(EMULATE_SHARED, &ranges);
    if (variables.reads == emulate_reads)
        return;
    variables.reads = emulate_reads;
    variables.constant = variables.largest.bytes = 0;
    for (int which = EMULATE_SHARED; which <= EMULATE_CONSTANT; which++) {
        count = emulate_ranges((enum emulate_section)which, &ranges);
        for (size_t k = 0; k < count; k++) {
            const size_t bytes = bytes_within((enum emulate_section)which, &ranges[k], &largest);
            if (bytes == 0 && ranges[k].begin < ranges[k].end && emulate_check.name) {
                fflush(stdout);
                fprintf(stderr,
                        "%s: %s has no symbol table, and its SHARED and CONSTANT objects no "
                        "names: link it without -s, and do not strip it\n",
                        emulate_check.name, emulate_module(ranges[k].begin, module, sizeof module));
                exit(2);
            }
            if (which == EMULATE_CONSTANT && bytes > variables.constant)
                variables.constant = bytes;
            if (which == EMULATE_SHARED && largest.bytes > variables.largest.bytes)
                variables.largest = largest;
        }
    }
}

/* Returns 1 if the CONSTANT objects of each module together, and each SHARED one, are within a
 * GPU's limits. Which of several SHARED objects one kernel uses is not known, so their sum is not
 * limited. */
static int variables_fit(void)
{
    enum { MAX_CONSTANT = 64 << 10 };
    if (emulate_check.pads)
        return 1;
    if (variables.constant > MAX_CONSTANT)
        portable_launch_.status = portable_fail_(
            PORTABLE_ERROR_INVALID_LAUNCH,
            "kernel %s: %zu bytes of constant memory in the program, and the limit is %d",
            emulate.kernel, variables.constant, MAX_CONSTANT);
    else if (variables.largest.bytes > PORTABLE_SHARED_LIMIT_)
        portable_launch_.status = portable_fail_(
            PORTABLE_ERROR_INVALID_LAUNCH,
            "kernel %s: the program's shared variable %s has %zu bytes, and the limit is %d; use "
            "dynamic shared memory",
            emulate.kernel, variables.largest.name, variables.largest.bytes,
            PORTABLE_SHARED_LIMIT_);
    else
        return 1;
    return 0;
}

#endif
