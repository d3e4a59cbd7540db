/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of racecheck.c for fences: release and acquire, PTX ISA 8.8.
 *
 * Thread A passes a fence, then writes an address atomically; thread B later reads it atomically.
 * Everything before the fence is then ordered before everything after the read. So are the write
 * itself, and A's earlier atomics at the address, before B's later accesses to it. For
 * __threadfence_block and for block-scoped atomics this holds within one block only.
 *
 * PTX asks for more; CUDA's samples and much other code rely on less:
 *
 *     B needs no fence.
 *     The fence may be another thread's, if a barrier or a SYNC_WARP orders it before the write.
 *     B may have read any later value, not only A's or one that atomics made from it.
 *
 * Each fence is a vector clock: how far each thread's accesses are ordered before it. The `cuts`
 * of a release are that vector, with a sync number for each thread of a warp:
 *
 *     thread A (lane 0, sync 3)     thread B, of another block
 *     data = 1
 *     __threadfence()               starts sync 4: A's cut is 4
 *     atomicExch(&flag, 1)          a release: `location` &flag gets a write with cuts {4, ...}
 *                                   atomicAdd(&flag, 0)    an acquire that has seen 1 write
 *                                   use data
 *
 * B's access to data asks whether A's is ordered: B's acquire is before it, and saw a write whose
 * release covers A's access, because 3 < 4. If no release covers it directly, the search goes on
 * with the acquires that those releases cover: A may have learned of the access from a third
 * thread.
 *
 * A fence starts a new sync number for its thread, like a SYNC_WARP of that lane alone. The moment
 * of an access therefore tells whether it precedes the fence.
 */
#ifndef PORTABLE_HOST_CHECKS_FENCES_H
#define PORTABLE_HOST_CHECKS_FENCES_H

/* The accesses that fences order before an atomic write: those of the block in earlier intervals
 * and, in this one, those of `threads` threads whose sync number is below the thread's cut. */
struct release {
    uint32_t block_start, interval;
    uint32_t first_thread, threads;
    uint32_t cuts;                        /* the index of the first in fences.cuts */
    uint32_t first_acquire, acquires_end; /* of its block, before the write */
    uint32_t visited;                     /* the number of the latest search that visited it */
};

/* The atomic writes to one address that follow fences. */
struct location {
    const char *address;
    uint32_t floor; /* see floor_of */
    uint32_t count, room;
    /* The latest search here, the block whose acquire it followed, and how many writes it saw. */
    uint32_t last_search, last_search_block, searched;
    struct location_write *writes; /* in the order of time */
};
struct location_write {
    moment when;
    uint32_t release;
    uint8_t bytes, of_block;
};

/* An atomic read at a location, after `writes_seen` of its writes. */
struct acquire {
    moment when;
    uint32_t location, writes_seen;
    int of_block;
};

struct fences_search_item {
    uint32_t acquire, block_start;
};

struct interval_fences {
    uint32_t interval, release; /* + 1 */
    uint32_t cuts[1 << THREAD_BITS];
};
/* A thread's latest fences: the interval, and the syncs of its warp that the thread knew of. With a
 * sync between two fences, another lane may know of the earlier only: so FENCES are stored. */
enum { FENCES = 4 };
struct thread_fences {
    struct {
        uint32_t interval, knows[32];
    } latest[FENCES];
    uint32_t count, release; /* the latest release that it made, + 1 */
    moment since;            /* a fence at this moment replaces the latest one */
};
struct scope_fences {
    struct thread_fences thread[1 << THREAD_BITS];
    /* The fences of the latest interval with any, and of the one before it. */
    struct interval_fences later, earlier;
};

