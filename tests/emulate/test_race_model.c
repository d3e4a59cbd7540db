/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Racecheck stores two accesses of each kind per byte, and claims that they decide exactly whether
 * an access completes a race. This test asks it after every access of small random runs, and
 * compares the answer with an oracle, which stores all accesses and applies the rules directly,
 * without intervals. make check has a part of the random runs, make check-wide all, by an argument.
 */
#define _GNU_SOURCE
#include "host/checks/racecheck.c"

#include <setjmp.h> /* cmocka.h needs these four */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/emulate/no_scheduler.h"

/* ---------------------------------------------------------------------------------------------
 * A scheduler that runs nothing
 * ------------------------------------------------------------------------------------------- */

enum { BYTES = 16, SPACES = 3, BLOCKS_OF_GRID = 3, INTERVALS = 1 << 12 };
enum space { SPACE_DEVICE, SPACE_SHARED, SPACE_DYNAMIC };
/* A page that has had accesses of bytes, and a word that has had atomics, no longer take the fast
 * paths: runs without them have memory of their own. */
enum { MEMORIES = 3, PAGE = 4096 };
static _Alignas(PAGE) char memories[MEMORIES][PAGE / BYTES][BYTES];
static char (*memory_of)[BYTES] = memories[0];
static char stack[BYTES];
static unsigned share = 5; /* this part of the random runs, from the first */
static unsigned long long block_in[INTERVALS];
static uint32_t first_interval; /* of the run: the count may restart at 0 */

unsigned long long emulate_block_of(uint32_t interval)
{
    return block_in[(interval - first_interval) % INTERVALS];
}

size_t emulate_ranges(enum emulate_section which, const struct emulate_range **ranges)
{
    static struct emulate_range all;

    all.begin = memory_of[SPACE_SHARED];
    all.end = memory_of[SPACE_SHARED] + BYTES;
    *ranges = &all;
    return which == EMULATE_SHARED;
}

int emulate_object_at(enum emulate_section which, const void *address,
                      struct emulate_object *object)
{
    if (which != EMULATE_SHARED || (uintptr_t)address - (uintptr_t)memory_of[SPACE_SHARED] >= BYTES)
        return 0;
    strcpy(object->name, "tile");
    object->address = memory_of[SPACE_SHARED];
    object->bytes = BYTES;
    return 1;
}

int emulate_variable_at(const void *address, struct emulate_object *object)
{
    (void)address;
    (void)object;
    return 0;
}

static void begin_launch(void)
{
    emulate.kernel = "model";
    emulate_running = 0;
    emulate.access = EMULATE_PLAIN;
    emulate.launch_start = emulate.interval + 1;
    emulate.interleaved = 0;
    emulate.threads = 1024;
    emulate.shared = memory_of[SPACE_DYNAMIC];
    emulate.shared_bytes = BYTES;
    emulate.stacks = stack;
    emulate.stacks_bytes = sizeof stack;
    emulate_check.launch_begin();
}

static void begin_interval(void)
{
    emulate.interval++;
    emulate.ragged = 0;
    block_in[(emulate.interval - first_interval) % INTERVALS] = emulate.block_id;
}

static void begin_block(unsigned long long block)
{
    emulate.block_id = block;
    begin_interval();
    emulate.block_start = emulate.interval;
    for (int warp = 0; warp < 32; warp++)
        emulate.warp_syncs[warp] = 0;
    emulate.ragged = 0;
    emulate_check.block_begin();
}

/* ---------------------------------------------------------------------------------------------
 * The oracle
 * ------------------------------------------------------------------------------------------- */

enum scope { PLAIN, OF_DEVICE, OF_BLOCK };

struct event {
    enum space space;
    unsigned begin, end; /* bytes */
    int writes;
    enum scope scope;
    unsigned phase; /* of launches, divided by barriers of the grid */
    unsigned block, thread, barriers;
    unsigned syncs;    /* passed by any lanes of the run before it */
    unsigned fences;   /* passed by any threads of the run before it */
    uint32_t interval; /* only for the report */
};
static struct event *events;
static unsigned event_count, event_room;

