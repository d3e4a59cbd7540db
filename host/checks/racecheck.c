/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make racecheck: finds pairs of accesses to one byte by different threads, unordered, at least one
 * of them a write, unless both are atomic. Two accesses are ordered only by
 *
 *     a barrier of their block between them
 *     a SYNC_WARP of their warp between them, or several of parts of it that pass word from the
 *     one's lane to the other's
 *     the end of a launch, or a barrier of the grid, between them
 *     a fence and an atomic, and an atomic of the other thread at the same address: fences.h
 *
 * Atomics alone order nothing; those of block scope are atomic within their block only. Blocks
 * count as concurrent, whatever order they ran in.
 *
 * The verdict is exact for the execution seen: it takes the whole history of each byte into
 * account, although only a few words of it are stored. tests/emulate/test_race_model.c compares it
 * with the complete history. For each kind of access (enum kind) two accesses are stored, `first`
 * and `second`, with a `level`: how far apart the two are, and so which threads are certainly
 * unordered with one of them:
 *
 *     ALONE   there is no second. Since the last ordering point all accesses of the kind were made
 *             by the thread of `first`, so they are ordered for every thread that `first` is
 *             ordered for.
 *     LANES   two threads of a warp, between the same two syncs. Every other access of the kind was
 *             made by this warp in this interval. Until the warp's next sync one of the two
 *             conflicts with any of its threads; after that sync neither does.
 *     MANY    in place of LANES once the program has passed a sync of a part of a warp: the latest
 *             access of each lane. All accesses of the kind in this interval are of one warp, and
 *             either stored or before one that is stored.
 *     WARPS   two warps of a block, in one interval: one of the two conflicts with every thread of
 *             the block in this interval, and with none of the block in a later one.
 *     BLOCKS  two blocks, in a launch whose blocks give way to each other: one of the two conflicts
 *             with every thread until the next ordering point of the grid.
 *
 * Two are enough because of the scheduler's order of threads: unless blocks give way to each other,
 * intervals never go back, so a block that has stopped does not resume before `launch_start` passes
 * it (and then all its accesses are over); and no lane passes a sync of its whole warp before
 * another. The stored accesses to shared memory belong to one block, and are saved while it gives
 * way. So an access is unordered with some access of the kind if and only if it is unordered with
 * `first` or `second`, because one of these holds:
 *
 *     `first` is of an earlier block: unordered with everybody now. `first` is of this block, in an
 *     earlier interval: then so is every access of the kind (a later
 *             one would have replaced it), and a barrier orders them all.
 *     `first` is of this interval: at WARPS one of the two is of another warp than the access. At
 *             LANES and ALONE all accesses since the barrier are of one warp. For this warp, those
 *             before its last sync are ordered; those after it are of both threads, or of the one.
 *
 * Where fences order blocks, or warps, an access of the kind replaces those stored if they all come
 * before it. Among accesses that it does not know all of, a race with one that is not stored can be
 * missed. Where lanes have passed different syncs, ALONE says that all others come before `first`,
 * so that they are ordered for every thread that it is ordered for. Accesses at LANES from before
 * the program's first sync of a part remain two: there alone a race with a third lane can be
 * missed.
 *
 * Accesses before `floor` are over: launch_start, or block_start for shared memory, which belonged
 * to another block before. A floor rises above all earlier accesses, so `second` is over whenever
 * `first` is. Nothing needs clearing, except everything when the count of intervals restarts.
 */
#if !defined(ORDERCHECK) /* 1 in ordercheck.c, which includes this file */
#define ORDERCHECK 0
#endif
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dl_iterate_phdr, MAP_ANONYMOUS */
#endif
#include "host/checks/accesses.h"
#include "host/checks/findings.h"
#include "host/checks/shadow.h"
#include "host/checks/text_set.h"
#include "host/emulate/check.h"
#include "portable.h" /* portable_bad_value_ */

#include <inttypes.h> /* PRIx32 */
#include <link.h>     /* dl_iterate_phdr */
#include <stdio.h>    /* snprintf */
#include <stdlib.h>   /* atexit, getenv, realloc */
#include <string.h>   /* memcmp, memset, strcmp */
#include <sys/mman.h> /* mincore */
#include <unistd.h>   /* sysconf */

static void die_out_of_memory(void)
{
    fprintf(stderr, "%s: out of memory\n", emulate_check.name);
    abort();
}

/* Reallocates a full list; returns it. */
static void *grow_list(void *list, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room = *room != 0 ? 2 * *room : 4;
    list = *room > count ? realloc(list, *room * size) : NULL;
    if (list == NULL)
        die_out_of_memory();
    return list;
}

/* ---------------------------------------------------------------------------------------------
 * The shadow: the stored accesses to each word
 * ------------------------------------------------------------------------------------------- */

enum kind { WRITE, READ, ATOMIC, ATOMIC_READ, BLOCK_ATOMIC, BLOCK_ATOMIC_READ, KINDS };
enum level { ALONE, LANES, WARPS, MANY, BLOCKS };

/* Time and thread of an access: interval << 32 | syncs of the warp << 10 | thread. 0, which is
 * before every floor, means never. The low 22 bits of the syncs are stored: an access exactly a
 * multiple of 4194304 syncs ago, with no barrier since, looks unordered. */
typedef uint64_t moment;

enum { THREAD_BITS = EMULATE_THREAD_BITS, WARP_BITS = 5 };
#define LANE_MASK (((moment)1 << WARP_BITS) - 1)
#define THREAD_MASK (((moment)1 << THREAD_BITS) - 1)
#define WARP_MASK (THREAD_MASK & ~LANE_MASK)

/* The stored accesses of one kind. Their sites are the instructions: see site_of. */
struct history {
    moment first, second;
    uint32_t first_site, second_site;
    uint8_t level;
};

/* The histories of a unit, which is a word of memory or less. Most units need 32 bytes:
 *
 *     page of 4 KiB --> cells[address % 4096 / 4]
 *                       struct cell: first write, first read
 *                         | link, unless it is 0
 *                         |
 *                         +-- split = 0 --> struct extension: second write, second read
 *                         |                   +-- atomics --> struct atomics: histories of atomics
 *                         +-- split = 1 --> struct bytes: a struct cell for each byte
 *
 * A unit is split once a part of it has been accessed. For example, thread 1 of block 0 reads a
 * word in interval 7, and then thread 40, of another warp, does, too: first[READ] is 7.0.1 (an
 * interval, syncs and a thread), the extension's second[READ] is 7.0.40, level[READ] is WARPS. A
 * write by any thread of the block in interval 7 now races with one of them. */
struct cell {
    moment first[ATOMIC]; /* of each kind below ATOMIC */
    uint32_t site[ATOMIC];
    uint32_t link;
    uint8_t level[ATOMIC];
    uint8_t split, atomics; /* flags; atomics: there were atomic accesses */
};

