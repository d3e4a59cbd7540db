/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel of the prefix sums of one type; algorithms.c includes this file once for each. Before
 * it:
 *     SCAN_NAME(kernel)   the kernel's name
 *     SCAN_TYPE           of an element
 *     SCAN_OF(function)   the function of look_back.h for the type
 *
 * On the way up: the sums of fours, of a thread's eight fours, of threads, tiles and groups. On the
 * way down: what is before a four, and each element's sum within it, for which a GPU still has x in
 * registers.
 */
#if !defined(SCAN_THREADS)
#define SCAN_THREADS LOOK_BACK_THREADS
#define SCAN_FOURS (8 * SCAN_THREADS) /* of a tile */
#define SCAN_TILE (4 * SCAN_FOURS)
#endif

/* Four elements, which a GPU loads and stores at once. */
struct ALIGNED(16) SCAN_NAME(scan_four) {
    SCAN_TYPE x, y, z, w;
};

/* Four elements to their prefix sums. */
DEVICE void SCAN_NAME(scan_sums)(struct SCAN_NAME(scan_four) *const v)
{
    v->y += v->x;
    v->z += v->y;
    v->w += v->z;
}

/* The prefix sums of four k. By a pointer, since clang returns a struct as vectors, which its loop
 * vectoriser refuses. */
DEVICE void SCAN_NAME(scan_load)(int whole, const SCAN_TYPE *RESTRICT x, size_t size, unsigned k,
                                 struct SCAN_NAME(scan_four) *const v)
{
    const unsigned i = 4 * k;

    if (whole) {
        *v = ((const struct SCAN_NAME(scan_four) *)x)[k];
    } else {
        v->x = i < size ? x[i] : 0;
        v->y = i + 1 < size ? x[i + 1] : 0;
        v->z = i + 2 < size ? x[i + 2] : 0;
        v->w = i + 3 < size ? x[i + 3] : 0;
    }
    SCAN_NAME(scan_sums)(v);
}