/* The syncs of the run, in their order: of which lanes of which warp. */
static struct sync {
    unsigned block, warp, lanes;
} * syncs;
static unsigned sync_count, sync_room;

static void pass_sync(unsigned warp, unsigned lanes)
{
    if (sync_count == sync_room) {
        sync_room = sync_room != 0 ? 2 * sync_room : 256;
        syncs = (struct sync *)realloc(syncs, sync_room * sizeof *syncs);
        assert_non_null(syncs);
    }
    syncs[sync_count].block = (unsigned)emulate.block_id;
    syncs[sync_count].warp = warp;
    syncs[sync_count++].lanes = lanes;
    emulate_sync(warp, lanes, lanes, lanes == ~0u);
}

/* Whether word of the first access has reached the second one's lane, from sync to sync. */
static int has_reached(const struct event *a, const struct event *b)
{
    unsigned know = 1u << a->thread % 32;

    for (unsigned i = a->syncs; i < b->syncs; i++)
        if (syncs[i].block == a->block && syncs[i].warp == a->thread / 32 &&
            (syncs[i].lanes & know) != 0)
            know |= syncs[i].lanes;
    return know >> b->thread % 32 & 1;
}

static int overlap(const struct event *a, const struct event *b)
{
    return a->space == b->space && a->begin < b->end && b->begin < a->end &&
           (a->space == SPACE_DEVICE || a->block == b->block);
}

static int are_atomic(const struct event *a, const struct event *b)
{
    if (a->scope == PLAIN || b->scope == PLAIN)
        return 0;
    return a->block == b->block || (a->scope == OF_DEVICE && b->scope == OF_DEVICE);
}

static int are_ordered_by_syncs(const struct event *a, const struct event *b)
{
    if (a->phase != b->phase)
        return 1;
    if (a->block != b->block)
        return 0;
    return a->thread == b->thread || a->barriers != b->barriers ||
           (a->thread / 32 == b->thread / 32 && has_reached(a, b));
}

/* The fences of the run, in their order: events without bytes. */
static struct fence_event {
    struct event at;
    unsigned before; /* accesses made before it */
    int of_block, visited;
} fences_of_run[64];
static unsigned fence_count;

static int same_place(const struct event *a, const struct event *b)
{
    return a->space == b->space && a->begin == b->begin &&
           (a->space == SPACE_DEVICE || a->block == b->block);
}

/* Whether a's access to the byte comes before the fence, or before the access, `b`: directly, or
 * because b comes after an atomic read that has seen an atomic write, after a fence that a comes
 * before; or that a is, or a is an atomic there too and comes before. `end`: b came before the
 * access of that number. */
static int comes_before(const struct event *a, const struct event *b, unsigned end, unsigned byte)
{
    if (are_ordered_by_syncs(a, b))
        return 1;
    for (unsigned r = 0; r < end; r++) {
        const struct event *const read = &events[r];

        if (read->scope == PLAIN || read->writes || read->phase != b->phase ||
            (read != b && !are_ordered_by_syncs(read, b)))
            continue;
        for (unsigned w = 0; w < r; w++) {
            const struct event *const write = &events[w];

            if (write->scope == PLAIN || !write->writes || !same_place(write, read) ||
                write->phase != read->phase)
                continue;
            for (unsigned f = 0; f < write->fences; f++) {
                struct fence_event *const fence = &fences_of_run[f];

                if (fence->at.phase != write->phase || !are_ordered_by_syncs(&fence->at, write) ||
                    ((fence->of_block || write->scope == OF_BLOCK || read->scope == OF_BLOCK) &&
                     write->block != read->block))
                    continue;
                if (a->scope != PLAIN && a <= write && a->phase == write->phase &&
                    a->block == write->block &&
                    (a->thread == write->thread || a->barriers < write->barriers) &&
                    overlap(a, write) && write->begin <= byte && byte < write->end)
                    return 1;
                if (fence->visited)
                    continue;
                if (a < &events[fence->before] && comes_before(a, &fence->at, fence->before, byte))
                    return 1;
                fence->visited = 1;
            }
        }
    }
    return 0;
}