/* Additional state, which few units need. */
struct extension {
    moment second[ATOMIC];
    uint32_t site[ATOMIC];
    uint32_t atomics; /* the number of its `struct atomics`, or 0 */
};
struct atomics {
    struct history history[KINDS - ATOMIC];
    uint32_t operations; /* of ordercheck: the first, or 0 */
};
#if ORDERCHECK
static void copy_operations(uint32_t *first);
static void free_operations(uint32_t first);
static void clear_operations(void);
#else
static inline void copy_operations(uint32_t *first)
{
    (void)first;
}
static inline void free_operations(uint32_t first)
{
    (void)first;
}
static inline void clear_operations(void)
{
}
#endif

/* The first access to a page decides its unit: 4 bytes, or 2 or 1 for an access of that size. The
 * low bits of the address of a `struct page` are the kind of its unit: 4 >> kind bytes. */
enum { WORD = 4, HALF = 2 };
struct page {
    struct cell cells[SHADOW_PAGE / WORD]; /* or 2 or 4 times as many */
};
struct bytes {
    struct cell cells[WORD];
};

/* Numbered structures, initially zero; the number 0 is not used. Their units keep them, except
 * those of shared memory that another block's take the place of. */
enum { CHUNK_BITS = 16, CHUNKS = 1 << 14 };
struct pool {
    size_t size;
    uint32_t count;
    uint32_t free; /* the first that is free, which has the next one's number, or 0 */
    char *chunks[CHUNKS];
};
static struct pool extension_pool = {.size = sizeof(struct extension), .count = 1};
static struct pool atomics_pool = {.size = sizeof(struct atomics), .count = 1};
static struct pool bytes_pool = {.size = sizeof(struct bytes), .count = 1};

/* At level MANY: the latest access by each lane of the warp, or 0. They are of the present
 * interval, and freed with it, because those of an earlier one are not needed; unless blocks give
 * way to each other, when the earlier interval may resume. */
struct lanes {
    moment when[32];
    uint32_t site[32];
};
static struct pool lanes_pool = {.size = sizeof(struct lanes), .count = 1};
static struct {
    uint32_t interval;
    uint32_t free; /* the first free one, which has the next one's number, or 0 */
} lanes_state;

INLINE void *pool_at(const struct pool *pool, uint32_t number)
{
    return pool->chunks[number >> CHUNK_BITS] + (number & ((1u << CHUNK_BITS) - 1)) * pool->size;
}

static uint32_t pool_new(struct pool *pool)
{
    uint32_t chunk = pool->count >> CHUNK_BITS;

    if (pool->free != 0) {
        const uint32_t number = pool->free;

        pool->free = *(uint32_t *)pool_at(pool, number);
        memset(pool_at(pool, number), 0, pool->size);
        return number;
    }
    if (chunk == CHUNKS) {
        fprintf(stderr, "%s: kernels share more words than it can count\n", emulate_check.name);
        abort();
    }
    if (pool->chunks[chunk] == NULL)
        pool->chunks[chunk] = (char *)shadow_map(pool->size << CHUNK_BITS);
    return pool->count++;
}

static void pool_free(struct pool *pool, uint32_t number)
{
    if (number == 0)
        return;
    *(uint32_t *)pool_at(pool, number) = pool->free;
    pool->free = number;
}

static struct lanes *lanes_at(moment number)
{
    return (struct lanes *)pool_at(&lanes_pool, (uint32_t)number);
}

static moment lanes_new(void)
{
    uint32_t number;

    if (lanes_state.interval != emulate.interval && !emulate.interleaved) {
        lanes_state.interval = emulate.interval;
        lanes_state.free = 0;
        lanes_pool.count = 1;
    }
    number = lanes_state.free;
    if (number != 0)
        lanes_state.free = (uint32_t)lanes_at(number)->when[0];
    else
        number = pool_new(&lanes_pool);
    memset(lanes_at(number), 0, sizeof(struct lanes));
    return number;
}

static void lanes_free(moment number)
{
    lanes_at(number)->when[0] = lanes_state.free;
    lanes_state.free = (uint32_t)number;
}

/* The cell of the unit at the address, and the base 2 logarithm of the unit's size; NULL if there
 * is no page. */
INLINE struct cell *cell_in(void *tagged, uintptr_t address, unsigned *shift)
{
    unsigned kind = (uintptr_t)tagged & 3;

    if (UNLIKELY(tagged == NULL))
        return NULL;
    *shift = 2 - kind;
    return ((struct page *)(void *)((char *)tagged - kind))->cells +
           (address % SHADOW_PAGE >> *shift);
}

INLINE struct cell *cell_of(uintptr_t address, unsigned *shift)
{
    return cell_in(shadow_page(address), address, shift);
}

/* The same, but creates the page for an access of that size; NULL where no program has memory. */
static struct cell *make_cell(uintptr_t address, size_t bytes, unsigned *shift)
{
    void *page = shadow_page(address);
    unsigned kind = 0;

    if (bytes == HALF && address % HALF == 0)
        kind = 1;
    else if (bytes == 1)
        kind = 2;
    if (page == NULL)
        page = shadow_make(address, sizeof(struct page) << kind, kind);
    return cell_in(page, address, shift);
}

static void clear_pool(struct pool *pool)
{
    for (uint32_t number = 1; number < pool->count; number++)
        memset(pool_at(pool, number), 0, pool->size);
    pool->count = 1;
    pool->free = 0;
}

static void clear_fences(void);

static void clear_shadow(void)
{
    for (size_t top = 0; top < (size_t)1 << SHADOW_TOP_BITS; top++)
        for (size_t i = 0; shadow_tables[top] != NULL && i < (size_t)1 << SHADOW_TABLE_BITS; i++)
            if (shadow_tables[top]->pages[i] != NULL) {
                unsigned kind = (uintptr_t)shadow_tables[top]->pages[i] & 3;

                memset((char *)shadow_tables[top]->pages[i] - kind, 0, sizeof(struct page) << kind);
            }
    clear_pool(&extension_pool);
    clear_pool(&atomics_pool);
    clear_pool(&bytes_pool);
    clear_operations();
    clear_fences();
}

static struct extension *extension_of(struct cell *cell)
{
    if (cell->link == 0)
        cell->link = pool_new(&extension_pool);
    return (struct extension *)pool_at(&extension_pool, cell->link);
}

static struct history *atomics_of(struct cell *cell, enum kind kind)
{
    struct extension *extension = extension_of(cell);

    if (extension->atomics == 0)
        extension->atomics = pool_new(&atomics_pool);
    return &((struct atomics *)pool_at(&atomics_pool, extension->atomics))->history[kind - ATOMIC];
}

static uint32_t *operations_of(struct cell *cell)
{
    struct extension *const extension = extension_of(cell);

    if (extension->atomics == 0)
        extension->atomics = pool_new(&atomics_pool);
    return &((struct atomics *)pool_at(&atomics_pool, extension->atomics))->operations;
}

static struct history load_history(struct cell *cell, enum kind kind)
{
    struct history history = {0, 0, 0, 0, ALONE};

    if (kind >= ATOMIC) {
        if (cell->atomics)
            history = *atomics_of(cell, kind);
        return history;
    }
    history.first = cell->first[kind];
    history.first_site = cell->site[kind];
    history.level = cell->level[kind];
    if (history.level != ALONE) {
        struct extension *extension = extension_of(cell);

        history.second = extension->second[kind];
        history.second_site = extension->site[kind];
    }
    return history;
}

