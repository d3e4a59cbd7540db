/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of streamcheck.c: which work has touched each byte, and whether that comes before what
 * touches it now.
 *
 * A unit is a word of 4 bytes, or a byte on a page where any access was narrower. It has the work
 * of the latest plain write, and the touches since: reads and atomics that no later one comes
 * after. A touch is work with a kind of access:
 *
 *     write      others
 *     5          0               written by work 5
 *     5          7 reads         then read by work 7
 *     5          {7, 8} read     then by work 8, which does not come after 7: a set of touches
 *     9          0               written by work 9. Both 7 and 8 must come before it
 *
 * So all touches that a later one might be unordered with are known, and the verdict is exact.
 * Within one piece of work racecheck is the check. Atomics of two kernels need no order; whatever
 * the host does in a call of its own is compared, but not stored: all later work comes after it.
 */
#ifndef PORTABLE_HOST_CHECKS_TOUCHES_H
#define PORTABLE_HOST_CHECKS_TOUCHES_H

#include "host/checks/shadow.h"
#include "host/checks/timelines.h"

enum access { READ, ATOMIC_READ, ATOMIC, WRITE }; /* the first three in `others` */
enum { KIND_BITS = 2, UNIT_WORD = 4 };
static const uint32_t SET = UINT32_C(1) << 31; /* and the number of a set */

INLINE uint32_t touch_of(uint32_t work, enum access kind)
{
    return work << KIND_BITS | (uint32_t)kind;
}

/* Where a kernel's thread, or host code in a stream, touched: the low 32 bits of the instruction's
 * address, and of the thread's index in the grid. 0 for calls. */
typedef uint64_t place;

/* Two kinds of pages, by the size of their units. */
enum { OF_WORDS = 0, OF_BYTES = 2 };
#define PAGE(name, units)                                                                          \
    struct name {                                                                                  \
        uint32_t write[units], others[units];                                                      \
        place write_place[units], others_place[units]; /* of the latest of the others */           \
    }
PAGE(page_of_words, SHADOW_PAGE / UNIT_WORD);
PAGE(page_of_bytes, SHADOW_PAGE);

/* A set that others become by a touch. */
struct merged {
    uint32_t before, touch, after;
};

/* What touches memory now: a piece of work, or the host (0). */
struct toucher {
    uint32_t work;
    const struct emulate_clock *clock;
    const void *caller; /* of a call */
    const char *call;   /* of the host's; NULL: its own code */
    int frees;          /* that call */
    uint32_t floor;     /* all work up to that comes before it */
    struct merged merged[16];
};

/* A conflict: what touches at an address, at a place, and the earlier touch. */
struct conflict {
    const struct toucher *toucher;
    enum access kind, earlier_kind;
    const char *address;
    size_t bytes;
    const void *caller; /* the instruction, or of the call */
    uint32_t earlier;   /* work */
    place earlier_place;
    int place_is_known; /* of the earlier one */
};
static void on_conflict(const struct conflict *conflict);

/* ---- sets ---- */

struct set {
    uint32_t count, touches[]; /* the latest last */
};
static struct set **sets;
static uint32_t set_count_, set_room;

static uint32_t members(const uint32_t *others, const uint32_t **list)
{
    if (!(*others & SET)) {
        *list = others;
        return *others != 0;
    }
    *list = sets[*others & ~SET]->touches;
    return sets[*others & ~SET]->count;
}

static uint32_t new_set(const uint32_t *touches, uint32_t count)
{
    if (count == 1)
        return touches[0];
    if (set_count_ == set_room) {
        set_room = set_room != 0 ? 2 * set_room : 64;
        sets = (struct set **)require_memory(realloc(sets, set_room * sizeof *sets));
    }
    struct set *const set =
        (struct set *)require_memory(malloc(sizeof *set + count * sizeof *touches));
    set->count = count;
    memcpy(set->touches, touches, count * sizeof *touches);
    sets[set_count_] = set;
    return SET | set_count_++;
}

/* ---- one unit ---- */

static int conflicts(enum access now, enum access earlier)
{
    if (now == WRITE || earlier == WRITE)
        return 1;
    return (now == ATOMIC && earlier == READ) || (now == READ && earlier == ATOMIC);
}

static int is_ordered(const struct toucher *toucher, uint32_t work)
{
    return work == toucher->work || comes_before(work, toucher->clock);
}

static __attribute__((noinline)) void check_write(const struct toucher *toucher, uint32_t write,
                                                  struct conflict conflict, place at)
{
    if (is_ordered(toucher, write))
        return;
    conflict.earlier = write;
    conflict.earlier_kind = WRITE;
    conflict.earlier_place = at;
    conflict.place_is_known = 1;
    on_conflict(&conflict);
}