static struct {
    int used; /* the program has passed a fence */
    uint32_t launch_start;
    struct release *releases;
    struct location *locations;
    struct acquire *acquires;
    uint32_t release_count, release_room, location_count, location_room, acquire_count,
        acquire_room;
    uint32_t *slots, slot_count; /* a hash table of locations: numbers + 1 */
    uint32_t *cuts, cut_count, cut_room;
    uint32_t block_start;   /* of the block that... */
    uint32_t first_acquire; /* ...made this acquire and the later ones */
    uint32_t searches;
    uint32_t latest_acquire[1 << THREAD_BITS]; /* of each thread */
    struct scope_fences scopes[2];             /* at device scope, at block scope */
    struct fences_search_item *stack;          /* of a search: acquires to visit */
    uint32_t stack_count, stack_room;
} fences;

static void clear_fences(void)
{
    for (uint32_t i = 0; i < fences.location_count; i++)
        free(fences.locations[i].writes);
    fences.release_count = fences.location_count = fences.acquire_count = fences.first_acquire = 0;
    fences.cut_count = 0;
    for (int scope = 0; scope < 2; scope++) {
        fences.scopes[scope].later.interval = fences.scopes[scope].earlier.interval = 0;
        for (int thread = 0; thread < 1 << THREAD_BITS; thread++)
            fences.scopes[scope].thread[thread].count =
                fences.scopes[scope].thread[thread].release = 0;
    }
    if (fences.slot_count > 0)
        memset(fences.slots, 0, fences.slot_count * sizeof *fences.slots);
    fences.launch_start = emulate.launch_start;
}

/* A barrier of the grid orders everything before it, so nothing older is stored. */
static void fences_update(void)
{
    if (fences.launch_start != emulate.launch_start)
        clear_fences();
    if (fences.block_start != emulate.block_start) {
        fences.block_start = emulate.block_start;
        fences.first_acquire = fences.acquire_count;
    }
}

static uint32_t *fences_slot(const char *address, uint32_t floor)
{
    uint32_t slot = (uint32_t)(((uintptr_t)address ^ floor) * 0x9e3779b97f4a7c15u >> 32);

    for (;; slot++) {
        uint32_t *const found = &fences.slots[slot & (fences.slot_count - 1)];

        if (*found == 0 || (fences.locations[*found - 1].address == address &&
                            fences.locations[*found - 1].floor == floor))
            return found;
    }
}

/* The location at the address, or NULL. Shared memory at the address has one in each block. */
static struct location *fences_find_location(const char *address)
{
    const uint32_t number = fences.slot_count > 0 ? *fences_slot(address, floor_of(address)) : 0;

    return number == 0 ? NULL : &fences.locations[number - 1];
}

static struct location *fences_add_location(const char *address)
{
    struct location *location = fences_find_location(address);

    if (location != NULL)
        return location;
    if (2 * fences.location_count >= fences.slot_count) {
        fences.slot_count = fences.slot_count != 0 ? 2 * fences.slot_count : 256;
        free(fences.slots);
        fences.slots = (uint32_t *)calloc(fences.slot_count, sizeof *fences.slots);
        if (fences.slots == NULL)
            die_out_of_memory();
        for (uint32_t i = 0; i < fences.location_count; i++)
            *fences_slot(fences.locations[i].address, fences.locations[i].floor) = i + 1;
    }
    fences.locations = (struct location *)grow_list(
        fences.locations, fences.location_count, &fences.location_room, sizeof *fences.locations);
    location = &fences.locations[fences.location_count++];
    memset(location, 0, sizeof *location);
    location->address = address;
    location->floor = floor_of(address);
    *fences_slot(address, location->floor) = fences.location_count;
    return location;
}

/* The running thread's earlier accesses get other moments than its later ones. */
static void fences_advance_moment(void)
{
    emulate_sync(emulate.thread / 32, 1u << emulate.thread % 32, 1u << emulate.thread % 32, 0);
    emulate_tick();
}