static void store_history(struct cell *cell, enum kind kind, struct history history)
{
    struct extension *extension;

    if (kind >= ATOMIC) {
        *atomics_of(cell, kind) = history;
        cell->atomics = 1;
        return;
    }
    cell->first[kind] = history.first;
    cell->site[kind] = history.first_site;
    cell->level[kind] = history.level;
    if (history.level == ALONE)
        return;
    extension = extension_of(cell);
    extension->second[kind] = history.second;
    extension->site[kind] = history.second_site;
}

/* From now on each byte has its own cell, with the unit's accesses. */
static void split(struct cell *cell)
{
    uint32_t number = pool_new(&bytes_pool);
    struct bytes *bytes = (struct bytes *)pool_at(&bytes_pool, number);

    for (int byte = 0; byte < WORD; byte++)
        for (int kind = 0; kind < (cell->atomics ? (int)KINDS : (int)ATOMIC); kind++) {
            struct history history = load_history(cell, (enum kind)kind);

            if (history.level == MANY && history.first >> 32 == emulate.interval && byte > 0) {
                moment copy = lanes_new();

                *lanes_at(copy) = *lanes_at(history.second);
                history.second = copy;
            }
            store_history(&bytes->cells[byte], (enum kind)kind, history);
        }
    for (int byte = 0; byte < WORD && cell->atomics; byte++) {
        uint32_t *const operations = operations_of(&bytes->cells[byte]);

        *operations = *operations_of(cell);
        if (byte > 0)
            copy_operations(operations);
    }
    cell->link = number;
    cell->split = 1;
}

static void clear_cell(struct cell *cell)
{
    if (cell->split) {
        for (int byte = 0; byte < WORD; byte++)
            clear_cell(&((struct bytes *)pool_at(&bytes_pool, cell->link))->cells[byte]);
        pool_free(&bytes_pool, cell->link);
    } else if (cell->link != 0) {
        if (ORDERCHECK && extension_of(cell)->atomics != 0)
            free_operations(*operations_of(cell));
        pool_free(&atomics_pool, extension_of(cell)->atomics);
        pool_free(&extension_pool, cell->link);
    }
    memset(cell, 0, sizeof *cell);
}

/* ---------------------------------------------------------------------------------------------
 * Races, collected while a launch runs and printed when it ends
 * ------------------------------------------------------------------------------------------- */

struct access {
    enum kind kind;
    moment when;
    uint32_t site;
};

/* All races of one pair of instructions in one object. */
struct race {
    struct access earlier, later;
    struct object object;
    unsigned long long earlier_block, later_block;
    const char *address;
    size_t bytes;
    int same_value;                 /* the second write did not change the bytes */
    int across_warps;               /* some pair of it is not of one warp */
    unsigned long long count;       /* pairs of accesses */
    unsigned long long last_number; /* of the later access of the latest pair */
};
static struct race *races;
static uint32_t race_count, race_room;
static int races_left_out;
static uint32_t race_slots[1 << 12];     /* a hash table of numbers + 1 */
static unsigned long long access_number; /* of the access being checked */

/* The lower 32 bits of a return address, called a site, are stored: the code of the program and its
 * libraries is small, and far between. */
static const void *caller_of(uint32_t site)
{
    const struct emulate_range *code;
    const size_t count = emulate_ranges(EMULATE_CODE, &code);

    for (size_t k = 0; k < count; k++) {
        const char *const caller = code[k].begin + (uint32_t)(site - (uintptr_t)code[k].begin);

        if (caller <= code[k].end)
            return caller;
    }
    return NULL;
}

INLINE uint32_t site_of(const void *caller)
{
    return (uint32_t)(uintptr_t)caller;
}

static struct object cached_object; /* many races are in one object */

static void clear_cached_object(void)
{
    cached_object.bytes = 0;
}

static const struct object *object_of(const char *address)
{
    if ((uintptr_t)address - (uintptr_t)cached_object.address >= cached_object.bytes)
        object_at(address, &cached_object);
    return &cached_object;
}

static int is_same_race(const struct race *race, const struct access *earlier,
                        const struct access *later, const struct object *object, int same_value)
{
    return race->earlier.site == earlier->site && race->later.site == later->site &&
           race->earlier.kind == earlier->kind && race->later.kind == later->kind &&
           race->object.kind == object->kind && race->object.address == object->address &&
           race->same_value == same_value;
}

static struct race *find_race(const struct access *earlier, const struct access *later,
                              const struct object *object, int same_value)
{
    enum { SLOTS = sizeof race_slots / sizeof *race_slots };
    uint32_t slot = (earlier->site * 2654435761u ^ later->site * 2246822519u ^
                     (uint32_t)((uintptr_t)object->address >> 4)) %
                    SLOTS;
    struct race *race;

    for (; race_slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        race = &races[race_slots[slot] - 1];
        if (is_same_race(race, earlier, later, object, same_value))
            return race;
    }
    if (race_count == SLOTS / 2) {
        races_left_out = 1;
        return NULL; /* too many pairs of lines to read */
    }
    races = (struct race *)grow_list(races, race_count, &race_room, sizeof *races);
    race_slots[slot] = ++race_count;
    race = &races[race_count - 1];
    memset(race, 0, sizeof *race);
    race->earlier = *earlier;
    race->later = *later;
    race->object = *object;
    race->same_value = same_value;
    return race;
}

/* Thread-local variables of the OS thread that runs all simulated threads: portable.h's own, used
 * by kernels that launch kernels. CUDA C has none. */
static const char *thread_locals;
static size_t thread_locals_bytes;

static int find_thread_locals(struct dl_phdr_info *program, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    thread_locals = (const char *)program->dlpi_tls_data;
    thread_locals_bytes = 0;
    for (int i = 0; thread_locals != NULL && i < program->dlpi_phnum; i++)
        if (program->dlpi_phdr[i].p_type == PT_TLS)
            thread_locals_bytes = program->dlpi_phdr[i].p_memsz;
    return 1; /* the first is the program itself */
}

static int is_thread_local(const char *address)
{
    return (uintptr_t)address - (uintptr_t)thread_locals < thread_locals_bytes;
}

/* After a fault, other threads may also access unmapped memory, and their hooks see it first. */
static int is_memory(const char *address)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;

    return emulate_fault.number == 0 ||
           mincore((void *)((uintptr_t)address / page * page), 1, &resident) == 0;
}

static void add_race(const struct access *earlier, const struct access *later, const char *address,
                     size_t bytes, unsigned long long number, int same_value)
{
    const struct object *object;
    struct race *race;

    if (is_thread_local(address) || !is_memory(address))
        return;
    object = object_of(address);
    race = find_race(earlier, later, object, same_value);
    if (race == NULL)
        return;
    race->across_warps |= ((earlier->when ^ later->when) & WARP_MASK) != 0 ||
                          emulate_of_another((uint32_t)(earlier->when >> 32));
    if (race->count > 0 && race->last_number == number) { /* another part of the same access */
        if (race->count == 1 && address == race->address + race->bytes)
            race->bytes += bytes;
        return;
    }
    if (race->count == 0) {
        race->earlier = *earlier;
        race->later = *later;
        race->earlier_block = emulate_block_of((uint32_t)(earlier->when >> 32));
        race->later_block = emulate.block_id;
        race->address = address;
        race->bytes = bytes;
    }
    race->count++;
    race->last_number = number;
}