static int are_ordered(const struct event *a, const struct event *b)
{
    if (fence_count == 0)
        return are_ordered_by_syncs(a, b);
    for (unsigned byte = a->begin; byte < a->end; byte++) {
        for (unsigned f = 0; f < fence_count; f++)
            fences_of_run[f].visited = 0;
        if (b->begin <= byte && byte < b->end && !comes_before(a, b, event_count, byte))
            return 0;
    }
    return 1;
}

static int are_a_race(const struct event *a, const struct event *b)
{
    return overlap(a, b) && (a->writes || b->writes) && !are_atomic(a, b) && !are_ordered(a, b);
}

static int completes_a_race(const struct event *event)
{
    for (unsigned i = 0; i < event_count; i++)
        if (are_a_race(&events[i], event))
            return 1;
    return 0;
}

static void keep(const struct event *event)
{
    if (event_count == event_room) {
        event_room = event_room != 0 ? 2 * event_room : 256;
        events = (struct event *)realloc(events, event_room * sizeof *events);
        assert_non_null(events);
    }
    events[event_count++] = *event;
}

/* ---------------------------------------------------------------------------------------------
 * Racecheck's answer
 * ------------------------------------------------------------------------------------------- */

static unsigned long long count_races(void)
{
    unsigned long long count = 0;

    resolve_pending();
    for (uint32_t i = 0; i < race_count; i++)
        count += races[i].count;
    return count;
}

static void clear_races(void)
{
    resolve_pending();
    race_count = 0;
    memset(race_slots, 0, sizeof race_slots);
}

/* The access reported as the earlier one must exist, and race with this one. */
static void check_witnesses(const struct event *event)
{
    for (uint32_t i = 0; i < race_count; i++) {
        const struct access *earlier = &races[i].earlier;
        int found = 0;

        if (races[i].count != 1 || races[i].last_number != access_number)
            continue;
        for (unsigned j = 0; j < event_count && !found; j++)
            found = events[j].interval == (uint32_t)(earlier->when >> 32) &&
                    events[j].thread == (unsigned)(earlier->when & THREAD_MASK) &&
                    events[j].writes == (earlier->kind == WRITE || earlier->kind == ATOMIC ||
                                         earlier->kind == BLOCK_ATOMIC) &&
                    are_a_race(&events[j], event);
        assert_true(found);
        assert_int_equal(races[i].later.when & THREAD_MASK, event->thread);
    }
}

/* Makes the access as compiled code would: through its hook. */
static void make(const struct event *event)
{
    char *address = memory_of[event->space] + event->begin;
    unsigned bytes = event->end - event->begin;
    int aligned = (uintptr_t)address % bytes == 0;

    if (event->scope == OF_DEVICE && emulate.access == EMULATE_PLAIN) {
        uint32_t word = 0;

        if (!event->writes)
            on_atomic(address, bytes, 0, __builtin_return_address(0));
        else if (bytes == 4 && aligned)
            __tsan_atomic32_store((uint32_t *)address, word, 0);
        else
            on_atomic(address, bytes, 1, __builtin_return_address(0));
        return;
    }
    switch ((int)bytes * 4 + aligned * 2 + event->writes) {
    case 4 + 2: __tsan_read1(address); break;
    case 4 + 3: __tsan_write1(address); break;
    case 8 + 2: __tsan_read2(address); break;
    case 8 + 3: __tsan_write2(address); break;
    case 16 + 2: __tsan_read4(address); break;
    case 16 + 3: __tsan_write4(address); break;
    case 32 + 2: __tsan_read8(address); break;
    case 32 + 3: __tsan_write8(address); break;
    case 64 + 2: __tsan_read16(address); break;
    case 64 + 3: __tsan_write16(address); break;
    case 8: __tsan_unaligned_read2(address); break;
    case 8 + 1: __tsan_unaligned_write2(address); break;
    case 16: __tsan_unaligned_read4(address); break;
    case 16 + 1: __tsan_unaligned_write4(address); break;
    case 32: __tsan_unaligned_read8(address); break;
    case 32 + 1: __tsan_unaligned_write8(address); break;
    default:
        if (event->writes)
            __tsan_write_range(address, bytes);
        else
            __tsan_read_range(address, bytes);
    }
}

static uint64_t seed;

static unsigned below(unsigned bound)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % bound;
}

