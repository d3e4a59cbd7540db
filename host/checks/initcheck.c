/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make initcheck: reads of uninitialised device or shared memory by a kernel, and copies of it to
 * the host. Every byte is tracked, and every load checked, whether or not the value is used.
 * Padding between the members of a structure counts if the structure was written by members and is
 * copied whole.
 *
 * New device memory is uninitialised. Shared memory is uninitialised when a block starts: each byte
 * has the number of the interval that wrote it, so nothing needs clearing.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#define PORTABLE_EMULATE_SCHEDULER_

#include "host/checks/accesses.h"
#include "host/checks/findings.h"
#include "host/checks/shadow.h"
#include "host/checks/text_set.h"
#include "host/emulate/check.h"
#include "portable.h"

#include <stdlib.h> /* calloc, free, realloc */
#include <string.h> /* memset */

/* ---------------------------------------------------------------------------------------------
 * Which bytes are written
 * ------------------------------------------------------------------------------------------- */

/*
 * Device memory has a flag for each byte, which is 1 while the byte is uninitialised. A missing
 * page counts as written, and so does all other memory. After cudaMalloc of 8 bytes at 0x7f..ff8,
 * and a write of 4 bytes at 0x7f..ffc:
 *
 *     page of 0x7f..000    unwritten[0xff8 ... 0xfff] = 1 1 1 1 0 0 0 0
 *
 * Shared memory has for each byte the interval of its last write: the byte is uninitialised unless
 * that interval is of the running block. In block 3, which runs since interval 9:
 *
 *     shared int x[2]      written[0 ... 7] = 9 9 9 9 6 6 6 6      x[1] is of an earlier block
 */
struct flags {
    uint8_t unwritten[SHADOW_PAGE];
};

struct region { /* of shared memory, static or dynamic */
    char *begin;
    size_t bytes;
    uint32_t *written;
    size_t room;
};
/* Dynamic shared memory, and the ranges of static shared memory. */
static struct region *regions;
static size_t region_count, region_room;

static void require_memory(const void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "initcheck: out of memory\n");
        abort();
    }
}

static void set_region(struct region *region, char *begin, size_t bytes)
{
    if (region->begin != begin && region->written != NULL)
        memset(region->written, 0, region->room * sizeof *region->written);
    region->begin = begin;
    region->bytes = bytes;
    if (bytes <= region->room)
        return;
    free(region->written);
    region->written = (uint32_t *)calloc(bytes, sizeof *region->written);
    region->room = bytes;
    require_memory(region->written);
}

static void set_regions(void)
{
    const struct emulate_range *ranges;

    region_count = 1 + emulate_ranges(EMULATE_SHARED, &ranges);
    if (region_count > region_room) {
        regions = (struct region *)realloc(regions, region_count * sizeof *regions);
        require_memory(regions);
        memset(regions + region_room, 0, (region_count - region_room) * sizeof *regions);
        region_room = region_count;
    }
    set_region(&regions[0], emulate.shared, emulate.shared_bytes);
    for (size_t k = 1; k < region_count; k++)
        set_region(&regions[k], ranges[k - 1].begin,
                   (size_t)(ranges[k - 1].end - ranges[k - 1].begin));
}

INLINE struct region *region_of(const char *address)
{
    for (size_t i = 0; i < region_count; i++)
        if ((uintptr_t)address - (uintptr_t)regions[i].begin < regions[i].bytes)
            return &regions[i];
    return NULL;
}

/* Device memory, or any memory but shared memory. */
static void set_unwritten(const char *address, size_t bytes, int unwritten)
{
    while (bytes > 0) {
        size_t at = (uintptr_t)address % SHADOW_PAGE, count = SHADOW_PAGE - at;
        struct flags *flags;

        if (count > bytes)
            count = bytes;
        flags = (struct flags *)(unwritten ? shadow_make((uintptr_t)address, sizeof *flags, 0)
                                           : shadow_page((uintptr_t)address));
        if (flags != NULL)
            for (size_t i = 0; i < count; i++)
                flags->unwritten[at + i] = (uint8_t)unwritten;
        address += count;
        bytes -= count;
    }
}

