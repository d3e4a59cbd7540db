/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of accesscheck.c: what the accesses of one instruction by the lanes of a warp cost.
 *
 * Device memory moves whole sectors of 32 bytes, each once for the warp. In shared memory each of
 * 32 banks gives one word of 4 bytes per wavefront, to all lanes that ask for it; accesses of 8
 * bytes are made by half a warp at a time, those of 16 by a quarter. (CUDA C++ Programming Guide,
 * "Device Memory Accesses" and "Shared Memory", compute capability 5.0 and later.) Atomics on one
 * address take turns.
 */
#ifndef PORTABLE_HOST_CHECKS_WARP_ACCESSES_H
#define PORTABLE_HOST_CHECKS_WARP_ACCESSES_H

#include <stdint.h> /* uint64_t, uintptr_t */

enum { LANES = 32, SECTOR = 32, BANKS = 32, WORD = 4 };

/* Of one instruction, or of several. */
struct cost {
    uint64_t requests, threads; /* warps that executed it; lanes of these that took part */
    uint64_t present;           /* lanes that these warps have */
    uint64_t used; /* bytes of device memory that were accessed, each once per request */
    /* Sectors of device memory, wavefronts of shared memory, or turns on the address that most
     * lanes of a warp have an atomic on; and how few there could be for the same bytes. */
    uint64_t turns, least;
};

/* Whether neighbouring addresses are this far apart. */
static int are_apart(const uintptr_t *addresses, unsigned count, uintptr_t distance)
{
    uintptr_t difference = 0;

    for (unsigned k = 1; k < count; k++)
        difference |= addresses[k] - addresses[k - 1] - distance;
    return difference == 0;
}

static void sort_addresses(uintptr_t *addresses, unsigned count)
{
    for (unsigned k = 1; k < count; k++) {
        const uintptr_t address = addresses[k];
        unsigned place = k;

        for (; place > 0 && addresses[place - 1] > address; place--)
            addresses[place] = addresses[place - 1];
        addresses[place] = address;
    }
}

/* The addresses are in ascending order in these three. */
static void cost_of_sectors(struct cost *cost, const uintptr_t *addresses, unsigned count,
                            unsigned bytes)
{
    uintptr_t end = 0, sectors_end = 0; /* of the bytes and sectors so far */
    uint64_t used = 0, sectors = 0;

    for (unsigned k = 0; k < count; k++) {
        const uintptr_t begin = addresses[k] > end ? addresses[k] : end;
        const uintptr_t first = addresses[k] / SECTOR;
        const uintptr_t last_end = (addresses[k] + bytes - 1) / SECTOR + 1;

        end = addresses[k] + bytes;
        used += end - begin;
        sectors += last_end - (first > sectors_end ? first : sectors_end);
        sectors_end = last_end;
    }
    cost->used += used;
    cost->turns += sectors;
    cost->least += (used + SECTOR - 1) / SECTOR;
}

static void cost_of_banks(struct cost *cost, const uintptr_t *addresses, unsigned count,
                          unsigned bytes)
{
    unsigned char words_of[BANKS] = {0};
    unsigned turns = 0, words = 0;
    uintptr_t words_end = 0;

    if (count == 1) {
        words = (unsigned)((addresses[0] + bytes - 1) / WORD - addresses[0] / WORD + 1);
        cost->turns += (words + BANKS - 1) / BANKS;
        cost->least += (words + BANKS - 1) / BANKS;
        return;
    }
    for (unsigned k = 0; k < count; k++) {
        const uintptr_t first = addresses[k] / WORD;
        const uintptr_t last_end = (addresses[k] + bytes - 1) / WORD + 1;

        for (uintptr_t w = first > words_end ? first : words_end; w < last_end; w++) {
            const unsigned in_bank = ++words_of[w % BANKS];

            turns = in_bank > turns ? in_bank : turns;
            words++;
        }
        words_end = last_end;
    }
    cost->turns += turns;
    cost->least += (words + BANKS - 1) / BANKS;
}

static void cost_of_atomics(struct cost *cost, const uintptr_t *addresses, unsigned count)
{
    unsigned turns = 0, here = 0;

    for (unsigned k = 0; k < count; k++) {
        here = k > 0 && addresses[k] == addresses[k - 1] ? here + 1 : 1;
        turns = here > turns ? here : turns;
    }
    cost->turns += turns;
    cost->least++;
}

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_KINDS };

/* Adds the accesses of lanes that are served together. */
static void add_part(struct cost *cost, enum access_kind kind, int is_shared, unsigned bytes,
                     uintptr_t *addresses, unsigned count)
{
    if (kind == ACCESS_ATOMIC) {
        sort_addresses(addresses, count);
        cost_of_atomics(cost, addresses, count);
        return;
    }
    const uintptr_t distance = count > 1 ? addresses[1] - addresses[0] : 0;
    if ((distance == 0 || distance == bytes) && are_apart(addresses, count, distance)) {
        bytes *= distance == 0 ? 1 : count; /* as one access of all bytes */
        count = 1;
    } else {
        sort_addresses(addresses, count);
    }
    if (is_shared)
        cost_of_banks(cost, addresses, count, bytes);
    else
        cost_of_sectors(cost, addresses, count, bytes);
}

/* Adds one instruction's accesses of `bytes` each; the lanes are in ascending order. The addresses
 * are sorted in place. */
static void add_request(struct cost *cost, enum access_kind kind, int is_shared, unsigned bytes,
                        uintptr_t *addresses, const unsigned char *lanes, unsigned count)
{
    const int is_whole = kind == ACCESS_ATOMIC || !is_shared || bytes <= WORD;
    const unsigned lanes_at_once = is_whole ? LANES : bytes <= 2 * WORD ? LANES / 2 : LANES / 4;

    cost->requests++;
    cost->threads += count;
    for (unsigned begin = 0, end; begin < count; begin = end) {
        const unsigned part = lanes[begin] / lanes_at_once;

        for (end = begin + 1; end < count && lanes[end] / lanes_at_once == part; end++)
            ;
        add_part(cost, kind, is_shared, bytes, addresses + begin, end - begin);
    }
}

#endif
