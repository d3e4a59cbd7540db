/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts what a GPU's memory would do for a program's kernels: sectors of device memory, turns of
 * the banks of shared memory, atomics, idle lanes. gallery counts prints them.
 *
 * The k-th time that the lanes of a warp pass an instruction between two barriers of the grid is
 * taken for one access of the warp, which moves whole sectors of 32 bytes, each once; in shared
 * memory a bank gives one word of 4 bytes a turn, to all lanes that ask for it (CUDA C++
 * Programming Guide, "Device Memory Accesses" and "Shared Memory", compute capability 5.0 and
 * later). Where the lanes pass an instruction different numbers of times, by more than one, as in
 * loops over rows of different lengths, which accesses a GPU would join is unknown: they are
 * counted as irregular.
 */
#include "host/checks/counts.h"
#include "host/emulate/check.h"

#include <stdio.h>  /* fprintf */
#include <stdlib.h> /* abort, qsort, realloc */
#include <string.h> /* memset */

enum { SECTOR = 32, BANKS = 32, WORD = 4, LANES = 32, WIDEST = 16, SITES = 4096, HALF_A_WARP = 16 };
/* A block with more accesses is not recorded. */
enum { MOST_ACCESSES = 1 << 22 };

struct emulate_counts emulate_counts;

struct access {
    const char *address;
    uint32_t site, turn;
    uint16_t thread;
    uint8_t bytes, is_shared;
};
static struct access *accesses;
static size_t access_count, access_room;
static int overflowed;

/* The instructions, by hash, and how often each thread has passed them. */
static struct site {
    const void *caller;
    uint32_t *turns;
} sites[SITES];

/* Device memory, and the section of shared memory. */
static struct memory {
    const char *begin, *end;
} * memories;
static size_t memory_count;
static const struct emulate_range *shared;
static size_t shared_count;

static void *grown(void *old, size_t bytes)
{
    void *const memory = realloc(old, bytes);

    if (!memory) {
        fprintf(stderr, "counts: out of memory\n");
        abort();
    }
    return memory;
}

/* ---- what the accesses of a block amount to ---- */

