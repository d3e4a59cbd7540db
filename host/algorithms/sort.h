/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of one radix sort; algorithms.c includes this file once for each. Before it:
 *     SORT_KEY            unsigned or unsigned long long
 *     SORT_OF_KEY(name)   the name for this kind of key; its first sort is one of keys alone
 *     SORT_NAME(name)     the name for this sort
 *     SORT_PAIRS          1: each key has an unsigned value; 0: keys alone
 *     SORT_ITEMS          keys per thread in a tile: tuning
 *
 * Least significant digit first, 8 bits each. One kernel counts all digits of all keys. Then each
 * pass moves the keys in tiles, in one sweep over memory: a block counts its tile's digits, makes
 * the counts public, sorts the tile in shared memory, adds up the counts of the tiles before it,
 * and writes each digit's keys side by side. A. Adinets and D. Merrill, "Onesweep: a faster least
 * significant digit radix sort for GPUs", 2022. On a CPU the tile stays in the cache, so each pass
 * writes runs of neighbours instead of single keys to 256 places.
 */
#if !defined(SORT_THREADS)
#define SORT_THREADS 384
#define SORT_BLOCKS 2 /* on a multiprocessor: leaves each thread the registers for its keys */
#define SORT_COUNT_THREADS 1024
#define SORT_DIGIT_BITS 8
#define SORT_DIGITS (1 << SORT_DIGIT_BITS)
/* The two upper bits of a tile's public count. */
#define SORT_OF_TILE 1u    /* of this tile */
#define SORT_UP_TO_TILE 2u /* of the tiles up to this one */
#define SORT_COUNT_BITS 30

#define SORT_WARPS (SORT_THREADS / WARP_SIZE)

/* From the digits' counts, pass by pass, to where each digit begins. One block.
 * counts: SORT_DIGITS for each pass */
KERNEL(portable_sort_starts)(unsigned passes, unsigned long long *RESTRICT counts)
{
    FOR_EACH_BLOCK(SORT_DIGITS) {
        PRIVATE(unsigned long long, count);
        PRIVATE(unsigned long long, start);
        for (unsigned pass = 0; pass < passes; pass++) {
            FOR_EACH_THREAD
                MINE(count) = counts[pass * SORT_DIGITS + threadIdx.x];
            BLOCK_SCAN_ADD_EXCLUSIVE(start, count);
            FOR_EACH_THREAD
                counts[pass * SORT_DIGITS + threadIdx.x] = MINE(start);
        }
    }
}
#endif

#define SORT_TILE (SORT_THREADS * SORT_ITEMS)
#define SORT_PASSES ((unsigned)sizeof(SORT_KEY))
#define SORT_SIGN ((SORT_KEY)1 << (8 * sizeof(SORT_KEY) - 1))

#if !SORT_PAIRS
/* Keys as unsigned numbers in the same order, and back: flips the bits of `positive` in a key
 * without the sign bit, those of `negative` in one with it. */
DEVICE SORT_KEY SORT_OF_KEY(sort_fold)(SORT_KEY key, SORT_KEY positive, SORT_KEY negative)
{
    return key ^ positive ^ ((0 - (key / SORT_SIGN)) & (positive ^ negative));
}

/* Counts the digits of all passes. The counts of a digit have `columns` columns, a power of two,
 * which share the increments. x: n keys; counts: SORT_DIGITS for each pass, 0 at first; dynamic
 * shared memory: `columns` times as many */
KERNEL(SORT_OF_KEY(portable_sort_count))
(size_t n, unsigned columns, SORT_KEY positive, SORT_KEY negative, const SORT_KEY *RESTRICT x,
 unsigned long long *RESTRICT counts)
{
    FOR_EACH_BLOCK(SORT_COUNT_THREADS) {
        SHARED_DYNAMIC(unsigned, shared);
        const unsigned words = SORT_PASSES * SORT_DIGITS * columns;
        for (unsigned k = 0; k < words; k += SORT_COUNT_THREADS) {
            FOR_EACH_THREAD
                shared[k + threadIdx.x] = 0;
        }
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n) {
            const SORT_KEY key = SORT_OF_KEY(sort_fold)(x[i], positive, negative);
            unsigned *const column = &shared[threadIdx.x & (columns - 1)];
            UNROLL(SORT_PASSES)
            for (unsigned pass = 0; pass < SORT_PASSES; pass++) {
                const unsigned digit = (unsigned)(key >> 8 * pass) % SORT_DIGITS;
                ATOMIC_ADD_BLOCK(&column[(pass * SORT_DIGITS + digit) * columns], 1u);
            }
        }
        SYNC_THREADS();
        for (unsigned first = 0; first < SORT_PASSES * SORT_DIGITS; first += SORT_COUNT_THREADS) {
            FOR_EACH_THREAD {
                const unsigned place = first + threadIdx.x;
                unsigned sum = 0;
                for (unsigned k = 0; k < columns; k++)
                    sum += shared[place * columns + ((place + k) & (columns - 1))];
                ATOMIC_ADD(&counts[place], (unsigned long long)sum);
            }
        }
    }
}
#endif