/* Two writes: whether they wrote the same value is known after the second, but its hook runs before
 * it. So the old bytes wait for the next write's hook. A read's hook would be too early: for a copy
 * of a structure gcc calls the hook of a write, then that of a read, and then copies. */
struct pending {
    struct access earlier, later;
    const char *address;
    size_t bytes;
    char old[WORD];
    unsigned long long number;
};
static struct pending *pending;
static uint32_t pending_count, pending_room;

static void defer_race(const struct access *earlier, const struct access *later,
                       const char *address, size_t bytes)
{
    struct pending *last;

    if (!is_memory(address))
        return;
    pending = (struct pending *)grow_list(pending, pending_count, &pending_room, sizeof *pending);
    last = &pending[pending_count++];
    last->earlier = *earlier;
    last->later = *later;
    last->address = address;
    last->bytes = bytes;
    last->number = access_number;
    /* Not memcpy, which is wrapped and would count as the kernel's. */
    for (size_t i = 0; i < bytes && i < WORD; i++)
        last->old[i] = address[i];
}

static __attribute__((noinline)) void resolve_pending(void)
{
    for (uint32_t i = 0; i < pending_count; i++) {
        const struct pending *write = &pending[i];

        add_race(&write->earlier, &write->later, write->address, write->bytes, write->number,
                 memcmp(write->old, write->address, write->bytes) == 0);
    }
    pending_count = 0;
}

/* ---------------------------------------------------------------------------------------------
 * Is there an earlier access that is unordered with this one?
 * ------------------------------------------------------------------------------------------- */

enum rule { NEVER, OF_BLOCKS, ALWAYS }; /* OF_BLOCKS: only between different blocks */

/* Indexed by the kind of the later access, then that of the earlier one. */
static const uint8_t conflicts[KINDS][KINDS] = {
    [WRITE] = {ALWAYS, ALWAYS, ALWAYS, ALWAYS, ALWAYS, ALWAYS},
    [READ] = {ALWAYS, NEVER, ALWAYS, NEVER, ALWAYS, NEVER},
    [ATOMIC] = {ALWAYS, ALWAYS, NEVER, NEVER, OF_BLOCKS, OF_BLOCKS},
    [ATOMIC_READ] = {ALWAYS, NEVER, NEVER, NEVER, OF_BLOCKS, NEVER},
    [BLOCK_ATOMIC] = {ALWAYS, ALWAYS, OF_BLOCKS, OF_BLOCKS, OF_BLOCKS, OF_BLOCKS},
    [BLOCK_ATOMIC_READ] = {ALWAYS, NEVER, OF_BLOCKS, NEVER, OF_BLOCKS, NEVER},
};

static int allow_same_value; /* BENIGN_SAME_VALUE=1 */
static const struct emulate_range *shared;
static size_t shared_count;

INLINE uint32_t floor_of(const char *address)
{
    return object_is_shared(shared, shared_count, address) ? emulate.block_start
                                                           : emulate.launch_start;
}

INLINE moment present(void)
{
    return emulate.moment;
}

/* The same for different lanes of one warp, if some have passed syncs that others have not: the
 * earlier lane's accesses since its latest sync that this one knows of. Numbers of syncs are
 * compared by their distances from the warp's latest. */
static int lanes_unordered(moment earlier, moment now)
{
    const uint32_t mask = (1u << EMULATE_SYNC_BITS) - 1;
    unsigned thread = (unsigned)(now & THREAD_MASK), warp = thread / 32;
    uint32_t syncs = (uint32_t)(earlier >> THREAD_BITS) & mask, latest = emulate.warp_syncs[warp];

    if (!(emulate.ragged >> warp & 1))
        return (earlier ^ now) <= THREAD_MASK;
    return ((latest - syncs) & mask) <=
           ((latest - emulate.lane_knows[thread][earlier & LANE_MASK]) & mask);
}

#include "host/checks/fences.h"

/* Whether an access at or after the floor is unordered with this one, but for fences. */
static int unordered_by_syncs(moment earlier, moment now)
{
    uint32_t interval = (uint32_t)(earlier >> 32);

    if (interval != emulate.interval)
        return emulate_of_another(interval);
    if (((earlier ^ now) & WARP_MASK) != 0)
        return 1;
    if (((earlier ^ now) & THREAD_MASK) == 0)
        return 0;
    return UNLIKELY(emulate.ragged != 0) ? lanes_unordered(earlier, now)
                                         : (earlier ^ now) <= THREAD_MASK;
}

/* The same; `atomic` is the earlier access's address if it was atomic, else NULL. */
static int unordered(moment earlier, moment now, const char *atomic)
{
    return unordered_by_syncs(earlier, now) &&
           (!UNLIKELY(fences.used) || !fences_order(earlier, now, atomic));
}

/* Whether one of the accesses of level MANY is unordered with this one: its lane, or -1. */
static int unordered_lane(const struct history *history, moment now, const char *atomic)
{
    const struct lanes *lanes;

    if (history->first >> 32 != emulate.interval)
        return -1;
    lanes = lanes_at(history->second);
    for (int lane = 0; lane < 32; lane++)
        if (lanes->when[lane] != 0 && unordered(lanes->when[lane], now, atomic))
            return lane;
    return -1;
}

/* Whether an access of the history is unordered with the present one, and which. */
static int find_unordered(const struct history *history, enum rule rule, moment now,
                          const char *atomic, struct access *earlier)
{
    if ((rule == ALWAYS || emulate_of_another((uint32_t)(history->first >> 32))) &&
        unordered(history->first, now, atomic)) {
        earlier->when = history->first;
        earlier->site = history->first_site;
    } else if (rule == ALWAYS && history->level == MANY) {
        int lane = unordered_lane(history, now, atomic);

        if (lane < 0)
            return 0;
        earlier->when = lanes_at(history->second)->when[lane];
        earlier->site = lanes_at(history->second)->site[lane];
    } else if (history->level != ALONE && history->level != MANY &&
               (rule == ALWAYS || emulate_of_another((uint32_t)(history->second >> 32))) &&
               unordered(history->second, now, atomic)) {
        earlier->when = history->second;
        earlier->site = history->second_site;
    } else {
        return 0;
    }
    return 1;
}

static void check_against(struct cell *cell, enum kind kind, const struct access *access,
                          uint32_t floor, const char *address, size_t bytes)
{
    enum rule rule = (enum rule)conflicts[access->kind][kind];
    struct access earlier;
    struct history history;

    if (rule == NEVER)
        return;
    history = load_history(cell, kind);
    if (history.first >> 32 < floor)
        return;
    earlier.kind = kind;
    if (!find_unordered(&history, rule, access->when, kind >= ATOMIC ? address : NULL, &earlier))
        return;
    if (kind == WRITE && access->kind == WRITE)
        defer_race(&earlier, access, address, bytes);
    else
        add_race(&earlier, access, address, bytes, access_number, 0);
}