static int in_order(const void *left, const void *right)
{
    const struct access *const a = (const struct access *)left;
    const struct access *const b = (const struct access *)right;
    const unsigned warp_a = a->thread / LANES, warp_b = b->thread / LANES;

    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (warp_a != warp_b)
        return warp_a < warp_b ? -1 : 1;
    if (a->turn != b->turn)
        return a->turn < b->turn ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

/* One access of a warp: `count` lanes, in the order of their addresses. */
static void count_device(const struct access *lanes, size_t count)
{
    uintptr_t last_sector = 0;
    double used = 0, sectors = 0;

    for (size_t k = 0; k < count; k++) {
        const uintptr_t first = (uintptr_t)lanes[k].address / SECTOR;
        const uintptr_t last = ((uintptr_t)lanes[k].address + lanes[k].bytes - 1) / SECTOR;

        used += lanes[k].bytes;
        for (uintptr_t sector = first; sector <= last; sector++)
            if (sector > last_sector) {
                sectors++;
                last_sector = sector;
            }
    }
    emulate_counts.used += used;
    emulate_counts.moved += SECTOR * sectors;
}

static void count_shared(const struct access *lanes, size_t count)
{
    unsigned in_bank[BANKS] = {0}, most = 0, words = 0;
    uintptr_t last = 0;

    if (count < HALF_A_WARP)
        return;
    for (size_t k = 0; k < count; k++) {
        const uintptr_t first = (uintptr_t)lanes[k].address / WORD;
        const uintptr_t end = ((uintptr_t)lanes[k].address + lanes[k].bytes - 1) / WORD;

        for (uintptr_t word = first; word <= end; word++)
            if (word > last) {
                const unsigned turns = ++in_bank[word % BANKS];

                most = turns > most ? turns : most;
                last = word;
                words++;
            }
    }
    emulate_counts.turns += most;
    emulate_counts.least_turns += (words + BANKS - 1) / BANKS;
}

/* The accesses of one instruction by one warp. */
static void count_instruction(const struct access *first, size_t count)
{
    const unsigned warp = first->thread / LANES;
    const unsigned left = emulate.threads - warp * LANES;
    size_t of_lane[LANES] = {0}, least = count, most = 0;

    for (size_t k = 0; k < count; k++)
        of_lane[first[k].thread % LANES]++;
    for (int lane = 0; lane < LANES; lane++) {
        most = of_lane[lane] > most ? of_lane[lane] : most;
        if (of_lane[lane] > 0 && of_lane[lane] < least)
            least = of_lane[lane];
    }
    if (most - least > 1) {
        emulate_counts.irregular += (double)count;
        return;
    }
    for (size_t k = 0, same; k < count; k += same) {
        for (same = 1; k + same < count && first[k + same].turn == first[k].turn; same++)
            ;
        if (first[k].is_shared)
            count_shared(&first[k], same);
        else
            count_device(&first[k], same);
        emulate_counts.active += (double)same;
        emulate_counts.existing += left < LANES ? left : LANES;
    }
}

/* At the start of a block, after a barrier of the grid, and at the end of a launch. */
static void count_block(void)
{
    if (access_count > 0)
        qsort(accesses, access_count, sizeof *accesses, in_order);
    for (size_t k = 0, same; k < access_count; k += same) {
        for (same = 1; k + same < access_count && accesses[k + same].site == accesses[k].site &&
                       accesses[k + same].thread / LANES == accesses[k].thread / LANES;
             same++)
            ;
        if (overflowed)
            emulate_counts.irregular += (double)same;
        else
            count_instruction(&accesses[k], same);
    }
    for (int k = 0; k < SITES; k++)
        if (sites[k].turns)
            memset(sites[k].turns, 0, 1024 * sizeof *sites[k].turns);
    access_count = 0;
    overflowed = 0;
}

/* ---- recording ---- */

static int is_device(const char *address)
{
    for (size_t k = memory_count; k-- > 0;)
        if (address >= memories[k].begin && address < memories[k].end)
            return 1;
    return 0;
}

static int is_shared(const char *address)
{
    return emulate_in_ranges(shared, shared_count, address) ||
           (size_t)((uintptr_t)address - (uintptr_t)emulate.shared) < emulate.shared_bytes;
}

/* The number of an instruction; SITES if there are too many. */
static uint32_t site_of(const void *caller)
{
    const uint32_t start = (uint32_t)(((uintptr_t)caller * 2654435761u >> 8) % SITES);

    for (uint32_t k = 0; k < SITES; k++) {
        struct site *const site = &sites[(start + k) % SITES];

        if (!site->caller) {
            site->caller = caller;
            site->turns = (uint32_t *)grown(NULL, 1024 * sizeof *site->turns);
            memset(site->turns, 0, 1024 * sizeof *site->turns);
        }
        if (site->caller == caller)
            return (start + k) % SITES;
    }
    return SITES;
}

static void record(const char *address, size_t bytes, const void *caller)
{
    const int in_shared = is_shared(address);
    struct access access;

    if (!in_shared && !is_device(address))
        return;
    emulate_counts.accesses++;
    access.site = site_of(caller);
    if (access.site == SITES || bytes > WIDEST || access_count == MOST_ACCESSES) {
        overflowed |= access_count == MOST_ACCESSES;
        emulate_counts.irregular++;
        return;
    }
    if (access_count == access_room) {
        access_room = access_room > 0 ? 2 * access_room : 1024;
        accesses = (struct access *)grown(accesses, access_room * sizeof *accesses);
    }
    access.address = address;
    access.bytes = (uint8_t)bytes;
    access.is_shared = (uint8_t)in_shared;
    access.thread = (uint16_t)emulate.thread;
    access.turn = sites[access.site].turns[emulate.thread]++;
    accesses[access_count++] = access;
}

static void count_atomic(const char *address)
{
    emulate_counts.accesses += is_device(address) || is_shared(address);
    emulate_counts.atomics += is_device(address);
}

static inline void on_read(const char *address, size_t bytes, const void *caller)
{
    if (emulate_running && emulate.access == EMULATE_PLAIN)
        record(address, bytes, caller);
}

static inline void on_write(const char *address, size_t bytes, const void *caller)
{
    if (emulate_running && emulate.access != EMULATE_PLAIN)
        count_atomic(address);
    else if (emulate_running)
        record(address, bytes, caller);
}

static inline void on_atomic(const char *address, size_t bytes, int writes, const void *caller)
{
    (void)bytes;
    (void)caller;
    if (emulate_running && writes)
        count_atomic(address);
}

static void memory(enum portable_memory_event_ event, const void *address, size_t bytes,
                   const void *caller)
{
    (void)caller;
    if (event == PORTABLE_MEMORY_NEW_) {
        memories = (struct memory *)grown(memories, (memory_count + 1) * sizeof *memories);
        memories[memory_count].begin = (const char *)address;
        memories[memory_count++].end = (const char *)address + bytes;
    }
    for (size_t k = 0; event == PORTABLE_MEMORY_FREE_ && k < memory_count; k++)
        if (memories[k].begin == (const char *)address) {
            memories[k] = memories[--memory_count];
            break;
        }
}

static void launch_begin(void)
{
    shared_count = emulate_ranges(EMULATE_SHARED, &shared);
}

struct emulate_check emulate_check = {.name = "counts",
                                      .launch_begin = launch_begin,
                                      .launch_end = count_block,
                                      .block_begin = count_block,
                                      .memory = memory};

#include "host/checks/hooks.h"
