/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the sum, the minimum and the maximum of one type; algorithms.c includes this file
 * once for each. Before it:
 *     REDUCE_NAME(kernel)   the kernel's name
 *     REDUCE_TYPE           of an element
 *     REDUCE_SUM            of a sum
 *     REDUCE_ORDERED        a signed integer as wide as an element, for minimum and maximum;
 *                           0: none
 *     REDUCE_TO_ORDER(x), REDUCE_FROM_ORDER(k)
 *                           an element as such an integer in the same order, and back; what has no
 *                           place in the order, a NaN, is the largest integer
 *
 * Each block reduces one tile, whose size does not depend on the device, and the tiles' results are
 * reduced in the same way, so the order of operations depends on n alone. Each thread has four
 * loads of four elements in flight, as sum_float4 in kernels/reduce.c.
 */
#if !defined(REDUCE_THREADS)
#define REDUCE_THREADS 256
#define REDUCE_FOURS (16 * REDUCE_THREADS) /* of a tile */
#define REDUCE_TILE (4 * REDUCE_FOURS)
#endif

/* Four elements, which a GPU loads at once. */
struct ALIGNED(16) REDUCE_NAME(reduce_four) {
    REDUCE_TYPE v[4];
};

/* Four k of the tile; beyond its `size` elements `none`. */
DEVICE struct REDUCE_NAME(reduce_four)
    REDUCE_NAME(reduce_load)(int whole, const REDUCE_TYPE *RESTRICT x, size_t size, unsigned k,
                             REDUCE_TYPE none)
{
    struct REDUCE_NAME(reduce_four) four;

    if (whole)
        return ((const struct REDUCE_NAME(reduce_four) *)x)[k];
    for (unsigned lane = 0; lane < 4; lane++)
        four.v[lane] = 4 * k + lane < size ? x[4 * k + lane] : none;
    return four;
}

/* The sum of a tile, or a part of it that is cut short or not aligned to 16 bytes. */
BLOCK_FUNCTION(void, REDUCE_NAME(sum_tile), (REDUCE_THREADS), const int whole,
               const REDUCE_TYPE *RESTRICT x, size_t size, REDUCE_SUM *RESTRICT sum)
{
    PRIVATE(REDUCE_SUM, lanes, [4]);
    PRIVATE(REDUCE_SUM, total);
    FOR_EACH_THREAD {
        for (unsigned lane = 0; lane < 4; lane++)
            MINE(lanes)[lane] = 0;
    }
    for (unsigned k = 0; k < REDUCE_FOURS; k += 4 * REDUCE_THREADS) {
        FOR_EACH_THREAD {
            const unsigned at = k + threadIdx.x;
            const struct REDUCE_NAME(reduce_four)
                a = REDUCE_NAME(reduce_load)(whole, x, size, at, 0),
                b = REDUCE_NAME(reduce_load)(whole, x, size, at + REDUCE_THREADS, 0),
                c = REDUCE_NAME(reduce_load)(whole, x, size, at + 2 * REDUCE_THREADS, 0),
                d = REDUCE_NAME(reduce_load)(whole, x, size, at + 3 * REDUCE_THREADS, 0);
            UNROLL(4)
            for (unsigned lane = 0; lane < 4; lane++)
                MINE(lanes)
            [lane] += ((REDUCE_SUM)a.v[lane] + (REDUCE_SUM)b.v[lane]) +
                      ((REDUCE_SUM)c.v[lane] + (REDUCE_SUM)d.v[lane]);
        }
    }
    FOR_EACH_THREAD
        MINE(total) = (MINE(lanes)[0] + MINE(lanes)[1]) + (MINE(lanes)[2] + MINE(lanes)[3]);
    BLOCK_REDUCE_ADD(total, total);
    FOR_THREADS_BELOW(1)
        *sum = MINE(total);
}

/* Each tile's sum. One block per tile, and one at least.
 * x: n elements; aligned: 1 if x is aligned to 16 bytes; sums: one per block */