/* The running thread passes a fence. */
static __attribute__((unused)) void fence(int of_block)
{
    struct scope_fences *const scope = &fences.scopes[of_block];
    struct thread_fences *const own = &scope->thread[emulate.thread];
    const uint32_t thread = emulate.thread, warp = thread & ~31u;
    uint32_t *knows;

    fences.used = 1;
    fences_update();
    own->count += own->count == 0 || own->since != emulate.moment;
    fences_advance_moment();
    own->since = emulate.moment;
    own->release = 0;
    if (scope->later.interval != emulate.interval) {
        scope->earlier = scope->later;
        memset(&scope->later, 0, sizeof scope->later);
        scope->later.interval = emulate.interval;
    }
    own->latest[own->count % FENCES].interval = emulate.interval;
    knows = own->latest[own->count % FENCES].knows;
    for (uint32_t lane = 0; lane < 32; lane++) {
        knows[lane] = emulate.lane_knows[thread][lane];
        if (scope->later.cuts[warp + lane] < knows[lane])
            scope->later.cuts[warp + lane] = knows[lane];
    }
}

/* The syncs that the thread knew of at its latest fence in this interval that is ordered before the
 * running thread's present accesses; NULL without such a fence. */
static const uint32_t *fences_syncs_known(const struct thread_fences *passed, uint32_t thread)
{
    const uint32_t lane = thread % 32, warp = thread / 32;
    const uint32_t known = emulate.ragged >> warp & 1 ? emulate.lane_knows[emulate.thread][lane]
                                                      : emulate.warp_syncs[warp];

    for (uint32_t i = passed->count; i > 0 && passed->count - i < FENCES; i--) {
        if (passed->latest[i % FENCES].interval != emulate.interval)
            return NULL;
        if (thread == emulate.thread || passed->latest[i % FENCES].knows[lane] < known)
            return passed->latest[i % FENCES].knows;
    }
    return NULL;
}

/* Adds a release; returns its number + 1. */
static uint32_t fences_add_release(uint32_t interval, uint32_t first_thread, uint32_t threads,
                                   const uint32_t *cuts)
{
    struct release *release;

    for (uint32_t i = 0; i < threads; i++) {
        fences.cuts = (uint32_t *)grow_list(fences.cuts, fences.cut_count, &fences.cut_room,
                                            sizeof *fences.cuts);
        fences.cuts[fences.cut_count++] = cuts[i];
    }
    fences.releases = (struct release *)grow_list(fences.releases, fences.release_count,
                                                  &fences.release_room, sizeof *fences.releases);
    release = &fences.releases[fences.release_count++];
    release->block_start = emulate.block_start;
    release->interval = interval;
    release->first_thread = first_thread;
    release->threads = threads;
    release->cuts = fences.cut_count - threads;
    release->first_acquire = fences.first_acquire;
    release->acquires_end = fences.acquire_count;
    release->visited = 0;
    return fences.release_count;
}

/* The release by an atomic write of the running thread now, + 1; 0 if it comes after no fence. */
static uint32_t fences_find_release(struct scope_fences *scope)
{
    const uint32_t warp = emulate.thread & ~31u;
    struct interval_fences *before;
    uint32_t cuts[32] = {0};
    int found = 0;

    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t *const knows = fences_syncs_known(&scope->thread[warp + lane], warp + lane);

        found |= knows != NULL;
        for (int k = 0; k < 32 && knows != NULL; k++)
            cuts[k] = cuts[k] < knows[k] ? knows[k] : cuts[k];
    }
    if (found) {
        uint32_t *const latest = &scope->thread[emulate.thread].release;

        if (*latest == 0 || fences.releases[*latest - 1].interval != emulate.interval ||
            fences.releases[*latest - 1].first_thread != warp ||
            memcmp(&fences.cuts[fences.releases[*latest - 1].cuts], cuts, sizeof cuts) != 0)
            *latest = fences_add_release(emulate.interval, warp, 32, cuts);
        return *latest;
    }
    before = scope->later.interval < emulate.interval ? &scope->later : &scope->earlier;
    if (before->interval < emulate.block_start)
        return 0;
    if (before->release == 0)
        before->release =
            fences_add_release(before->interval, 0, (emulate.threads + 31) & ~31u, before->cuts);
    return before->release;
}

