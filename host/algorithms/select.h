/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel that selects elements of one type; algorithms.c includes this file once for each.
 * Before it:
 *     SELECT_NAME(kernel)   the kernel's name
 *     SELECT_TYPE           of an element
 *     SELECT_BITS           an unsigned integer as wide
 *     SELECT_ORDER(x)       an element as an integer in the same order
 *
 * Tiles look back for their place as in a scan. The kept elements of a tile gather in shared
 * memory, so that the threads write them side by side. Each element and each flag is read from
 * memory once.
 */
#if !defined(SELECT_THREADS)
#define SELECT_THREADS LOOK_BACK_THREADS
/* Which elements to keep: those whose flag is set; or those from `low` on, as integers in the same
 * order, up to `range` further, where the least one follows the greatest; or nothing. */
struct select_what {
    int flagged;
    int nothing;
    long long low;
    unsigned long long range;
};

/* Four flags. */
struct ALIGNED(4) select_flags {
    unsigned char v[4];
};

DEVICE unsigned select_sum(uint4 counts)
{
    return counts.x + counts.y + counts.z + counts.w;
}
#endif
#define SELECT_FOURS (8192 / (unsigned)sizeof(SELECT_TYPE)) /* of a tile, which has 32 KiB */
#define SELECT_TILE (4 * SELECT_FOURS)
#define SELECT_TURNS (SELECT_FOURS / SELECT_THREADS)

struct ALIGNED(16) SELECT_NAME(select_four) {
    SELECT_TYPE v[4];
};

/* Four k of the tile, with 0 beyond its `size` elements. */
DEVICE struct SELECT_NAME(select_four)
    SELECT_NAME(select_load)(int whole, const SELECT_TYPE *RESTRICT x, unsigned size, unsigned k)
{
    struct SELECT_NAME(select_four) four;

    if (whole)
        return ((const struct SELECT_NAME(select_four) *)x)[k];
    for (unsigned lane = 0; lane < 4; lane++)
        four.v[lane] = 4 * k + lane < size ? x[4 * k + lane] : 0;
    return four;
}

/* Four flags, which a GPU loads at once; without flags 1 for each of the `size` elements. */
DEVICE struct select_flags SELECT_NAME(select_flags)(int whole, int flagged,
                                                     const unsigned char *RESTRICT flags,
                                                     unsigned size, unsigned k)
{
    struct select_flags four;

    if (whole && flagged)
        return ((const struct select_flags *)flags)[k];
    for (unsigned lane = 0; lane < 4; lane++)
        four.v[lane] = whole || 4 * k + lane < size ? (flagged ? flags[4 * k + lane] : 1) : 0;
    return four;
}

/* 1 if an element is kept. */
DEVICE unsigned SELECT_NAME(select_keeps)(int flagged, struct select_what what, SELECT_TYPE v,
                                          unsigned char flag)
{
    const SELECT_BITS above = (SELECT_BITS)SELECT_ORDER(v) - (SELECT_BITS)what.low;

    return (flag != 0) & (flagged | (above <= (SELECT_BITS)what.range));
}

/* Four k as one word: how many are kept, and bit 31 - j if element j is. */
DEVICE unsigned SELECT_NAME(select_word)(int whole, int flagged, struct select_what what,
                                         struct SELECT_NAME(select_four) v,
                                         const unsigned char *RESTRICT flags, unsigned size,
                                         unsigned k)
{
    const struct select_flags f = SELECT_NAME(select_flags)(whole, flagged, flags, size, k);

    const unsigned a = SELECT_NAME(select_keeps)(flagged, what, v.v[0], f.v[0]);
    const unsigned b = SELECT_NAME(select_keeps)(flagged, what, v.v[1], f.v[1]);
    const unsigned c = SELECT_NAME(select_keeps)(flagged, what, v.v[2], f.v[2]);
    const unsigned d = SELECT_NAME(select_keeps)(flagged, what, v.v[3], f.v[3]);

    return (a << 31 | b << 30 | c << 29 | d << 28) + (a + b + c + d);
}