KERNEL_LAUNCH_BOUNDS(REDUCE_NAME(portable_sum_tiles), REDUCE_THREADS, 4)
(size_t n, int aligned, const REDUCE_TYPE *RESTRICT x, REDUCE_SUM *RESTRICT sums)
{
    FOR_EACH_BLOCK(REDUCE_THREADS) {
        const size_t first = (size_t)blockIdx.x * REDUCE_TILE;
        if (aligned && n - first >= REDUCE_TILE)
            BLOCK_CALL(REDUCE_NAME(sum_tile), 1, x + first, 0, &sums[blockIdx.x]);
        else
            BLOCK_CALL(REDUCE_NAME(sum_tile), 0, x + first, n - first, &sums[blockIdx.x]);
    }
}

#if defined(REDUCE_ORDERED)
/* The minimum of a tile. With `flip`, all ones, the order is reversed: the maximum. */
BLOCK_FUNCTION(void, REDUCE_NAME(least_of_tile), (REDUCE_THREADS), const int whole,
               REDUCE_ORDERED flip, REDUCE_TYPE none, const REDUCE_TYPE *RESTRICT x, size_t size,
               REDUCE_TYPE *RESTRICT result)
{
    PRIVATE(REDUCE_ORDERED, lanes, [4]);
    PRIVATE(REDUCE_ORDERED, least);
    FOR_EACH_THREAD {
        for (unsigned lane = 0; lane < 4; lane++)
            MINE(lanes)[lane] = REDUCE_LARGEST;
    }
    for (unsigned k = 0; k < REDUCE_FOURS; k += 4 * REDUCE_THREADS) {
        FOR_EACH_THREAD {
            UNROLL(4)
            for (unsigned turn = 0; turn < 4; turn++) {
                const struct REDUCE_NAME(reduce_four) four = REDUCE_NAME(reduce_load)(
                    whole, x, size, k + turn * REDUCE_THREADS + threadIdx.x, none);
                UNROLL(4)
                for (unsigned lane = 0; lane < 4; lane++) {
                    const REDUCE_ORDERED key = REDUCE_TO_ORDER(four.v[lane], flip);
                    MINE(lanes)[lane] = key < MINE(lanes)[lane] ? key : MINE(lanes)[lane];
                }
            }
        }
    }
    FOR_EACH_THREAD {
        MINE(least) = MINE(lanes)[0];
        for (unsigned lane = 1; lane < 4; lane++)
            MINE(least) = MINE(lanes)[lane] < MINE(least) ? MINE(lanes)[lane] : MINE(least);
    }
    BLOCK_REDUCE_MIN(least, least);
    FOR_THREADS_BELOW(1)
        *result = REDUCE_FROM_ORDER(MINE(least), flip);
}

/* Each tile's minimum, as portable_sum_tiles; or maximum, if flip is all ones. `none` comes
 * last. */
KERNEL_LAUNCH_BOUNDS(REDUCE_NAME(portable_least_of_tiles), REDUCE_THREADS, 4)
(size_t n, int aligned, REDUCE_ORDERED flip, REDUCE_TYPE none, const REDUCE_TYPE *RESTRICT x,
 REDUCE_TYPE *RESTRICT results)
{
    FOR_EACH_BLOCK(REDUCE_THREADS) {
        const size_t first = (size_t)blockIdx.x * REDUCE_TILE;
        if (aligned && n - first >= REDUCE_TILE)
            BLOCK_CALL(REDUCE_NAME(least_of_tile), 1, flip, none, x + first, 0,
                       &results[blockIdx.x]);
        else
            BLOCK_CALL(REDUCE_NAME(least_of_tile), 0, flip, none, x + first, n - first,
                       &results[blockIdx.x]);
    }
}
#undef REDUCE_ORDERED
#undef REDUCE_LARGEST
#undef REDUCE_TO_ORDER
#undef REDUCE_FROM_ORDER
#endif

#undef REDUCE_NAME
#undef REDUCE_TYPE
#undef REDUCE_SUM