/* Tile t: `size` elements, all of SCAN_TILE and aligned to 16 bytes if `whole`. */
BLOCK_FUNCTION(void, SCAN_NAME(scan_tile), (SCAN_THREADS), const int whole, const int exclusive,
               size_t t, const SCAN_TYPE *RESTRICT x, size_t size, SCAN_TYPE *RESTRICT sums,
               unsigned long long *tiles, unsigned long long *groups)
{
    SHARED(struct SCAN_NAME(scan_four), fours,
           [SCAN_FOURS / 4]); /* the sum of each; then before it */
    PRIVATE(SCAN_TYPE, sum);
    PRIVATE(SCAN_TYPE, before);
    PRIVATE(SCAN_TYPE, through);      /* the sum of the tile up to this thread */
    PRIVATE(SCAN_TYPE, earlier, [1]); /* the sum of the tiles before */
    SCAN_TYPE *const four = (SCAN_TYPE *)fours;
    UNROLL_ON_GPU(8)
    for (unsigned k = 0; k < SCAN_FOURS; k += SCAN_THREADS) {
        FOR_EACH_THREAD {
            struct SCAN_NAME(scan_four) v;
            SCAN_NAME(scan_load)(whole, x, size, k + threadIdx.x, &v);
            four[k + threadIdx.x] = v.w;
        }
    }
    SYNC_THREADS();
    FOR_EACH_THREAD {
        struct SCAN_NAME(scan_four) low = fours[2 * threadIdx.x], high = fours[2 * threadIdx.x + 1];
        SCAN_NAME(scan_sums)(&low);
        SCAN_NAME(scan_sums)(&high);
        MINE(sum) = low.w + high.w;
    }
    BLOCK_SCAN_ADD_EXCLUSIVE(before, sum);
    FOR_EACH_THREAD {
        struct SCAN_NAME(scan_four) *mine = &fours[2 * threadIdx.x];
        struct SCAN_NAME(scan_four) low = mine[0], high = mine[1];
        SCAN_NAME(scan_sums)(&low);
        SCAN_NAME(scan_sums)(&high);
        const SCAN_TYPE start = MINE(before), middle = start + low.w;
        mine[0].x = start;
        mine[0].y = start + low.x;
        mine[0].z = start + low.y;
        mine[0].w = start + low.z;
        mine[1].x = middle;
        mine[1].y = middle + high.x;
        mine[1].z = middle + high.y;
        mine[1].w = middle + high.z;
        MINE(through) = middle + high.w;
        if (threadIdx.x == SCAN_THREADS - 1)
            SCAN_OF(look_back_publish)(tiles, t, MINE(through));
    }
    SYNC_THREADS();
    BLOCK_CALL(SCAN_OF(look_back), t, tiles, groups, earlier);
    FOR_EACH_THREAD {
        if (threadIdx.x == SCAN_THREADS - 1 && t % LOOK_BACK_GROUP == LOOK_BACK_GROUP - 1)
            SCAN_OF(look_back_publish)
        (groups, t / LOOK_BACK_GROUP, MINE(earlier)[0] + MINE(through));
    }
    UNROLL_ON_GPU(8)
    for (unsigned k = 0; k < SCAN_FOURS; k += SCAN_THREADS) {
        FOR_EACH_THREAD {
            const unsigned at = k + threadIdx.x;
            const SCAN_TYPE start = MINE(earlier)[0] + four[at];
            struct SCAN_NAME(scan_four) v, out;
            SCAN_NAME(scan_load)(whole, x, size, at, &v);
            out.x = exclusive ? start : start + v.x;
            out.y = start + (exclusive ? v.x : v.y);
            out.z = start + (exclusive ? v.y : v.z);
            out.w = start + (exclusive ? v.z : v.w);
            if (whole) {
                ((struct SCAN_NAME(scan_four) *)sums)[at] = out;
            } else {
                if (4 * at < size)
                    sums[4 * at] = out.x;
                if (4 * at + 1 < size)
                    sums[4 * at + 1] = out.y;
                if (4 * at + 2 < size)
                    sums[4 * at + 2] = out.z;
                if (4 * at + 3 < size)
                    sums[4 * at + 3] = out.w;
            }
        }
    }
}

/* Prefix sums in one pass.
 * x, sums: n elements; aligned: 1 if both are aligned to 16 bytes; queue: 1, tiles: one value for
 * each tile, groups: one for each whole group; all 0 at first */
KERNEL_LAUNCH_BOUNDS(SCAN_NAME(portable_scan_tiles), SCAN_THREADS, 4)
(size_t n, int aligned, int exclusive, const SCAN_TYPE *RESTRICT x, SCAN_TYPE *RESTRICT sums,
 unsigned *RESTRICT queue, unsigned long long *RESTRICT tiles, unsigned long long *RESTRICT groups)
{
    FOR_EACH_BLOCK(SCAN_THREADS) {
        SHARED(unsigned, ticket, [1]);
        for (;;) {
            FOR_THREADS_BELOW(1)
                ticket[0] = ATOMIC_ADD(queue, 1u);
            SYNC_THREADS();
            const size_t t = ticket[0], first = t * SCAN_TILE;
            if (first >= n)
                break;
            if (aligned && n - first >= SCAN_TILE && !exclusive)
                BLOCK_CALL(SCAN_NAME(scan_tile), 1, 0, t, x + first, SCAN_TILE, sums + first, tiles,
                           groups);
            else if (aligned && n - first >= SCAN_TILE)
                BLOCK_CALL(SCAN_NAME(scan_tile), 1, 1, t, x + first, SCAN_TILE, sums + first, tiles,
                           groups);
            else
                BLOCK_CALL(SCAN_NAME(scan_tile), 0, exclusive, t, x + first, n - first,
                           sums + first, tiles, groups);
        }
    }
}

#undef SCAN_NAME
#undef SCAN_TYPE
#undef SCAN_OF