/* Before an atomic write, once fences are used. Returns 1 if it came after a fence: then
 * fences_advance_moment must follow it. */
static int fences_record_write(const char *address, size_t bytes, int of_block)
{
    int recorded = 0;

    fences_update();
    for (int scope = 0; scope < 2; scope++) {
        const uint32_t release = fences_find_release(&fences.scopes[scope]);
        struct location *location;
        struct location_write *write;

        if (release == 0)
            continue;
        location = fences_add_location(address);
        location->writes = (struct location_write *)grow_list(
            location->writes, location->count, &location->room, sizeof *location->writes);
        write = &location->writes[location->count++];
        write->when = emulate.moment;
        write->release = release - 1;
        write->bytes = (uint8_t)bytes;
        write->of_block = scope || of_block;
        recorded = 1;
    }
    return recorded;
}

/* Before an atomic read, once fences are used. */
static void fences_record_read(const char *address, int of_block)
{
    const struct location *location;
    struct acquire *acquire;
    uint32_t number, latest;

    fences_update();
    location = fences_find_location(address);
    if (location == NULL)
        return;
    number = (uint32_t)(location - fences.locations);
    latest = fences.latest_acquire[emulate.thread];
    if (latest >= fences.first_acquire && latest < fences.acquire_count) {
        acquire = &fences.acquires[latest];
        if (acquire->when == emulate.moment && acquire->location == number &&
            acquire->of_block == of_block) {
            acquire->writes_seen = location->count;
            return;
        }
    }
    fences.latest_acquire[emulate.thread] = fences.acquire_count;
    fences.acquires = (struct acquire *)grow_list(fences.acquires, fences.acquire_count,
                                                  &fences.acquire_room, sizeof *fences.acquires);
    acquire = &fences.acquires[fences.acquire_count++];
    acquire->when = emulate.moment;
    acquire->location = number;
    acquire->writes_seen = location->count;
    acquire->of_block = of_block;
}

/* Whether the access comes before the fence. */
static int release_covers(const struct release *release, moment access)
{
    const uint32_t mask = (1u << EMULATE_SYNC_BITS) - 1, interval = (uint32_t)(access >> 32);
    const uint32_t thread = (uint32_t)(access & THREAD_MASK) - release->first_thread;
    uint32_t cut;

    if (interval < release->block_start || interval > release->interval)
        return 0;
    if (interval < release->interval)
        return 1;
    cut = thread < release->threads ? fences.cuts[release->cuts + thread] : 0;
    return cut != 0 && ((cut - (uint32_t)(access >> THREAD_BITS) - 1) & mask) <= mask / 2;
}

static int unordered_by_syncs(moment earlier, moment now);

static void fences_push(uint32_t acquire, uint32_t block_start)
{
    fences.stack = (struct fences_search_item *)grow_list(fences.stack, fences.stack_count,
                                                          &fences.stack_room, sizeof *fences.stack);
    fences.stack[fences.stack_count].acquire = acquire;
    fences.stack[fences.stack_count++].block_start = block_start;
}

