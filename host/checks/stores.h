/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of fpcheck.c: the values that kernels store, in two builds of a program. The exact build
 * writes them to the file PORTABLE_FP_RECORD, in their order. Another one, such as with
 * -use_fast_math, reads the file PORTABLE_FP_COMPARE while it runs, and tells by line where its
 * stores differ.
 *
 * Stores are compared for the same thread and line, one after another. A thread that stores at
 * another line has taken another way: the rest of its stores up to the next thread's is not
 * compared.
 *
 * A difference arises at a line if its thread had neither read nor stored another value before in
 * the launch. So the words of memory that hold other values are kept, and the threads that have.
 */
#ifndef PORTABLE_HOST_CHECKS_STORES_H
#define PORTABLE_HOST_CHECKS_STORES_H

#include "host/checks/accesses.h"
#include "host/checks/text_set.h"

#include <errno.h>    /* errno */
#include <inttypes.h> /* PRIu64 */
#include <stdio.h>    /* fread, fwrite */
#include <unistd.h>   /* _exit */

enum record_kind {
    RECORD_END,
    RECORD_LAUNCH,
    RECORD_SITE,
    RECORD_BLOCK,
    RECORD_STORE,
    RECORD_COPY
};
struct record {
    uint8_t kind, bytes; /* of a store */
    uint16_t site;
    uint32_t thread; /* of a store; the bytes of the text that follows a launch or a site */
    uint64_t value;  /* of a store, a block, a copy */
};
static const char magic[] = "fpcheck: stores\n";

static FILE *record_file, *compare_file;
static const char *stores_name; /* of the file */

static void stores_fail(const char *sentence)
{
    fprintf(stderr, "fpcheck: %s: %s\n", stores_name, sentence);
    _exit(2);
}

/* ---------------------------------------------------------------------------------------------
 * Sites: the stores of an instruction, in a kernel
 * ------------------------------------------------------------------------------------------- */

enum { MOST_STORE_SITES = 1 << 14 };
static struct store_site {
    const void *caller; /* NULL: free */
    const char *kernel, *line;
    uint16_t number; /* in the order in which they came */
    uint16_t other;  /* the number of the exact build's of the same line, seen last; or 0 */
    uint64_t stores, differ, arise;
    uint64_t most; /* the largest difference; and where it was */
    int has_nan;
    uint64_t value, exact;
    unsigned bytes;
    int arises_there;
    char where[96];
    struct object object;
    const char *address;
} store_sites[MOST_STORE_SITES];
static struct store_site *by_number[MOST_STORE_SITES];
static unsigned store_site_count;
static char *other_lines[MOST_STORE_SITES]; /* of the exact build's sites */
static const char *store_kernel;            /* kept text */

static void put(const struct record *record, const char *text)
{
    if (fwrite(record, sizeof *record, 1, record_file) != 1 ||
        (text != NULL && fwrite(text, 1, record->thread, record_file) != record->thread))
        stores_fail(strerror(errno));
}

static struct store_site *store_site_of(const void *caller)
{
    size_t at = ((uintptr_t)caller * 0x9e3779b97f4a7c15u >> 32 ^ (uintptr_t)store_kernel >> 4) %
                MOST_STORE_SITES;

    while (store_sites[at].caller != NULL &&
           (store_sites[at].caller != caller || store_sites[at].kernel != store_kernel))
        at = (at + 1) % MOST_STORE_SITES;
    struct store_site *const site = &store_sites[at];
    if (site->caller == NULL) {
        if (store_site_count == MOST_STORE_SITES / 4 * 3)
            stores_fail("the program has too many stores");
        site->caller = caller;
        site->kernel = store_kernel;
        site->line = findings_line(caller);
        by_number[store_site_count] = site;
        site->number = (uint16_t)++store_site_count;
        if (record_file != NULL) {
            const struct record record = {RECORD_SITE, 0, site->number,
                                          (uint32_t)strlen(site->line), 0};
            put(&record, site->line);
        }
    }
    return site;
}

