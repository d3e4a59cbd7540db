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
struct place {
    const char *address;
    uint32_t floor; /* see floor_of */
    uint32_t count, room;
    /* The latest search here, the block whose acquire it followed, and how many writes it saw. */
    uint32_t search, search_block, looked_at;
    struct place_write *writes; /* in the order of time */
};
struct place_write {
    moment when;
    uint32_t release;
    uint8_t bytes, of_block;
};

/* An atomic read at a place, after `seen` of its writes. */
struct acquire {
    moment when;
    uint32_t place, seen;
    int of_block;
};

struct fences_step {
    uint32_t acquire, block_start;
};

struct fences_of_interval {
    uint32_t interval, release; /* + 1 */
    uint32_t cuts[1 << THREAD_BITS];
};
/* A thread's latest fences: the interval, and the syncs of its warp that the thread knew of. With a
 * sync between two fences, another lane may know of the earlier only: the last FENCES are kept. */
enum { FENCES = 4 };
struct fences_of_thread {
    struct {
        uint32_t interval, knows[32];
    } latest[FENCES];
    uint32_t count, release; /* the latest release that it made, + 1 */
    moment since;            /* a fence at this moment replaces the latest one */
};
struct fences_of_scope {
    struct fences_of_thread thread[1 << THREAD_BITS];
    /* The fences of the latest interval with any, and of the one before it. */
    struct fences_of_interval later, earlier;
};

static struct {
    int used; /* the program has passed a fence */
    uint32_t launch_start;
    struct release *releases;
    struct place *places;
    struct acquire *acquires;
    uint32_t release_count, release_room, place_count, place_room, acquire_count, acquire_room;
    uint32_t *slots, slot_count; /* a hash table of places: numbers + 1 */
    uint32_t *cuts, cut_count, cut_room;
    uint32_t block_start;   /* of the block that... */
    uint32_t first_acquire; /* ...made this acquire and the later ones */
    uint32_t searches;
    uint32_t latest_acquire[1 << THREAD_BITS]; /* of each thread */
    struct fences_of_scope of[2];              /* at device scope, at block scope */
    struct fences_step *steps;                 /* of a search: acquires to look at */
    uint32_t step_count, step_room;
} fences;

static void fences_forget(void)
{
    for (uint32_t i = 0; i < fences.place_count; i++)
        free(fences.places[i].writes);
    fences.release_count = fences.place_count = fences.acquire_count = fences.first_acquire = 0;
    fences.cut_count = 0;
    for (int scope = 0; scope < 2; scope++) {
        fences.of[scope].later.interval = fences.of[scope].earlier.interval = 0;
        for (int thread = 0; thread < 1 << THREAD_BITS; thread++)
            fences.of[scope].thread[thread].count = fences.of[scope].thread[thread].release = 0;
    }
    if (fences.slot_count > 0)
        memset(fences.slots, 0, fences.slot_count * sizeof *fences.slots);
    fences.launch_start = emulate.launch_start;
}

/* A barrier of the grid orders everything before it, so nothing older is kept. */
static void fences_follow(void)
{
    if (fences.launch_start != emulate.launch_start)
        fences_forget();
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

        if (*found == 0 || (fences.places[*found - 1].address == address &&
                            fences.places[*found - 1].floor == floor))
            return found;
    }
}

/* The place at the address, or NULL. Shared memory at the address has another one in each block. */
static struct place *fences_place(const char *address)
{
    const uint32_t number = fences.slot_count > 0 ? *fences_slot(address, floor_of(address)) : 0;

    return number == 0 ? NULL : &fences.places[number - 1];
}

static struct place *fences_make_place(const char *address)
{
    struct place *place = fences_place(address);

    if (place != NULL)
        return place;
    if (2 * fences.place_count >= fences.slot_count) {
        fences.slot_count = fences.slot_count != 0 ? 2 * fences.slot_count : 256;
        free(fences.slots);
        fences.slots = (uint32_t *)calloc(fences.slot_count, sizeof *fences.slots);
        if (fences.slots == NULL)
            out_of_memory();
        for (uint32_t i = 0; i < fences.place_count; i++)
            *fences_slot(fences.places[i].address, fences.places[i].floor) = i + 1;
    }
    fences.places = (struct place *)grown(fences.places, fences.place_count, &fences.place_room,
                                          sizeof *fences.places);
    place = &fences.places[fences.place_count++];
    memset(place, 0, sizeof *place);
    place->address = address;
    place->floor = floor_of(address);
    *fences_slot(address, place->floor) = fences.place_count;
    return place;
}

/* The running thread's earlier accesses get other moments than its later ones. */
static void fences_divide(void)
{
    emulate_sync(emulate.thread / 32, 1u << emulate.thread % 32, 1u << emulate.thread % 32, 0);
    emulate_tick();
}