static void store_lane(struct history *history, moment when, uint32_t site)
{
    struct lanes *lanes = lanes_at(history->second);

    lanes->when[when & LANE_MASK] = when;
    lanes->site[when & LANE_MASK] = site;
}

/* Whether any of the stored accesses is unordered with this one. */
static int any_unordered(const struct history *history, moment now, const char *atomic)
{
    if (unordered(history->first, now, atomic))
        return 1;
    return history->level == MANY
               ? unordered_lane(history, now, atomic) >= 0
               : history->level != ALONE && unordered(history->second, now, atomic);
}

/* Stores an access by the warp of the others of this interval, once syncs of a part of a warp have
 * been passed. */
static void record_lane(struct history *history, const struct access *access, const char *atomic)
{
    if (!any_unordered(history, access->when, atomic)) { /* all come before this one */
        if (history->level == MANY)
            lanes_free(history->second);
        history->level = ALONE;
    } else {
        if (history->level != MANY) {
            struct history two = *history;

            history->second = lanes_new();
            store_lane(history, two.first, two.first_site);
            if (two.level == LANES)
                store_lane(history, two.second, two.second_site);
            history->level = MANY;
        }
        store_lane(history, access->when, access->site);
    }
    history->first = access->when;
    history->first_site = access->site;
}

/* Adds the access to the history of its kind, as explained at the head of this file; returns 0 if
 * that does not change. */
static int add_to_history(struct history *history, const struct access *access, uint32_t floor,
                          const char *address)
{
    const char *atomic = access->kind >= ATOMIC ? address : NULL;
    uint32_t interval = (uint32_t)(history->first >> 32);
    moment difference = history->first ^ access->when;
    enum level level;

    if (interval < floor || (emulate_of_past(interval) && history->level != BLOCKS)) {
        level = ALONE;
    } else if (UNLIKELY(fences.used) && access->kind < ATOMIC &&
               !any_unordered(history, access->when, atomic)) {
        level = ALONE;
        if (history->level == MANY && interval == emulate.interval)
            lanes_free(history->second);
    } else if (history->level == BLOCKS) {
        return 0;
    } else if (emulate_of_another(interval)) {
        if (!emulate.interleaved)
            return 0; /* of an earlier block: conflicts with all later accesses of the launch */
        history->level = ALONE;
        level = BLOCKS;
    } else if ((difference & WARP_MASK) != 0) {
        level = WARPS;
        if (history->level == MANY) {
            lanes_free(history->second);
            history->level = ALONE;
        }
    } else if (history->level == WARPS) {
        return 0; /* the interval already has two warps */
    } else if (emulate.partial) {
        record_lane(history, access, atomic);
        return 1;
    } else if (difference > THREAD_MASK || difference == 0) {
        level = ALONE; /* the warp's first since its sync, or the same thread again */
        if (difference == 0)
            return 0;
    } else {
        level = LANES;
    }
    if (level == ALONE) {
        history->first = access->when;
        history->first_site = access->site;
    } else if (level > history->level) {
        history->second = access->when;
        history->second_site = access->site;
    } else {
        return 0;
    }
    history->level = (uint8_t)level;
    return 1;
}

static void record(struct cell *cell, const struct access *access, uint32_t floor,
                   const char *address)
{
    struct history history = load_history(cell, access->kind);

    if (add_to_history(&history, access, floor, address))
        store_history(cell, access->kind, history);
}

#if ORDERCHECK
#include "host/checks/operations.h"
#endif

static void check_cell(struct cell *cell, const struct access *access, uint32_t floor,
                       const char *address, size_t bytes)
{
    int kinds = cell->atomics ? (int)KINDS : (int)ATOMIC;

#if ORDERCHECK
    if (access->kind >= KINDS) {
        check_operation(cell, access, floor, address, bytes);
        return;
    }
#endif
    for (int kind = 0; kind < kinds; kind++)
        check_against(cell, (enum kind)kind, access, floor, address, bytes);
    record(cell, access, floor, address);
}

/* Any access, of any size. The functions of libc that this calls are host code. */
static __attribute__((noinline)) void check_bytes(const char *address, size_t bytes, enum kind kind,
                                                  const void *caller)
{
    struct access access = {kind, present(), site_of(caller)};
    const char *end = address + bytes;

    access_number++;
    emulate_running = 0;
    while (address < end) {
        size_t count = (size_t)(end - address), unit;
        uint32_t floor = floor_of(address);
        unsigned shift = 0;
        struct cell *cell = make_cell((uintptr_t)address, bytes, &shift);
        const char *begin;

        if (cell == NULL)
            break;
        unit = (size_t)1 << shift;
        begin = address - (uintptr_t)address % unit;
        if (count > unit - (size_t)(address - begin))
            count = unit - (size_t)(address - begin);
        if (count < unit && !cell->split)
            split(cell);
        if (!cell->split) {
            check_cell(cell, &access, floor, address, unit);
        } else {
            struct bytes *cells = (struct bytes *)pool_at(&bytes_pool, cell->link);

            for (size_t i = 0; i < count; i++)
                check_cell(&cells->cells[address - begin + (ptrdiff_t)i], &access, floor,
                           address + i, 1);
        }
        address += count;
    }
    emulate_running = 1;
}

/* ---------------------------------------------------------------------------------------------
 * Fast paths for the most frequent accesses: no race, and nothing to store but this access
 * ------------------------------------------------------------------------------------------- */

/* Whether no access of the kind is unordered with one now, and the next one would be ALONE. */
INLINE int all_ordered(moment first, uint8_t level, moment now, uint32_t floor)
{
    uint32_t interval = (uint32_t)(first >> 32);

    if (interval < floor)
        return 1;
    if (interval != (uint32_t)(now >> 32))
        return emulate_of_past(interval) && level != BLOCKS;
    return ((first ^ now) & THREAD_MASK) == 0 && level == ALONE;
}

/* Returns 0, with nothing done, if the access needs the slow path. */
INLINE int write_fast(struct cell *cell, moment now, uint32_t floor, uint32_t site)
{
    if (cell->split || cell->atomics ||
        !all_ordered(cell->first[WRITE], cell->level[WRITE], now, floor) ||
        !all_ordered(cell->first[READ], cell->level[READ], now, floor))
        return 0;
    cell->first[WRITE] = now;
    cell->site[WRITE] = site;
    cell->level[WRITE] = ALONE;
    return 1;
}

INLINE int read_fast(struct cell *cell, moment now, uint32_t floor, uint32_t site)
{
    uint32_t interval = (uint32_t)(cell->first[READ] >> 32);

    if (cell->split || cell->atomics ||
        !all_ordered(cell->first[WRITE], cell->level[WRITE], now, floor))
        return 0;
    if (cell->first[READ] == now)
        return 1;
    if (interval == (uint32_t)(now >> 32)) {
        if (cell->level[READ] == WARPS)
            return 1;
        if (((cell->first[READ] ^ now) & ~LANE_MASK) == 0 && cell->level[READ] == LANES)
            return 1;
        if (((cell->first[READ] ^ now) & THREAD_MASK) != 0 || cell->level[READ] != ALONE)
            return 0;
    } else if (interval >= floor && cell->level[READ] == BLOCKS) {
        return 1;
    } else if (interval >= floor && emulate_of_another(interval)) {
        return !emulate.interleaved; /* the first is of an earlier block, and stays */
    }
    cell->first[READ] = now;
    cell->site[READ] = site;
    cell->level[READ] = ALONE;
    return 1;
}