static unsigned long long asked, completed;
static int fencing; /* some threads pass fences */
static unsigned long long missed;

/* Of one of the threads that the habits name. */
static void pass_fence(unsigned thread, unsigned phase, const unsigned *barriers)
{
    struct fence_event *const passed = &fences_of_run[fence_count];

    if (fence_count == sizeof fences_of_run / sizeof *fences_of_run)
        return;
    memset(passed, 0, sizeof *passed);
    passed->at.phase = phase;
    passed->at.block = (unsigned)emulate.block_id;
    passed->at.thread = thread;
    passed->at.barriers = barriers[emulate.block_id];
    passed->at.syncs = sync_count;
    passed->before = event_count;
    passed->of_block = below(4) == 0;
    fence_count++;
    emulate.thread = thread;
    emulate_tick();
    emulate_check.fence(passed->of_block);
}

/* Runs differ in the probabilities of their events. */
struct habits {
    unsigned threads[6], thread_count;
    unsigned narrow, atomics, writes, barriers, syncs; /* in 16ths */
    unsigned bytes;                                    /* used in each memory space */
};

static void access_once(const struct habits *habits, unsigned phase, const unsigned *barriers)
{
    static const unsigned sizes[] = {1, 2, 4, 8, 16, 3, 12};
    struct event event = {.phase = phase, .block = (unsigned)emulate.block_id};
    unsigned long long before = count_races();
    unsigned bytes = 4;

    event.thread = habits->threads[below(habits->thread_count)];
    event.barriers = barriers[event.block];
    event.syncs = sync_count;
    event.fences = fence_count;
    event.interval = emulate.interval;
    event.space = (enum space)below(SPACES);
    event.writes = below(16) < habits->writes;
    if (below(16) < habits->narrow)
        bytes = sizes[below(7)];
    if (bytes > habits->bytes)
        bytes = habits->bytes;
    event.begin = below(habits->bytes - bytes + 1);
    if (below(16) >= habits->narrow)
        event.begin -= event.begin % 4;
    event.end = event.begin + bytes;
    emulate.access = EMULATE_PLAIN;
    if (below(16) < habits->atomics) {
        event.scope = below(2) ? OF_DEVICE : OF_BLOCK;
        if (event.scope == OF_BLOCK)
            emulate.access = EMULATE_ATOMIC_BLOCK;
        else if (below(2))
            emulate.access = EMULATE_ATOMIC;
    }
    emulate.thread = event.thread;
    emulate_tick();
    emulate_running = 1;
    make(&event);
    emulate_running = 0;
    asked++;
    keep(&event);
    if (completes_a_race(&events[event_count - 1])) {
        completed++;
        if (count_races() != before)
            check_witnesses(&events[event_count - 1]);
        else if (fencing)
            missed++;
        else
            fail_msg("missed: access %u of the run", event_count - 1);
    } else if (count_races() != before) {
        fail_msg("false: access %u of the run", event_count - 1);
    }
}

static int parts; /* some syncs are of a part of a warp */

/* Restarts the count as the scheduler does when a block starts: all earlier accesses are over. */
static void begin_count_again(void)
{
    emulate.interval = 0;
    emulate.launch_start = 1;
    event_count = 0;
}
static int counts_far; /* near the count's end, so that it restarts during a launch */

static void count_on(void)
{
    if (emulate.interval > UINT32_MAX / 2)
        begin_count_again();
    else
        emulate.interval = UINT32_MAX - 1000000 + below(1000);
}

static void step(const struct habits *habits, unsigned phase, unsigned *barriers)
{
    access_once(habits, phase, barriers);
    if (fencing && below(3) == 0)
        pass_fence(habits->threads[below(habits->thread_count)], phase, barriers);
    if (below(16) < habits->barriers) {
        barriers[emulate.block_id]++;
        begin_interval();
    }
    if (below(16) < habits->syncs) {
        unsigned lanes = ~0u;

        if (parts && below(4) != 0)
            lanes = 1u << habits->threads[0] % 32 |
                    1u << habits->threads[below(habits->thread_count)] % 32 |
                    1u << habits->threads[below(habits->thread_count)] % 32;
        pass_sync(habits->threads[0] / 32, lanes);
    }
}

