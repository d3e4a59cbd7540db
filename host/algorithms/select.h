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
 * order, up to `range` further, or if `opposite` all others. */
struct select_what {
    int flagged;
    unsigned opposite;
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

/* Four flags, which a GPU loads at once. */
DEVICE struct select_flags SELECT_NAME(select_flags)(int whole, const unsigned char *RESTRICT flags,
                                                     unsigned size, unsigned k)
{
    struct select_flags four;

    if (whole)
        return ((const struct select_flags *)flags)[k];
    for (unsigned lane = 0; lane < 4; lane++)
        four.v[lane] = 4 * k + lane < size ? flags[4 * k + lane] : 0;
    return four;
}

/* 1 if an element is kept. */
DEVICE unsigned SELECT_NAME(select_keeps)(struct select_what what, SELECT_TYPE v)
{
    const SELECT_BITS above = (SELECT_BITS)SELECT_ORDER(v) - (SELECT_BITS)what.low;

    return (unsigned)(above <= (SELECT_BITS)what.range) ^ what.opposite;
}

/* Which of four k are kept: bit j is set if element j is. */
DEVICE unsigned SELECT_NAME(select_kept)(int whole, int flagged, struct select_what what,
                                         struct SELECT_NAME(select_four) v,
                                         const unsigned char *RESTRICT flags, unsigned size,
                                         unsigned k)
{
    if (flagged) {
        const struct select_flags of = SELECT_NAME(select_flags)(whole, flags, size, k);
        return (of.v[0] != 0) | (of.v[1] != 0) << 1 | (of.v[2] != 0) << 2 | (of.v[3] != 0) << 3;
    }
    const unsigned i = 4 * k, left = i < size ? size - i : 0;
    const unsigned inside = whole || left >= 4 ? 15 : (1u << left) - 1;
    return (SELECT_NAME(select_keeps)(what, v.v[0]) | SELECT_NAME(select_keeps)(what, v.v[1]) << 1 |
            SELECT_NAME(select_keeps)(what, v.v[2]) << 2 |
            SELECT_NAME(select_keeps)(what, v.v[3]) << 3) &
           inside;
}

/* Puts an element into the partition of its tile, without a branch, which a CPU would mispredict.
 * If it is kept, it goes to the front, to `place`, the number of those kept before it; else to the
 * back, `behind` further on: the tile's last place less its own. Returns the next one's place. */
DEVICE unsigned SELECT_NAME(select_put)(SELECT_TYPE *partition, unsigned place, unsigned behind,
                                        SELECT_TYPE v, unsigned keep)
{
    partition[place + (1 - keep) * behind] = v;
    return place + keep;
}

/* Tile t: `size` elements, all of SELECT_TILE and aligned if `whole`. */
BLOCK_FUNCTION(void, SELECT_NAME(select_tile), (SELECT_THREADS), const int whole, const int flagged,
               int last, size_t t, struct select_what what, const SELECT_TYPE *RESTRICT x,
               const unsigned char *RESTRICT flags, unsigned size, SELECT_TYPE *RESTRICT packed,
               unsigned long long *RESTRICT count, unsigned long long *tiles,
               unsigned long long *groups)
{
    SHARED(SELECT_TYPE, partition, [SELECT_TILE]);
    SHARED(uint4, fours, [SELECT_FOURS / 4]); /* kept of each; then before it in the tile */
    SHARED(unsigned, mask, [SELECT_THREADS]); /* which of a thread's are kept, four bits a turn */
    SHARED(unsigned, kept, [1]);              /* of the tile */
    SHARED(unsigned long long, start, [1]);   /* of the tile, in packed */
    PRIVATE(unsigned, sum);
    PRIVATE(unsigned, before);
    PRIVATE(unsigned long long, earlier, [1]); /* kept of the tiles before */
    unsigned *const four = (unsigned *)fours;
    FOR_EACH_THREAD
        mask[threadIdx.x] = 0;
    UNROLL_ON_GPU(SELECT_TURNS)
    for (unsigned k = 0; k < SELECT_FOURS; k += SELECT_THREADS) {
        FOR_EACH_THREAD {
            const unsigned at = k + threadIdx.x;
            const unsigned keep = SELECT_NAME(select_kept)(
                whole, flagged, what, SELECT_NAME(select_load)(whole, x, size, at), flags, size,
                at);
            mask[threadIdx.x] |= keep << (k / SELECT_THREADS * 4);
            four[at] = (keep & 1) + (keep >> 1 & 1) + (keep >> 2 & 1) + (keep >> 3);
        }
    }
    SYNC_THREADS();
    FOR_EACH_THREAD {
        MINE(sum) = 0;
        UNROLL(2)
        for (unsigned k = 0; k < SELECT_TURNS / 4; k++)
            MINE(sum) += select_sum(fours[SELECT_TURNS / 4 * threadIdx.x + k]);
    }
    BLOCK_SCAN_ADD_EXCLUSIVE(before, sum);
    FOR_EACH_THREAD {
        unsigned through = MINE(before);
        UNROLL(2)
        for (unsigned k = 0; k < SELECT_TURNS / 4; k++) {
            uint4 *const counts = &fours[SELECT_TURNS / 4 * threadIdx.x + k];
            const uint4 v = *counts;
            *counts =
                make_uint4(through, through + v.x, through + v.x + v.y, through + v.x + v.y + v.z);
            through += select_sum(v);
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
            const unsigned at = k + threadIdx.x, behind = SELECT_TILE - 1 - 4 * at;
            const struct SELECT_NAME(select_four) v = SELECT_NAME(select_load)(whole, x, size, at);
            const unsigned keep = mask[threadIdx.x] >> (k / SELECT_THREADS * 4);
            unsigned place = four[at];
            place = SELECT_NAME(select_put)(partition, place, behind, v.v[0], keep & 1);
            place = SELECT_NAME(select_put)(partition, place, behind - 1, v.v[1], keep >> 1 & 1);
            place = SELECT_NAME(select_put)(partition, place, behind - 2, v.v[2], keep >> 2 & 1);
            SELECT_NAME(select_put)(partition, place, behind - 3, v.v[3], keep >> 3 & 1);
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
        const SELECT_TYPE *const gathered = partition + k;
        SELECT_TYPE *const to = packed + start[0] + k;
        FOR_THREADS_BELOW(to_write - k)
            to[threadIdx.x] = gathered[threadIdx.x];
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