/* Key i of the tile, folded; beyond a tile that is cut short the largest, which comes last. */
#define SORT_KEY_AT(i)                                                                             \
    (whole || (i) < size ? SORT_OF_KEY(sort_fold)(from[i], positive, negative) : (SORT_KEY)-1)
#define SORT_DIGIT(key) ((unsigned)((key) >> shift) % SORT_DIGITS)

/* Adds the tile's digits to the counts of the warp whose part of the tile they are in. */
BLOCK_FUNCTION(void, SORT_NAME(sort_count), (SORT_THREADS), const int whole, unsigned size,
               unsigned shift, SORT_KEY positive, SORT_KEY negative, const SORT_KEY *RESTRICT from,
               unsigned *places)
{
    FOR_EACH_IN_ORDER(i, warp, SORT_TILE)
    {
        const SORT_KEY key = SORT_KEY_AT(i);
        unsigned *const counts = &places[warp * SORT_DIGITS];
        ATOMIC_ADD_BLOCK(&counts[SORT_DIGIT(key)], 1u);
    }
}

/* Puts the tile's keys, and their values, into shared memory in the order of their digits, those of
 * one digit in their own order: each goes to its warp's place for the digit, which then grows by
 * one. */
BLOCK_FUNCTION(void, SORT_NAME(sort_arrange), (SORT_THREADS), const int whole, unsigned size,
               unsigned shift, SORT_KEY positive, SORT_KEY negative, const SORT_KEY *RESTRICT from,
               const unsigned *RESTRICT values_from, SORT_KEY *RESTRICT tile,
               unsigned *RESTRICT tile_values, unsigned *RESTRICT places)
{
    (void)values_from;
    (void)tile_values;
    FOR_EACH_IN_ORDER(i, warp, SORT_TILE)
    {
        const SORT_KEY key = SORT_KEY_AT(i);
        const unsigned place =
            INCREMENT_IN_ORDER(&places[warp * SORT_DIGITS], SORT_DIGIT(key), SORT_DIGIT_BITS);
        tile[place] = key;
#if SORT_PAIRS
        if (whole || i < size)
            tile_values[place] = values_from[i];
#endif
    }
}

/* One tile of one pass: `size` keys from `from`, all of SORT_TILE if `whole`. */
BLOCK_FUNCTION(void, SORT_NAME(sort_tile), (SORT_THREADS), const int whole, unsigned t,
               unsigned size, unsigned last, unsigned shift, SORT_KEY positive, SORT_KEY negative,
               SORT_KEY positive_back, SORT_KEY negative_back, const SORT_KEY *RESTRICT from,
               const unsigned *RESTRICT values_from, SORT_KEY *tile, SORT_KEY *RESTRICT to,
               unsigned *RESTRICT values_to, const unsigned long long *starts,
               unsigned long long *next_starts, unsigned *counts)
{
    SHARED(unsigned, places, [SORT_WARPS * SORT_DIGITS]); /* of a warp's next key with a digit */
    SHARED(unsigned long long, origin, [SORT_DIGITS]); /* of a digit's keys, less place in tile */
    PRIVATE(unsigned, count);                          /* of this thread's digit */
    PRIVATE(unsigned, start);
    unsigned *const tile_values = (unsigned *)(tile + SORT_TILE);
    (void)values_to;
    UNROLL_ON_GPU(SORT_WARPS)
    for (unsigned k = 0; k < SORT_WARPS * SORT_DIGITS; k += SORT_DIGITS) {
        FOR_THREADS_BELOW(SORT_DIGITS)
            places[k + threadIdx.x] = 0;
    }
    SYNC_THREADS();
    BLOCK_CALL(SORT_NAME(sort_count), whole, size, shift, positive, negative, from, places);
    SYNC_THREADS();
    FOR_EACH_THREAD
        MINE(count) = 0;
    UNROLL_ON_GPU(SORT_WARPS)
    for (unsigned warp = 0; warp < SORT_WARPS; warp++) {
        FOR_THREADS_BELOW(SORT_DIGITS) {
            unsigned *const first = &places[warp * SORT_DIGITS + threadIdx.x];
            const unsigned of_warp = *first;
            *first = MINE(count);
            MINE(count) += of_warp;
        }
    }
    FOR_THREADS_BELOW(SORT_DIGITS)
        ATOMIC_STORE(&counts[(size_t)t * SORT_DIGITS + threadIdx.x],
                     MINE(count) | (t == 0 ? SORT_UP_TO_TILE : SORT_OF_TILE) << SORT_COUNT_BITS);
    BLOCK_SCAN_ADD_EXCLUSIVE(start, count);
    UNROLL_ON_GPU(SORT_WARPS)
    for (unsigned warp = 0; warp < SORT_WARPS; warp++) {
        FOR_THREADS_BELOW(SORT_DIGITS)
            places[warp * SORT_DIGITS + threadIdx.x] += MINE(start);
    }
    SYNC_THREADS();
    BLOCK_CALL(SORT_NAME(sort_arrange), whole, size, shift, positive, negative, from, values_from,
               tile, tile_values, places);
    FOR_THREADS_BELOW(SORT_DIGITS) {
        const unsigned mask = (1u << SORT_COUNT_BITS) - 1;
        unsigned earlier = 0; /* keys with this digit in the tiles before */
        for (unsigned before = t; before > 0;) {
            unsigned seen;
            before--;
            do
                seen = ATOMIC_LOAD(&counts[(size_t)before * SORT_DIGITS + threadIdx.x]);
            while (seen == 0);
            earlier += seen & mask;
            if (seen >> SORT_COUNT_BITS == SORT_UP_TO_TILE)
                break;
        }
        if (t > 0)
            ATOMIC_STORE(&counts[(size_t)t * SORT_DIGITS + threadIdx.x],
                         (earlier + MINE(count)) | SORT_UP_TO_TILE << SORT_COUNT_BITS);
        origin[threadIdx.x] = starts[threadIdx.x] + earlier - MINE(start);
        if (t == last)
            next_starts[threadIdx.x] = starts[threadIdx.x] + earlier + MINE(count);
    }
    SYNC_THREADS();
    UNROLL_ON_GPU(SORT_ITEMS)
    for (unsigned k = 0; k < SORT_ITEMS; k++) {
        FOR_EACH_THREAD {
            const unsigned i = k * SORT_THREADS + threadIdx.x;
            if (whole || i < size) {
                const SORT_KEY key = tile[i];
                const size_t at = (size_t)origin[SORT_DIGIT(key)] + i;
                to[at] = SORT_OF_KEY(sort_fold)(key, positive_back, negative_back);
#if SORT_PAIRS
                values_to[at] = tile_values[i];
#endif
            }
        }
    }
}