/* What the scheduler keeps of a block that has given way to others. */
static struct resting {
    uint32_t start, interval, ragged;
    uint32_t warp_syncs[32], lane_syncs[1024], lane_knows[1024][32];
    void *kept;
} resting[BLOCKS_OF_GRID];
static int interleaving;

static void leave(void)
{
    struct resting *const block = &resting[emulate.block_id];

    emulate.interleaved = 1;
    block->start = emulate.block_start;
    block->interval = emulate.interval;
    block->ragged = emulate.ragged;
    memcpy(block->warp_syncs, emulate.warp_syncs, sizeof block->warp_syncs);
    memcpy(block->lane_syncs, emulate.lane_syncs, sizeof block->lane_syncs);
    memcpy(block->lane_knows, emulate.lane_knows, sizeof block->lane_knows);
    emulate_check.block_leave(&block->kept, 1);
}

static void resume(unsigned number)
{
    struct resting *const block = &resting[number];

    emulate.block_id = number;
    emulate.block_start = block->start;
    emulate.interval = block->interval;
    emulate.ragged = block->ragged;
    memcpy(emulate.warp_syncs, block->warp_syncs, sizeof block->warp_syncs);
    memcpy(emulate.lane_syncs, block->lane_syncs, sizeof block->lane_syncs);
    memcpy(emulate.lane_knows, block->lane_knows, sizeof block->lane_knows);
    emulate_check.block_resume(&block->kept);
}

/* The blocks give way to each other. */
static void run_in_turns(const struct habits *habits, unsigned blocks, unsigned phase,
                         unsigned *barriers)
{
    enum { RESERVED = 64 };
    uint32_t reserved = emulate.interval;

    for (unsigned turn = 0; turn < 6 * blocks; turn++) {
        const unsigned started = turn < blocks;
        unsigned steps = below(6);

        if (started) {
            emulate.interval = reserved;
            reserved += RESERVED;
            begin_block(turn);
        } else {
            resume(below(blocks));
        }
        while (steps-- > 0)
            step(habits, phase, barriers);
        leave();
    }
    emulate.interval = reserved;
}

static void run(void)
{
    struct habits habits = {.thread_count = 1 + below(6),
                            .narrow = below(3) * 6,
                            .atomics = below(3) * 6,
                            .writes = 1 + below(12),
                            .barriers = below(5),
                            .syncs = below(6),
                            .bytes = 4u << below(3)};
    unsigned launches = 1 + below(3), phase = 0, barriers[BLOCKS_OF_GRID] = {0};
    unsigned one_warp = below(4) == 0;

    event_count = sync_count = fence_count = 0;
    memory_of = memories[habits.narrow > 0 ? 2 : habits.atomics > 0 ? 1 : 0];
    if (one_warp) /* long histories of one word between warp syncs */
        habits.bytes = 4;
    for (unsigned i = 0; i < habits.thread_count; i++)
        habits.threads[i] = one_warp || below(2) ? below(4)
                            : below(2)           ? below(96)
                                                 : 1023 - below(40);
    for (unsigned launch = 0; launch < launches; launch++) {
        unsigned blocks = 1 + below(BLOCKS_OF_GRID), phases = 1 + below(2);

        begin_launch();
        for (unsigned part = 0; part < phases; part++, phase++) {
            if (part > 0) {
                emulate.interval++;
                emulate.launch_start = emulate.interval;
            }
            if (interleaving) {
                run_in_turns(&habits, blocks, phase, barriers);
                continue;
            }
            for (unsigned block = 0; block < blocks; block++) {
                unsigned steps = below(20);

                if (counts_far && below(3) == 0)
                    count_on();
                begin_block(part % 2 != 0 ? blocks - 1 - block : block);
                while (steps-- > 0)
                    step(&habits, phase, barriers);
            }
        }
        clear_races();
    }
}

static void decides_as_the_oracle_does(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 100000 / share; i++) {
        seed = i;
        first_interval = emulate.interval;
        run();
    }
    print_message("%llu accesses, %llu of which complete a race\n", asked, completed);
    assert_true(completed > asked / 10 && completed < asked / 10 * 9);
}