/* Returns the others with the new touch, or without one those that are not ordered. */
static __attribute__((noinline)) uint32_t check_others(struct toucher *toucher, uint32_t before,
                                                       uint32_t touch, struct conflict conflict,
                                                       place at)
{
    enum { MOST = 64 }; /* more are forgotten */
    struct merged *const merged = &toucher->merged[(before ^ before >> 4 ^ touch) % 16];
    const uint32_t *list, count = members(&before, &list);
    uint32_t kept[MOST + 1], kept_count = 0;
    int is_clean = 1;

    if (touch != 0 && merged->before == before && merged->touch == touch)
        return merged->after;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t work = list[k] >> KIND_BITS;
        const enum access earlier = (enum access)(list[k] & ((1u << KIND_BITS) - 1));
        if (work == toucher->work && (earlier == READ) == (conflict.kind == READ)) {
            if (earlier > conflict.kind) /* an atomic read after an atomic */
                touch = list[k];
            continue;
        }
        if (work != toucher->work && comes_before(work, toucher->clock))
            continue;
        if (kept_count < MOST)
            kept[kept_count++] = list[k];
        if (work == toucher->work || !conflicts(conflict.kind, earlier))
            continue;
        is_clean = 0;
        conflict.earlier = work;
        conflict.earlier_kind = earlier;
        conflict.earlier_place = at;
        conflict.place_is_known = k + 1 == count;
        on_conflict(&conflict);
    }
    if (touch == 0)
        return 0;
    kept[kept_count++] = touch;
    const uint32_t after = new_set(kept, kept_count);
    if (is_clean) {
        merged->before = before;
        merged->touch = touch_of(toucher->work, conflict.kind);
        merged->after = after;
    }
    return after;
}

/* Whether the work has touched the unit so before: whatever is unordered with a read or an atomic
 * of the work is unordered with its write, too. */
INLINE int is_touched(uint32_t work, uint32_t write, uint32_t others, enum access kind)
{
    return write == work || (kind != WRITE && others == touch_of(work, kind));
}

/* A unit is touched by work. */
INLINE void touch_unit(struct toucher *toucher, uint32_t *write, uint32_t *others,
                       place *write_place, place *others_place, enum access kind,
                       const char *address, size_t bytes, const void *caller, place at)
{
    const uint32_t touch = touch_of(toucher->work, kind);

    if (is_touched(toucher->work, *write, *others, kind))
        return;
    const struct conflict conflict = {toucher, kind, READ, address, bytes, caller, 0, 0, 0};
    if (*write > toucher->floor)
        check_write(toucher, *write, conflict, *write_place);
    if (kind == WRITE) {
        if (*others >> KIND_BITS > toucher->floor)
            check_others(toucher, *others, 0, conflict, *others_place);
        *write = toucher->work;
        if (*others != 0)
            *others = 0;
        if (*write_place != at)
            *write_place = at;
        return;
    }
    if (*others >> KIND_BITS > toucher->floor)
        *others = check_others(toucher, *others, touch, conflict, *others_place);
    else
        *others = touch;
    if (*others_place != at)
        *others_place = at;
}

/* A unit is touched by the host. */
static void check_unit(struct toucher *toucher, uint32_t write, uint32_t others, place write_place,
                       place others_place, enum access kind, const char *address, size_t bytes,
                       const void *caller)
{
    const struct conflict conflict = {toucher, kind, READ, address, bytes, caller, 0, 0, 0};

    if (write > toucher->floor)
        check_write(toucher, write, conflict, write_place);
    if (others >> KIND_BITS > toucher->floor)
        check_others(toucher, others, 0, conflict, others_place);
}

/* ---- ranges ---- */

INLINE unsigned kind_of_page(const void *tagged)
{
    return (uintptr_t)tagged & 3;
}

INLINE struct page_of_words *words_of(void *tagged)
{
    return (struct page_of_words *)tagged;
}

INLINE struct page_of_bytes *bytes_of(void *tagged)
{
    return (struct page_of_bytes *)(void *)((char *)tagged - OF_BYTES);
}