static int is_unwritten(const char *address)
{
    const struct region *region = region_of(address);
    const struct flags *flags;

    if (region != NULL)
        return emulate_of_another(region->written[address - region->begin]);
    flags = (const struct flags *)shadow_page((uintptr_t)address);
    return flags != NULL && flags->unwritten[(uintptr_t)address % SHADOW_PAGE];
}

/* Finds the first run of uninitialised bytes; returns 0 if there is none. */
static size_t find_unwritten(const char *address, size_t bytes, const char **found)
{
    const char *end = address + bytes;

    while (address < end && !is_unwritten(address))
        address++;
    *found = address;
    while (address < end && is_unwritten(address))
        address++;
    return (size_t)(address - *found);
}

/* ---------------------------------------------------------------------------------------------
 * Reports: one for each source line and object
 * ------------------------------------------------------------------------------------------- */

static struct reported {
    const void *caller;
    enum object_kind kind;
    const char *object;
} * reported;
static size_t reported_count;
static struct text_set reported_lines;

/* Returns 1 the first time. The line is looked up once for each instruction. */
static int is_new(const void *caller, const struct object *object)
{
    char key[512], text[384];
    struct reported *longer;

    for (size_t i = 0; i < reported_count; i++)
        if (reported[i].caller == caller && reported[i].kind == object->kind &&
            reported[i].object == object->address)
            return 0;
    longer = (struct reported *)realloc(reported, (reported_count + 1) * sizeof *longer);
    if (longer == NULL)
        return 1;
    reported = longer;
    reported[reported_count].caller = caller;
    reported[reported_count].kind = object->kind;
    reported[reported_count++].object = object->address;
    snprintf(key, sizeof key, "%s|%s|%s", emulate.kernel != NULL ? emulate.kernel : "",
             findings_line(caller), object_text(text, sizeof text, object, "", object->address, 0));
    return text_set_add(&reported_lines, key);
}

/* Whether the unwritten bytes may all be padding behind members: each is in an aligned word whose
 * first byte is written. */
static int is_padding(const char *address, size_t bytes)
{
    for (const char *byte = address; byte < address + bytes; byte++)
        if (is_unwritten(byte) && is_unwritten(byte - (uintptr_t)byte % 8))
            return 0;
    return 1;
}

static __attribute__((noinline)) void check_read(const char *address, size_t bytes,
                                                 const void *caller)
{
    char where[96], text[384];
    struct object object;
    const char *found;
    size_t count = find_unwritten(address, bytes, &found);

    if (count == 0)
        return;
    emulate_running = 0; /* functions that the report calls are host code */
    object_at(found, &object);
    if (!(is_padding(address, bytes) && findings_ignores_padding(caller)) &&
        is_new(caller, &object) && !findings_ignores_value(caller)) {
        const char *line = findings_line(caller);

        emulate_where(where, sizeof where, emulate.block_id, emulate.thread);
        const struct finding finding = {FINDING_UNINITIALISED_READ,
                                        emulate.kernel,
                                        where,
                                        {{line, "the read"}, object_place(&object)}};
        findings_add(&finding, "uninitialised read in kernel %s: by %s at %s,\n    %s",
                     emulate.kernel, where, line,
                     object_text(text, sizeof text, &object, " at", found, count));
    }
    emulate_running = 1;
}