/* ---------------------------------------------------------------------------------------------
 * Other values: words of memory, and threads of this launch
 * ------------------------------------------------------------------------------------------- */

struct number_set {
    uint64_t *keys; /* 0: free; 1: removed */
    size_t count, room;
};
static struct number_set other_words, other_threads;

static uint64_t *number_in(struct number_set *set, uint64_t key, int adds)
{
    uint64_t *removed = NULL;

    if (adds && 2 * (set->count + 1) > set->room) {
        const struct number_set old = *set;

        set->room = old.room > 0 ? 2 * old.room : 1024;
        set->keys = (uint64_t *)calloc(set->room, sizeof *set->keys);
        if (set->keys == NULL)
            stores_fail("out of memory");
        set->count = 0;
        for (size_t k = 0; k < old.room; k++)
            if (old.keys[k] > 1)
                *number_in(set, old.keys[k], 1) = old.keys[k];
        free(old.keys);
    }
    if (set->room == 0)
        return NULL;
    for (size_t at = key * 0x9e3779b97f4a7c15u >> 20;; at++) {
        uint64_t *const here = &set->keys[at & (set->room - 1)];

        if (*here == key)
            return here;
        if (*here == 1 && removed == NULL)
            removed = here;
        if (*here != 0)
            continue;
        if (!adds)
            return NULL;
        set->count += removed == NULL;
        return removed != NULL ? removed : here;
    }
}

static void set_other(struct number_set *set, uint64_t key, int is_other)
{
    uint64_t *const place = number_in(set, key, is_other);

    if (place != NULL)
        *place = is_other ? key : 1;
}

static uint64_t thread_key(uint64_t block, unsigned thread)
{
    return (block << 10 | thread) + 2;
}

/* Ranges that host code has filled with other values. */
enum { MOST_RANGES = 256 };
static struct emulate_range copied[MOST_RANGES], other_ranges[MOST_RANGES];
static size_t copied_count, other_range_count;
static int other_everywhere; /* more than can be kept */

static void drop_ranges(struct emulate_range *ranges, size_t *count, const char *begin,
                        const char *end)
{
    for (size_t k = 0; k < *count; k++)
        if (begin <= ranges[k].begin && ranges[k].end <= end)
            ranges[k--] = ranges[--*count];
}

static int reads_other(const char *address, size_t bytes)
{
    if (other_words.count == 0 && other_range_count == 0)
        return other_everywhere;
    for (uintptr_t word = (uintptr_t)address / 4; word <= ((uintptr_t)address + bytes - 1) / 4;
         word++)
        if (number_in(&other_words, word, 0) != NULL)
            return 1;
    return other_everywhere || emulate_in_ranges(other_ranges, other_range_count, address);
}

/* ---------------------------------------------------------------------------------------------
 * The exact build's stores
 * ------------------------------------------------------------------------------------------- */

static struct record exact; /* the next one */
static uint64_t exact_block;
static int has_exact, launch_is_lost, all_is_lost;
static uint64_t recorded, compared, not_compared;

/* The next store, copy, launch or end. */
static void look_at_exact(void)
{
    char *text;

    while (!has_exact) {
        if (fread(&exact, sizeof exact, 1, compare_file) != 1) {
            memset(&exact, 0, sizeof exact);
            exact.kind = RECORD_END;
        }
        if (exact.site >= MOST_STORE_SITES)
            stores_fail("is no record of stores");
        has_exact = exact.kind != RECORD_SITE && exact.kind != RECORD_BLOCK;
        if (exact.kind == RECORD_BLOCK)
            exact_block = exact.value;
        if (exact.kind != RECORD_SITE && exact.kind != RECORD_LAUNCH)
            continue;
        text = (char *)calloc(1, (size_t)exact.thread + 1);
        if (text == NULL || fread(text, 1, exact.thread, compare_file) != exact.thread)
            stores_fail("is not complete");
        free(other_lines[exact.site]); /* 0 is that of the launch's name */
        other_lines[exact.site] = text;
    }
}