INLINE int access_fast(struct cell *cell, moment now, uint32_t floor, uint32_t site, enum kind kind)
{
    return kind == WRITE ? write_fast(cell, now, floor, site) : read_fast(cell, now, floor, site);
}

/* For several words with one floor. Returns 0 if the access needs the slow path, which may repeat a
 * part: that does no harm, because the part was no race. */
INLINE int words_fast(const char *address, size_t words, enum kind kind, const void *caller)
{
    const char *page = (const char *)shadow_page((uintptr_t)address);
    uint32_t floor, site = site_of(caller);
    struct cell *cell;
    moment now;

    if (UNLIKELY(((uintptr_t)page | (uintptr_t)address) % WORD != 0 || page == NULL))
        return 0; /* a new page, or one of smaller units */
    if (UNLIKELY((uintptr_t)address % SHADOW_PAGE > SHADOW_PAGE - words * WORD))
        return 0;
    cell = (struct cell *)(void *)page + (uintptr_t)address % SHADOW_PAGE / WORD;
    floor = floor_of(address);
    now = present();
    for (size_t i = 0; i < words; i++)
        if (!access_fast(&cell[i], now, floor, site, kind))
            return 0;
    return 1;
}

/* Stores a read that read_fast left, if no write is unordered with it, as record would. */
INLINE int second_read_fast(struct cell *cell, moment now, uint32_t floor, uint32_t site)
{
    moment difference = cell->first[READ] ^ now;
    int warps = (difference & WARP_MASK) != 0;
    struct extension *extension;

    if (cell->split || cell->atomics ||
        !all_ordered(cell->first[WRITE], cell->level[WRITE], now, floor) ||
        (uint32_t)(cell->first[READ] >> 32) != (uint32_t)(now >> 32) || cell->link == 0 ||
        cell->level[READ] == BLOCKS || emulate.partial)
        return 0;
    if (!warps && difference > THREAD_MASK) { /* the warp's first since its sync */
        cell->first[READ] = now;
        cell->site[READ] = site;
        cell->level[READ] = ALONE;
        return 1;
    }
    extension = (struct extension *)pool_at(&extension_pool, cell->link);
    extension->second[READ] = now;
    extension->site[READ] = site;
    cell->level[READ] = warps ? WARPS : LANES;
    return 1;
}

/* The same for any size: a structure, a vector, less than a word. The rest, from the first unit
 * that needs the slow path, is left to check_bytes. */
static __attribute__((noinline)) void check_units(const char *address, size_t bytes, enum kind kind,
                                                  const void *caller)
{
    unsigned shift = 0;
    struct cell *cell = cell_of((uintptr_t)address, &shift);
    uint32_t floor = floor_of(address), site = site_of(caller);
    moment now = present();
    size_t unit = (size_t)1 << shift;

    if (cell != NULL && cell->split && (uintptr_t)address % unit + bytes <= unit) {
        cell =
            ((struct bytes *)pool_at(&bytes_pool, cell->link))->cells + (uintptr_t)address % unit;
        unit = 1;
    }
    if (cell != NULL && ((uintptr_t)address | bytes) % unit == 0 &&
        (uintptr_t)address % SHADOW_PAGE + bytes <= SHADOW_PAGE &&
        floor == floor_of(address + bytes - 1))
        for (; bytes > 0 && (access_fast(cell, now, floor, site, kind) ||
                             (kind == READ && second_read_fast(cell, now, floor, site)));
             cell++) {
            address += unit;
            bytes -= unit;
        }
    if (bytes > 0)
        check_bytes(address, bytes, kind, caller);
}

/* The same for an atomic access to a word that has had one. */
static int atomic_fast(struct cell *cell, enum kind kind, moment now, uint32_t floor, uint32_t site)
{
    struct history *others, *history;
    uint32_t interval;

    if (cell->split || !cell->atomics ||
        !all_ordered(cell->first[WRITE], cell->level[WRITE], now, floor) ||
        (conflicts[kind][READ] != NEVER &&
         !all_ordered(cell->first[READ], cell->level[READ], now, floor)))
        return 0;
    others = atomics_of(cell, ATOMIC);
    for (int other = ATOMIC; other < KINDS; other++) {
        history = &others[other - ATOMIC];
        interval = (uint32_t)(history->first >> 32);
        if (conflicts[kind][other] != NEVER && interval >= floor &&
            (history->level == BLOCKS || emulate_of_another(interval)))
            return 0;
    }
    history = &others[kind - ATOMIC];
    interval = (uint32_t)(history->first >> 32);
    if (interval >= floor && history->level == BLOCKS)
        return 1;
    if (interval < floor || emulate_of_past(interval)) {
        history->first = now;
        history->first_site = site;
        history->level = ALONE;
        return 1;
    }
    if (emulate_of_another(interval))
        return !emulate.interleaved;
    return history->level == WARPS || history->first == now ||
           (history->level == LANES && ((history->first ^ now) & ~LANE_MASK) == 0);
}

static void check_atomic_with_fences(const char *address, size_t bytes, enum kind kind,
                                     const void *caller)
{
    const int of_block = kind == BLOCK_ATOMIC || kind == BLOCK_ATOMIC_READ;
    int divides = 0;

    emulate_running = 0;
    if (kind == ATOMIC || kind == BLOCK_ATOMIC)
        divides = fences_record_write(address, bytes, of_block);
    else
        fences_record_read(address, of_block);
    check_bytes(address, bytes, kind, caller);
    emulate_running = 0;
    if (divides)
        fences_advance_moment();
    emulate_running = 1;
}

static __attribute__((noinline)) void check_atomic(const char *address, size_t bytes,
                                                   enum kind kind, const void *caller)
{
    unsigned shift = 0;
    struct cell *cell = cell_of((uintptr_t)address, &shift);

    if (UNLIKELY(fences.used)) {
        check_atomic_with_fences(address, bytes, kind, caller);
        return;
    }
    if (bytes % WORD == 0 && bytes <= 8 && (uintptr_t)address % bytes == 0 && cell != NULL &&
        shift == 2) {
        uint32_t floor = floor_of(address), site = site_of(caller);
        moment now = present();
        size_t done = 0;

        while (done < bytes / WORD && atomic_fast(&cell[done], kind, now, floor, site))
            done++;
        if (done == bytes / WORD)
            return;
    }
    check_bytes(address, bytes, kind, caller);
}