/* Puts element `lane` of a four with this word to `place` if it is kept, else to `other`; returns
 * the next one's place. Without a branch, which a CPU would mispredict. */
DEVICE unsigned SELECT_NAME(select_put)(SELECT_TYPE *gathered, unsigned place, unsigned other,
                                        SELECT_TYPE v, unsigned word, unsigned lane)
{
    const unsigned keep = (unsigned)((int)(word << lane) >> 31); /* all bits, or none */

    gathered[other ^ ((place ^ other) & keep)] = v;
    return place - keep;
}

/* Tile t: `size` elements, all of SELECT_TILE and aligned if `whole`. */
BLOCK_FUNCTION(void, SELECT_NAME(select_tile), (SELECT_THREADS), const int whole, const int flagged,
               int last, size_t t, struct select_what what, const SELECT_TYPE *RESTRICT x,
               const unsigned char *RESTRICT flags, unsigned size, SELECT_TYPE *RESTRICT packed,
               unsigned long long *RESTRICT count, unsigned long long *tiles,
               unsigned long long *groups)
{
    SHARED(SELECT_TYPE, gathered, [SELECT_TILE + SELECT_THREADS]); /* kept ones, others */
    SHARED(uint4, fours, [SELECT_FOURS / 4]); /* words; then with the number kept before them */
    SHARED(unsigned, kept, [1]);              /* of the tile */
    SHARED(unsigned long long, start, [1]);   /* of the tile, in packed */
    PRIVATE(struct SELECT_NAME(select_four), own, [SELECT_TURNS]);
    PRIVATE(unsigned, sum);
    PRIVATE(unsigned, before);
    PRIVATE(unsigned long long, earlier, [1]); /* kept of the tiles before */
    unsigned *const four = (unsigned *)fours;
    UNROLL_ON_GPU(SELECT_TURNS)
    for (unsigned k = 0; k < SELECT_FOURS; k += SELECT_THREADS) {
        FOR_EACH_THREAD {
            const unsigned at = k + threadIdx.x;
            const struct SELECT_NAME(select_four) v = SELECT_NAME(select_load)(whole, x, size, at);
            MINE(own)[k / SELECT_THREADS] = v;
            four[at] = SELECT_NAME(select_word)(whole, flagged, what, v, flags, size, at);
        }
    }
    SYNC_THREADS();
    FOR_EACH_THREAD {
        unsigned words = 0; /* the sum of at most 8: their upper halves do not matter */
        UNROLL(2)
        for (unsigned k = 0; k < SELECT_TURNS / 4; k++)
            words += select_sum(fours[SELECT_TURNS / 4 * threadIdx.x + k]);
        MINE(sum) = words & 0xffff;
    }
    BLOCK_SCAN_ADD_EXCLUSIVE(before, sum);
    FOR_EACH_THREAD {
        unsigned through = MINE(before);
        UNROLL(2)
        for (unsigned k = 0; k < SELECT_TURNS / 4; k++) {
            uint4 *const words = &fours[SELECT_TURNS / 4 * threadIdx.x + k];
            const uint4 w = *words;
            const unsigned y = through + (w.x & 0xffff), z = y + (w.y & 0xffff);
            *words = make_uint4((w.x & ~0xffffu) + through, (w.y & ~0xffffu) + y,
                                (w.z & ~0xffffu) + z, (w.w & ~0xffffu) + z + (w.z & 0xffff));
            through = z + (w.z & 0xffff) + (w.w & 0xffff);
        }
        if (threadIdx.x == SELECT_THREADS - 1) {
            kept[0] = through;
            look_back_publish_unsigned(tiles, t, through);
        }
    }
    SYNC_THREADS();
    UNROLL_ON_GPU(SELECT_TURNS)
    for (unsigned k = 0; k < SELECT_FOURS; k += SELECT_THREADS) {
        FOR_EACH_THREAD {
            const unsigned at = k + threadIdx.x, other = SELECT_TILE + threadIdx.x;
            const struct SELECT_NAME(select_four) v = MINE(own)[k / SELECT_THREADS];
            const unsigned word = four[at];
            unsigned place = word & 0xffff;
            place = SELECT_NAME(select_put)(gathered, place, other, v.v[0], word, 0);
            place = SELECT_NAME(select_put)(gathered, place, other, v.v[1], word, 1);
            place = SELECT_NAME(select_put)(gathered, place, other, v.v[2], word, 2);
            SELECT_NAME(select_put)(gathered, place, other, v.v[3], word, 3);
        }
    }
    BLOCK_CALL(look_back_count, t, tiles, groups, earlier);
    FOR_THREADS_BELOW(1) {
        start[0] = MINE(earlier)[0];
        if (t % LOOK_BACK_GROUP == LOOK_BACK_GROUP - 1)
            look_back_publish_count(groups, t / LOOK_BACK_GROUP, MINE(earlier)[0] + kept[0]);
        if (last)
            *count = MINE(earlier)[0] + kept[0];
    }
    SYNC_THREADS();
    const unsigned to_write = kept[0];
    for (unsigned k = 0; k < to_write; k += SELECT_THREADS) {
        const SELECT_TYPE *const from = gathered + k;
        SELECT_TYPE *const to = packed + start[0] + k;
        FOR_THREADS_BELOW(to_write - k)
            to[threadIdx.x] = from[threadIdx.x];
    }
}