/* The running thread passes a fence. */
static void fence(int of_block)
{
    struct fences_of_scope *const of = &fences.of[of_block];
    struct fences_of_thread *const mine = &of->thread[emulate.thread];
    const uint32_t thread = emulate.thread, warp = thread & ~31u;
    uint32_t *knows;

    fences.used = 1;
    fences_follow();
    mine->count += mine->count == 0 || mine->since != emulate.moment;
    fences_divide();
    mine->since = emulate.moment;
    mine->release = 0;
    if (of->later.interval != emulate.interval) {
        of->earlier = of->later;
        memset(&of->later, 0, sizeof of->later);
        of->later.interval = emulate.interval;
    }
    mine->latest[mine->count % FENCES].interval = emulate.interval;
    knows = mine->latest[mine->count % FENCES].knows;
    for (uint32_t lane = 0; lane < 32; lane++) {
        knows[lane] = emulate.lane_knows[thread][lane];
        if (of->later.cuts[warp + lane] < knows[lane])
            of->later.cuts[warp + lane] = knows[lane];
    }
}

/* The syncs that the thread knew of at its latest fence in this interval that is ordered before the
 * running thread's present accesses; NULL without such a fence. */
static const uint32_t *fences_known(const struct fences_of_thread *of, uint32_t thread)
{
    const uint32_t lane = thread % 32, warp = thread / 32;
    const uint32_t known = emulate.ragged >> warp & 1 ? emulate.lane_knows[emulate.thread][lane]
                                                      : emulate.warp_syncs[warp];

    for (uint32_t i = of->count; i > 0 && of->count - i < FENCES; i--) {
        if (of->latest[i % FENCES].interval != emulate.interval)
            return NULL;
        if (thread == emulate.thread || of->latest[i % FENCES].knows[lane] < known)
            return of->latest[i % FENCES].knows;
    }
    return NULL;
}