/* emulate.access applies to the accesses of compiled code, not to its own atomics. */
INLINE void check_access(const char *address, size_t bytes, int writes, const void *caller)
{
    static const enum kind kinds[][2] = {
        [EMULATE_PLAIN] = {READ, WRITE},
        [EMULATE_ATOMIC] = {ATOMIC_READ, ATOMIC},
        [EMULATE_ATOMIC_BLOCK] = {BLOCK_ATOMIC_READ, BLOCK_ATOMIC}};
    const int is_words =
        bytes == 16 || (__builtin_constant_p(bytes) && bytes >= WORD && bytes < 16);

    if (!emulate_running || object_is_on_stack(address))
        return;
    emulate_in_step(address, caller);
    if (writes && UNLIKELY(pending_count != 0))
        resolve_pending();
    if (UNLIKELY(emulate.access != EMULATE_PLAIN)) {
        check_atomic(address, bytes, kinds[emulate.access][writes], caller);
#if ORDERCHECK
        if (!emulate.declares)
            untold_operation(address, bytes, writes, caller);
#endif
    } else if (!is_words || !words_fast(address, bytes / WORD, writes ? WRITE : READ, caller)) {
        check_units(address, bytes, writes ? WRITE : READ, caller);
    }
}

INLINE void on_read(const char *address, size_t bytes, const void *caller)
{
    check_access(address, bytes, 0, caller);
}

INLINE void on_write(const char *address, size_t bytes, const void *caller)
{
    check_access(address, bytes, 1, caller);
}

/* The compiler's own atomics are atomic for everybody. */
INLINE void on_atomic(const char *address, size_t bytes, int writes, const void *caller)
{
    if (!emulate_running || object_is_on_stack(address))
        return;
    emulate_in_step(address, caller);
    resolve_pending();
    check_atomic(address, bytes, writes ? ATOMIC : ATOMIC_READ, caller);
#if ORDERCHECK
    untold_operation(address, bytes, writes, caller);
#endif
}

#include "host/checks/hooks.h"

/* ---------------------------------------------------------------------------------------------
 * Reports
 * ------------------------------------------------------------------------------------------- */

/* Races printed before: a kernel that is launched again is not reported again. */
static struct text_set printed;

#if ORDERCHECK
#include "host/checks/order_reports.h"
#else
/* How a race is told: its kind, and its words before and after the two accesses. */
struct words {
    enum finding_kind kind;
    const char *is, *earlier, *later, *why, *many;
    int at_any_lines; /* one report for an object, not for each pair of lines */
};

static const char *const kind_names[KINDS] = {"a write",   "a read",    "an atomic",
                                              "an atomic", "an atomic", "an atomic"};

static struct words words_of(const struct race *race)
{
    return (struct words){FINDING_RACE,
                          "race",
                          kind_names[race->earlier.kind],
                          kind_names[race->later.kind],
                          race->earlier_block == race->later_block ? "with no barrier between them"
                                                                   : "by concurrent blocks",
                          "races",
                          0};
}
#endif

static void print_race(const struct race *race, unsigned long long count)
{
    const char *earlier_line = findings_line(caller_of(race->earlier.site));
    const char *later_line = findings_line(caller_of(race->later.site));
    const char *kernel = emulate.kernel != NULL ? emulate.kernel : "?";
    int swapped = strcmp(earlier_line, later_line) > 0;
    char earlier[96], later[96], object[512], similar[64] = "", key[1024], first[128], second[128];
    const char *lockstep = "";
    const struct words words = words_of(race);
    uint32_t sites = 0;

    /* Unknown lines are distinguished by their addresses. */
    if (strcmp(earlier_line, "an unknown line") == 0 || strcmp(later_line, "an unknown line") == 0)
        sites = race->earlier.site + race->later.site;
    /* The object, without its offset, and without the block that owns the shared memory. */
    object_text(object, sizeof object, &race->object, "", race->object.address, 0);
    snprintf(key, sizeof key, "%s|%s|%s|%s|%s|%" PRIx32, kernel,
             swapped ? later_line : earlier_line, swapped ? earlier_line : later_line, object,
             words.why, sites);
    int is_new = text_set_add(&printed, key);
    /* The same array, or another of the same words, which other lines add to. */
    if (words.at_any_lines) {
        snprintf(key, sizeof key, "%s|%s|%s|%p", kernel, object, words.why,
                 race->object.kind == OBJECT_DEVICE ? race->object.address : NULL);
        is_new &= text_set_add(&printed, key);
    }
    if (!is_new)
        return;
    object_text(object, sizeof object, &race->object, " at", race->address, race->bytes);
    if (count > 1)
        snprintf(similar, sizeof similar, "\n    and %llu similar %s", count - 1, words.many);
    if (emulate_lockstep && words.kind == FINDING_RACE)
        lockstep = race->across_warps
                       ? "\n    which is wrong on any GPU"
                       : "\n    of one warp: the result depends on lockstep, which GPUs "
                         "since Volta do not have";
    emulate_where(earlier, sizeof earlier, race->earlier_block,
                  (unsigned)(race->earlier.when & THREAD_MASK));
    emulate_where(later, sizeof later, race->later_block,
                  (unsigned)(race->later.when & THREAD_MASK));
    snprintf(first, sizeof first, "%s by %s", words.earlier, earlier);
    snprintf(second, sizeof second, "%s by %s", words.later, later);
    const struct finding finding = {
        words.kind,
        emulate.kernel,
        earlier,
        {{earlier_line, first}, {later_line, second}, object_place(&race->object)}};
    findings_add(&finding, "%s in kernel %s: %s at %s\n    and %s at %s,\n    %s, %s%s%s%s",
                 words.is, kernel, first, earlier_line, second, later_line, object, words.why,
                 race->same_value ? "; both write the same value" : "", lockstep, similar);
}

static int is_same_line(uint32_t a, uint32_t b)
{
    const char *line = findings_line(caller_of(a));

    return a == b ||
           (strcmp(line, findings_line(caller_of(b))) == 0 && strcmp(line, "an unknown line") != 0);
}

/* For one pair of lines, in either order, and one object. */
static int is_similar(const struct race *a, const struct race *b)
{
    uint32_t a1 = a->earlier.site, a2 = a->later.site, b1 = b->earlier.site, b2 = b->later.site;

    return a->object.kind == b->object.kind && a->object.address == b->object.address &&
           (!ORDERCHECK || words_of(a).why == words_of(b).why) &&
           (words_of(a).at_any_lines || (is_same_line(a1, b1) && is_same_line(a2, b2)) ||
            (is_same_line(a1, b2) && is_same_line(a2, b1)));
}

/* CUB's kernels order their blocks by volatile accesses, which PTX takes for relaxed ones, and by
 * dependences of values. */
static int is_of_library(const struct race *race)
{
    return !ORDERCHECK && race->earlier_block != race->later_block &&
           findings_is_of_library(findings_line(caller_of(race->earlier.site))) &&
           findings_is_of_library(findings_line(caller_of(race->later.site)));
}

