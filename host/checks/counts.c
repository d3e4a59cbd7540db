/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts what a GPU's memory would do for a program's kernels: sectors of device memory, turns of
 * the banks of shared memory, atomics, idle lanes. gallery counts prints them.
 *
 * The k-th iterations of an instruction by the lanes of a warp, between two barriers of the grid,
 * are taken for one access of the warp, which moves whole sectors of 32 bytes, each once; in shared
 * memory a bank gives one word of 4 bytes a turn, to all lanes that ask for it (CUDA C++
 * Programming Guide, "Device Memory Accesses" and "Shared Memory", compute capability 5.0 and
 * later). Where the numbers of iterations of the lanes differ by more than one, as in loops over
 * rows of different lengths, it is unknown which accesses a GPU would join: they are counted as
 * irregular.
 */
#include "host/checks/counts.h"
#include "host/emulate/check.h"

#include <stdio.h>  /* fprintf */
#include <stdlib.h> /* abort, qsort, realloc */
#include <string.h> /* memset */

enum { SECTOR = 32, BANKS = 32, WORD = 4, LANES = 32, HALF_WARP = 16 };
enum { MAX_BYTES = 16, SITES = 4096 };
/* A block with more accesses is not recorded. */
enum { MAX_ACCESSES = 1 << 22 };

struct emulate_counts emulate_counts;

struct access {
    const char *address;
    uint32_t site, iteration;
    uint16_t thread;
    uint8_t bytes, is_shared;
};
static struct access *accesses;
static size_t access_count, access_capacity;
static int overflowed;

/* The instructions, by hash, and how often each thread has executed them. */
static struct site {
    const void *caller;
    uint32_t *iterations;
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

/* ---- counting the accesses of a block ---- */

static int by_instruction(const void *left, const void *right)
{
    const struct access *const a = (const struct access *)left;
    const struct access *const b = (const struct access *)right;
    const unsigned warp_a = a->thread / LANES, warp_b = b->thread / LANES;

    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (warp_a != warp_b)
        return warp_a < warp_b ? -1 : 1;
    if (a->iteration != b->iteration)
        return a->iteration < b->iteration ? -1 : 1;
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
    unsigned words_of[BANKS] = {0}, turns = 0, words = 0;
    uintptr_t last = 0;

    if (count < HALF_WARP)
        return;
    for (size_t k = 0; k < count; k++) {
        const uintptr_t first = (uintptr_t)lanes[k].address / WORD;
        const uintptr_t end = ((uintptr_t)lanes[k].address + lanes[k].bytes - 1) / WORD;

        for (uintptr_t word = first; word <= end; word++)
            if (word > last) {
                const unsigned in_bank = ++words_of[word % BANKS];

                turns = in_bank > turns ? in_bank : turns;
                last = word;
                words++;
            }
    }
    emulate_counts.turns += turns;
    emulate_counts.least_turns += (words + BANKS - 1) / BANKS;
}

/* The accesses of one instruction by one warp. */
static void count_instruction(const struct access *first, size_t count)
{
    const unsigned warp = first->thread / LANES;
    const unsigned lanes_left = emulate.threads - warp * LANES;
    size_t iterations[LANES] = {0}, minimum = count, maximum = 0;

    for (size_t k = 0; k < count; k++)
        iterations[first[k].thread % LANES]++;
    for (int lane = 0; lane < LANES; lane++) {
        maximum = iterations[lane] > maximum ? iterations[lane] : maximum;
        if (iterations[lane] > 0 && iterations[lane] < minimum)
            minimum = iterations[lane];
    }
    if (maximum - minimum > 1) {
        emulate_counts.irregular += (double)count;
        return;
    }
    for (size_t k = 0, lanes; k < count; k += lanes) {
        for (lanes = 1; k + lanes < count && first[k + lanes].iteration == first[k].iteration;
             lanes++)
            ;
        if (first[k].is_shared)
            count_shared(&first[k], lanes);
        else
            count_device(&first[k], lanes);
        emulate_counts.active += (double)lanes;
        emulate_counts.existing += lanes_left < LANES ? lanes_left : LANES;
    }
}

/* At the start of a block, after a barrier of the grid, and at the end of a launch. */
static void count_block(void)
{
    if (access_count > 0)
        qsort(accesses, access_count, sizeof *accesses, by_instruction);
    for (size_t k = 0, length; k < access_count; k += length) {
        for (length = 1;
             k + length < access_count && accesses[k + length].site == accesses[k].site &&
             accesses[k + length].thread / LANES == accesses[k].thread / LANES;
             length++)
            ;
        if (overflowed)
            emulate_counts.irregular += (double)length;
        else
            count_instruction(&accesses[k], length);
    }
    for (int k = 0; k < SITES; k++)
        if (sites[k].iterations)
            memset(sites[k].iterations, 0, 1024 * sizeof *sites[k].iterations);
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
            site->iterations = (uint32_t *)grown(NULL, 1024 * sizeof *site->iterations);
            memset(site->iterations, 0, 1024 * sizeof *site->iterations);
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
    if (access.site == SITES || bytes > MAX_BYTES || access_count == MAX_ACCESSES) {
        overflowed |= access_count == MAX_ACCESSES;
        emulate_counts.irregular++;
        return;
    }
    if (access_count == access_capacity) {
        access_capacity = access_capacity > 0 ? 2 * access_capacity : 1024;
        accesses = (struct access *)grown(accesses, access_capacity * sizeof *accesses);
    }
    access.address = address;
    access.bytes = (uint8_t)bytes;
    access.is_shared = (uint8_t)in_shared;
    access.thread = (uint16_t)emulate.thread;
    access.iteration = sites[access.site].iterations[emulate.thread]++;
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