/* Returns its number + 1. */
static uint32_t fences_new_release(uint32_t interval, uint32_t first_thread, uint32_t threads,
                                   const uint32_t *cuts)
{
    struct release *release;

    for (uint32_t i = 0; i < threads; i++) {
        fences.cuts =
            (uint32_t *)grown(fences.cuts, fences.cut_count, &fences.cut_room, sizeof *fences.cuts);
        fences.cuts[fences.cut_count++] = cuts[i];
    }
    fences.releases = (struct release *)grown(fences.releases, fences.release_count,
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
static uint32_t fences_release(struct fences_of_scope *of)
{
    const uint32_t warp = emulate.thread & ~31u;
    struct fences_of_interval *before;
    uint32_t cuts[32] = {0};
    int found = 0;

    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t *const knows = fences_known(&of->thread[warp + lane], warp + lane);

        found |= knows != NULL;
        for (int k = 0; k < 32 && knows != NULL; k++)
            cuts[k] = cuts[k] < knows[k] ? knows[k] : cuts[k];
    }
    if (found) {
        uint32_t *const latest = &of->thread[emulate.thread].release;

        if (*latest == 0 || fences.releases[*latest - 1].interval != emulate.interval ||
            fences.releases[*latest - 1].first_thread != warp ||
            memcmp(&fences.cuts[fences.releases[*latest - 1].cuts], cuts, sizeof cuts) != 0)
            *latest = fences_new_release(emulate.interval, warp, 32, cuts);
        return *latest;
    }
    before = of->later.interval < emulate.interval ? &of->later : &of->earlier;
    if (before->interval < emulate.block_start)
        return 0;
    if (before->release == 0)
        before->release =
            fences_new_release(before->interval, 0, (emulate.threads + 31) & ~31u, before->cuts);
    return before->release;
}

/* Before an atomic write, once fences are used. Returns 1 if it came after a fence: then
 * fences_divide must follow it. */
static int fences_note_write(const char *address, size_t bytes, int of_block)
{
    int noted = 0;

    fences_follow();
    for (int scope = 0; scope < 2; scope++) {
        const uint32_t release = fences_release(&fences.of[scope]);
        struct place *place;
        struct place_write *write;

        if (release == 0)
            continue;
        place = fences_make_place(address);
        place->writes = (struct place_write *)grown(place->writes, place->count, &place->room,
                                                    sizeof *place->writes);
        write = &place->writes[place->count++];
        write->when = emulate.moment;
        write->release = release - 1;
        write->bytes = (uint8_t)bytes;
        write->of_block = scope || of_block;
        noted = 1;
    }
    return noted;
}

/* Before an atomic read, once fences are used. */
static void fences_note_read(const char *address, int of_block)
{
    const struct place *place;
    struct acquire *acquire;
    uint32_t number, latest;

    fences_follow();
    place = fences_place(address);
    if (place == NULL)
        return;
    number = (uint32_t)(place - fences.places);
    latest = fences.latest_acquire[emulate.thread];
    if (latest >= fences.first_acquire && latest < fences.acquire_count) {
        acquire = &fences.acquires[latest];
        if (acquire->when == emulate.moment && acquire->place == number &&
            acquire->of_block == of_block) {
            acquire->seen = place->count;
            return;
        }
    }
    fences.latest_acquire[emulate.thread] = fences.acquire_count;
    fences.acquires = (struct acquire *)grown(fences.acquires, fences.acquire_count,
                                              &fences.acquire_room, sizeof *fences.acquires);
    acquire = &fences.acquires[fences.acquire_count++];
    acquire->when = emulate.moment;
    acquire->place = number;
    acquire->seen = place->count;
    acquire->of_block = of_block;
}

/* Whether the access comes before the fence. */
static int fence_covers(const struct release *release, moment access)
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

static void fences_look_at(uint32_t acquire, uint32_t block_start)
{
    fences.steps = (struct fences_step *)grown(fences.steps, fences.step_count, &fences.step_room,
                                               sizeof *fences.steps);
    fences.steps[fences.step_count].acquire = acquire;
    fences.steps[fences.step_count++].block_start = block_start;
}

/* The first of the place's writes in the interval or a later one. */
static uint32_t fences_since(const struct place *place, uint32_t interval)
{
    uint32_t low = 0, high = place->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (place->writes[middle].when >> 32 < interval)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the earlier access is an atomic at the write's address: the write itself, or one before
 * it. */
static int fences_wrote(const struct place *place, const struct place_write *write, moment earlier,
                        const char *atomic)
{
    if ((uintptr_t)atomic - (uintptr_t)place->address >= write->bytes ||
        earlier >> 32 < fences.releases[write->release].block_start)
        return 0;
    return earlier >> 32 < write->when >> 32 ||
           (((earlier ^ write->when) & THREAD_MASK) == 0 && earlier <= write->when);
}

/* Whether the block's acquire follows a write that the earlier access is ordered before. If not,
 * queues the acquires that the fences before those writes follow. */
static int fences_saw(const struct acquire *acquire, uint32_t block_start, moment earlier,
                      const char *atomic)
{
    struct place *const place = &fences.places[acquire->place];
    uint32_t begin = emulate.interleaved ? 0 : fences_since(place, (uint32_t)(earlier >> 32));

    if (place->search == fences.searches && place->search_block == block_start &&
        begin < place->looked_at)
        begin = place->looked_at;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = begin; i < acquire->seen; i++) {
            const struct place_write *const write = &place->writes[i];
            struct release *const release = &fences.releases[write->release];

            if ((write->of_block || acquire->of_block) && release->block_start != block_start)
                continue;
            if (pass == 0) {
                if (fence_covers(release, earlier) || fences_wrote(place, write, earlier, atomic))
                    return 1;
            } else if (release->visited != fences.searches) {
                release->visited = fences.searches;
                for (uint32_t k = release->first_acquire; k < release->acquires_end; k++)
                    if (fence_covers(release, fences.acquires[k].when))
                        fences_look_at(k, release->block_start);
            }
        }
    if (!acquire->of_block && begin < acquire->seen) {
        place->search = fences.searches;
        place->search_block = block_start;
        place->looked_at = acquire->seen;
    }
    return 0;
}

/* Whether fences order the earlier access before the present one. atomic: its address if it was
 * atomic, else NULL. */
static int fences_order(moment earlier, moment now, const char *atomic)
{
    fences_follow();
    fences.searches++;
    fences.step_count = 0;
    for (uint32_t i = fences.acquire_count; i > fences.first_acquire; i--) {
        if (unordered_by_syncs(fences.acquires[i - 1].when, now))
            continue;
        fences_look_at(i - 1, emulate.block_start);
        while (fences.step_count > 0) {
            const struct fences_step step = fences.steps[--fences.step_count];

            if (fences_saw(&fences.acquires[step.acquire], step.block_start, earlier, atomic))
                return 1;
        }
    }
    return 0;
}

/* The effects of the fences of a block that gives way, and of its threads, on later ones. */
struct fences_of_block {
    uint32_t block_start, first_acquire;
    struct {
        struct fences_of_interval later, earlier;
    } of[2];
    struct fences_of_thread thread[];
};

static size_t fences_kept_bytes(void)
{
    return sizeof(struct fences_of_block) + 2 * emulate.threads * sizeof(struct fences_of_thread);
}

static void fences_keep(struct fences_of_block *kept)
{
    fences_follow();
    kept->block_start = fences.block_start;
    kept->first_acquire = fences.first_acquire;
    for (int scope = 0; scope < 2; scope++) {
        kept->of[scope].later = fences.of[scope].later;
        kept->of[scope].earlier = fences.of[scope].earlier;
        memcpy(kept->thread + (size_t)scope * emulate.threads, fences.of[scope].thread,
               emulate.threads * sizeof *kept->thread);
    }
}

/* NULL: the block had passed no fence. */
static void fences_restore(const struct fences_of_block *kept)
{
    if (kept == NULL || kept->block_start != emulate.block_start) {
        for (int scope = 0; scope < 2; scope++)
            fences.of[scope].later.interval = fences.of[scope].earlier.interval = 0;
        return;
    }
    fences.block_start = kept->block_start;
    fences.first_acquire = kept->first_acquire;
    for (int scope = 0; scope < 2; scope++) {
        fences.of[scope].later = kept->of[scope].later;
        fences.of[scope].earlier = kept->of[scope].earlier;
        memcpy(fences.of[scope].thread, kept->thread + (size_t)scope * emulate.threads,
               emulate.threads * sizeof *kept->thread);
    }
}

#endif