/* A copy to the host is about to read this. */
static void check_copy(const char *address, size_t bytes, const void *caller)
{
    const char *found, *end = address + bytes;
    size_t count = find_unwritten(address, bytes, &found), more_bytes = 0;
    char text[384], more[64] = "";
    struct object object;

    if (count == 0)
        return;
    object_at(found, &object);
    if (!is_new(caller, &object))
        return;
    for (const char *after = found + count; after < end; after++)
        more_bytes += (size_t)is_unwritten(after);
    if (more_bytes > 0)
        snprintf(more, sizeof more, "\n    and %zu more %s after them", more_bytes,
                 more_bytes == 1 ? "byte" : "bytes");
    const struct finding finding = {FINDING_UNINITIALISED_COPY,
                                    NULL,
                                    NULL,
                                    {{findings_line(caller), "the copy"}, object_place(&object)}};
    findings_add(&finding, "copy to the host of uninitialised memory: %s, copied at %s%s",
                 object_text(text, sizeof text, &object, " from", found, count),
                 findings_line(caller), more);
}

/* ---------------------------------------------------------------------------------------------
 * The accesses of kernels
 * ------------------------------------------------------------------------------------------- */

INLINE void on_read(const char *address, size_t bytes, const void *caller)
{
    const struct region *region;
    const struct flags *flags;
    size_t at = (uintptr_t)address % SHADOW_PAGE;
    int unwritten = 0;

    if (!emulate_running || object_is_on_stack(address))
        return;
    emulate_in_step(address, caller);
    region = region_of(address);
    if (bytes > 16 ||
        (region == NULL ? at + bytes > SHADOW_PAGE
                        : (size_t)(address - region->begin) + bytes > region->bytes)) {
        check_read(address, bytes, caller);
    } else if (region != NULL) {
        const uint32_t *written = &region->written[address - region->begin];

        for (size_t i = 0; i < bytes; i++)
            unwritten |= emulate_of_another(written[i]);
    } else if ((flags = (const struct flags *)shadow_page((uintptr_t)address)) != NULL) {
        for (size_t i = 0; i < bytes; i++)
            unwritten |= flags->unwritten[at + i];
    }
    if (UNLIKELY(unwritten))
        check_read(address, bytes, caller);
}

INLINE void on_write(const char *address, size_t bytes, const void *caller)
{
    struct region *region;
    struct flags *flags;
    size_t at = (uintptr_t)address % SHADOW_PAGE;

    if (!emulate_running || object_is_on_stack(address))
        return;
    emulate_in_step(address, caller);
    region = region_of(address);
    if (region != NULL) {
        uint32_t *written = &region->written[address - region->begin];

        if (bytes > region->bytes - (size_t)(address - region->begin))
            bytes = region->bytes - (size_t)(address - region->begin);
        for (size_t i = 0; i < bytes; i++)
            written[i] = emulate.interval;
    } else if (bytes > 16 || at + bytes > SHADOW_PAGE) {
        set_unwritten(address, bytes, 0);
    } else if ((flags = (struct flags *)shadow_page((uintptr_t)address)) != NULL) {
        for (size_t i = 0; i < bytes; i++)
            flags->unwritten[at + i] = 0;
    }
}

INLINE void on_atomic(const char *address, size_t bytes, int writes, const void *caller)
{
    if (writes)
        on_write(address, bytes, caller);
    else
        on_read(address, bytes, caller);
}

#include "host/checks/hooks.h"

/* ---------------------------------------------------------------------------------------------
 * Callbacks of the scheduler
 * ------------------------------------------------------------------------------------------- */

static void set_written(const char *address, size_t bytes)
{
    set_unwritten(address, bytes, 0);
}

static void launch_begin(void)
{
    findings_launch(emulate.kernel);
    set_regions();
    if (!emulate_is_instrumented(emulate.code)) /* it may write anything, unseen */
        object_each(set_written);
}

static void block_begin(void)
{
    static uint32_t latest;

    if (emulate.block_start < latest) /* the count has restarted */
        for (size_t i = 0; i < region_count; i++)
            memset(regions[i].written, 0, regions[i].bytes * sizeof *regions[i].written);
    latest = emulate.block_start;
}