/* Selection in one pass.
 * x, flags: n >= 1 elements; aligned: 1 if x is aligned to 16 bytes and flags, if any, to 4;
 * packed: the kept ones; count: 1, their number; queue: 1, tiles: one count for each tile, groups:
 * one of two words for each whole group; the last three 0 at first */
KERNEL_LAUNCH_BOUNDS(SELECT_NAME(portable_select_tiles), SELECT_THREADS, 4)
(size_t n, int aligned, struct select_what what, const SELECT_TYPE *RESTRICT x,
 const unsigned char *RESTRICT flags, SELECT_TYPE *RESTRICT packed,
 unsigned long long *RESTRICT count, unsigned *RESTRICT queue, unsigned long long *RESTRICT tiles,
 unsigned long long *RESTRICT groups)
{
    FOR_EACH_BLOCK(SELECT_THREADS) {
        SHARED(unsigned, ticket, [1]);
        for (;;) {
            FOR_THREADS_BELOW(1)
                ticket[0] = ATOMIC_ADD(queue, 1u);
            SYNC_THREADS();
            const size_t t = ticket[0], first = t * SELECT_TILE;
            if (first >= n)
                break;
            const size_t left = n - first;
            const unsigned char *const of_tile = what.flagged ? flags + first : NULL;
            if (aligned && left >= SELECT_TILE && !what.flagged)
                BLOCK_CALL(SELECT_NAME(select_tile), 1, 0, left == SELECT_TILE, t, what, x + first,
                           NULL, SELECT_TILE, packed, count, tiles, groups);
            else if (aligned && left >= SELECT_TILE)
                BLOCK_CALL(SELECT_NAME(select_tile), 1, 1, left == SELECT_TILE, t, what, x + first,
                           of_tile, SELECT_TILE, packed, count, tiles, groups);
            else
                BLOCK_CALL(SELECT_NAME(select_tile), 0, what.flagged, left <= SELECT_TILE, t, what,
                           x + first, of_tile, left < SELECT_TILE ? (unsigned)left : SELECT_TILE,
                           packed, count, tiles, groups);
            SYNC_THREADS();
        }
    }
}

#undef SELECT_FOURS
#undef SELECT_TILE
#undef SELECT_TURNS
#undef SELECT_NAME
#undef SELECT_TYPE
#undef SELECT_BITS
#undef SELECT_ORDER