/* The first of the location's writes in the interval or a later one. */
static uint32_t fences_first_write_since(const struct location *location, uint32_t interval)
{
    uint32_t low = 0, high = location->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (location->writes[middle].when >> 32 < interval)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the earlier access is an atomic at the write's address: the write itself, or one before
 * it. */
static int location_write_covers(const struct location *location,
                                 const struct location_write *write, moment earlier,
                                 const char *atomic)
{
    if ((uintptr_t)atomic - (uintptr_t)location->address >= write->bytes ||
        earlier >> 32 < fences.releases[write->release].block_start)
        return 0;
    return earlier >> 32 < write->when >> 32 ||
           (((earlier ^ write->when) & THREAD_MASK) == 0 && earlier <= write->when);
}

/* Whether the block's acquire follows a write that the earlier access is ordered before. If not,
 * queues the acquires that the fences before those writes follow. */
static int acquire_covers(const struct acquire *acquire, uint32_t block_start, moment earlier,
                          const char *atomic)
{
    struct location *const location = &fences.locations[acquire->location];
    uint32_t begin =
        emulate.interleaved ? 0 : fences_first_write_since(location, (uint32_t)(earlier >> 32));

    if (location->last_search == fences.searches && location->last_search_block == block_start &&
        begin < location->searched)
        begin = location->searched;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = begin; i < acquire->writes_seen; i++) {
            const struct location_write *const write = &location->writes[i];
            struct release *const release = &fences.releases[write->release];

            if ((write->of_block || acquire->of_block) && release->block_start != block_start)
                continue;
            if (pass == 0) {
                if (release_covers(release, earlier) ||
                    location_write_covers(location, write, earlier, atomic))
                    return 1;
            } else if (release->visited != fences.searches) {
                release->visited = fences.searches;
                for (uint32_t k = release->first_acquire; k < release->acquires_end; k++)
                    if (release_covers(release, fences.acquires[k].when))
                        fences_push(k, release->block_start);
            }
        }
    if (!acquire->of_block && begin < acquire->writes_seen) {
        location->last_search = fences.searches;
        location->last_search_block = block_start;
        location->searched = acquire->writes_seen;
    }
    return 0;
}

/* Whether fences order the earlier access before the present one. atomic: its address if it was
 * atomic, else NULL. */
static int fences_order(moment earlier, moment now, const char *atomic)
{
    fences_update();
    fences.searches++;
    fences.stack_count = 0;
    for (uint32_t i = fences.acquire_count; i > fences.first_acquire; i--) {
        if (unordered_by_syncs(fences.acquires[i - 1].when, now))
            continue;
        fences_push(i - 1, emulate.block_start);
        while (fences.stack_count > 0) {
            const struct fences_search_item item = fences.stack[--fences.stack_count];

            if (acquire_covers(&fences.acquires[item.acquire], item.block_start, earlier, atomic))
                return 1;
        }
    }
    return 0;
}

/* The effects of the fences of a block that gives way, and of its threads, on later ones. */
struct saved_fences {
    uint32_t block_start, first_acquire;
    struct {
        struct interval_fences later, earlier;
    } scopes[2];
    struct thread_fences thread[];
};

static size_t saved_fences_bytes(void)
{
    return sizeof(struct saved_fences) + 2 * emulate.threads * sizeof(struct thread_fences);
}

static void save_fences(struct saved_fences *saved)
{
    fences_update();
    saved->block_start = fences.block_start;
    saved->first_acquire = fences.first_acquire;
    for (int scope = 0; scope < 2; scope++) {
        saved->scopes[scope].later = fences.scopes[scope].later;
        saved->scopes[scope].earlier = fences.scopes[scope].earlier;
        memcpy(saved->thread + (size_t)scope * emulate.threads, fences.scopes[scope].thread,
               emulate.threads * sizeof *saved->thread);
    }
}

/* NULL: the block had passed no fence. */
static void restore_fences(const struct saved_fences *saved)
{
    if (saved == NULL || saved->block_start != emulate.block_start) {
        for (int scope = 0; scope < 2; scope++)
            fences.scopes[scope].later.interval = fences.scopes[scope].earlier.interval = 0;
        return;
    }
    fences.block_start = saved->block_start;
    fences.first_acquire = saved->first_acquire;
    for (int scope = 0; scope < 2; scope++) {
        fences.scopes[scope].later = saved->scopes[scope].later;
        fences.scopes[scope].earlier = saved->scopes[scope].earlier;
        memcpy(fences.scopes[scope].thread, saved->thread + (size_t)scope * emulate.threads,
               emulate.threads * sizeof *saved->thread);
    }
}

#endif