/* Blocks that give way to each other, and then without barriers of parts. */
static void blocks_in_turns(void **state)
{
    unsigned long long before = asked, raced = completed;

    (void)state;
    interleaving = 1;
    for (unsigned i = 0; i < 40000 / share; i++) {
        parts = emulate.partial = i % 2;
        seed = i;
        first_interval = emulate.interval;
        run();
    }
    parts = emulate.partial = interleaving = 0;
    before = asked - before;
    raced = completed - raced;
    print_message("%llu accesses, %llu of which complete a race\n", before, raced);
    assert_true(raced > before / 10 && raced < before / 10 * 9);
}

/* The same with fences. */
static void fences_of_blocks_in_turns(void **state)
{
    unsigned long long before = missed;

    (void)state;
    parts = fencing = emulate.partial = interleaving = 1;
    for (unsigned i = 0; i < 10000 / share; i++) {
        seed = i;
        first_interval = emulate.interval;
        run();
    }
    parts = fencing = emulate.partial = interleaving = 0;
    fences.used = 0;
    print_message("%llu missed\n", missed - before);
    assert_true(missed - before < 1000 / share);
    missed = before;
}

/* With syncs of parts of a warp. */
static void lanes_are_told_apart(void **state)
{
    unsigned long long before = asked, raced = completed;

    (void)state;
    parts = emulate.partial = 1;
    for (unsigned i = 0; i < 100000 / share; i++) {
        seed = i;
        first_interval = emulate.interval;
        run();
    }
    parts = emulate.partial = 0;
    before = asked - before;
    raced = completed - raced;
    print_message("%llu accesses, %llu of which complete a race\n", before, raced);
    assert_true(raced > before / 10 && raced < before / 10 * 9);
}

/* With fences: nothing is reported falsely, and among the races of accesses that no other one has
 * replaced few are missed. */
static void fences_order_what_they_should(void **state)
{
    unsigned long long before = asked, raced = completed;

    (void)state;
    parts = fencing = emulate.partial = 1;
    for (unsigned i = 0; i < 30000 / share; i++) {
        seed = i;
        first_interval = emulate.interval;
        run();
    }
    parts = fencing = emulate.partial = 0;
    fences.used = 0;
    before = asked - before;
    raced = completed - raced;
    print_message("%llu accesses, %llu of which complete a race, %llu missed\n", before, raced,
                  missed);
    assert_true(raced > before / 10 && raced < before / 10 * 9);
    assert_int_equal(missed, share == 1 ? 158 : 43); /* of the same runs each time */
}

/* One thread of the running block: passes a fence, or accesses the word. */
static void at(unsigned thread, uint32_t *word, int writes, int is_atomic)
{
    emulate.thread = thread;
    emulate_tick();
    if (word == NULL) {
        emulate_check.fence(0);
        return;
    }
    emulate_running = 1;
    if (is_atomic)
        on_atomic((const char *)word, 4, writes, __builtin_return_address(0));
    else if (writes)
        __tsan_write4(word);
    else
        __tsan_read4(word);
    emulate_running = 0;
}

/* Lane 0 of each warp writes and passes a fence, and another lane writes atomically: that orders
 * the accesses of the warp, and no other's, in a second launch too. */
static void a_release_is_of_one_warp_and_launch(void **state)
{
    uint32_t *const words = (uint32_t *)(void *)memory_of[SPACE_DEVICE];

    (void)state;
    clear_shadow();
    for (int launch = 0; launch < 2; launch++) {
        begin_launch();
        begin_block(0);
        for (unsigned warp = launch == 0; warp < 2; warp++) {
            at(32 * warp, &words[warp], 1, 0);
            at(32 * warp, NULL, 0, 0);
            emulate_sync(warp, ~0u, ~0u, 1);
            at(32 * warp + 8, &words[2 + warp], 1, 1);
        }
    }
    begin_block(1);
    at(0, &words[3], 0, 1);
    at(0, &words[1], 0, 0);
    assert_int_equal(count_races(), 0);
    at(0, &words[0], 0, 0);
    assert_int_equal(count_races(), 1);
    clear_races();
}