/* Blocks that wait for others share one shared memory in turn; the scheduler saves and restores its
 * contents, and these do the same for what is known of it: a byte for each, which tells whether it
 * has been written. */
static void block_leave(void **saved, int gives_way)
{
    uint8_t *flags;
    size_t bytes = 1;

    (void)gives_way;
    for (size_t i = 0; i < region_count; i++)
        bytes += regions[i].bytes;
    if (*saved == NULL)
        *saved = malloc(bytes);
    require_memory(*saved);
    flags = (uint8_t *)*saved;
    for (size_t i = 0; i < region_count; i++)
        for (size_t k = 0; k < regions[i].bytes; k++)
            *flags++ = !emulate_of_another(regions[i].written[k]);
}

static void block_resume(void **saved)
{
    const uint8_t *flags = (const uint8_t *)*saved;

    for (size_t i = 0; i < region_count; i++)
        for (size_t k = 0; k < regions[i].bytes; k++)
            regions[i].written[k] = *flags++ ? emulate.block_start : 0;
}

/* A copy on the device is reported as a read and then a write, one to the host as a read only.
 * Uninitialised bytes that are copied on the device stay uninitialised. */
static struct {
    const char *address; /* NULL: none */
    size_t bytes;
    const void *caller;
    int through_library;
} pending_read;

static void copy_flags(const char *to, const char *from, size_t bytes)
{
    uint8_t *flags = (uint8_t *)malloc(bytes); /* source and destination may overlap */

    for (size_t i = 0; flags != NULL && i < bytes; i++)
        flags[i] = (uint8_t)is_unwritten(from + i);
    for (size_t i = 0; i < bytes; i++)
        set_unwritten(to + i, 1, flags != NULL && flags[i]);
    free(flags);
}

static void memory(enum portable_memory_event_ event, const void *address, size_t bytes,
                   const void *caller)
{
    struct object object;

    switch (event) {
    case PORTABLE_MEMORY_NEW_: set_unwritten((const char *)address, bytes, 1); break;
    case PORTABLE_MEMORY_FREE_:
        object_at(address, &object);
        set_unwritten((const char *)address, object.bytes, 0);
        break;
    case PORTABLE_MEMORY_READ_:
        pending_read.address = (const char *)address;
        pending_read.bytes = bytes;
        pending_read.caller = caller;
        pending_read.through_library = emulate.through_library;
        break;
    case PORTABLE_MEMORY_WRITE_:
        if (pending_read.address != NULL)
            copy_flags((const char *)address, pending_read.address, bytes);
        else
            set_unwritten((const char *)address, bytes, 0);
        pending_read.address = NULL;
        break;
    case PORTABLE_MEMORY_DONE_:
        if (pending_read.address != NULL &&
            !(pending_read.through_library && is_padding(pending_read.address, pending_read.bytes)))
            check_copy(pending_read.address, pending_read.bytes, pending_read.caller);
        pending_read.address = NULL;
        break;
    }
    object_memory(event, address, bytes, caller);
}

/* Until an asynchronous copy arrives there. */
static void copy_pending(const void *to, size_t bytes)
{
    const char *const address = (const char *)to;
    struct region *const region = region_of(address);

    if (region == NULL)
        set_unwritten(address, bytes, 1);
    else
        for (size_t i = 0; i < bytes && (size_t)(address - region->begin) + i < region->bytes; i++)
            region->written[address - region->begin + (ptrdiff_t)i] = 0;
}

__attribute__((constructor)) static void begin(void)
{
    findings_open("initcheck", "error", "errors");
}

struct emulate_check emulate_check = {
    .name = "initcheck",
    .launch_begin = launch_begin,
    .block_begin = block_begin,
    .block_leave = block_leave,
    .block_resume = block_resume,
    .pending = copy_pending,
    .memory = memory,
    .diverged = findings_given_up,
    .call = findings_call,
    .faulted = findings_given_up,
};
