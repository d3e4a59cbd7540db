/* SPDX-License-Identifier: 0BSD */
/* Histogram equalisation: grey levels are spread so that each occurs about equally often. */
#include "kernels/pixels.h"

/* image: n bytes; counts: 256, zero at first */
KERNEL(count_levels)(int n, const unsigned char *RESTRICT image, unsigned *RESTRICT counts)
{
    FOR_EACH_BLOCK(256) {
        SHARED(unsigned, mine, [256]);
        FOR_EACH_THREAD
            mine[threadIdx.x] = 0;
        SYNC_THREADS();
        FOR_EACH_ELEMENT(i, n)
            ATOMIC_ADD_BLOCK(&mine[image[i]], 1u);
        SYNC_THREADS();
        FOR_EACH_THREAD
            ATOMIC_ADD(&counts[threadIdx.x], mine[threadIdx.x]);
    }
}

/* levels[v] = 255 (c(v) - c(min)) / (n - c(min)), rounded, where c(v) is the number of pixels up to
 * level v and min the lowest level that occurs; v if the image has one level alone.
 * One block. counts: of n pixels; levels: 256 */
KERNEL(spread_levels)(int n, const unsigned *RESTRICT counts, unsigned char *RESTRICT levels)
{
    FOR_EACH_BLOCK(256) {
        PRIVATE(unsigned, upto);
        PRIVATE(unsigned, lowest);
        FOR_EACH_THREAD
            MINE(upto) = counts[threadIdx.x];
        BLOCK_SCAN_ADD_INCLUSIVE(upto, upto);
        FOR_EACH_THREAD
            MINE(lowest) = counts[threadIdx.x] > 0 ? MINE(upto) : (unsigned)n;
        BLOCK_REDUCE_MIN(lowest, lowest);
        FOR_EACH_THREAD {
            const unsigned long long above = MINE(upto) - MINE(lowest);
            const unsigned long long all = (unsigned)n - MINE(lowest);
            levels[threadIdx.x] =
                (unsigned char)(all == 0                    ? threadIdx.x
                                : MINE(upto) < MINE(lowest) ? 0
                                                            : (255 * above + all / 2) / all);
        }
    }
}

/* image, result: n bytes; levels: 256 */
KERNEL(look_up)(int n, const unsigned char *RESTRICT levels, const unsigned char *RESTRICT image,
                unsigned char *RESTRICT result)
{
    GRID_STRIDE_LOOP(i, n)
        result[i] = levels[image[i]];
}