static uint64_t ordered(uint64_t bits, unsigned bytes)
{
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    return bits & sign ? sign - (bits & (sign - 1)) : sign + bits;
}

static int is_nan_of(uint64_t bits, unsigned bytes)
{
    if (bytes == 4)
        return (bits & 0x7fffffffu) > 0x7f800000u;
    return bytes == 8 && (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}

static const char *value_text(char *text, size_t size, uint64_t bits, unsigned bytes)
{
    const uint32_t word = (uint32_t)bits;
    float f;
    double d;

    memcpy(&f, &word, sizeof f);
    memcpy(&d, &bits, sizeof d);
    if (bytes == 4 && word + 0x10000u < 0x20000u)
        snprintf(text, size, "%d", (int)word); /* more likely an integer than a subnormal number */
    else if (bytes == 4)
        snprintf(text, size, "%.9g", (double)f);
    else if (bytes == 8)
        snprintf(text, size, "%.17g", d);
    else
        snprintf(text, size, "0x%" PRIx64, bits);
    return text;
}

/* A store of this build, after it. */
static struct pending_store {
    const char *address;
    unsigned bytes, thread;
    uint64_t block;
    const void *caller;
} pending_store;
/* The thread whose stores are not compared, from one at another line on. */
static int skips;
static uint64_t skipped_block, matched_block;
static unsigned skipped_thread, matched_thread;
static const char *other_way[3]; /* the first: the kernel, this build's line, the exact one's */
static uint64_t other_ways;

static void skip_thread(const struct store_site *site, const struct pending_store *s)
{
    skips = 1;
    skipped_block = s->block;
    skipped_thread = s->thread;
    if (other_ways++ == 0) {
        other_way[0] = site->kernel;
        other_way[1] = site->line;
        other_way[2] = exact.kind == RECORD_STORE ? other_lines[exact.site] : NULL;
    }
}

/* Has the exact build's store for this one in `exact`; or returns 0. */
static int find_exact(struct store_site *site, const struct pending_store *s, unsigned bytes)
{
    if (skips && skipped_block == s->block && skipped_thread == s->thread)
        return 0;
    if (skips) { /* the first store of another thread */
        skips = 0;
        for (look_at_exact(); exact.kind == RECORD_STORE; look_at_exact()) {
            if (exact_block == s->block && exact.thread == s->thread)
                break;
            has_exact = 0;
        }
    }
    look_at_exact();
    /* The exact build's thread before may have had more. */
    if (exact.kind == RECORD_STORE && exact_block == matched_block &&
        exact.thread == matched_thread &&
        (s->block != matched_block || s->thread != matched_thread)) {
        other_ways++;
        if (other_ways == 1)
            other_way[0] = site->kernel, other_way[1] = NULL,
            other_way[2] = other_lines[exact.site];
        while (exact.kind == RECORD_STORE && exact_block == matched_block &&
               exact.thread == matched_thread) {
            has_exact = 0;
            look_at_exact();
        }
    }
    if (exact.kind != RECORD_STORE) {
        launch_is_lost = 1;
        skip_thread(site, s);
        return 0;
    }
    if (exact_block != s->block || exact.thread != s->thread || exact.bytes != bytes ||
        (exact.site != site->other &&
         (other_lines[exact.site] == NULL || strcmp(other_lines[exact.site], site->line) != 0))) {
        skip_thread(site, s);
        return 0;
    }
    site->other = exact.site;
    matched_block = s->block;
    matched_thread = s->thread;
    return 1;
}

static void compare_store(struct store_site *site, const struct pending_store *s,
                          const char *address, unsigned bytes, uint64_t value)
{
    if (launch_is_lost || all_is_lost || !find_exact(site, s, bytes)) {
        not_compared++;
        return;
    }
    const int differs = exact.value != value;
    has_exact = 0;
    compared++;
    site->stores++;
    for (uintptr_t word = (uintptr_t)address / 4; word <= ((uintptr_t)address + bytes - 1) / 4;
         word++)
        set_other(&other_words, word, differs);
    if (!differs)
        return;
    const uint64_t thread = thread_key(s->block, s->thread);
    const int arises = number_in(&other_threads, thread, 0) == NULL;
    const uint64_t a = ordered(value, bytes), b = ordered(exact.value, bytes);
    const uint64_t distance = a > b ? a - b : b - a;
    const int has_nan = is_nan_of(value, bytes) || is_nan_of(exact.value, bytes);

    set_other(&other_threads, thread, 1);
    site->differ++;
    site->arise += (uint64_t)arises;
    site->has_nan |= has_nan;
    /* The example is one that arises, if there is any; of those, the largest. */
    if (!has_nan && distance > site->most)
        site->most = distance;
    else if (site->differ > 1 && (!arises || site->arises_there))
        return;
    if (site->differ > 1 && site->arises_there && !arises)
        return;
    site->arises_there = arises;
    site->value = value;
    site->exact = exact.value;
    site->bytes = bytes;
    site->address = address;
    emulate_where(site->where, sizeof site->where, s->block, s->thread);
    object_at(address, &site->object);
}

/* The value of the latest store is in memory. */
static void finish_store(void)
{
    const struct pending_store s = pending_store;

    if (s.bytes == 0)
        return;
    pending_store.bytes = 0;
    struct store_site *const site = store_site_of(s.caller);
    const unsigned each = s.bytes == 1 || s.bytes == 2 || s.bytes == 8 ? s.bytes : 4;
    for (unsigned at = 0; at < s.bytes; at += each) {
        const unsigned bytes = s.bytes - at < each ? s.bytes - at : each;
        uint64_t value = 0;

        memcpy(&value, s.address + at, bytes);
        if (compare_file != NULL) {
            compare_store(site, &s, s.address + at, bytes, value);
        } else {
            static uint64_t block = (uint64_t)-1;
            const struct record of_block = {RECORD_BLOCK, 0, 0, 0, s.block};
            const struct record record = {RECORD_STORE, (uint8_t)bytes, site->number, s.thread,
                                          value};
            if (block != s.block)
                put(&of_block, NULL);
            block = s.block;
            put(&record, NULL);
            recorded++;
        }
    }
}

/* ---------------------------------------------------------------------------------------------
 * Events
 * ------------------------------------------------------------------------------------------- */

/* The running thread has neither read nor stored anything else than the exact build's. */
static void stores_access(const char *address, size_t bytes, int writes, const void *caller)
{
    if (!emulate_running || (record_file == NULL && compare_file == NULL) || bytes == 0)
        return;
    emulate_running = 0;
    finish_store();
    if (!object_is_on_stack(address)) {
        const unsigned thread = emulate_thread_index();

        if (compare_file != NULL && (!writes || emulate.access != EMULATE_PLAIN) &&
            reads_other(address, bytes))
            set_other(&other_threads, thread_key(emulate.block_id, thread), 1);
        if (writes)
            pending_store =
                (struct pending_store){address, (unsigned)bytes, thread, emulate.block_id, caller};
    }
    emulate_running = 1;
}

static uint64_t hash_of_range(const struct emulate_range *range)
{
    uint64_t hash = (uint64_t)(range->end - range->begin);

    for (const char *at = range->begin; at < range->end; at += 8) {
        uint64_t word = 0;
        memcpy(&word, at, range->end - at < 8 ? (size_t)(range->end - at) : 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* What the host has copied since the launch before. */
static void compare_copies(void)
{
    for (size_t k = 0; k < copied_count; k++) {
        const uint64_t hash = hash_of_range(&copied[k]);

        if (record_file != NULL) {
            const struct record record = {RECORD_COPY, 0, 0, 0, hash};
            put(&record, NULL);
            continue;
        }
        look_at_exact();
        drop_ranges(other_ranges, &other_range_count, copied[k].begin, copied[k].end);
        if (exact.kind == RECORD_COPY)
            has_exact = 0;
        if (exact.kind == RECORD_COPY && exact.value == hash)
            continue;
        other_everywhere |= other_range_count == MOST_RANGES;
        if (!other_everywhere)
            other_ranges[other_range_count++] = copied[k];
    }
    copied_count = 0;
}

static void stores_memory(enum portable_memory_event_ what, const void *address, size_t bytes)
{
    const char *const begin = (const char *)address;

    if (record_file == NULL && compare_file == NULL)
        return;
    if (what == PORTABLE_MEMORY_FREE_ || what == PORTABLE_MEMORY_NEW_) {
        struct object object;
        object_at(address, &object);
        const char *const end = begin + (what == PORTABLE_MEMORY_FREE_ ? object.bytes : bytes);
        drop_ranges(copied, &copied_count, begin, end);
        drop_ranges(other_ranges, &other_range_count, begin, end);
    }
    if (what != PORTABLE_MEMORY_WRITE_ || bytes == 0)
        return;
    drop_ranges(copied, &copied_count, begin, begin + bytes);
    if (copied_count < MOST_RANGES)
        copied[copied_count++] =
            (struct emulate_range){(char *)(uintptr_t)begin, (char *)(uintptr_t)begin + bytes};
}

static void stores_launch(void)
{
    static struct text_set names;

    if (record_file == NULL && compare_file == NULL)
        return;
    text_set_add(&names, emulate.kernel);
    for (size_t k = 0; k < names.count; k++)
        if (strcmp(names.texts[k], emulate.kernel) == 0)
            store_kernel = names.texts[k];
    free(other_threads.keys);
    memset(&other_threads, 0, sizeof other_threads);
    if (record_file != NULL) {
        const struct record record = {RECORD_LAUNCH, 0, 0, (uint32_t)strlen(emulate.kernel), 0};
        put(&record, emulate.kernel);
    } else if (!all_is_lost) {
        launch_is_lost = skips = 0;
        for (look_at_exact(); exact.kind != RECORD_LAUNCH && exact.kind != RECORD_END;
             look_at_exact())
            has_exact = 0;
        all_is_lost = exact.kind == RECORD_END || strcmp(other_lines[0], emulate.kernel) != 0;
        has_exact = exact.kind == RECORD_END;
        matched_block = (uint64_t)-1;
    }
    if (!all_is_lost)
        compare_copies();
}

/* ---------------------------------------------------------------------------------------------
 * The report
 * ------------------------------------------------------------------------------------------- */

static int store_order(const void *left, const void *right)
{
    const struct store_site *const a = *(struct store_site *const *)left,
                                   *const b = *(struct store_site *const *)right;
    const int kernels = strcmp(a->kernel, b->kernel);

    if ((a->arise > 0) != (b->arise > 0))
        return a->arise > 0 ? -1 : 1;
    return a->number != b->number ? (a->number > b->number) - (a->number < b->number) : kernels;
}

static void report_site(const struct store_site *site)
{
    enum { MANY_ULPS = 1000000 };
    char value[40], other[40], into[512], most[64];
    const char *const what = site->arise > 0 ? "another value arises" : "another value, of others";
    const struct finding finding = {
        FINDING_OTHER_VALUE,
        site->kernel,
        NULL,
        {{site->line, what}, object_place(&site->object), {NULL, NULL}}};

    if (site->most > MANY_ULPS)
        snprintf(most, sizeof most, ", by more than %d ulps", MANY_ULPS);
    else
        snprintf(most, sizeof most, ", by at most %" PRIu64 " ulp%s", site->most,
                 site->most == 1 ? "" : "s");
    findings_add(&finding,
                 "other values in kernel %s: %" PRIu64 " of %" PRIu64 " stores at %s%s%s\n"
                 "    %s, as by %s: %s for %s,\n    in %s",
                 site->kernel, site->differ, site->stores, site->line, site->most > 0 ? most : "",
                 site->has_nan ? ", NaNs among them" : "",
                 site->arise > 0 ? "which arise here" : "which may follow from others", site->where,
                 value_text(value, sizeof value, site->value, site->bytes),
                 value_text(other, sizeof other, site->exact, site->bytes),
                 object_text(into, sizeof into, &site->object, " at", site->address, site->bytes));
}

/* Sites of one line are one. */
static void merge_sites(void)
{
    for (unsigned k = 0; k < store_site_count; k++)
        for (unsigned j = 0; j < k; j++) {
            struct store_site *const to = by_number[j], *const from = by_number[k];

            if (to->kernel != from->kernel || strcmp(to->line, from->line) != 0)
                continue;
            const struct store_site old = *to;
            if (from->arise > 0 ? old.arise == 0 || from->most > old.most
                                : old.differ == 0 || (old.arise == 0 && from->most > old.most)) {
                *to = *from;
                to->number = old.number;
            }
            to->stores = old.stores + from->stores;
            to->differ = old.differ + from->differ;
            to->arise = old.arise + from->arise;
            to->most = old.most > from->most ? old.most : from->most;
            to->has_nan = old.has_nan | from->has_nan;
            from->differ = 0;
            break;
        }
}

static int report_stores(void)
{
    if (record_file != NULL) {
        const struct record end = {RECORD_END, 0, 0, 0, 0};
        put(&end, NULL);
        if (fclose(record_file) != 0)
            stores_fail(strerror(errno));
        record_file = NULL;
        fprintf(stderr, "fpcheck: %" PRIu64 " stores are recorded in %s\n", recorded, stores_name);
        return 0;
    }
    merge_sites();
    qsort(by_number, store_site_count, sizeof by_number[0], store_order);
    for (unsigned k = 0; k < store_site_count; k++)
        if (by_number[k]->differ > 0)
            report_site(by_number[k]);
    if (other_ways > 0)
        fprintf(stderr,
                "fpcheck: %" PRIu64
                " times a thread stores at other lines than in the exact build, "
                "first in kernel %s: at %s and not at %s\n",
                other_ways, other_way[0], other_way[1] != NULL ? other_way[1] : "no other",
                other_way[2] != NULL ? other_way[2] : "any other");
    if (all_is_lost)
        fprintf(stderr, "fpcheck: from some launch on, the exact build launches another kernel\n");
    if (not_compared > 0)
        fprintf(stderr, "fpcheck: %" PRIu64 " stores were compared, and %" PRIu64 " were not\n",
                compared, not_compared);
    return 1;
}

/* Whether the program records or compares. */
static int open_stores(void)
{
    const char *const record = getenv("PORTABLE_FP_RECORD"), *const compare =
                                                                 getenv("PORTABLE_FP_COMPARE");
    char head[sizeof magic];

    if (record != NULL && record[0] != '\0') {
        stores_name = record;
        record_file = fopen(record, "wb");
        if (record_file == NULL || fwrite(magic, sizeof magic, 1, record_file) != 1)
            stores_fail(strerror(errno));
    } else if (compare != NULL && compare[0] != '\0') {
        stores_name = compare;
        compare_file = fopen(compare, "rb");
        if (compare_file == NULL)
            stores_fail(strerror(errno));
        if (fread(head, sizeof head, 1, compare_file) != 1 ||
            memcmp(head, magic, sizeof magic) != 0)
            stores_fail("is no record of stores");
    }
    return record_file != NULL || compare_file != NULL;
}

#endif