static void print_races(void)
{
    /* Not from the heap: a program may have overrun it, which shows when it is freed. */
    static const void *callers[3 * (sizeof race_slots / sizeof *race_slots) / 2];
    int count = 0;

#if ORDERCHECK
    find_waiting();
#endif
    for (uint32_t i = 0; i < race_count; i++) {
        callers[count++] = caller_of(races[i].earlier.site);
        callers[count++] = caller_of(races[i].later.site);
        if (races[i].object.kind == OBJECT_DEVICE)
            callers[count++] = races[i].object.caller;
    }
    if (count > 0)
        findings_lines(callers, count);
    for (uint32_t i = 0; i < race_count; i++) {
        struct race *race = &races[i];
        unsigned long long pairs = race->count;

#if ORDERCHECK
        if (race->same_value)
            add_reason(race->later.site, EQUAL);
#endif
        if (race->count == 0 || (race->same_value && allow_same_value) || is_of_library(race))
            continue;
        for (uint32_t j = i + 1; j < race_count; j++) {
            if (races[j].count == 0 || !is_similar(race, &races[j]))
                continue;
            if (races[j].same_value && allow_same_value)
                continue;
            const int across_warps = race->across_warps | races[j].across_warps;
            if (race->same_value && !races[j].same_value)
                race = &races[j]; /* the worst one represents all */
            race->across_warps = across_warps;
            pairs += races[j].count;
            races[j].count = 0;
        }
        print_race(race, pairs);
    }
    race_count = 0;
    memset(race_slots, 0, sizeof race_slots);
}

/* ---------------------------------------------------------------------------------------------
 * Callbacks of the scheduler
 * ------------------------------------------------------------------------------------------- */

static void launch_begin(void)
{
    if (fences.used)
        clear_fences();
    fences.used = 0;
    findings_launch(emulate.kernel);
#if ORDERCHECK
    note_children();
#endif
    clear_cached_object();
    dl_iterate_phdr(find_thread_locals, NULL);
}

static void launch_end(void)
{
    resolve_pending();
    if (race_count > 0)
        print_races();
#if ORDERCHECK
    print_rest();
#endif
}

static void block_begin(void)
{
    static uint32_t latest;

    resolve_pending();
    if (emulate.interval < latest)
        clear_shadow();
    latest = emulate.interval;
    shared_count = emulate_ranges(EMULATE_SHARED, &shared);
}

/* The stored accesses to shared memory belong to the running block. While others run, a block that
 * gave way keeps it: the cells with any access, moved out of their pages, and then its fences. */
struct saved {
    size_t count, room, fences_at; /* fences_at: 0, or where its fences are */
    struct {
        struct cell *place, cell;
    } cells[];
};

static struct saved *saved_with_room(struct saved *saved, size_t count)
{
    const size_t size = sizeof *saved + count * sizeof saved->cells[0] + saved_fences_bytes();

    if (saved != NULL && saved->room >= count)
        return saved;
    saved = (struct saved *)realloc(saved, size);
    if (saved == NULL)
        die_out_of_memory();
    saved->room = count;
    return saved;
}

/* Calls the function for each cell of the memory that has any access. */
static void for_each_cell(char *begin, size_t bytes,
                          void (*function)(struct cell *, struct saved **), struct saved **saved)
{
    for (size_t at = 0; at < bytes;) {
        unsigned shift = 2;
        struct cell *const cell = cell_of((uintptr_t)begin + at, &shift);

        if (cell == NULL) {
            at += SHADOW_PAGE - (uintptr_t)(begin + at) % SHADOW_PAGE;
            continue;
        }
        if (cell->first[WRITE] != 0 || cell->first[READ] != 0 || cell->link != 0)
            function(cell, saved);
        at += (size_t)1 << shift;
    }
}

static void save_cell(struct cell *cell, struct saved **saved)
{
    const size_t count = (*saved)->count;

    if (count == (*saved)->room)
        *saved = saved_with_room(*saved, 2 * count + 256);
    (*saved)->cells[count].place = cell;
    (*saved)->cells[count].cell = *cell;
    (*saved)->count++;
    memset(cell, 0, sizeof *cell);
}

static void discard_cell(struct cell *cell, struct saved **saved)
{
    (void)saved;
    clear_cell(cell);
}

static void block_leave(void **state, int gives_way)
{
    struct saved *saved = saved_with_room((struct saved *)*state, 256);

    resolve_pending();
    saved->count = saved->fences_at = 0;
    if (gives_way) {
        for (size_t i = 0; i < shared_count; i++)
            for_each_cell(shared[i].begin, (size_t)(shared[i].end - shared[i].begin), save_cell,
                          &saved);
        for_each_cell(emulate.shared, emulate.shared_bytes, save_cell, &saved);
    }
    if (gives_way && fences.used) {
        saved->fences_at = sizeof *saved + saved->room * sizeof saved->cells[0];
        save_fences((struct saved_fences *)(void *)((char *)saved + saved->fences_at));
    }
    *state = saved;
}

static void block_resume(void **state)
{
    struct saved *const saved = (struct saved *)*state;

    resolve_pending();
    for (size_t i = 0; i < shared_count; i++)
        for_each_cell(shared[i].begin, (size_t)(shared[i].end - shared[i].begin), discard_cell,
                      NULL);
    for_each_cell(emulate.shared, emulate.shared_bytes, discard_cell, NULL);
    for (size_t i = 0; i < saved->count; i++)
        *saved->cells[i].place = saved->cells[i].cell;
    if (fences.used)
        restore_fences(saved->fences_at == 0
                           ? NULL
                           : (struct saved_fences *)(void *)((char *)saved + saved->fences_at));
    saved->count = 0;
}

static void memory(enum portable_memory_event_ event, const void *address, size_t bytes,
                   const void *caller)
{
    object_memory(event, address, bytes, caller);
    clear_cached_object();
}

/* The block's other threads have run on until they wait: if the fault is due to a race, both
 * accesses have been made by now. */
static void faulted(const char *message)
{
    launch_end();
    findings_given_up(message);
}

/* The program ends during a launch: the races up to then. */
static int report_launch(void)
{
    if (emulate.kernel != NULL)
        launch_end();
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
#if ORDERCHECK
    findings_open("ordercheck", "order dependence", "order dependences");
    findings_certify(print_certificate);
    allow_same_value = 1;
#else
    const char *benign = getenv("BENIGN_SAME_VALUE");

    findings_open("racecheck", "race", "races");
    allow_same_value = benign != NULL && strcmp(benign, "1") == 0;
    if (benign != NULL && benign[0] != '\0' && !allow_same_value && strcmp(benign, "0") != 0)
        portable_bad_value_("BENIGN_SAME_VALUE", benign, "must be 0 or 1");
#endif
    findings_before_summary(report_launch);
}

struct emulate_check emulate_check = {
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .block_begin = block_begin,
    .block_leave = block_leave,
    .block_resume = block_resume,
    .memory = memory,
    .diverged = findings_given_up,
    .call = findings_call,
    .outlives = 1,
    .faulted = faulted,
#if ORDERCHECK
    .name = "ordercheck",
    .fence = note_fence,
    .operation = on_operation,
    .result_used = on_result_used,
    .varies = {{(char *)&access_number, (char *)(&access_number + 1)},
               {(char *)&orders, (char *)(&orders + 1)}},
#else
    .name = "racecheck",
    .fence = fence,
    .varies = {{(char *)&access_number, (char *)(&access_number + 1)},
               {(char *)&fences, (char *)(&fences + 1)}},
#endif
};
