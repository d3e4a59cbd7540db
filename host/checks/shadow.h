/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A two-level table with a check's data about each page of memory, found by the upper, then the
 * middle bits of an address. Addresses have 48 bits:
 *
 *     47 ... 30         29 ... 12           11 ... 0
 *     shadow_tables[] -> table->pages[] -> the check's data about byte address % 4096
 */
#ifndef PORTABLE_HOST_CHECKS_SHADOW_H
#define PORTABLE_HOST_CHECKS_SHADOW_H

#include <stddef.h>   /* NULL, size_t */
#include <stdint.h>   /* uintptr_t */
#include <stdio.h>    /* fprintf */
#include <stdlib.h>   /* abort */
#include <sys/mman.h> /* madvise, mmap */

#define INLINE static inline __attribute__((always_inline))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum { SHADOW_PAGE_BITS = 12, SHADOW_TABLE_BITS = 18, SHADOW_TOP_BITS = 18 };
enum { SHADOW_PAGE = 1 << SHADOW_PAGE_BITS };

struct shadow_table {
    void *pages[1 << SHADOW_TABLE_BITS];
};
static struct shadow_table *shadow_tables[1 << SHADOW_TOP_BITS];

/* Zeroes that take memory when first touched. Kernels stride through memory, and the check through
 * several times as much: large pages, if the system has them, save address translations. */
static void *shadow_map(size_t bytes)
{
    enum { LARGE = 2 << 20 };
    char *memory = (char *)mmap(NULL, bytes + LARGE, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == (char *)MAP_FAILED) {
        fprintf(stderr, "out of memory for what the check keeps about the program's\n");
        abort();
    }
    memory += (LARGE - (uintptr_t)memory % LARGE) % LARGE;
    if (bytes >= LARGE)
        madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

/* NULL if nothing was stored about the address. */
INLINE void *shadow_page(uintptr_t address)
{
    const struct shadow_table *table;

    /* No program has memory at a larger address: an access there faults. */
    table = shadow_tables[address >> (SHADOW_PAGE_BITS + SHADOW_TABLE_BITS) &
                          ((1u << SHADOW_TOP_BITS) - 1)];
    if (UNLIKELY(table == NULL))
        return NULL;
    return table->pages[address >> SHADOW_PAGE_BITS & ((1u << SHADOW_TABLE_BITS) - 1)];
}

/* The same, but creates it, of that number of zero bytes; NULL where no program has memory. `kind`,
 * 0 to 3, is for the check: it is stored in the low bits of the page's address. */
static void *shadow_make(uintptr_t address, size_t page_bytes, unsigned kind)
{
    enum { AT_ONCE = 64 };
    static struct {
        char *pages;
        int left;
    } kinds[4];
    struct shadow_table **table;
    void **page;

    if (address >> (SHADOW_PAGE_BITS + SHADOW_TABLE_BITS + SHADOW_TOP_BITS) != 0)
        return NULL;
    table = &shadow_tables[address >> (SHADOW_PAGE_BITS + SHADOW_TABLE_BITS)];
    if (*table == NULL)
        *table = (struct shadow_table *)shadow_map(sizeof **table);
    page = &(*table)->pages[address >> SHADOW_PAGE_BITS & ((1u << SHADOW_TABLE_BITS) - 1)];
    if (*page == NULL) {
        if (kinds[kind].left == 0) {
            kinds[kind].pages = (char *)shadow_map(AT_ONCE * page_bytes);
            kinds[kind].left = AT_ONCE;
        }
        kinds[kind].left--;
        *page = kinds[kind].pages + kind;
        kinds[kind].pages += page_bytes;
    }
    return *page;
}

/* The address has no page any more; what it had stays. */
INLINE void shadow_forget(uintptr_t address)
{
    shadow_tables[address >> (SHADOW_PAGE_BITS + SHADOW_TABLE_BITS)]
        ->pages[address >> SHADOW_PAGE_BITS & ((1u << SHADOW_TABLE_BITS) - 1)] = NULL;
}

#endif