/* The page of an address, which gets units of bytes if it has none that fit the access. */
static void *fitting_page(uintptr_t address, size_t bytes)
{
    const int is_narrow = address % UNIT_WORD != 0 || bytes % UNIT_WORD != 0;
    void *page = shadow_page(address);

    if (page != NULL && (!is_narrow || kind_of_page(page) == OF_BYTES))
        return page;
    if (page == NULL)
        return is_narrow ? shadow_make(address, sizeof(struct page_of_bytes), OF_BYTES)
                         : shadow_make(address, sizeof(struct page_of_words), OF_WORDS);
    const struct page_of_words *const words = words_of(page);
    shadow_forget(address);
    page = shadow_make(address, sizeof(struct page_of_bytes), OF_BYTES);
    struct page_of_bytes *const units = bytes_of(page);
    for (unsigned k = 0; k < SHADOW_PAGE; k++) {
        units->write[k] = words->write[k / UNIT_WORD];
        units->others[k] = words->others[k / UNIT_WORD];
        units->write_place[k] = words->write_place[k / UNIT_WORD];
        units->others_place[k] = words->others_place[k / UNIT_WORD];
    }
    return page;
}

INLINE void touch_page(struct toucher *toucher, void *tagged, const char *address, size_t bytes,
                       enum access kind, const void *caller, place at)
{
    const size_t from = (uintptr_t)address % SHADOW_PAGE;

    if (kind_of_page(tagged) == OF_WORDS) {
        struct page_of_words *const page = words_of(tagged);
        for (size_t k = from / UNIT_WORD; k < (from + bytes) / UNIT_WORD; k++)
            touch_unit(toucher, &page->write[k], &page->others[k], &page->write_place[k],
                       &page->others_place[k], kind, address + (k * UNIT_WORD - from), UNIT_WORD,
                       caller, at);
    } else {
        struct page_of_bytes *const page = bytes_of(tagged);
        for (size_t k = from; k < from + bytes; k++)
            touch_unit(toucher, &page->write[k], &page->others[k], &page->write_place[k],
                       &page->others_place[k], kind, address + (k - from), 1, caller, at);
    }
}

/* The part of a range on its first page. */
INLINE size_t on_page(const char *address, size_t bytes)
{
    const size_t room = SHADOW_PAGE - (uintptr_t)address % SHADOW_PAGE;
    return bytes < room ? bytes : room;
}

static __attribute__((noinline)) void touch_range(struct toucher *toucher, const char *address,
                                                  size_t bytes, enum access kind,
                                                  const void *caller, place at)
{
    for (size_t part; bytes > 0; address += part, bytes -= part) {
        part = on_page(address, bytes);
        void *const page = fitting_page((uintptr_t)address, part);
        if (page != NULL)
            touch_page(toucher, page, address, part, kind, caller, at);
    }
}

static __attribute__((noinline)) void check_range(struct toucher *toucher, const char *address,
                                                  size_t bytes, enum access kind,
                                                  const void *caller)
{
    for (size_t part; bytes > 0; address += part, bytes -= part) {
        void *const tagged = shadow_page((uintptr_t)address);
        const size_t from = (uintptr_t)address % SHADOW_PAGE;
        part = on_page(address, bytes);
        if (tagged == NULL)
            continue;
        if (kind_of_page(tagged) == OF_WORDS) {
            const struct page_of_words *const page = words_of(tagged);
            for (size_t k = from / UNIT_WORD; k <= (from + part - 1) / UNIT_WORD; k++)
                check_unit(toucher, page->write[k], page->others[k], page->write_place[k],
                           page->others_place[k], kind,
                           k * UNIT_WORD > from ? address + (k * UNIT_WORD - from) : address,
                           part < UNIT_WORD ? part : UNIT_WORD, caller);
        } else {
            const struct page_of_bytes *const page = bytes_of(tagged);
            for (size_t k = from; k < from + part; k++)
                check_unit(toucher, page->write[k], page->others[k], page->write_place[k],
                           page->others_place[k], kind, address + (k - from), 1, caller);
        }
    }
}

/* The memory is new, or gone. A word that is not all of it keeps its touches. */
static void clear_range(const char *address, size_t bytes)
{
    for (size_t part; bytes > 0; address += part, bytes -= part) {
        void *const tagged = shadow_page((uintptr_t)address);
        const size_t from = (uintptr_t)address % SHADOW_PAGE;
        part = on_page(address, bytes);
        if (tagged == NULL)
            continue;
        if (kind_of_page(tagged) == OF_WORDS) {
            const size_t first = (from + UNIT_WORD - 1) / UNIT_WORD;
            const size_t end = (from + part + UNIT_WORD - 1) / UNIT_WORD;
            struct page_of_words *const page = words_of(tagged);
            memset(&page->write[first], 0, (end - first) * sizeof *page->write);
            memset(&page->others[first], 0, (end - first) * sizeof *page->others);
        } else {
            struct page_of_bytes *const page = bytes_of(tagged);
            memset(&page->write[from], 0, part * sizeof *page->write);
            memset(&page->others[from], 0, part * sizeof *page->others);
        }
    }
}

#endif