/* When the count of intervals restarts, earlier accesses are forgotten, and no others. */
static void intervals_wrap(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        seed = i;
        begin_launch();
        emulate.interval = UINT32_MAX - 1;
        begin_block(0);
        clear_races();
        first_interval = emulate.interval = UINT32_MAX - 1;
        begin_count_again(); /* the shadow refers to objects that no longer exist */
        run();
    }
}

/* The same within a launch. */
static void intervals_wrap_within_a_launch(void **state)
{
    unsigned long long before = completed;

    (void)state;
    counts_far = 1;
    first_interval = 0;
    for (unsigned i = 0; i < 1000; i++) {
        seed = i;
        run();
    }
    counts_far = 0;
    assert_true(completed > before + 1000);
}

static void store_word(uint32_t *address, uint32_t value)
{
    __tsan_write4(address);
    *(volatile uint32_t *)address = value;
}

static void writes_of_one_value_are_told_apart(void **state)
{
    uint32_t *word = (uint32_t *)(void *)memory_of[SPACE_DEVICE];

    (void)state;
    clear_shadow();
    begin_launch();
    begin_block(0);
    emulate.access = EMULATE_PLAIN;
    emulate_running = 1;
    emulate.thread = 0;
    emulate_tick();
    store_word(&word[0], 5);
    store_word(&word[1], 5);
    emulate.thread = 1;
    emulate_tick();
    store_word(&word[0], 5);
    store_word(&word[1], 5 | 1u << 24); /* the last byte differs */
    emulate.thread = 2;
    emulate_tick();
    __tsan_write_range(&word[2], 4);
    __tsan_read_range(&word[3], 4);
    word[2] = 7;
    emulate.thread = 3;
    emulate_tick();
    __tsan_write_range(&word[2], 4);
    __tsan_read_range(&word[3], 4);
    word[2] = 8;
    emulate_running = 0;
    resolve_pending();
    assert_int_equal(race_count, 3);
    assert_int_equal(races[0].same_value, 1);
    assert_int_equal(races[1].same_value, 0);
    assert_int_equal(races[2].same_value, 0); /* a structure's copy, in the order of gcc's hooks */
    clear_races();
}

/* A stack belongs to one thread, host code is not checked, and a failed compare-and-swap reads. */
static void what_is_no_access(void **state)
{
    uint32_t *word = (uint32_t *)(void *)memory_of[SPACE_DEVICE], compare = 1;

    (void)state;
    clear_shadow();
    begin_launch();
    begin_block(0);
    for (unsigned thread = 0; thread < 2; thread++) {
        emulate.thread = thread;
        emulate_tick();
        emulate_running = 1;
        __tsan_write4(stack);
        __tsan_read4(&word[1]);
        word[0] = 0;
        assert_false(__tsan_atomic32_compare_exchange_strong(&word[0], &compare, 2, 0, 0));
        assert_int_equal(compare, 0);
        compare = 1;
        __tsan_read4(&word[0]);
        emulate_running = 0;
        __tsan_write4(&word[1]);
    }
    assert_int_equal(count_races(), 0);
    emulate_running = 1;
    compare = 0;
    assert_true(__tsan_atomic32_compare_exchange_strong(&word[0], &compare, 2, 0, 0));
    assert_int_equal(word[0], 2);
    emulate_running = 0;
    assert_int_equal(count_races(), 1); /* with the other thread's plain read */
    clear_races();
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides_as_the_oracle_does),
        cmocka_unit_test(lanes_are_told_apart),
        cmocka_unit_test(blocks_in_turns),
        cmocka_unit_test(fences_order_what_they_should),
        cmocka_unit_test(fences_of_blocks_in_turns),
        cmocka_unit_test(a_release_is_of_one_warp_and_launch),
        cmocka_unit_test(intervals_wrap),
        cmocka_unit_test(intervals_wrap_within_a_launch),
        cmocka_unit_test(writes_of_one_value_are_told_apart),
        cmocka_unit_test(what_is_no_access),
    };

    (void)words;
    if (count > 1)
        share = 1;
    const int failures = cmocka_run_group_tests_name("race model", tests, NULL, NULL);
    emulate.kernel = NULL; /* the launch has ended */
    return failures;
}