/* One pass over n < 2^30 keys, from digit `shift` bits up. One block per tile, in the order of
 * their tickets: a block waits only for those with earlier ones.
 * from, to: n keys, folded on the way in and back on the way out; starts, next_starts: SORT_DIGITS:
 * where the keys of each digit go, here and behind these; queue: 1 and counts: SORT_DIGITS for each
 * tile, both 0 at first; dynamic shared memory: SORT_TILE keys and values */
KERNEL_LAUNCH_BOUNDS(SORT_NAME(portable_sort_pass), SORT_THREADS, SORT_BLOCKS)
(unsigned n, unsigned shift, SORT_KEY positive, SORT_KEY negative, SORT_KEY positive_back,
 SORT_KEY negative_back, const SORT_KEY *RESTRICT from, const unsigned *RESTRICT values_from,
 SORT_KEY *RESTRICT to, unsigned *RESTRICT values_to, const unsigned long long *RESTRICT starts,
 unsigned long long *RESTRICT next_starts, unsigned *RESTRICT queue, unsigned *RESTRICT counts)
{
    FOR_EACH_BLOCK(SORT_THREADS) {
        SHARED(unsigned, ticket, [1]);
        SHARED_DYNAMIC(SORT_KEY, tile);
        FOR_THREADS_BELOW(1)
            ticket[0] = ATOMIC_ADD(queue, 1u);
        SYNC_THREADS();
        const unsigned t = ticket[0], last = (n - 1) / SORT_TILE;
        const unsigned first = t * SORT_TILE;
        const unsigned size = n - first < SORT_TILE ? n - first : SORT_TILE;
        const unsigned *const values = SORT_PAIRS ? values_from + first : NULL;
        if (size == SORT_TILE && !(positive | negative | positive_back | negative_back))
            BLOCK_CALL(SORT_NAME(sort_tile), 1, t, size, last, shift, 0, 0, 0, 0, from + first,
                       values, tile, to, values_to, starts, next_starts, counts);
        else if (size == SORT_TILE)
            BLOCK_CALL(SORT_NAME(sort_tile), 1, t, size, last, shift, positive, negative,
                       positive_back, negative_back, from + first, values, tile, to, values_to,
                       starts, next_starts, counts);
        else
            BLOCK_CALL(SORT_NAME(sort_tile), 0, t, size, last, shift, positive, negative,
                       positive_back, negative_back, from + first, values, tile, to, values_to,
                       starts, next_starts, counts);
    }
}

#undef SORT_TILE
#undef SORT_PASSES
#undef SORT_SIGN
#undef SORT_KEY_AT
#undef SORT_DIGIT
#undef SORT_NAME
#undef SORT_PAIRS
#undef SORT_ITEMS
